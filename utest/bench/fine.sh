# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# In the guest: what .log2=3 costs beside .log2 on a kernel that counts it with several triggers.
# A comment "# fine BARE PLAIN FINE START PLAIN FINE PLAIN FINE": CPU time of a system call without
# tracing, with its number counted by .log2 and by .log2=3; the time of a switch between two tasks
# with only START of a latency, with the latency by .log2 and .log2=3, and with both histograms of
# wakeup-latency by .log2 and .log2=3.  With QEMU's -icount shift=0 a nanosecond is an instruction.

# shellcheck source-path=SCRIPTDIR source=../vm/guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"
times=

# measure NAME LOAD OPTIONS...: adds the least time of ten runs
measure()
{
	local name=$1 load=$2

	shift 2
	ok "$name: recorded" trace-cmd-hist record -q -i 0 -o x.dat "$@" -- \
		sh -c "for i in 1 2 3 4 5 6 7 8 9 10; do $load | awk '{ print \$NF }'; done >out"
	times="$times $(sort -n out | head -n 1)"
}
calls='bench-calls 5000'
switches='bench-switches 5000'

measure bare "$calls" -e sched:sched_process_exec -k common_pid
measure .log2 "$calls" -e raw_syscalls:sys_enter -k id.log2
measure .log2=3 "$calls" -e raw_syscalls:sys_enter -k id.log2=3

waits=sched:sched_waking:pid..sched:sched_switch:next_pid
measure start "$switches" -e sched:sched_waking \
	-R 'hist:keys=pid:bench_ts=common_timestamp.usecs:size=16384:clock=mono'
for lat in lat.log2 lat.log2=3; do
	measure "$lat" "$switches" --latency $waits -k $lat -v lat
done
for lat in lat.log2 lat.log2=3; do
	measure "two of $lat" "$switches" --latency $waits -k next_comm,$lat -v lat -k next_prio,$lat -v lat
done
echo "# fine$times"

# A comment "# full ROWS READ ROWS READ": the rows of a histogram with a hit in each bucket up to 2^32,
# and the time of the last of several reads of it, by .log2 and by .log2=3.
full=
for key in length.log2 length.log2=3; do
	ok "$key: recorded" trace-cmd-hist record -q -i 500ms -o x.dat -e syscalls:sys_enter_ftruncate -k $key -- \
		sh -c 'i=1; while [ $i -lt 4294967296 ]; do
			for part in 8 9 10 11 12 13 14 15; do truncate -s $((i * part / 8)) sparse; done
			i=$((i * 2))
		done
		sleep 3'
	full="$full $(trace-cmd-hist report --format json x.dat | tr ',{' '\n\n' |
		sed -n 's/^ *"read_ns": *\([0-9]*\).*/read \1/p; s/^ *"total_rows": *\([0-9]*\).*/rows \1/p' |
		awk '{ last[$1] = $2 } END { print last["rows"], last["read"] }')"
done
echo "# full$full"
done_testing
