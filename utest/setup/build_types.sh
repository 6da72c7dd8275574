#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# build_types.sh: does the project build without a warning at each optimization, with
# Debian's hardening flags and with clang?  Prints TAP.
#
# What a compiler warns of depends on what its optimizer sees, so the sources are compiled.
# With CHECK_LONG=1 all programs are built in all types; otherwise two types are sampled that found
# most: the library at -O3, and the program without optimization with clang.

set -u
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

cd "$here/../.." || exit 2
work_make

# builds TARGETS OPTION...: configure with the options, and build the targets
builds()
{
	local targets=$1 dir=$work/build

	shift
	rm -rf "$dir"
	# shellcheck disable=SC2086 # a list of targets
	cmake -S . -B "$dir" -DWERROR=ON "$@" >"$work/cmake.log" 2>&1 &&
		env -u MAKEFLAGS make --no-print-directory -C "$dir" -j"$(nproc)" $targets \
			>"$work/make.log" 2>&1 && return
	cat "$work/cmake.log"
	grep -E '(warning|error):' "$work/make.log"
	return 1
}

flags=$work/build/CMakeFiles/tracehist.dir/flags.make
ok "the default build is configured" cmake -S . -B "$work/build" -DKERNELSHARK=OFF
is "the default build warns, and a warning does not stop the build" \
	"$(grep -oE -e '-W(all|extra|error)' "$flags" | xargs)" \
	"-Wall -Wextra"

if [ -z "${CHECK_LONG-}" ]; then
	ok "the library builds as Release without a warning" \
		builds tracehist -DCMAKE_BUILD_TYPE=Release -DKERNELSHARK=OFF
	is "a warning stops a build with WERROR" "$(grep -oE -e '-Werror' "$flags")" -Werror
	ok "the program builds with clang without a warning" \
		builds trace-cmd-hist -DCMAKE_BUILD_TYPE=Debug -DKERNELSHARK=OFF \
		-DCMAKE_C_COMPILER=clang
	done_testing
	exit
fi

all="trace-cmd trace-cmd-hist trace-cmd-hist-target plugin_hist_snapshot hist_panel unit-tests"
export DEB_BUILD_MAINT_OPTIONS=hardening=+all
debian()
{
	dpkg-buildflags --get "$1"
}
for type in Release MinSizeRel RelWithDebInfo Debug; do
	ok "all programs build as $type without a warning" \
		builds "$all" -DCMAKE_BUILD_TYPE=$type -DTESTS=ON -DKERNELSHARK=ON
done
for optimization in -Og -O1 "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3"; do
	ok "all programs build with gcc $optimization without a warning" \
		builds "$all" -DCMAKE_BUILD_TYPE=None -DTESTS=ON -DKERNELSHARK=ON \
		-DCMAKE_C_FLAGS="$optimization" -DCMAKE_CXX_FLAGS="$optimization"
done
ok "all programs build with sanitizers at -O1 without a warning" \
	builds "$all" -DCMAKE_BUILD_TYPE=None -DTESTS=ON -DKERNELSHARK=ON \
	-DSANITIZE=ON -DCMAKE_C_FLAGS=-O1 -DCMAKE_CXX_FLAGS=-O1
ok "all programs build with Debian's hardening flags without a warning" \
	builds "$all" -DCMAKE_BUILD_TYPE=None -DTESTS=ON -DKERNELSHARK=ON \
	-DCMAKE_C_FLAGS="$(debian CFLAGS) $(debian CPPFLAGS)" \
	-DCMAKE_CXX_FLAGS="$(debian CXXFLAGS) $(debian CPPFLAGS)" \
	-DCMAKE_EXE_LINKER_FLAGS="$(debian LDFLAGS)"
ok "all programs build with clang without a warning" \
	builds "$all" -DTESTS=ON -DKERNELSHARK=ON -DCMAKE_C_COMPILER=clang \
	-DCMAKE_CXX_COMPILER=clang++
done_testing
