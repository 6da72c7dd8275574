# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Recording a target through a helper and through a bare shell. The target is
# this same kernel at the other end of two pipes, so both ways and the local one
# must count the same and leave nothing behind.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

status() { "$@" >/tmp/said 2>&1; echo $?; }

# load N: renames a task N times to a name that the filter knows.
cat >load <<'END'
i=0
while [ $i -lt "$1" ]; do
	printf remote-load >/proc/$$/comm
	i=$((i + 1))
done
END
# record FILE OPTION... -- COMMAND: what the load does, and nothing else, is counted
record()
{
	local out=$1

	shift
	trace-cmd hist record -q -o "$out" -i 100ms -e task:task_rename \
		-f 'newcomm == "remote-load"' -k newcomm -v oom_score_adj "$@"
}
# What the last snapshot has, without times.
rows() { trace-cmd hist report "$1" --format json | tr -d ' \n' | sed 's/.*"rows"://' | sed 's/"time[^,}]*//g'; }
hits() { trace-cmd hist report "$1" --format json | sed -n 's/.*"hits": *\([0-9]*\).*/\1/p' | tail -n 1; }
snapshots() { trace-cmd hist report "$1" --format json | sed -n 's/.*"snapshots": *\([0-9]*\).*/\1/p' | head -n 1; }

before=$(tree_state)
helper='exec:trace-cmd hist listen --stdio'
small='exec:trace-cmd-hist-target --stdio'

is "here" "$(status record local.dat sh load 300)" 0
is "all is counted" "$(hits local.dat)" 300
for url in "$helper" "$small" exec:sh shell:exec:sh; do
	is "--target $url" "$(status record remote.dat --target "$url" sh load 300)" 0
	is "nothing is said" "$(cat said)" ""
	is "the same is counted" "$(hits remote.dat)" 300
	is "in the same rows" "$(rows remote.dat)" "$(rows local.dat)"
	is "nothing is left" "$(tree_state)" "$before"
done
done_testing
