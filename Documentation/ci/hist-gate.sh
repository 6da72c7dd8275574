#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# hist-gate.sh BASE COMMAND...: a job that fails when COMMAND got slower
#
# Records COMMAND some times, and holds the recordings against those in the directory
# BASE. Without BASE the recordings become it: that is how a baseline is made, on the
# machine that later runs are compared on.
#
# Needs root and a kernel with hist triggers. Reads from the environment:
#	RUNS		runs to record (5; with one, blocks of its snapshots are compared)
#	RECORD		options of `trace-cmd hist record` (--preset syscall-latency -i 200ms)
#	DIFF		options of `trace-cmd hist diff` (--threshold 20)
#	OUT		directory for the new recordings and reports (hist-new)
#	GITHUB_STEP_SUMMARY	a markdown file to add the comparison to (set by GitHub)
#
# Exit status: 0 passed, or the baseline was made; 1 regressed; 2 trouble; 3 the
# recordings cannot be compared; 4 too little could be decided; 5 COMMAND or its recording
# failed, and nothing was compared.

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
	trace-cmd hist record -q ${RECORD:---preset syscall-latency -i 200ms} \
		-o "$out/run-$run.dat" -- "$@" || {
		# the status of COMMAND could be any of diff's
		echo "hist-gate.sh: run $run: the load or its recording failed: status $?" >&2
		exit 5
	}
done

if [ ! -d "$base" ]; then
	mkdir -p "$base"
	cp "$out"/run-*.dat "$base"
	echo "$base: made from $run runs: later ones are compared with it"
	exit 0
fi

# One comparison for each reader: the job's log, the test report, the job's page.
compare()
{
	# shellcheck disable=SC2086 # a list of options
	trace-cmd hist diff ${DIFF:---threshold 20} "$@" "$base"/run-*.dat -- "$out"/run-*.dat
}
status=0
compare || status=$?
# 2 is trouble, which was told: the others would only tell it again
[ $status != 2 ] || exit 2
compare --format junit -o "$out/hist.xml" || true
if [ -n "${GITHUB_STEP_SUMMARY-}" ]; then
	compare --format markdown >>"$GITHUB_STEP_SUMMARY" || true
fi
exit $status
