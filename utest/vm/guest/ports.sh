# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The guest's ends of the virtio-serial ports. Sourced by driver.sh and
# shell.sh.
#
# Port "tap": the tests' output, read live by the host. Lines that start with
# the byte 001 are the driver's own.
# Port "out": tar archives one after the other, each with the files that were
# in $OUT at that time.

OUT=/out
export OUT

# The device of a port. The host announces ports one by one while we run, and
# there is no udev to name them.
port_device()
{
	local dev

	while :; do
		for dev in /sys/class/virtio-ports/*; do
			if [ "$(cat "$dev/name" 2>/dev/null)" = "$1" ]; then
				echo "/dev/${dev##*/}"
				return
			fi
		done
		usleep 10000
	done
}

# Send what is in $OUT, and empty it.
send_out()
{
	[ -n "$(ls -A $OUT)" ] || return 0
	tar -C $OUT -cf - . >&4
	rm -rf $OUT
	mkdir $OUT
}

mkdir -p $OUT
