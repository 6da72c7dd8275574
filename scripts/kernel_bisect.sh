#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernel_bisect.sh [--linux VERSION] [FIRST]: that a bisection can stop at any patch of
# kernel-patches/VERSION, which is 6.12, 6.1, or mainline.  TAP.
#
# One patch after the other, from the FIRST on, counted from 1: it is clean under
# checkpatch.pl --strict, User-mode Linux builds with it without a warning, its histograms
# also without CONFIG_TRACER_SNAPSHOT, sparse has nothing to say, that kernel boots, and the
# selftests and KUnit tests that the patch brings pass at once.
#
# Some remarks of checkpatch.pl are left out: that MAINTAINERS may need an entry (what the
# new files match is there), that the commits of mainline which patches name are not in this
# repository, and that who submits a patch has not signed it yet.
#
# UML has histograms only from the patch on that allows them without
# NMI-safe cmpxchg, so before it the condition that it removes is taken away here; UML has
# no NMIs.
#
# Invariant: tree and objects are this script's own, in the cache, as kernel_build.sh may
# run at the same time.

set -eu
export LC_ALL=C

top=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "$top/scripts/apt_cache.sh"
# shellcheck source-path=SCRIPTDIR source=../utest/scripts/tap.sh
. "$top/utest/scripts/tap.sh"
kernel_tests=$top/utest/kernel
# shellcheck source-path=SCRIPTDIR source=../utest/kernel/machines.sh
. "$kernel_tests/machines.sh"

