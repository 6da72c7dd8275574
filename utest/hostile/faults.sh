#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# faults.sh BIN: exit status 0 means that the output is whole.  TAP on stdout.
#
# fault_run lets one allocation, or one system call, of a whole program fail, and looks at what
# comes of it.  Some of them in each case; with CHECK_LONG all.

set -u
# Where a locale cannot be loaded the text is ASCII, which is whole, but other text.
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: faults.sh BIN"
# list EVENT reads this machine's tracefs
[ "$(id -u)" = 0 ] || exec sudo --preserve-env=CHECK_LONG "$0" "$@"
bin=$(readlink -f "$1")
hist=$bin/trace-cmd-hist
for program in trace-cmd-hist fault_run diff_make; do
	[ -x "$bin/$program" ] || die "$bin/$program: missing"
done
export ALLOC_FAIL=$bin/liballoc_fail.so
need_files "$ALLOC_FAIL"
data=$here/../data
work_enter
mkdir dir
sample="-n 20"
[ -z "${CHECK_LONG-}" ] || sample=

# both DESC [-o NAME] COMMAND...: with allocations and with system calls that fail
both()
{
	local desc=$1 out=

	shift
	if [ "$1" = -o ]; then
		out="-o $2"
		shift 2
	fi
	# shellcheck disable=SC2086
	ok "$desc: each failed allocation gives whole output or an error" \
		"$bin/fault_run" $sample $out alloc dir "$@"
	# shellcheck disable=SC2086
	ok "$desc: each failed system call gives whole output or an error" \
		"$bin/fault_run" $sample $out syscall dir "$@"
}

# one histogram with an axis, and one with a stack
recorded=$data/recorded.dat
axis="-e kmem:kmalloc#0"
for format in $(report_formats "$hist" svg); do
	both "report --format $format" "$hist" report --format $format "$recorded"
done
# shellcheck disable=SC2086
both "report -o as SVG" -o out.svg "$hist" report $axis --format svg -o out.svg "$recorded"
both "report -o as HTML" -o out.html "$hist" report --format html -o out.html "$recorded"
for view in bars heatmap percentiles; do
	# shellcheck disable=SC2086
	both "report --view $view" "$hist" report $axis --view $view "$recorded"
done
both "report --intervals" "$hist" report --intervals "$recorded"
both "report --list" "$hist" report --list "$recorded"
both "report --list as JSON" "$hist" report --list --format json "$recorded"
both "report of several files" "$hist" report "$recorded" "$data/marks.dat"

for i in 1 2 3; do
	"$bin/diff_make" base$i.dat latency $i && "$bin/diff_make" new$i.dat latency 1$i slow=5 ||
		die "diff_make"
done
for format in text json markdown junit ktap; do
	both "diff --format $format" "$hist" diff --format $format "$work/base1.dat" "$work/new1.dat"
done
both "diff -o of several files" -o out.xml "$hist" diff --format junit -o out.xml \
	--exceed 1ms:0.1 "$work"/base?.dat -- "$work"/new?.dat

several=$data/events/several.dat
switches="-e sched:sched_switch -k next_comm,prev_state"
comms="-e sched:sched_waking -k common_pid.execname"
# shellcheck disable=SC2086
both "replay of two histograms" "$hist" replay -q $switches $comms "$several"
# shellcheck disable=SC2086
both "replay -o of two histograms" -o out.dat "$hist" \
	replay -q $switches $comms -o out.dat "$several"
# shellcheck disable=SC2086
both "replay in the order of time" \
	-o out.dat "$hist" replay -q --threads 1 -i 10ms $comms -o out.dat "$several"
both "replay --latency" "$hist" replay -q --latency sched:sched_waking:pid..sched:sched_switch:next_pid "$several"

# not the overview, which says how many recordings run now
both "list --presets" "$hist" list --presets
both "list EVENT" "$hist" list sched:sched_switch
done_testing
