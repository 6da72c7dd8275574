# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the kernel said on the console. Sourced by vm.sh.

# Lines by which a kernel reports a bug of its own.
console_bugs='Kernel panic|WARNING: |BUG: |Oops: |general protection fault|UBSAN: |KASAN: '

# A fault of Linux 7 that hist triggers with .log2 reach for 0; patch 1 of d-buckets corrects it.
console_known='UBSAN: shift-out-of-bounds in .*include/linux/log2\.h'

# console_check LOG: one `not ok` for each kind of such line, at most five.
console_check()
{
	local line

	while IFS= read -r line; do
		tap_not_ok "kernel: $line"
	done < <(grep -aE "$console_bugs" "$1" | grep -avE "$console_known" | tr -d '\r' |
		sed 's/^\[[ 0-9.]*\] *//' | sort -u | head -n 5)
}

# console_tail LOG: its end, as comments.
console_tail()
{
	local line

	[ -s "$1" ] || return 0
	tap_comment "the end of the console:"
	while IFS= read -r line; do
		tap_comment "  $line"
	done < <(tail -n 60 "$1" | tr -d '\000\r')
}
