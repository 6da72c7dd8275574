# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck source-path=SCRIPTDIR source=lib.sh
#
# Our program on this kernel: a recording and its report.

. /tests/lib.sh
(while :; do echo on-board >/proc/self/comm; usleep 50000; done) &
task=$!
ok "record" timeout 60 trace-cmd hist record -q -o /tmp/a.dat -i 200ms -d 1s -e task:task_rename -k newcomm
kill $task
ok "report has what ran" sh -c 'trace-cmd hist report /tmp/a.dat --format json | grep on-board'
