#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernel_build.sh ARCH: print a directory with a small kernel that has our patches.
#
# ARCH is um, x86_64, riscv64, mips or armv5.  The directory holds: image, what QEMU
# boots (of um a program); config; release, one line; and where the machine needs one,
# dtb.  The source is Debian's linux-source-6.12, the series kernel-patches/6.12 goes
# onto it by git am, and the configuration is tinyconfig with kernel-patches/config/common
# and ARCH.
#
# Invariant: a kernel is in the cache under a hash of all that it is made of, so a
# second run with nothing changed only prints the name.

set -eu
export LC_ALL=C

me=kernel_build.sh
script=$(readlink -f "$0")
top=$(dirname "$script")/..
# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "$top/scripts/apt_cache.sh"

version=6.12
package=linux-source-$version
patches=$(readlink -f "$top/kernel-patches/$version")
configs=$(readlink -f "$top/kernel-patches/config")

[ $# = 1 ] || die "usage: kernel_build.sh um|x86_64|riscv64|mips|armv5"
arch=$1
dtb=
case $arch in
um) karch=um cross='' image=linux target=linux ;;
x86_64) karch=x86_64 cross='' image=arch/x86/boot/bzImage target=bzImage ;;
riscv64) karch=riscv cross=riscv64-linux-gnu- image=arch/riscv/boot/Image target=Image ;;
mips) karch=mips cross=mips-linux-gnu- image=vmlinux target=vmlinux ;;
armv5)
	karch=arm cross=arm-linux-gnueabi- image=arch/arm/boot/zImage target='zImage dtbs'
	dtb=arch/arm/boot/dts/arm/versatile-pb.dtb
	;;
*) die "$arch: no such machine: use um, x86_64, riscv64, mips or armv5" ;;
esac

# Debian's source, unpacked in the cache, by its version.
kernel_tree()
{
	local newest

	newest=$(apt-cache policy "$package" | sed -n 's/^ *Candidate: //p')
	case $newest in
	'' | '(none)')
		apt_refresh
		newest=$(apt-cache policy "$package" | sed -n 's/^ *Candidate: //p')
		;;
	esac
	case $newest in
	'' | '(none)') die "$package: apt does not know this package: is this Debian 12?" ;;
	esac
	tree=tree-$newest
	[ ! -d "$tree" ] || return 0
	apt_download "$package"
	echo "$me: unpacking $package" >&2
	dpkg-deb --fsys-tarfile ./*.deb | tar -xO --wildcards './usr/src/*.tar.xz' | xz -dc -T0 |
		tar -x --strip-components=1 || die "$package: cannot be unpacked"
	apt_keep "$package" "$tree"
}

# A tree with the series: hard links of the files, which git am replaces and never
# writes into.  Only what the series touches is known to git, for speed.
apply_series()
{
	rm -rf patched.part
	cp -al "$tree" patched.part
	(
		cd patched.part
		git init -q .
		git config user.name "$me"
		git config user.email "$me@localhost"
		git config core.autocrlf false
		sed -n 's|^--- a/||p' "$patches"/*.patch | sort -u | while read -r file; do
			[ ! -e "$file" ] || git add -f "$file"
		done
		git commit -q -m "$package"
		git am -q --whitespace=nowarn "$patches"/*.patch
	) >&2 || die "$patches: does not apply to $package"
	mv -T patched.part "$patched"
}

configure()
{
	make -s -C "$patched" O="$build" ARCH="$karch" CROSS_COMPILE="$cross" "$@" >>"$build.log" 2>&1 ||
		{ tail -30 "$build.log" >&2; die "$arch: make $*: failed"; }
}

# Each line of the fragments must still be there after make has had its say.
check_config()
{
	local line

	while read -r line; do
		grep -qxF "$line" "$build/.config" || die "$arch: the configuration lost $line"
	done < <(grep -h '^CONFIG_' "$configs/common" "$configs/$arch")
}

cache_enter lock-kernel-build
kernel_tree
series=$(cat "$patches"/*.patch | sha256sum | cut -c 1-16)
patched=patched-$series
compiler=$("${cross}gcc" --version | head -1) || die "${cross}gcc: missing: run scripts/deps.sh kernel"
hash=$( (echo "$tree $series $arch $compiler"; cat "$configs/common" "$configs/$arch" "$script") |
	sha256sum | cut -c 1-16)
kernel=built-$arch-$hash
if [ ! -d "$kernel" ]; then
	[ -d "$patched" ] || apply_series
	build=$PWD/$kernel.build
	rm -rf "$build"
	mkdir "$build"
	: >"$build.log"
	echo "$me: building $arch: some minutes" >&2
	configure tinyconfig
	cat "$configs/common" "$configs/$arch" >>"$build/.config"
	configure olddefconfig
	check_config
	# shellcheck disable=SC2086 # two targets
	configure -j"$(nproc)" $target
	rm -rf "$kernel.part"
	mkdir "$kernel.part"
	cp "$build/$image" "$kernel.part/image"
	[ -z "$dtb" ] || cp "$build/$dtb" "$kernel.part/dtb"
	cp "$build/.config" "$kernel.part/config"
	cp "$build/include/config/kernel.release" "$kernel.part/release"
	mv -T "$kernel.part" "$kernel"
	rm -rf "$build" "$build.log"
fi
echo "$cache/$kernel"
