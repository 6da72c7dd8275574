#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# hist-gate.sh BASE COMMAND...: fail a CI job if COMMAND got slower
#
# Records COMMAND several times and compares the recordings with those in the directory BASE.
# Only the system calls of COMMAND and its children count (-F -c), not those of other tasks.
# If BASE does not exist, the recordings become the baseline in BASE.
# Times are only comparable on one machine: make the baseline on the machine of later runs.
#
# Needs root.
#
# Environment:
#	RUNS		number of runs to record (default 5); one run is compared in parts
#	RECORD		options of `trace-cmd hist record`
#			(default --preset syscall-latency -F -c -i 200ms)
#	DIFF		options of `trace-cmd hist diff` (default --threshold 20)
#	OUT		directory for the new recordings and reports (default hist-new)
#	GITHUB_STEP_SUMMARY	file to append the comparison to, as markdown (set by GitHub)
#
# Exit status:
#	0	COMMAND did not get slower, or the baseline was made
#	1	COMMAND regressed
#	2	wrong usage, or diff failed
#	3	the recordings cannot be compared
#	4	too few hits could be judged
#	5	COMMAND or its recording failed, and nothing was compared

set -eu

[ $# -ge 2 ] || { echo "usage: hist-gate.sh BASE COMMAND..." >&2; exit 2; }
base=$1
shift
out=${OUT:-hist-new}
mkdir -p "$out"
rm -f "$out"/run-*.dat

run=0
while [ $run -lt "${RUNS:-5}" ]; do
	run=$((run + 1))
	# shellcheck disable=SC2086 # a list of options
	trace-cmd hist record -q ${RECORD:---preset syscall-latency -F -c -i 200ms} \
		-o "$out/run-$run.dat" -- "$@" || {
		# not the status of COMMAND, which could be one of diff's
		echo "hist-gate.sh: run $run: the load or its recording failed: status $?" >&2
		exit 5
	}
done

if [ ! -d "$base" ]; then
	mkdir -p "$base"
	cp "$out"/run-*.dat "$base"
	echo "$base: recorded from $run runs; later runs are compared with it"
	exit 0
fi

# Compare once per output: the log, the test report and the summary page of the job.
compare()
{
	# shellcheck disable=SC2086 # a list of options
	trace-cmd hist diff ${DIFF:---threshold 20} "$@" "$base"/run-*.dat -- "$out"/run-*.dat
}
status=0
compare || status=$?
# status 2 is an error that is already printed; do not print it again
[ $status != 2 ] || exit 2
compare --format junit -o "$out/hist.xml" || true
if [ -n "${GITHUB_STEP_SUMMARY-}" ]; then
	compare --format markdown >>"$GITHUB_STEP_SUMMARY" || true
fi
exit $status
