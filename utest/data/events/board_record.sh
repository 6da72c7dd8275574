#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# board_record.sh ARCH NAME: makes NAME.dat.xz and NAME.hist here, of an emulated machine with a kernel
# of `make kernel ARCH=...`: what its own hist triggers counted, and the same events.
#
# mips is big-endian with a long of 32 bits, armv5 little-endian with such a one.  There is no
# trace-cmd there: board_pack.py writes the file of version 6 of what the kernel's files held.
set -eu
# shellcheck source-path=SCRIPTDIR source=../../../scripts/lib.sh
. "$(dirname "$(readlink -f "$0")")/../../../scripts/lib.sh"

top=$(readlink -f "$here/../../..")
[ $# = 2 ] || die "usage: board_record.sh mips|armv5 NAME"
# shellcheck source-path=SCRIPTDIR source=../../kernel/machines.sh
. "$top/utest/kernel/machines.sh"
machine_set "$1"
work_make
kernel=$("$top/scripts/kernel_build.sh" "$1")
mkdir -p "$work"/root/{bin,proc,sys,dev,tmp}
cp "$("$top/scripts/busybox_build.sh" "$busybox_arch")" "$work/root/bin/busybox"
cp "$here/board_init.sh" "$work/root/init"
chmod 755 "$work/root/init"
(cd "$work/root" && find . -mindepth 1 -print0 |
	cpio --quiet -0 -o -H newc --owner=+0:+0) >"$work/initramfs"
machine_command "$1" "$kernel" "$work/initramfs"
timeout 300 "${command[@]}" </dev/null >"$work/log" || true
tr -d '\r' <"$work/log" | sed '1,/^recording-begins$/d; /^recording-ends$/,$d' |
	base64 -d | gunzip | (cd "$work" && cpio -idm --quiet) || die "the machine recorded nothing: $(tail -n 5 "$work/log")"
/usr/bin/python3 "$here/board_pack.py" "$work/out" "$here/$2"
xz -9e -f "$here/$2.dat"
ls -l "$here/$2".*
