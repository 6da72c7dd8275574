#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# check.sh [--sample | --debug] [--linux VERSION] BIN ARCH...: what kernels with our patches do, on
# emulated machines.  TAP.
#
# BIN is the directory of trace-cmd-hist; ARCH is um, x86_64, riscv64, mips or armv5.  On
# x86_64, Debian's kernel must fail the new selftests, and a kernel that also prints hist files
# as they were must print the same text, byte for byte.  Mainline without the series must fail
# the new selftests too, on um and x86_64.  --sample leaves these out, the stress test, most
# selftests of the series, and the selftests that the kernel has without it.  With --debug the
# kernel has KASAN and lockdep, and only the new selftests run.  VERSION is 6.12; or 6.1, where
# the stress test is left out, as its user_events are broken there; or mainline.
# Each kernel is that of scripts/kernel_build.sh, and boots with an initramfs of busybox
# and what guest/ has: the kernel's own selftests of triggers, those of the series among
# them, histograms of each kind, the series' KUnit tests, and the stress test.  Then our
# program records it: on um and x86_64 natively, of the others by the helper for small
# targets over the serial line.
#
# Invariant: an emulator is this script's child, and ends with it.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

top=$(readlink -f "$here/../..")
# shellcheck source-path=SCRIPTDIR source=machines.sh
. "$here/machines.sh"
# shellcheck source-path=SCRIPTDIR source=root.sh
. "$here/root.sh"

option='' version=6.12
case ${1-} in --sample | --debug) option=$1 && shift ;; esac
case ${1-} in --linux) version=${2-} && shift 2 ;; esac
[ $# -ge 2 ] ||
	die "usage: check.sh [--sample | --debug] [--linux VERSION] BIN um|x86_64|riscv64|mips|armv5..."
bin=$(readlink -f "$1")
shift
debug=
# KASAN takes its share
[ "$option" != --debug ] || debug=$option memory=900
[ -x "$bin/trace-cmd-hist" ] || die "$bin/trace-cmd-hist: missing: run make"

work=$(mktemp -d)
child=
cleanup()
{
	trap '' INT TERM HUP
	[ -z "$child" ] || kill -KILL "$child" 2>/dev/null
	wait
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# boot WORDS...: runs the kernel until it ends; its console in $log
boot()
{
	local status=0

	machine_command "$arch" "$kernel" "$root.cpio" "$@"
	log=$work/$arch.console
	setpriv --pdeathsig KILL timeout -s KILL "$boot_limit" "${command[@]}" </dev/null >"$log" 2>&1 &
	child=$!
	wait $child || status=$?
	child=
	[ $status != 137 ] ||
		echo "TAP: not ok the guest ends within its time limit of $boot_limit s" >>"$log"
}

# What the guest says, numbered here; and what the kernel says of bugs of its own.
judge()
{
	local line said=0

	while IFS= read -r line; do
		line=${line%$'\r'}
		case $line in
		"TAP: ok "*) is "$arch: ${line#TAP: ok }" ok ok ;;
		"TAP: not ok "*) is "$arch: ${line#TAP: not ok }" "not ok" ok ;;
		"TAP: #"*) echo "${line#TAP: }" ;;
		"TAP: end") said=1 ;;
		esac
	done < <(tr -d '\000' <"$log" | cat -v | sed 's/\^M$//')
	is "$arch: the guest runs all of its scripts" "$said" 1
	is "$arch: the kernel reports no bug of its own" \
		"$(grep -aE 'WARNING: |BUG: |Oops|Kernel panic|KASAN: |possible |INFO: ' "$log" | head -n 5)" ""
	[ $said = 1 ] || tail -n 30 "$log" | cat -v | sed 's/^/# /'
}

# Debian's kernel without the series: the new selftests fail there, or they test nothing.
# But the text of the hist file is to be what it was.
same_as_before="event trigger - test reading a histogram in pieces"
# poll() has nothing there to wake up a reader with that reads before it: so this may pass.
# The bug of logarithms is one of 32-bit machines.
no_wakeup="event trigger - test that reading a histogram does not wake up its reader"
negative="event trigger - test logarithms of 0 and of negative numbers"
# What is a race may be won once.
race="event trigger - test clearing a histogram while it is counting"
unpatched()
{
	local line said=0 debian try

	debian=$("$top/utest/vm/kernel.sh" "$version") || exit 2
	mkdir "$work/unpatched"
	ln -s "$debian/vmlinuz" "$work/unpatched/image"
	for try in 1 2 3; do
		kernel=$work/unpatched boot run=newtests
		grep -q "^TAP: ok selftest: .*$race" "$log" || break
		echo "# Debian's kernel: try $try passes: $race"
	done
	while IFS= read -r line; do
		case $line in
		"TAP: not ok selftest: "*)
			is "Debian's kernel fails the new selftest: ${line#TAP: not ok selftest: }" \
				fails fails ;;
		"TAP: ok selftest: "*"$same_as_before")
			is "Debian's kernel passes the new selftest: $same_as_before" '' '' ;;
		"TAP: ok selftest: "*"$no_wakeup" | "TAP: ok selftest: "*"$negative") ;;
		"TAP: ok selftest: "*)
			is "Debian's kernel fails the new selftest: ${line#TAP: ok selftest: }" \
				passes fails ;;
		"TAP: # Totals:"*) said=1 ;;
		esac
	done < <(tr -d '\000\r' <"$log")
	is "Debian's kernel runs all of the new selftests" "$said" 1
}

