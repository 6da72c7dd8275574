#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# vm.sh: run test scripts, or a shell, in a virtual machine with a Debian kernel.
# See usage() below for the commands and guest/lib.sh for what a script can use.
#
# Data leaves the guest through two virtio-serial ports: the tests' output
# through a fifo, read here line by line, and files as tar archives through a
# regular file. The console is a third way, for the kernel's own messages only.
#
# Invariant: QEMU is this script's child. It is known by its pid alone, is killed
# on every way out, and dies with this script even if that is killed by SIGKILL.

set -eu
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/lib.sh"

usage()
{
	cat <<-EOT
	usage: vm.sh run [OPTIONS] -- SCRIPT...    boot once, run each script, print TAP
	       vm.sh shell [OPTIONS]               a shell in the VM; exit ends it

	  --kernel VERSION       6.12 (default), 6.1, their -rt, or sid or experimental for the
	                         newest there
	  --smp N                CPUs (2)
	  --mem MIB              memory (1024)
	  --bin DIR              programs to put in the guest's PATH (build/bin)
	  --add SRC:DST          a file or directory to put into the guest
	  --module NAME          a kernel module to load before the tests
	  --append PARAMETER     a parameter for the kernel
	  --out DIR              files that the guest puts in \$OUT, and console.log
	  --time-limit SECONDS   for all, booting included (300)
	  --script-limit SECONDS for each script (60)

	Scripts are for busybox sh. They find lib.sh in /tests.
	VM_ACCEL=kvm or auto uses KVM instead of software emulation.  With VM_ACCEL=icount
	each instruction takes a nanosecond of the guest's clock, and with steady two; an
	idle guest does not wait with steady.  run has steady of itself, but tcg for
	several CPUs of 6.1, which cannot start them so; shell has tcg.
	Exit status: 0 all tests passed, 1 some failed, 2 the VM could not be started.
	EOT
}

# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"
# shellcheck source-path=SCRIPTDIR source=qemu.sh
. "$here/qemu.sh"
# shellcheck source-path=SCRIPTDIR source=console.sh
. "$here/console.sh"

qemu_pid=
work=
saved_terminal=

# What every way out does. Signals may come twice, as from timeout(1), and would
# also hit the rm.
cleanup()
{
	trap '' INT TERM HUP
	stop_qemu
	[ -z "$saved_terminal" ] || stty "$saved_terminal"
	[ -z "$work" ] || rm -rf "$work"
}

stop_qemu()
{
	[ -n "$qemu_pid" ] || return 0
	kill -KILL "$qemu_pid" 2>/dev/null || true
	wait "$qemu_pid" 2>/dev/null || true
	qemu_pid=
}

# make_initramfs SRC:DST...: with what both commands put into the guest.
make_initramfs()
{
	local file

	if [ -n "$bin" ]; then
		# What draws windows has none here, and its libraries are nine tenths of all.
		for file in "$bin"/*; do
			[ ! -f "$file" ] || grep -q libQt "$file" || adds+=("$file:/usr/local/bin/${file##*/}")
		done
	fi
	for file in "$here"/guest/*.sh; do
		adds+=("$file:/guest/${file##*/}")
	done
	"$here/initramfs.sh" --kernel-dir "$kernel_dir" "${modules[@]}" \
		"$work/initramfs" "${adds[@]}" "$@"
}

# add_port NAME: a virtio-serial port, connected to the chardev of that name.
add_port()
{
	qemu_command+=(-device "virtserialport,bus=serial.0,name=$1,chardev=$1")
}

# unpack_out: what the guest sent into --out DIR.
unpack_out()
{
	[ -n "$out" ] && [ -s "$work/out" ] || return 0
	tar -C "$out" --ignore-zeros --no-same-owner -xf "$work/out" 2>"$work/tar" ||
		tap_not_ok "harness: the files from the guest are damaged: $(head -n 1 "$work/tar")"
}

# Read the guest's output until it is done, gone or late.
follow_guest()
{
	local line status left

	while [ $tap_done = 0 ]; do
		left=$((time_limit - SECONDS))
		[ $left -gt 0 ] || break
		status=0
		IFS= read -r -t $left line <&4 || status=$?
		case $status in
		0) tap_read "$line" ;;
		1) return ;;
		esac
	done
	[ $tap_done = 1 ] ||
		tap_not_ok "harness: killed the VM after the time limit of $time_limit s"
}

