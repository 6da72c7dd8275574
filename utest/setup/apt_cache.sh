#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# apt_cache.sh: what scripts/apt_cache.sh promises, with an empty cache: concurrent runs share
# one download, and a damaged one is noticed.  TAP on stdout.
#
# The packages are made here, in a repository of files, which apt knows by a configuration
# of its own.  One is called linux-source-6.12, and its Makefile "builds" what the kernel's
# would, so that the scripts for a kernel and for its source run side by side as they are.

set -u
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

scripts=$here/../../scripts
work_make
export TRACE_CMD_HIST_CACHE=$work/cache APT_CONFIG=$work/apt.conf PATH=$work/bin:$PATH
repo=$work/repo

# package NAME: from the files in $work/NAME, into the repository
package()
{
	mkdir -p "$work/$1/DEBIAN" "$repo"
	printf '%s\n' "Package: $1" "Version: 1.0" "Architecture: all" \
		"Maintainer: nobody <nobody@localhost>" "Description: for a test" >"$work/$1/DEBIAN/control"
	dpkg-deb --root-owner-group -b "$work/$1" "$repo/$1_1.0_all.deb" >/dev/null
}

# The list of packages, with their hashes as they are now.
list()
{
	local deb

	for deb in "$repo"/*.deb; do
		dpkg-deb -f "$deb"
		printf '%s\n' "Filename: ./${deb##*/}" "Size: $(stat -c %s "$deb")" \
			"SHA256: $(sha256sum <"$deb" | cut -d ' ' -f 1)" ''
	done >"$repo/Packages"
	apt-get -q=2 update 2>&1
}

# What asks for root here needs none.
mkdir -p "$work/bin" "$work/state/lists/partial" "$work/archives/partial" "$work/etc/apt.conf.d" "$work/empty"
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
chmod +x "$work/bin/sudo"
echo "deb [trusted=yes] copy:$repo ./" >"$work/etc/sources.list"
cat >"$APT_CONFIG" <<END
Dir::Etc "$work/etc";
Dir::Etc::SourceParts "$work/empty";
Dir::State "$work/state";
Dir::State::status "/var/lib/dpkg/status";
Dir::Cache "$work/archives";
APT::Sandbox::User "$(id -un)";
END

mkdir -p "$work/hist-first/usr/share/first" "$work/hist-second/usr"
head -c 300000 /dev/urandom >"$work/hist-first/usr/share/first/data"
echo second >"$work/hist-second/usr/second"
package hist-first
package hist-second

source=$work/linux-6.12
mkdir -p "$source/tools/include/nolibc" "$source/tools/testing/selftests/ftrace" \
	"$work/linux-source-6.12/usr/src"
