#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernel_build.sh [--plain | --debug | --text] [--linux VERSION] ARCH: print a
# directory with a small kernel that has our patches; with --plain one without, but as it is
# otherwise; with --debug one that finds bugs of its own (KASAN, lockdep); with --text one
# that also prints hist files as they were (not 6.1).  VERSION is 6.12, 6.1, or mainline.
#
# ARCH is um, x86_64, riscv64, mips or armv5.  The directory holds: image, what QEMU
# boots (of um a program); config; release, one line; where the machine needs one, dtb;
# ftrace, the selftests; and linux, headers of what the tests use that libc's lack.  The
# source is Debian's linux-source-VERSION, and the series kernel-patches/VERSION goes onto it
# by git am (of mainline the series in its folders, in their order).  The configuration is
# tinyconfig with kernel-patches/config/common, ARCH, and, where it is there, ARCH-VERSION.
#
# Invariant: a kernel is in the cache under a hash of all that it is made of, so a
# second run with nothing changed only prints the name.  Of each machine there is one
# kernel, and one directory of objects, which the next kernel is made in: a patch that
# changes costs what it touches, as every file that git writes is newer than its object.

set -eu
export LC_ALL=C

script=$(readlink -f "$0")
top=$(dirname "$script")/..
# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "$top/scripts/apt_cache.sh"

version=6.12 of=''
configs=$(readlink -f "$top/kernel-patches/config")

