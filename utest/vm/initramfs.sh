#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# initramfs.sh --kernel-dir DIR [--module NAME]... OUT SRC:DST...
#
# Make the guest's root: busybox, the stock trace-cmd, guest/init, the kernel
# modules, and each SRC (a file or a directory) at DST. Programs among them get
# the shared libraries they need on this machine.
#
# The archive is not compressed: unpacking under software emulation costs more
# time than the larger file. Invariant: every library is in the loader's own
# search path, so that neither ld.so.cache nor an RPATH is needed.

set -eu
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/lib.sh"

libdir=lib/x86_64-linux-gnu

# Copy the shared libraries of everything executable below the root.
add_libraries()
{
	local programs libraries library

	mapfile -t programs < <(find "$root" -type f -perm /111 ! -path "*/bin/busybox")
	# ldd complains about scripts and static programs, which is fine.
	libraries=$(ldd "${programs[@]}" 2>/dev/null || true)
	case $libraries in
	*"not found"*)
		die "missing shared libraries: $(grep "not found" <<<"$libraries" |
			awk '{print $1}' | sort -u | xargs)" ;;
	esac
	while read -r library; do
		case $library in
		*/ld-linux-*) cp -L "$library" "$root/lib64/" ;;
		*) cp -L "$library" "$root/$libdir/" ;;
		esac
	done < <(awk '$2 == "=>" && $3 ~ /^\// { print $3 }
		      $1 ~ /^\/.*ld-linux/ { print $1 }' <<<"$libraries" | sort -u)
}

# Unpack one module, named by its path in modules.dep, and note it in the list
# that guest/init loads from top to bottom.
add_module_file()
{
	local name=${1##*/}

	name=${name%%.ko*}.ko
	[ -e "$root/modules/$name" ] && return
	case $1 in
	*.xz) xz -dc "$modules/$1" >"$root/modules/$name" ;;
	*.zst) zstd -qdc "$modules/$1" >"$root/modules/$name" ;;
	*) cp "$modules/$1" "$root/modules/$name" ;;
	esac
	echo "$name" >>"$root/modules/list"
}

# A module and before it what it needs: modules.dep lists that in reverse.
add_module()
{
	local name=$1 line file need i

	grep -q "/$name\.ko" "$modules/modules.builtin" && return
	line=$(grep -m 1 "/$name\.ko[.a-z]*:" "$modules/modules.dep") ||
		die "$name: the kernel has no such module"
	file=${line%%:*}
	read -ra need <<<"${line#*:}"
	for ((i = ${#need[@]} - 1; i >= 0; i--)); do
		add_module_file "${need[i]}"
	done
	add_module_file "$file"
}

# SRC:DST
add_path()
{
	local src=${1%:*} dst=${1##*:}

	case $1 in *:/*) ;; *) die "$1: want SRC:/DST" ;; esac
	[ -e "$src" ] || die "$src: no such file"
	mkdir -p "$root$(dirname "$dst")"
	if [ -d "$src" ]; then
		mkdir -p "$root$dst"
		cp -a "$src/." "$root$dst/"
	else
		cp -L --preserve=mode,timestamps "$src" "$root$dst"
	fi
}

# The harness talks to the guest over virtio-serial on PCI.
wanted="virtio_pci virtio_console"
kernel_dir=
while [ $# -gt 0 ]; do
	case $1 in
	--kernel-dir) kernel_dir=${2?} && shift 2 ;;
	--module) wanted="$wanted ${2?}" && shift 2 ;;
	-*) die "$1: no such option" ;;
	*) break ;;
	esac
done
if [ -z "$kernel_dir" ] || [ $# = 0 ]; then
	die "usage: initramfs.sh --kernel-dir DIR [--module NAME]... OUT SRC:DST..."
fi
out=$1
shift
modules=$kernel_dir/lib/modules/$(cat "$kernel_dir/release")

busybox=$(command -v busybox) || die "no busybox: run scripts/deps.sh vm"
trace_cmd=/usr/bin/trace-cmd
[ -x $trace_cmd ] || die "no $trace_cmd: run scripts/deps.sh vm"

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/{bin,sbin,dev,proc,sys,tmp,run,root,etc,modules,lib64,usr/bin,"$libdir"}
: >"$root/modules/list"
echo "root:x:0:0:root:/root:/bin/sh" >"$root/etc/passwd"
echo "root:x:0:" >"$root/etc/group"
cp "$busybox" "$root/bin/busybox"
cp $trace_cmd "$root/usr/bin/"
cp "$here/guest/init" "$root/init"
chmod 755 "$root/init"
for name in $wanted; do
	add_module "$name"
done
for name; do
	add_path "$name"
done
add_libraries

(cd "$root" && find . -mindepth 1 -print0 |
	cpio --quiet -0 -o -H newc --owner=+0:+0) >"$out.part" ||
	die "$out: cpio failed"
mv "$out.part" "$out"