# the patches that kernel_build.sh applies to every kernel need what they change
for fix in "$here"/../../kernel-patches/tests/6.12/*.patch; do
	fixed=$(sed -n 's|^--- a/||p' "$fix")
	mkdir -p "$source/${fixed%/*}"
	sed -n '/^@@/,/^-- $/ { /^-- $/d; s/^[ -]//p }' "$fix" >"$source/$fixed"
done
touch "$source/tools/include/nolibc/nolibc.h" "$source/tools/testing/selftests/ftrace/ftracetest"
cat >"$source/Makefile" <<'END'
tinyconfig:
	: >$(O)/.config
olddefconfig:
linux:
	mkdir -p $(O)/include/config
	echo image >$(O)/linux
	echo 6.12.0 >$(O)/include/config/kernel.release
END
tar -C "$work" -cJf "$work/linux-source-6.12/usr/src/linux-source-6.12.tar.xz" linux-6.12
package linux-source-6.12
ok "apt reads the repository of the test" list

# together COMMAND...: four of each at once, what they print in $work/out.N, $work/err.N;
# sets $statuses
together()
{
	local n command pids=()

	for n in 1 2 3 4; do
		for command; do
			$command >"$work/out.$n.${#pids[@]}" 2>"$work/err.$n.${#pids[@]}" &
			pids+=($!)
		done
	done
	statuses=
	for n in "${pids[@]}"; do
		wait "$n"
		statuses+=$?
	done
}

first=$scripts/package.sh
together "$first hist-first" "$first hist-second"
is "eight concurrent runs with an empty cache succeed" "$statuses" 00000000
is "eight concurrent runs print two folders" \
	"$(cat "$work"/out.* | sort | uniq -c | awk '{ print $1, $2 }')" \
	"4 $TRACE_CMD_HIST_CACHE/package-hist-first
4 $TRACE_CMD_HIST_CACHE/package-hist-second"
is "eight concurrent runs download each package once" "$(cat "$work"/err.* | sort)" \
	"package.sh: downloading hist-first
package.sh: downloading hist-second"
data=$TRACE_CMD_HIST_CACHE/package-hist-first/usr/share/first/data
ok "the cache has the files of the package" cmp "$work/hist-first/usr/share/first/data" "$data"
rm -f "$work"/out.* "$work"/err.*

# The scripts that share linux-source-6.12: a kernel is made while others take the source.
together "$scripts/kernel_source.sh 6.12" "$scripts/kernel_build.sh --plain um"
is "eight concurrent runs for a source and a kernel succeed" "$statuses" 00000000
is "eight concurrent runs print one source and one kernel" "$(cat "$work"/out.* | sort | uniq -c |
	sed -E 's/-[0-9a-f]{16}$//' | awk '{ print $1, $2 }')" \
	"4 $TRACE_CMD_HIST_CACHE/built-plain-um
4 $TRACE_CMD_HIST_CACHE/linux-source-6.12"
is "eight concurrent runs make one download and one build" \
	"$(cat "$work"/err.* | grep -v unpacking | sort)" \
	"kernel_build.sh: building um: some minutes
kernel_source.sh: downloading linux-source-6.12"
is "the cached kernel is the one that make built" \
	"$(cat "$(cat "$work"/out.*.1 | head -n 1)/image")" image

# damage COMMAND...: hist-first's file is damaged by COMMAND; what the next run does
damage()
{
	"$@"
	"$first" hist-first >"$work/out" 2>"$work/err"
	echo "status $?"
	sed "s|$TRACE_CMD_HIST_CACHE|CACHE|" "$work/err"
	cmp "$work/hist-first/usr/share/first/data" "$data"
}

again="status 0
package.sh: CACHE/package-hist-first: damaged: creating it again
package.sh: downloading hist-first"
is "a file that was truncated in the cache is downloaded again" \
	"$(damage truncate -s 299999 "$data")" "$again"
is "a file that was changed in the cache at the same size is downloaded again" \
	"$(damage sh -c "printf x |
	dd of='$data' bs=1 seek=1000 conv=notrunc status=none")" "$again"
is "a file that was deleted in the cache is downloaded again" "$(damage rm "$data")" "$again"
is "an intact package in the cache is not downloaded again" "$(damage true)" "status 0"
part=$TRACE_CMD_HIST_CACHE/package-hist-second.part
rm -rf "$TRACE_CMD_HIST_CACHE/package-hist-second"
mkdir "$part"
touch "$part/hist-second_1.0_all.deb" "$part/stray"
ok "package.sh succeeds over the files of a killed run" "$first" hist-second
is "the files of a killed run are replaced by the whole package" \
	"$(cd "$TRACE_CMD_HIST_CACHE/package-hist-second" && find . -type f ! -name .whole)" ./usr/second

# refused DESC REASON PACKAGE: a download that fails names the package and REASON
refused()
{
	rm -rf "$TRACE_CMD_HIST_CACHE"
	"$first" "$3" >"$work/out" 2>"$work/err"
	is "$1 makes package.sh fail with status 2" "$? $(cat "$work/out")" "2 "
	like "$1 is named in the error with the reason" \
		"$(tail -n 1 "$work/err")" "^package.sh: $3: .*$2"
	is "$1 leaves no package in the cache" \
		"$(cd "$TRACE_CMD_HIST_CACHE" && find . -mindepth 1 -maxdepth 1 ! -name "*.part" ! -name "*.lock")" ""
}

refused "a package that apt does not know" "Unable to locate package" hist-unknown
deb=$repo/hist-first_1.0_all.deb
cp "$deb" "$work/good.deb"
# the lists stay as they are
# 64 equal bytes: one could be what is there already
printf '%064d' 0 | dd of="$deb" bs=1 seek=100000 conv=notrunc status=none
refused "a damaged package" "[Hh]ash [Ss]um" hist-first
truncate -s 200000 "$deb"
refused "a truncated package" "([Hh]ash [Ss]um|size)" hist-first
rm "$deb"
refused "a missing package" "(Failed to fetch|No such file)" hist-first
mv "$work/good.deb" "$deb"
ok "the package is downloaded after failed downloads" "$first" hist-first

# An image of a container has no lists.
printf '%s\n' "Origin: Debian" "Codename: test" "SHA256:" \
	" $(sha256sum <"$repo/Packages" | cut -d ' ' -f 1) $(stat -c %s "$repo/Packages") Packages" >"$repo/Release"
rm -rf "$work/state/lists"
# shellcheck disable=SC2016 # for the inner shell
is "the repositories of Debian are found without lists" "$(bash -c '. "$0" && apt_repositories' \
	"$scripts/apt_cache.sh" 2>/dev/null | cut -d ' ' -f 1,2)" "copy:$repo/ test"
done_testing
