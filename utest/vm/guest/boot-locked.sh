# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# For boots.sh: a kernel that was locked down when it booted, or is locked down here, which lasts
# until the next boot.  tracefs is empty then, or refuses each open(2); root is told the reason.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

# says COMMAND...: what it says, and its exit status
says()
{
	trace-cmd hist "$@" 2>&1
	echo $?
}
mount -t securityfs securityfs /sys/kernel/security || bail "no securityfs"
if grep -q '\[none\]' /sys/kernel/security/lockdown; then
	is "record works before the kernel is locked down" \
		"$(says record -q -o before.dat -e sched_switch -k next_pid -- true)" 0
	echo confidentiality >/sys/kernel/security/lockdown || bail "cannot lock the kernel down"
fi

# names COMMAND...: its error names the lockdown, and the hint what helps
names()
{
	is "'$*' names the lockdown" "$(says "$@")" \
"trace-cmd hist: error: /sys/kernel/tracing: the kernel is locked down (confidentiality), which forbids tracing even to root
hint: boot without lockdown=confidentiality; Secure Boot may also lock the kernel
2"
}
names record -q -o after.dat -e sched_switch -k next_pid -- true
names record --engine user -q -o after.dat -e sched_switch -k next_pid -- true
names record --preset wakeup-latency -- true
names top -b -e sched_switch -k next_pid
names list
names cleanup
ok "no file is left" [ ! -e after.dat ]
is "a helper tells its host" "$(says record -q --target 'exec:trace-cmd-hist-target --stdio' \
	-e sched_switch -k next_pid -- true | grep -o 'the kernel is locked down (confidentiality)' | sort -u)" \
	"the kernel is locked down (confidentiality)"
done_testing