plain='' kind='' more=''
case ${1-} in
--plain) plain=1 kind=plain- && shift ;;
--debug) kind=debug- more=debug && shift ;;
--text) kind=text- && shift ;;
esac
case ${1-} in
--linux) version=${2-} && shift 2 ;;
esac
[ $# = 1 ] || die "usage: kernel_build.sh [--plain | --debug | --text] [--linux VERSION] um|x86_64|riscv64|mips|armv5"
patches=$(readlink -f "$top/kernel-patches/$version")
[ -d "$patches" ] || die "$version: no such kernel: use 6.12, 6.1 or mainline"
package=linux-source-$version
# what has nothing to do with the series, but is in the way of its tests
fixes=("$top/kernel-patches/tests/$version"/*.patch)
[ -e "${fixes[0]}" ] || fixes=()
[ "$kind" != text- ] || fixes+=("$top/kernel-patches/tests/$version/text"/*.patch)
# in names of the cache
[ "$version" = 6.12 ] || of=$version-
arch=$1
dtb=
case $version-$arch in
6.12-* | mainline-* | 6.1-um | 6.1-x86_64) ;;
*) die "$arch: there is no configuration for it with Linux $version: use um or x86_64" ;;
esac
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

# The files that are changed, one a line.
series_files()
{
	sed -n 's|^--- a/||p' "${ours[@]}" ${fixes[@]+"${fixes[@]}"} | sort -u
}

# A tree of hard links to the files of Debian's, which git replaces and never writes into.
# Only what a series has touched is known to git, for speed.  Objects and patched files of
# another version are useless.
patched_tree()
{
	! cmp -s "$patched/.debian-version" "$tree/.debian-version" || return 0
	rm -rf "$patched" "$patched.part" "${of}objects"-*
	cp -al "$tree" "$patched.part"
	(
		cd "$patched.part"
		git init -q .
		git config user.name "$me"
		git config user.email "$me@localhost"
		git config core.autocrlf false
		git config gc.auto 0
		git commit -q --allow-empty -m "$package"
		git tag debian
	) >&2 || die "$patched: git init failed"
	mv -T "$patched.part" "$patched"
}

# patched/, with the series; its tag "debian" is what the series goes onto.
apply_series()
{
	patched_tree
	[ "$(cat "$patched/.series" 2>/dev/null)" != "$series_hash" ] || return 0
	rm -f "$patched/.series"
	(
		cd "$patched"
		git am --abort 2>/dev/null || true
		git reset -q --hard
		git checkout -q --detach debian
		series_files | while read -r file; do
			[ ! -e "$file" ] || git add -f "$file"
		done
		git commit -q --allow-empty -m "$package"
		git tag -f debian >/dev/null
		[ ${#series[@]} = 0 ] || git am -q --whitespace=nowarn "${series[@]}"
	) >&2 || die "$patches: does not apply to $package: see $cache/$patched"
	echo "$series_hash" >"$patched/.series"
}

kernel_make()
{
	make -s -C "$cache/$patched" O="$objects" ARCH="$karch" CROSS_COMPILE="$cross" "$@" \
		>>"$objects.log" 2>&1 ||
		{ tail -n 30 "$objects.log" >&2; echo "$compiler" >"$objects/.sound"; die "$arch: make $*: failed"; }
}

# Each line of the fragments must still be there after make has had its say.
check_config()
{
	local line

	# what only the series has
	[ -z "$plain" ] || return 0
	while read -r line; do
		case "$version $line" in
		# nobody can have those of 6.1: they are marked as broken
		'6.1 CONFIG_USER_EVENTS=y') continue ;;
		# this option is gone
		'mainline CONFIG_PROC_SYSCTL=y') continue ;;
		esac
		grep -qxF "$line" "$objects/.config" || die "$arch: the configuration lost $line"
	done < <(grep -h '^CONFIG_' "${fragments[@]}")
}

fragments=("$configs/common" "$configs/$arch" ${more:+"$configs/$more"})
# what this version needs besides
[ ! -e "$configs/$arch-$version" ] || fragments+=("$configs/$arch-$version")

# in braces, so that the shell has read all of it before it begins: it takes minutes
{
cache_enter
# while it builds, others may take the source
cache_lock kernel-build
patched=${of}patched
tree=$("$top/scripts/kernel_source.sh" "$version") || exit
# without the cover letters
mapfile -t ours < <(find "$patches" -name '*.patch' ! -name '0000-*' | sort)
series=()
[ -n "$plain" ] || series=("${ours[@]}")
series+=(${fixes[@]+"${fixes[@]}"})
series_hash=$(cat /dev/null ${series[@]+"${series[@]}"} | sha256sum | cut -c 1-16)
compiler=$("${cross}gcc" --version | head -1) || die "${cross}gcc: missing: run scripts/deps.sh kernel"
hash=$( (cat "$tree/.debian-version"; echo "$series_hash $arch $compiler"; cat "${fragments[@]}" "$script") |
	sha256sum | cut -c 1-16)
kernel=built-$of$kind$arch-$hash
if [ ! -d "$kernel" ]; then
	apply_series
	# with and without the series differ in little
	objects=$cache/${of}objects-${more:+$more-}$arch
	# killed in the middle, or by another compiler
	[ "$(cat "$objects/.sound" 2>/dev/null)" = "$compiler" ] || rm -rf "$objects"
	mkdir -p "$objects"
	rm -f "$objects/.sound"
	: >"$objects.log"
	echo "$me: building $arch: some minutes" >&2
	kernel_make tinyconfig
	cat "${fragments[@]}" >>"$objects/.config"
	kernel_make olddefconfig
	check_config
	# shellcheck disable=SC2086 # two targets
	kernel_make -j"$(nproc)" $target
	rm -rf "$kernel.part"
	mkdir -p "$kernel.part/linux"
	cp "$objects/$image" "$kernel.part/image"
	[ -z "$dtb" ] || cp "$objects/$dtb" "$kernel.part/dtb"
	cp "$objects/.config" "$kernel.part/config"
	cp "$objects/include/config/kernel.release" "$kernel.part/release"
	cp -r "$patched/tools/testing/selftests/ftrace" "$kernel.part/ftrace"
	for header in user_events trace_hist; do
		header=$patched/include/uapi/linux/$header.h
		[ ! -e "$header" ] || cp "$header" "$kernel.part/linux"
	done
	echo "$compiler" >"$objects/.sound"
	rm -rf "built-$of$kind$arch"-????????????????
	mv -T "$kernel.part" "$kernel"
	rm -f "$objects.log"
fi
echo "$cache/$kernel"
exit
}
