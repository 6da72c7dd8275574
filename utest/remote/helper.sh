#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# helper.sh [ARCH[+libc]...]: build the static helper for each machine, and talk to it.  TAP.
#
# ARCH+libc is the helper of helper/Makefile with the compiler's libc, as packages build it.
#
# User-mode emulation runs it on this kernel.  tracefs is a directory here, and /proc
# one with what the helper reads, in a mount namespace of its own: that shows byte
# order, sizes of structures, numbers of system calls, and what is done at the end.
# What it does on a real tracefs is for the guest (vm/tests/93-helper.sh).

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/lib.sh"

# without CHECK_LONG=1 one of big endian with 32 bits, and that of this machine
if [ $# = 0 ]; then
	set -- mips x86_64
	[ -z "${CHECK_LONG-}" ] || set -- armv5 armv7 arm64 mips mipsel riscv64 x86_64 \
		arm64+libc armv7+libc mips+libc riscv64+libc x86_64+libc
fi
work_make

count=0
failed=0
# ok DESC COMMAND...
ok()
{
	local what=$1

	shift
	count=$((count + 1))
	if "$@" >"$work/said" 2>&1; then
		echo "ok $count - $what"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count - $what"
	sed 's/^/# /' "$work/said"
}

# Emulator, class, byte order, and name in ELF.
machine()
{
	case $1 in
	armv5 | armv7) echo qemu-arm-static ELF32 little ARM ;;
	arm64) echo qemu-aarch64-static ELF64 little AArch64 ;;
	mips) echo qemu-mips-static ELF32 big MIPS ;;
	mipsel) echo qemu-mipsel-static ELF32 little MIPS ;;
	riscv64) echo qemu-riscv64-static ELF64 little RISC-V ;;
	x86_64) echo '' ELF64 little Advanced ;;
	*) die "$1: no such machine" ;;
	esac
}

is_static() { ! readelf -lW "$1" | grep -E 'INTERP|DYNAMIC'; }
is_small() { [ "$(stat -c %s "$1")" -le $(($2 * 1024)) ]; }
header_has() { readelf -h "$1" | grep -q "$2"; }

# build ARCH[+libc] DIR
build()
{
	case $1 in
	*+libc) "$here/../../scripts/deps.sh" "$(sed 's/^x86_64+libc$/build/; s/^\(.*\)+libc$/cross-\1/' <<<"$1")" &&
		make -C "$here/../../helper" O="$2" CC="$(libc_compiler "${1%+libc}")" CFLAGS="-Os -Werror" LDFLAGS=-s ;;
	*) "$here/../../scripts/target_helper.sh" "$1" "$2" ;;
	esac
}

libc_compiler()
{
	case $1 in
	armv7) echo arm-linux-gnueabihf-gcc ;;
	arm64) echo aarch64-linux-gnu-gcc ;;
	*) echo "$1-linux-gnu-gcc" ;;
	esac
}

# What the helper sees: put in place by root of a user namespace of our own.
cat >"$work/world.sh" <<'END'
set -e
cd "$1"
shift
mkdir -p proc/sys/kernel/random tracefs/events/x tracefs/instances state
printf 'tracefs %s tracefs rw 0 0\n' "$PWD/tracefs" >proc/mounts
printf 'nodev\ttracefs\n' >proc/filesystems
echo 01234567-89ab-cdef-0123-456789abcdef >proc/sys/kernel/random/boot_id
cd tracefs
echo '[local] global' >trace_clock
echo 1 >tracing_on
ln -s /etc link
chmod 700 ../state
export TRACE_CMD_HIST_STATE="$PWD/../state"
# the true one, for who wants to know how large the helper is
exec 9</proc
mount --bind ../proc /proc
exec "$@"
END

for arch; do
	read -r emulator class order name < <(machine "${arch%+libc}" | sed 's/^ /- /')
	[ "$emulator" != - ] || emulator=
	helper=$work/$arch/trace-cmd-hist-target
	limit=300
	[ "${arch%+libc}" = "$arch" ] || limit=1024
	ok "$arch: the target helper builds" build "$arch" "$work/$arch"
	[ -x "$helper" ] || continue
	echo "# $arch: $(stat -c %s "$helper") bytes"
	ok "$arch: the target helper has at most $limit KiB" is_small "$helper" $limit
	ok "$arch: the target helper is static" is_static "$helper"
	ok "$arch: the target helper has the ELF class $class" header_has "$helper" "$class"
	ok "$arch: the target helper is $order-endian" header_has "$helper" "$order endian"
	ok "$arch: the target helper is built for $name" header_has "$helper" "Machine:.*$name"
	[ -z "$emulator" ] || command -v "$emulator" >/dev/null ||
		die "$emulator: missing: run scripts/deps.sh cross"
	mkdir "$work/$arch.world"
	big=0
	[ "$order" != big ] || big=1
	bytes=4
	[ "$class" != ELF64 ] || bytes=8
	ok "$arch: the target helper speaks the protocol" \
		unshare -rm sh "$work/world.sh" "$work/$arch.world" \
		/usr/bin/python3 "$here/helper_talk.py" $big $bytes ${emulator:+"$emulator"} "$helper" --stdio
	[ -s "$work/said" ] && sed -n 's/^1\.\.\([0-9]*\)$/# '"$arch"': \1 checks/p' "$work/said"
done
echo "1..$count"
[ $failed = 0 ]