command_run()
{
	local script name list=()

	[ $# -gt 0 ] || die "run: no script given"
	for script; do
		[ -f "$script" ] || die "$script: no such script"
		name=$(basename "$script" .sh)
		case $name in *[!A-Za-z0-9._-]*) die "$script: odd characters in its name" ;; esac
		list+=("$script:/tests/$name.sh")
		tap_waiting+=("$name")
	done
	printf '%s\n' "${tap_waiting[@]}" >"$work/list"
	echo "$script_limit" >"$work/limit"
	case $smp/$kernel in
	1/* | */6.12* | */sid | */experimental) VM_ACCEL=${VM_ACCEL:-steady} ;;
	esac
	printf '%s\n' "CHECK_LONG=${CHECK_LONG-}" "VM_ACCEL=${VM_ACCEL-}" >"$work/settings"
	make_initramfs "$here/guest/lib.sh:/tests/lib.sh" "$here/guest/episodes.sh:/tests/episodes.sh" \
		"$here/guest/preset_loads.sh:/tests/preset_loads.sh" \
		"$work/list:/tests/list" "$work/limit:/tests/limit" \
		"$work/settings:/tests/settings" "${list[@]}"

	mkfifo "$work/tap"
	qemu_set "$kernel_dir" "$work/initramfs" "$smp" "$mem" "$append"
	qemu_command+=(-chardev "file,id=console,path=$console" -serial chardev:console
		-chardev "file,id=tap,path=$work/tap" -chardev "file,id=out,path=$work/out")
	add_port tap
	add_port out

	tap_comment "Linux $(cat "$kernel_dir/release")"
	SECONDS=0
	# QEMU holds the fifo from its start (as fd 9), so that opening it here
	# neither waits for ever nor misses the end.
	setpriv --pdeathsig KILL "${qemu_command[@]}" \
		</dev/null >&2 9>"$work/tap" &
	qemu_pid=$!
	exec 4<"$work/tap"
	follow_guest
	stop_qemu
	tap_cut
	unpack_out
	console_check "$console"
	[ $tap_failed = 0 ] || console_tail "$console"
	tap_finish || exit 1
}

# The size of our terminal for the guest, "rows N cols N".
terminal_size()
{
	local size

	size=$(stty size 2>/dev/null) || size=
	case $size in
	'' | 0* | *" 0") size="24 80" ;;
	esac
	echo "rows ${size% *} cols ${size#* }"
}

command_shell()
{
	[ $# = 0 ] || die "shell: takes no argument: $1"
	terminal_size >"$work/size"
	make_initramfs "$work/size:/guest/size"
	qemu_set "$kernel_dir" "$work/initramfs" "$smp" "$mem" "$append"
	qemu_command+=(-chardev "file,id=console,path=$console" -serial chardev:console
		-device "virtconsole,bus=serial.0,chardev=shell" -chardev "file,id=out,path=$work/out")
	add_port out
	if [ -t 0 ]; then
		# signal=off: Ctrl-C is for the guest. The monitor has the Ctrl-A keys.
		qemu_command+=(-chardev "stdio,id=shell,mux=on,signal=off" -mon chardev=shell)
		echo "Booting Linux $(cat "$kernel_dir/release"). Ctrl-A X ends the VM by force." >&2
		saved_terminal=$(stty -g)
	else
		# The end of the input ends the shell, as it would without a VM. By way
		# of a fifo that we hold, as QEMU drops at its input's end what the
		# guest has not read yet.
		qemu_command+=(-chardev "stdio,id=shell")
		mkfifo "$work/input"
		exec 5<>"$work/input"
		{ cat && printf '\nexit\n'; } <&0 >&5 5>&- &
		exec <&5
	fi
	setpriv --pdeathsig KILL "${qemu_command[@]}" <&0 &
	qemu_pid=$!
	wait $qemu_pid
	qemu_pid=
	unpack_out
	console_check "$console"
	[ $tap_failed = 0 ] || console_tail "$console"
}

command=${1-}
case $command in
run | shell) shift ;;
-h | --help) usage && exit ;;
*) usage >&2 && exit 2 ;;
esac

kernel=6.12 smp=2 mem=1024 out='' time_limit=300 script_limit=60
adds=() modules=() append='' bin=
[ ! -d "$here/../../build/bin" ] || bin=$here/../../build/bin
while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) usage && exit ;;
	--) shift && break ;;
	--kernel | --smp | --mem | --bin | --add | --module | --append | --out | --time-limit | --script-limit)
		[ $# -ge 2 ] || die "$1: needs a value" ;;
	-*) die "$1: no such option: see vm.sh --help" ;;
	*) break ;;
	esac
	case $1 in
	--kernel) kernel=$2 ;;
	--smp) smp=$2 ;;
	--mem) mem=$2 ;;
	--bin) bin=$2 ;;
	--add) adds+=("$2") ;;
	--module) modules+=(--module "$2") ;;
	--append) append+=" $2" ;;
	--out) out=$2 ;;
	--time-limit) time_limit=$2 ;;
	--script-limit) script_limit=$2 ;;
	esac
	shift 2
done
for number in "$smp" "$mem" "$time_limit" "$script_limit"; do
	[[ $number =~ ^[1-9][0-9]*$ ]] || die "$number: want a number above 0"
done
[ -z "$bin" ] || [ -d "$bin" ] || die "$bin: no such directory"
command -v qemu-system-x86_64 >/dev/null || die "no qemu-system-x86_64: run scripts/deps.sh vm"

trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
work=$(mktemp -d)
console=$work/console.log
if [ -n "$out" ]; then
	mkdir -p "$out"
	console=$out/console.log
fi
kernel_dir=$("$here/kernel.sh" "$kernel")
"command_$command" "$@"
