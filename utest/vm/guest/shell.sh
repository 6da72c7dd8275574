# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# An interactive shell, as PID 1's child. Leaving it sends $OUT
# to the host and powers the VM off.

# shellcheck source-path=SCRIPTDIR source=ports.sh
. /guest/ports.sh
exec 4>"$(port_device out)"

# The terminal of the person is the virtio console; the serial one has the
# kernel's messages.
until [ -c /dev/hvc0 ]; do
	usleep 10000
done
exec <>/dev/hvc0 >&0 2>&0
# shellcheck disable=SC2046 # "rows N cols N" is four words
stty $(cat /guest/size)

cd /root || exit
export PS1='vm:\w# '
echo "Linux $(uname -r), tracefs in /sys/kernel/tracing. Files in $OUT come back" \
	"with --out DIR. exit ends the VM."
setsid -c sh 4>&-
send_out
poweroff -f
