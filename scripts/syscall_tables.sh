#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# syscall_tables.sh - make lib/event/syscall_tables.c of a kernel's source
#
#	scripts/syscall_tables.sh LINUX-SOURCE > lib/event/syscall_tables.c
#
# For each number the name that ftrace has: of the function behind it, and only where that is
# made by SYSCALL_DEFINE, as find_syscall_meta() in kernel/trace/trace_syscalls.c wants it.
set -eu

linux=$1
[ -f "$linux/scripts/syscall.tbl" ] || {
	echo "$0: $linux: no source of Linux 6.11 or later" >&2
	exit 2
}
version=$(awk '/^(VERSION|PATCHLEVEL) =/ { printf "%s%s", dot, $3; dot = "." }' "$linux/Makefile")
defined=$(mktemp)
trap 'rm -f "$defined"' EXIT

# define ARCH: the names that SYSCALL_DEFINE makes there
define() {
	(cd "$linux" && grep -rhoE '^[[:space:]]*SYSCALL_DEFINE[0-6]\([a-z0-9_]+' --include='*.c' \
		kernel fs mm ipc net security io_uring block drivers lib "arch/$1") |
		sed 's/.*(/sys_/' | sort -u >"$defined"
}

# rows FILE BASE ABIS COLUMN: "NUMBER NAME" of one table; a compat column falls back
rows() {
	awk -v base="$2" -v abis=" $3 " -v column="$4" '
		/^[0-9]/ && index(abis, " " $2 " ") {
			entry = column == 5 && $5 != "" && $5 != "-" ? $5 : $4
			sub(/^__sys_/, "sys_", entry)
			sub(/\/.*/, "", entry)
			print $1 + base, entry
		}' "$linux/$1"
}

# table VARIABLE, rows on stdin: names behind each other, "=N" before one that is not the next
table() {
	echo
	echo "const char syscalls_$1[] ="
	awk -v file="$defined" '
		BEGIN { while ((getline name < file) > 0) known[name] = 1 }
		known[$2] && $2 != "sys_ni_syscall" { print }' | sort -n | awk '
		{
			if ($1 == last && NR > 1)
				next
			word = substr($2, 5)
			if ($1 != last + 1 || NR == 1)
				word = "=" $1 " " word
			last = $1
			if (length(line) + length(word) > 84) {
				print "\t\"" line "\""
				line = ""
			}
			line = line word " "
		}
		END { print "\t\"" line "\";" }'
}

cat <<EOF
// SPDX-License-Identifier: LGPL-2.1
/*
 * syscall_tables.c - what ftrace calls the system calls
 *
 * Made by scripts/syscall_tables.sh of the source of Linux $version: do not edit.  Names are
 * without their "sys_", and count on by one from the number behind "=".
 */
#include "syscall_tables.h"
EOF
define x86
rows arch/x86/entry/syscalls/syscall_64.tbl 0 "common 64" 4 | table x86_64
rows arch/x86/entry/syscalls/syscall_32.tbl 0 "i386" 4 | table i386
define arm64
rows scripts/syscall.tbl 0 "common 64 renameat rlimit memfd_secret" 4 | table arm64
define riscv
rows scripts/syscall.tbl 0 "common 64 riscv rlimit memfd_secret" 4 | table riscv64
define arm
rows arch/arm/tools/syscall.tbl 0 "common eabi" 4 | table arm
define mips
rows arch/mips/kernel/syscalls/syscall_o32.tbl 4000 "o32" 4 | table mips
{
	rows arch/mips/kernel/syscalls/syscall_o32.tbl 4000 "o32" 5
	rows arch/mips/kernel/syscalls/syscall_n64.tbl 5000 "n64" 4
	rows arch/mips/kernel/syscalls/syscall_n32.tbl 6000 "n32" 4
} | table mips64
