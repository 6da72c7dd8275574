# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck source-path=SCRIPTDIR source=lib.sh
#
# Our program on this kernel: a recording and its report.  UML with Linux 6.1 has no random
# numbers for its first minutes: nothing here may wait for them.

. /tests/lib.sh
# The command is recorded, so all that it does is counted however slow the machine is.
ok "record ends with status 0 after its command" timeout 60 \
	trace-cmd hist record -q -o /tmp/a.dat -i 200ms -e task:task_rename -k newcomm -- \
	sh -c 'for i in 1 2 3; do echo on-board >/proc/self/comm; usleep 100000; done'
ok "the report has the task that the command renamed" \
	sh -c 'trace-cmd hist report /tmp/a.dat --format json | grep on-board'
