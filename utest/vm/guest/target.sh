# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# A target with a network, as PID 1's child (reboot.sh has it run in shell.sh's place).
# A helper listens on TCP port 8300.  On the console: "target: ready" when it does,
# and whenever a host is gone, "target: clean", or what is left.

# shellcheck source-path=SCRIPTDIR source=lib.sh
. /tests/lib.sh
ip link set eth0 up
ip addr add 10.0.2.15/24 dev eth0
# what is counted: a task that is renamed some twenty times a second
(while :; do printf on-target >/proc/self/comm; usleep 50000; done) &
before=$(tree_state)
trace-cmd-hist-target -p 8300 --key /key --bind 0.0.0.0 | while read -r line; do
	case $line in
	'listening on'*) echo "target: ready" ;;
	*': gone') if [ "$(tree_state)" = "$before" ]; then
			echo "target: clean"
		else
			echo "target: left: $(tree_state)"
		fi ;;
	esac
done >/dev/ttyS0
poweroff -f