# Mainline without the series fails each of its selftests, in a kernel of its own: one of
# the bugs is a crash.  One CPU never clears a histogram while it counts, and two may not;
# and one that reads a histogram lets nobody else ask for event_mutex meanwhile.
unpatched_each()
{
	local plain tests test said unable try

	plain=$("$top/scripts/kernel_build.sh" --plain --linux "$version" "$arch") || exit 2
	mapfile -t tests <"$root/tests/new"
	for test in "${tests[@]}"; do
		case $test in
		*/trigger-hist-clear.tc | */trigger-hist-read-insert.tc) [ "$cpus" -gt 1 ] || continue ;;
		# the text of a file, and who is woken up, are as before; and a long has 64 bits
		*/trigger-hist-read.tc | */trigger-hist-poll-self.tc | */trigger-hist-64bit.tc) continue ;;
		esac
		# the file that they test is missing
		unable='could not run'
		! grep -q '^# requires:.*/hist_raw' "$root/ftrace/$test" || unable='^$'
		echo "$test" >"$root/tests/new"
		root_pack "$root"
		said=passes
		for try in 1 2 3; do
			kernel=$plain boot run=newtests
			! grep -aE '^TAP: not ok selftest: |Kernel panic' "$log" | grep -qv "$unable" ||
				said=fails
			[ "$said ${test##*/}" = "passes trigger-hist-clear.tc" ] || break
			echo "# $arch without the series: try $try passes: ${test##*/}"
		done
		is "$arch without the series fails the new selftest ${test##*/}" "$said" fails
	done
}

# The kernel that prints hist files in both ways, by the series and as they were.
both_texts()
{
	kernel=$("$top/scripts/kernel_build.sh" --text --linux "$version" "$arch") || exit 2
	boot run=text
	judge
}

# The static helper over the serial line, as of a real board.
serial_record()
{
	local end=$((SECONDS + 120)) dat=$work/$arch.dat

	# what the machine before it has said is no sign that this one is ready
	rm -f "$work/serial"
	mkfifo "$work/in" "$work/out"
	exec 5<>"$work/out"
	machine_command "$arch" "$kernel" "$root.cpio" "loglevel=1 serve=$console"
	# A serial line has no end of file: when the host is gone, so is the machine.
	{
		cat "$work/in"
		kill "$(cat "$work/pid")"
	} | "${command[@]}" -pidfile "$work/pid" 2>"$work/err" | tee "$work/serial" >&5 &
	exec 5>&-
	until grep -qs board-is-ready "$work/serial" || [ $SECONDS -gt $end ]; do
		sleep 0.2
	done
	is "$arch: the target helper records over the serial line" \
		"$(timeout 200 "$bin/trace-cmd-hist" record -o "$dat" -i 200ms -d 3s -e task:task_rename \
			-k newcomm --target "exec:cat $work/out & cat >$work/in" 2>&1; echo "status $?")" "status 0"
	wait
	like "$arch: the report has the task that ran on the target" \
		"$("$bin/trace-cmd-hist" report "$dat" --format json 2>&1)" on-board
	rm -f "$work/in" "$work/out"
}

for arch; do
	started=$SECONDS
	machine_set "$arch"
	kernel=$("$top/scripts/kernel_build.sh" ${debug:+"$debug"} --linux "$version" "$arch") || exit 2
	root=$work/root-$arch
	built=$((SECONDS - started))
	root_make "$root" "$arch" "$kernel" "$bin" || exit 2
	if [ "$option" = --sample ]; then
		# one takes as long as all others, and these are of bugs that the series mends;
		# and all run once, not in an instance as well
		sed -i -E '/-(read-insert|distinct|log2-negative|named|poll-self|print|sort|string|values)\.tc$/d' \
			"$root/tests/new"
		sed -i '/^# flags: instance$/d' "$root"/ftrace/test.d/trigger/*.tc
		root_pack "$root"
	fi
	started=$SECONDS
	runs=(run=counts ${native:+run=record})
	! grep -qx CONFIG_TRACING_MAP_KUNIT_TEST=y "$kernel/config" || runs+=(run=kunit)
	if [ -e "$kernel/linux/trace_hist.h" ]; then
		runs+=(${native:+run=raw} ${native:+run=log2})
		[ "$version" = 6.1 ] || [ "$option" = --sample ] || runs+=(run=stress)
	fi
	case $option in
	'') runs+=(run=selftests) ;;
	--sample | --debug) runs+=(run=newtests) ;;
	esac
	boot "${runs[@]}"
	judge
	[ -n "$native" ] || serial_record
	case "$version $arch$option" in
	"6.12 x86_64") both_texts && unpatched ;;
	"6.1 x86_64") unpatched ;;
	"mainline x86_64") both_texts && unpatched_each ;;
	"mainline um") unpatched_each ;;
	esac
	echo "# $arch, $version: $built s to build, $((SECONDS - started)) s to run"
done
done_testing
