# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154 # what the caller has set
#
# The root file system of a guest.  Sourced; $top is the sources, $here this directory,
# $version that of the kernel, and machine_set() was called.

# The shared libraries of a program of this machine, where its loader looks.
add_libraries()
{
	local root=$1 library

	mkdir -p "$root/lib64" "$root/lib/x86_64-linux-gnu"
	while read -r library; do
		case $library in
		*/ld-linux-*) cp -L "$library" "$root/lib64/" ;;
		*) cp -L "$library" "$root/lib/x86_64-linux-gnu/" ;;
		esac
	done < <(ldd "$2" | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*ld-linux/ { print $1 }')
}

# compile PROGRAM SOURCE...: static, for the machine; $kernel has headers that libc's lack
compile()
{
	local out=$1

	shift
	mkdir -p "$root.include"
	cp -r "$kernel/linux" "$root.include/"
	"$cc" -D_GNU_SOURCE -std=gnu11 -O2 -Wall -Wextra -Werror -static -pthread \
		-isystem "$root.include" -o "$out" "$@"
}

# root_pack ROOT: ROOT.cpio
root_pack()
{
	(cd "$1" && find . -mindepth 1 -print0 | cpio --quiet -0 -o -H newc --owner=+0:+0) >"$1.cpio"
}

# root_make ROOT ARCH KERNEL BIN: the directory ROOT, and ROOT.cpio; BIN may be '': without
root_make()
{
	local root=$1 arch=$2 kernel=$3 bin=$4 busybox program

	mkdir -p "$root"/{bin,proc,sys,dev,tmp,run,tests/bin} || return
	busybox=$("$top/scripts/busybox_build.sh" "$busybox_arch") || return
	cp "$busybox" "$root/bin/busybox"
	cp "$here/guest/init" "$root/init"
	cp "$here/guest/"*.sh "$root/tests/"
	cp -r "$kernel/ftrace" "$root/ftrace"
	for program in hist_raw poll; do
		[ ! -e "$root/ftrace/$program.c" ] ||
			compile "$root/ftrace/$program" "$root/ftrace/$program.c" || return
	done
	# the selftests that the series adds
	grep -rhA1 '^--- /dev/null' "$top/kernel-patches/$version" |
		sed -n 's|^+++ b/tools/testing/selftests/ftrace/\(.*\.tc\)$|\1|p' >"$root/tests/new"
	# user_events are others there, and broken
	[ "$version" = 6.1 ] || [ ! -e "$kernel/linux/trace_hist.h" ] ||
		compile "$root/tests/bin/hist_stress" "$here/stress.c" || return
	compile "$root/tests/bin/ping" "$here/ping.c" || return
	[ "$arch" != x86_64 ] || [ "$version" = 6.1 ] ||
		compile "$root/tests/bin/hist_cost" "$here/cost.c" || return
	if [ -z "$native" ]; then
		"$top/scripts/target_helper.sh" "$helper" "$root.helper" >&2 || return
		cp "$root.helper/trace-cmd-hist-target" "$root/tests/bin/helper"
	elif [ -n "$bin" ]; then
		cp "$bin/trace-cmd-hist" "$bin/trace-cmd" "$root/tests/bin/"
		add_libraries "$root" "$bin/trace-cmd-hist"
	fi
	chmod 755 "$root/init"
	root_pack "$root"
}
