# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The worked CI example of Documentation/ci: the workflow's own step is run, line for
# line, in a job's directory.  First it makes the baseline, then it passes, and a
# program that became slower fails it, with a test report that names the call.
#
# On 6.12 alone: diff sees no kernel.
# In check-long: utest/scripts/diff.sh has the verdicts.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir -p /tmp/ci/job/Documentation /tmp/ci/home && cd /tmp/ci/job || bail "no /tmp"
cp -r /ci Documentation/ci || bail "no /ci: add Documentation/ci to the guest"

before=$(tree_state)
mkfifo /tmp/ci/never
yml=Documentation/ci/hist-gate.yml
# Calls of some microseconds drift by a whole log2 bucket from one run to the next where the
# machine is emulated; what is made slower here becomes five times as slow.  Half of the calls of
# so short a program are those that start it, each a few times.
sed -i 's/--threshold 20$/--threshold 200 --min-decided 20/' $yml

# program SECONDS: sleeps 40 times in poll(2)
program()
{
	cat >benchmark <<-END
	#!/bin/sh
	exec 3<>/tmp/ci/never
	for i in \$(seq 40); do read -r -t $1 x <&3; done
	exit 0
	END
	chmod +x benchmark
}

# The step as the runner runs it: its env, then its run line.
step()
{
	sed -n '/^ *env:/,/^ *run:/s/^ *\([A-Z]*\): \(.*\)/export \1='"'\2'"'/p' $yml
	sed -n 's/^ *run: \(.*hist-gate.*\)/\1/p' $yml
}
# setting NAME
setting()
{
	step | sed -n "s/^export $1=//p"
}

# run_step: output in $out, status in $status
run_step()
{
	status=0
	out=$(step | HOME=/tmp/ci/home OUT= GITHUB_STEP_SUMMARY=/tmp/ci/summary sh -e 2>&1) || status=$?
}

is "the workflow sets RUNS to 5" "$(setting RUNS)" "'5'"
like "the workflow runs hist-gate.sh" "$(step)" '^Documentation/ci/hist-gate\.sh '

# Another task, whose calls are not those of the program.
while :; do sync; usleep 20000; done &
other=$!

program 0.01
run_step
is "the first run of the step exits with status 0" "$status" 0
like "the first run of the step reports a baseline from 5 runs" \
	"$out" '^/tmp/ci/home/hist-base: recorded from 5 runs'
is "the baseline consists of five recordings" "$(ls /tmp/ci/home/hist-base | tr '\n' ' ')" \
	"run-1.dat run-2.dat run-3.dat run-4.dat run-5.dat "

run_step
is "the step exits with status 0 for an unchanged program" "$status" 0
like "the verdict for an unchanged program is pass or inconclusive" \
	"$out" '^verdict: (pass|inconclusive)'
like "the test report of an unchanged program has a test case for sys_poll" \
	"$(cat hist-new/hist.xml)" '<testcase name="sys_poll'
is "the test report of an unchanged program has no failure" \
	"$(grep -c '<failure' hist-new/hist.xml)" 0

keys=$(trace-cmd hist report --view table hist-new/run-1.dat 2>/dev/null | sed -n 's/^{ id: \(sys_[a-z0-9_]*\).*/\1/p' | sort -u)
like "the calls of the program are recorded" "$keys" '^sys_poll$'
is "the calls of another task are not" "$(printf '%s\n' "$keys" | grep -cx sys_sync)" 0
kill $other

program 0.05
rm -f /tmp/ci/summary
run_step
is "the step exits with status 1 for a slower program" "$status" 1
like "the verdict for a slower program names sys_poll" "$out" '^verdict: regressed: .*sys_poll'
is "the test report of a slower program has a failure for sys_poll" \
	"$(grep -A1 '<testcase name="sys_poll' hist-new/hist.xml | grep -c '<failure type="regressed"')" 1
like "the summary page of the job shows the regression" \
	"$(cat /tmp/ci/summary)" '^### :x: trace-cmd hist diff: regressed'

# 1 is also what a regression gives
printf '#!/bin/sh\nexit 1\n' >benchmark
run_step
is "the step exits with status 5 if the program fails" "$status" 5
like "the step reports the run and the status of a program that fails" \
	"$out" '^hist-gate.sh: run 1: the load or its recording failed: status 1$'
is "the step prints no verdict if the program fails" "$(printf '%s' "$out" | grep -c '^verdict:')" 0

is "the runs of the step leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
