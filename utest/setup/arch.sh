#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# arch.sh BUILD [ARCH...]: the unit tests on other architectures.  TAP.
#
# ARCH: i386, armhf, arm64, s390x (big endian) or riscv64; all without any.  Each is built
# by Debian's cross compiler in BUILD/arch/ARCH, against the libraries that
# scripts/arch_root.sh unpacks.  i386 runs natively, if this machine's kernel runs such programs,
# and the others run in qemu-user.  What the programs make of the same file has to be the same
# bytes as on this machine (BUILD/bin, which must be there).
#
# With CHECK_LONG=1 everything is built, except what needs KernelShark, and all modules run.  Otherwise only
# what runs is built, and modules are left out that take long and depend on the machine no more than others.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

source=$here/../..
[ $# -ge 1 ] || die "usage: arch.sh BUILD [ARCH...]"
build=$(readlink -f "$1")
shift
[ -x "$build/bin/trace-cmd-hist" ] || die "$build/bin: no trace-cmd-hist: run make first"
[ $# -gt 0 ] || set -- i386 armhf arm64 s390x riscv64
targets="trace-cmd-hist unit-tests"
left_out="hist_text_hostile panel_damage panel_data report_episodes report_hostile series_damage series_join
	significance_model significance_quantile snapshot_heads undo_journal writers_fail"
[ -z "${CHECK_LONG-}" ] || targets=all left_out=
jobs=$(nproc)
work_make

# Debian's names of the machine and of its compiler; the dynamic loader; what runs a program;
# the release of Debian, if this machine's release lacks the architecture.
machine()
{
	suite=
	case $1 in
	i386) triplet=i386-linux-gnu gcc=i686-linux-gnu loader=/lib/ld-linux.so.2 run= ;;
	armhf) triplet=arm-linux-gnueabihf loader=/lib/ld-linux-armhf.so.3 run=qemu-arm-static ;;
	arm64) triplet=aarch64-linux-gnu loader=/lib/ld-linux-aarch64.so.1 run=qemu-aarch64-static ;;
	s390x) triplet=s390x-linux-gnu loader=/lib/ld64.so.1 run=qemu-s390x-static ;;
	riscv64)
		triplet=riscv64-linux-gnu loader=/lib/ld-linux-riscv64-lp64d.so.1
		run=qemu-riscv64-static suite=trixie ;;
	*) die "$1: no such architecture: there are i386, armhf, arm64, s390x and riscv64" ;;
	esac
	[ "$1" = i386 ] || gcc=$triplet
}

find_root()
{
	# shellcheck disable=SC2086 # a word or none
	root=$("$source/scripts/arch_root.sh" "$arch" $suite)
}

make_arch()
{
	# shellcheck disable=SC2086 # a list of targets
	cmake -S "$source" -B "$dir" -DTESTS=ON -DWERROR=ON -DKERNELSHARK=OFF \
		-DCMAKE_TOOLCHAIN_FILE="$source/scripts/arch.cmake" -DARCH_ROOT="$root" \
		-DARCH_TRIPLET="$triplet" -DARCH_GCC="$gcc" -DARCH_LOADER="$loader" &&
		make -C "$dir" -j"$jobs" $targets
}

# Each module by itself, so that one that crashes hides no other; the sum of failures.
unit_tests()
{
	# shellcheck disable=SC2016,SC2086 # for the inner shell; a word or none
	"$build/bin/unit-tests" -l | grep -vxF "$(printf '%s\n' ${left_out:-none})" | xargs -P "$jobs" -I{} sh -c \
		'"$@" {} >"$0/{}.log" 2>&1 || { echo "module {}: status $?"; cat "$0/{}.log"; }' \
		"$work" $run "$dir/bin/unit-tests" >"$work/failures"
	cat "$work/failures"
	[ ! -s "$work/failures" ]
}

# What a user gets: reports, a verdict with all its numbers, and a recording made of events.
# The recording names the machine that made it, so its rows are compared.
outputs()
{
	local out=$1 data=$here/../data

	shift
	mkdir -p "$out"
	"$@" report --format json "$data/recorded.dat" >"$out/report.json" &&
		"$@" report --view percentiles -e raw_syscalls:sys_exit#2 "$data/keys.dat" >"$out/percentiles.txt" &&
		"$@" report --format svg -e raw_syscalls:sys_exit#2 "$data/keys.dat" >"$out/report.svg" || return
	# i386's exp() and log() differ from the others' in the last digits
	"$@" diff --format json "$work"/base.*.dat -- "$work"/new.*.dat >"$out/diff.long"
	[ $? = 1 ] && sed -E 's/([0-9]\.[0-9]{11})[0-9]+/\1/g' "$out/diff.long" >"$out/diff.json" &&
		"$@" replay -q -e sched:sched_switch -k next_comm,next_pid -i 100ms \
			-o "$out/replayed.dat" "$data/events/several.dat" &&
		"$@" report --format csv "$out/replayed.dat" >"$out/replayed.csv"
}

hist()
{
	# shellcheck disable=SC2086 # a word or none
	$run "$dir/bin/trace-cmd-hist" "$@"
}

for run in 1 2 3 4 5; do
	"$build/bin/diff_make" "$work/base.$run.dat" mean "$run" || die "diff_make failed"
	"$build/bin/diff_make" "$work/new.$run.dat" mean $((run + 5)) slow=1.3 || die "diff_make failed"
done
dir=$build run=
ok "the programs of this machine write their outputs" outputs "$work/here" hist
for arch; do
	machine "$arch"
	dir=$build/arch/$arch
	ok "$arch: the libraries can be downloaded" find_root
	[ -n "$root" ] || continue
	export LOCPATH="$root/usr/lib/locale"
	ok "$arch: the programs build" make_arch
	[ -n "$run" ] || "$dir/bin/unit-tests" -l >/dev/null 2>&1 || run=qemu-$arch-static
	ok "$arch: the unit tests pass" unit_tests
	ok "$arch: the programs write their outputs" outputs "$work/$arch" hist
	for file in report.json percentiles.txt report.svg diff.json replayed.csv; do
		ok "$arch: $file equals that of this machine" \
			cmp "$work/here/$file" "$work/$arch/$file"
	done
done
done_testing
