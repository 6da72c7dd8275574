#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# busybox_build.sh ARCH: print the path of a static busybox for one machine.
#
# ARCH is x86_64, riscv64, mips or armv5.  It is built from Debian's source, as Debian 12
# has none for RISC-V and big endian MIPS; and so that its shell takes programs of the PATH
# before applets of the same name, which Debian's busybox-static does not.

set -eu
export LC_ALL=C

# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/apt_cache.sh"

[ $# = 1 ] || die "usage: busybox_build.sh x86_64|riscv64|mips|armv5"
case $1 in
x86_64) cross='' ;;
riscv64) cross=riscv64-linux-gnu- ;;
mips) cross=mips-linux-gnu- ;;
armv5) cross=arm-linux-gnueabi- ;;
*) die "$1: no such machine: use x86_64, riscv64, mips or armv5" ;;
esac

build()
{
	local log=$PWD/log

	apt_source busybox
	(
		cd busybox-*/
		make -s CROSS_COMPILE="$cross" defconfig
		# tc needs headers that newer kernels do not have
		sed -i -e 's/.*\bCONFIG_STATIC\b.*/CONFIG_STATIC=y/' \
			-e 's/^CONFIG_\(TC\|FEATURE_TC_INGRESS\)=y/# CONFIG_\1 is not set/' .config
		yes '' | make -s CROSS_COMPILE="$cross" oldconfig
		make -s -j"$(nproc)" CROSS_COMPILE="$cross" busybox
	) >"$log" 2>&1 || { tail -n 20 "$log" >&2; die "busybox: make failed for $1"; }
	cp busybox-*/busybox .
	rm -rf busybox-* busybox_* log
}

cache_enter
cache_make "busybox-$1" build "$1"
echo "$cache/busybox-$1/busybox"
