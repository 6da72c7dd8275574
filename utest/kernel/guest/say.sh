# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Lines on stdin go to the console as messages of the kernel, so that they stand in order
# with its own and are never cut by one.  The level is one that is shown though `quiet`.

while IFS= read -r line; do
	# a record is 1024 bytes at most
	printf '<1>TAP: %.900s\n' "$line" >/dev/kmsg
done