# $of is in names of the cache
version=6.12 of=''
[ "${1-}" != --linux ] || { version=${2-} && shift 2; }
[ "$version" = 6.12 ] || of=$version-
series=$top/kernel-patches/$version
[ -d "$series" ] || die "$version: no such kernel: use 6.12, 6.1 or mainline"
mapfile -t patches < <(find "$series" -name '*.patch' ! -name '0000-*' | sort)
# what has nothing to do with the series, but is in the way of its tests
fixes=("$top/kernel-patches/tests/$version"/*.patch)
[ -e "${fixes[0]}" ] || fixes=()
configs=$top/kernel-patches/config
first=${1-1}
command -v sparse >/dev/null || die "sparse: missing: run scripts/deps.sh kernel"
busybox=$("$top/scripts/busybox_build.sh" x86_64) || exit
cache_enter
cache_lock "${of}bisect"
machine_set um
tree=$("$top/scripts/kernel_source.sh" "$version") || exit
bisect=$cache/${of}bisect
objects=$cache/${of}objects-bisect
work_make

# The files of the tree that some patch changes are all that git knows.
bisect_tree()
{
	rm -rf "$bisect.part"
	cmp -s "$bisect/.debian-version" "$tree/.debian-version" || {
		rm -rf "$bisect" "$objects"*
		cp -al "$tree" "$bisect.part"
		mv -T "$bisect.part" "$bisect"
	}
	cd "$bisect"
	# back to what Debian has
	if [ -d .git ]; then
		git am --abort 2>/dev/null || true
		git reset -q --hard debian
	fi
	rm -rf .git
	git init -q .
	git config user.name "$me"
	git config user.email "$me@localhost"
	sed -n 's|^--- a/||p' "${patches[@]}" ${fixes[@]+"${fixes[@]}"} | sort -u |
		while read -r file; do
			[ ! -e "$file" ] || git add -f "$file"
		done
	git commit -q --allow-empty -m debian
	git tag debian
	[ ${#fixes[@]} = 0 ] || git am -q "${fixes[@]}"
}

kernel_make() { make -s -C "$bisect" O="$objects" ARCH=um "$@" >"$work/log" 2>&1; }

# configure [LINE]: the configuration, as far as this step knows its symbols
configure()
{
	mkdir -p "$objects"
	kernel_make tinyconfig
	cat "$configs/common" "$configs/um" >>"$objects/.config"
	# what this version needs besides
	[ ! -e "$configs/um-$version" ] || cat "$configs/um-$version" >>"$objects/.config"
	echo "${1-}" >>"$objects/.config"
	kernel_make olddefconfig
}

# What the linker says of 6.1 is about what no patch touches.
build()
{
	configure && kernel_make -j"$(nproc)" linux && ! grep -E 'warning:|error:' "$work/log" | grep -v '^/usr/bin/ld: '
}

# An option that divides the source of histograms
builds_without_snapshots()
(
	objects=$objects-without
	configure "# CONFIG_TRACER_SNAPSHOT is not set" &&
		kernel_make -j"$(nproc)" kernel/trace/trace_events_hist.o &&
		! grep -E 'warning:|error:' "$work/log"
)

# Of the sources that sparse finds clean in Debian's tree, or that are new.  sparse 0.6.4
# does not know __typeof_unqual__, and without it the makefile of mainline skips sparse.
sparse_clean()
{
	local file objects_of=()

	while read -r file; do
		objects_of+=("$file.o")
	done < <(sed -n 's|^+++ b/\(kernel/trace/.*\(hist\|tracing_map\).*\)\.c$|\1|p' "$1")
	[ ${#objects_of[@]} = 0 ] || {
		(cd "$bisect" && touch "${objects_of[@]/%.o/.c}")
		kernel_make C=1 CF=-D__typeof_unqual__=__typeof__ "${objects_of[@]}" &&
			! grep -E 'warning:|error:|sparse is not available' "$work/log"
	}
}

# root PATCH: an initramfs with the tests that it brings
root()
{
	local root=$work/root program

	rm -rf "$root"
	mkdir -p "$root"/{bin,proc,sys,dev,tmp,run,tests/bin}
	cp "$busybox" "$root/bin/busybox"
	cp "$kernel_tests/guest/init" "$root/init"
	cp "$kernel_tests/guest/"*.sh "$root/tests/"
	cp -r tools/testing/selftests/ftrace "$root/ftrace"
	sed -n 's|^+++ b/tools/testing/selftests/ftrace/\(.*\.tc\)$|\1|p' "$1" >"$root/tests/new"
	for program in hist_raw poll; do
		[ ! -e "$root/ftrace/$program.c" ] ||
			$cc -static -O2 -Wall -Wextra -Werror -idirafter include/uapi \
				-o "$root/ftrace/$program" "$root/ftrace/$program.c"
	done
	chmod 755 "$root/init"
	(cd "$root" && find . -mindepth 1 -print0 | cpio --quiet -0 -o -H newc --owner=+0:+0) >"$root.cpio"
}

# boot PATCH NAME: what the guest says
boot()
{
	local words=() line said=0

	root "$1"
	[ ! -s "$work/root/tests/new" ] || words+=(run=newtests)
	! grep -q 'KUNIT_TEST=y' "$objects/.config" || words+=(run=kunit)
	mkdir -p "$work/kernel"
	cp "$objects/linux" "$work/kernel/image"
	machine_command um "$work/kernel" "$work/root.cpio" ${words[@]+"${words[@]}"}
	setpriv --pdeathsig KILL timeout -s KILL "$boot_limit" "${command[@]}" </dev/null >"$work/console" 2>&1 || true
	while IFS= read -r line; do
		line=${line%$'\r'}
		case $line in
		"TAP: ok "*) is "$2: ${line#TAP: ok }" ok ok ;;
		"TAP: not ok "*) is "$2: ${line#TAP: not ok }" "not ok" ok ;;
		"TAP: #"*) echo "${line#TAP: }" ;;
		"TAP: end") said=1 ;;
		esac
	done < <(tr -d '\000' <"$work/console")
	is "$2: boots, and comes to its end" $said 1
	is "$2: the kernel reports no bug of its own" \
		"$(grep -aE 'WARNING: |BUG: |Kernel panic' "$work/console" | head -n 5)" ""
}

bisect_tree
ignore=FILE_PATH_CHANGES,UNKNOWN_COMMIT_ID,MISSING_SIGN_OFF
n=0
for patch in "${patches[@]}"; do
	number=$(echo "${patch#"$series"/}" | sed -E 's|([0-9]{4})-[^/]*$|\1|')
	git checkout -q -- .
	git am -q --whitespace=nowarn "$patch"
	n=$((n + 1))
	[ $n -ge "$first" ] || continue
	ok "$number: checkpatch.pl --strict" perl scripts/checkpatch.pl --strict -q \
		--ignore "$ignore" "$patch"
	sed -i '/^\tdepends on ARCH_HAVE_NMI_SAFE_CMPXCHG$/d' kernel/trace/Kconfig
	if build; then
		is "$number: builds without a warning" yes yes
		ok "$number: builds without CONFIG_TRACER_SNAPSHOT" builds_without_snapshots
		ok "$number: sparse" sparse_clean "$patch"
		boot "$patch" "$number"
	else
		is "$number: builds without a warning" "$(tail -n 20 "$work/log")" ""
	fi
done
done_testing
