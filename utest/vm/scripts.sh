#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# scripts.sh KERNEL SCRIPT...: those of the guest scripts that are for this kernel.  A script
# whose head says "On 6.12 alone:" tests a program that sees nothing of the kernel, and
# emulated machines are slow: it runs on one.

kernel=$1
shift
for script; do
	if [ "$kernel" = 6.12 ] || ! grep -q '^# On 6.12 alone: ' "$script"; then
		echo "$script"
	fi
done
