# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Pairs of a latency, and those that never close, while the triggers are set and at the end under a
# load that forks: exit_group(2) is a START without END, and a child's return from clone(2) an END
# without START.  The same recording has the events, and awk pairs those of the stock trace-cmd
# report.
#
# On 6.1 in check-long: a list of tasks works as in 6.12.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/pairs
cd /tmp/pairs || bail "no directory"
before=$(tree_state)

for i in 1 2 3 4 5 6; do
	sh -c 'while [ ! -e stop ]; do usleep 3000; done' &
done

# pairs FILE: "HITS STARTS ENDS" of the events
pairs()
{
	command trace-cmd report "$1" 2>/dev/null | awk '
	/ sys_enter: / { sub(/ *\[.*/, ""); sub(/.*-/, ""); starts += open[$0]; open[$0] = 1 }
	/ sys_exit: / { sub(/ *\[.*/, ""); sub(/.*-/, ""); open[$0] ? hits++ : ends++; open[$0] = 0 }
	END { for (pid in open) starts += open[pid]; print hits, starts, ends + 0 }'
}
# counted FILE: the same, from the report
counted()
{
	trace-cmd hist report "$1" --format json | awk '{
		for (i = 1; i < NF; i++) {
			if ($i == "\"hits\":" && !hits)
				hits = $(i + 1) + 0
			if ($i == "\"unmatched_starts\":")
				starts = $(i + 1) + 0
			if ($i == "\"unmatched_ends\":")
				ends = $(i + 1) + 0
		}
	}
	END { print hits, starts, ends }'
}
record()
{
	trace-cmd hist record -q -i 0 --events -o "$1" --latency \
		'raw_syscalls:sys_enter:common_pid..raw_syscalls:sys_exit:common_pid' -- sleep 0.3
}
ok "record with a load that forks succeeds" record all.dat
touch stop
wait
want=$(pairs all.dat)
is "each pair is counted, and each START and END alone is told" "$(counted all.dat)" "$want"
ok "there were more than 20 of each ($want)" sh -c '[ $1 -gt 20 ] && [ $2 -gt 20 ] && [ $3 -gt 20 ]' sh \
	${want:-0 0 0}
is "tracefs is as before" "$(tree_state)" "$before"
done_testing
