#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# scripts.sh KERNEL SCRIPT...: those of the guest scripts that are for this kernel.  Emulated
# machines are slow.  A script whose head says "On 6.12 alone:" tests a program that sees
# nothing of the kernel, so it runs on one.  A script whose head says "On 6.1 in check-long:" or
# "On 6.12 in check-long:" runs there only with CHECK_LONG=1, and one that says "In check-long:"
# runs anywhere only then.

kernel=$1
shift
for script; do
	if [ "${CHECK_LONG-}" != 1 ] &&
		grep -Eq "^# (In|On $kernel in) check-long: " "$script"; then
		continue
	fi
	if [ "$kernel" = 6.12 ] || ! grep -q '^# On 6.12 alone: ' "$script"; then
		echo "$script"
	fi
done
