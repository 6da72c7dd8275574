# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck source-path=SCRIPTDIR source=lib.sh
#
# The kernel's own selftests of triggers, those that the series brings among them; or those
# in the list ONLY.

. /tests/lib.sh
cd /ftrace || exit 1
if [ -n "${ONLY-}" ]; then
	cp "$ONLY" /tmp/list
else
	find test.d/trigger -name '*.tc' | sort >/tmp/list
fi
# what these two count are system calls: UML has no events for them, or, in mainline, none
# for a single system call
[ -d $tracefs/events/raw_syscalls ] || sed -i /trigger-hist-mod/d /tmp/list
[ -d $tracefs/events/syscalls ] || sed -i /synthetic-eprobe/d /tmp/list

# ktap LINE: what ftracetest of 6.1 says of a test, as that of 6.12 does with -K
ktap()
{
	case $1 in
	"["*"]" | "# of undefined"*) ;;
	*) printf '# %s\n' "$1" && return ;;
	esac
	printf '%s\n' "$1" | sed -e 's/^\[\([0-9]*\)\]  *\(.*[^[:space:]]\)[[:space:]]*\[\([A-Z]*\)\]$/\3 \1 \2/' \
		-e 's/   */ /g' -e 's/^PASS /ok /' -e 's/^XFAIL \([0-9].*\)/ok \1 # XFAIL/' \
		-e 's/^UNTESTED \([0-9].*\)/ok \1 # SKIP/' -e 's/^UNSUPPORTED \([0-9].*\)/ok \1 # SKIP/' \
		-e 's/^\([A-Z]*\) \([0-9].*\)/not ok \2 # \1/' -e 's/^# of undefined.*/# Totals: told one by one/'
}

option=-K
grep -q -e --ktap ftracetest || option=
# "not ok 3 (instance) event trigger - ... # UNRESOLVED", and what it said as comments.
# A test that could not run counts for nothing: what it lacks is listed beside it.
# Each is told when it has ended, so that it is seen which one does not.
# shellcheck disable=SC2046,SC2086 # names of files, an option or none
./ftracetest $option -v -l /tmp/logs $(cat /tmp/list) 2>&1 | while IFS= read -r line; do
	[ -n "$option" ] || line=$(ktap "$line")
	printf '%s\n' "$line" >>/tmp/ktap
	case $line in
	"ok "* | "not ok "* | "# Totals:"*) ;;
	*) continue ;;
	esac
	printf '%s\n' "$line" | sed -e 's/^ok [0-9]* *\(.*\) # SKIP.*/not ok selftest: \1: could not run/' -e t \
		-e 's/^\(not ok\|ok\) [0-9]* *\(.*\)/\1 selftest: \2/' | sh /tests/say.sh
done
grep -q '^# Totals:' /tmp/ktap || {
	say "not ok selftest: ftracetest runs all of its tests"
	tail -n 30 /tmp/ktap | sed 's/^/# /' | sh /tests/say.sh
}
# why: the last lines of each log that was kept
for log in /tmp/logs/*.tc-log.*; do
	[ -e "$log" ] || continue
	{
		basename "$log"
		tail -n 12 "$log"
	} | sed 's/^/#   /' | sh /tests/say.sh
done
