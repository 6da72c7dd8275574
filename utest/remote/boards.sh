#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# boards.sh BIN [BOARD...]: recordings of emulated boards, over their serial line.  TAP.
#
# BOARD: arm64, armhf or mipsel; all without any.  A board is QEMU's with Debian's kernel.
# What runs on it is busybox's sh as init, and on its serial line first the static helper and
# then, after another start, a shell as a person has it there: with a prompt, echo,
# and carriage returns.  MIPS has no hist triggers: there its events are counted here.
# The packages, 38, 53 and 60 MB with QEMU, are downloaded and unpacked into the
# cache, not installed.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../../scripts/apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/apt_cache.sh"
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$here/../scripts/tap.sh"
[ $# -ge 1 ] || die "usage: boards.sh BIN [BOARD...]"
bin=$(readlink -f "$1")
shift
[ $# -gt 0 ] || set -- arm64 armhf mipsel

# QEMU's package and program with the board; the kernel's package; the serial line; the
# helper's machine; the machine in uname.
board()
{
	case $1 in
	arm64)
		qemu="qemu-system-arm qemu-system-aarch64 -M virt -cpu cortex-a53"
		kernel=linux-image-6.12-cloud-arm64 tty=ttyAMA0 arch=arm64 machine=aarch64 ;;
	armhf)
		qemu="qemu-system-arm qemu-system-arm -M virt -cpu cortex-a15"
		kernel=linux-image-armmp tty=ttyAMA0 arch=armv7 machine=armv7l ;;
	mipsel)
		qemu="qemu-system-mips qemu-system-mipsel -M malta -vga none"
		kernel=linux-image-4kc-malta tty=ttyS0 arch=mipsel machine=mips ;;
	*)
		die "$1: no such board: there are arm64, armhf and mipsel" ;;
	esac
}

# The packages of the board are in lists of its own.
fetch()
{
	local deb package

	apt_unpack "${qemu%% *}"
	mkdir -p apt/lists/partial apt/cache/archives/partial
	apt_options=(-o Dir::State::Lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt/cache"
		-o APT::Architecture="$debian" -o APT::Architectures::="$debian")
	# what of a list cannot be had may not be needed: the download tells
	apt_get update >&2 || true
	apt_unpack busybox-static
	apt_download "$kernel"
	deb=$(echo "${kernel}"_*.deb)
	package=$(dpkg-deb -f "$deb" Depends | sed 's/ .*//')
	rm "$deb"
	apt_unpack "$package"
	# the modules, debug information and emulators of other boards
	rm -rf apt lib usr/lib/debug
}

work_make

# set_up BOARD: its root file system, and what connects to its serial line, in $work/BOARD
set_up()
{
	local dir=$work/$1 debian=$1 program

	board "$1"
	program=${qemu#* }
	cached=$(set -e; cache_enter; cache_make "board-$1" fetch; echo "${cache:?}/board-$1")
	[ -n "$cached" ] || exit 2
	mkdir -p "$dir"/root/{bin,proc,sys,dev}
	"$here/../../scripts/target_helper.sh" "$arch" "$dir/helper" >&2 || exit 2
	cp "$cached/bin/busybox" "$dir/root/bin/"
	cp "$dir/helper/trace-cmd-hist-target" "$dir/root/helper"
	cat >"$dir/root/init" <<END
#!/bin/busybox sh
export PATH=/bin
b=/bin/busybox
\$b --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
echo 1 >/proc/sys/kernel/printk
# what is counted: a task that is renamed ten times a second
(while :; do echo on-board >/proc/self/comm; usleep 100000; done) &
if grep -q with-shell /proc/cmdline; then
	echo board-is-ready
	# as getty would start it
	setsid -c sh -i <>/dev/$tty >&0 2>&0
else
	stty raw -echo <>/dev/$tty
	echo board-is-ready
	/helper --stdio
fi
poweroff -f
END
	chmod +x "$dir/root/init"
	(cd "$dir/root" && find . | cpio -o -H newc --quiet) >"$dir/initramfs"
	# The host's end of the serial line are two fifos.  A serial line has no end of file:
	# when the host is gone, the board is switched off.
	cat >"$dir/board.sh" <<END
{ cat $dir/in; kill \$(cat $dir/pid); } |
	$cached/usr/bin/$program -m 256 -nic none -display none 2>$dir/qemu.err \\
		-monitor none -serial stdio -no-reboot -pidfile $dir/pid -L /usr/share/qemu \\
		-kernel $(echo "$cached"/boot/vmlinuz-*) -initrd $dir/initramfs \\
		-append "console=$tty quiet panic=-1 \$1" | tee $dir/log
END
}

is_ready()
{
	grep -qs board-is-ready "$1/log" || ! kill -0 $! 2>/dev/null
}

# starts BOARD [ARGUMENT]: until it is ready, in at most 5 minutes; "exec:" for it in $url
starts()
{
	local dir=$work/$1 end=$((SECONDS + 300))

	rm -f "$dir"/{in,out,log}
	mkfifo "$dir/in" "$dir/out"
	# what it says before somebody reads stays in the fifo
	exec 5<>"$dir/out"
	sh "$dir/board.sh" "${2-}" >&5 &
	exec 5>&-
	until is_ready "$dir" || [ $SECONDS -gt $end ]; do
		sleep 0.2
	done
	grep -q board-is-ready "$dir/log" || cat "$dir/qemu.err" "$dir/log" >&2
	url="exec:cat $dir/out & cat >$dir/in"
}

# records OPTION...: exit status, and what is said
records()
{
	rm -f "$dat"
	timeout 200 "$bin/trace-cmd-hist" record -o "$dat" -i 200ms -d 3s -e task:task_rename \
		-k newcomm "$@" 2>&1
	echo "status $?"
}

# shows WHAT: report has it
shows()
{
	"$bin/trace-cmd-hist" report "$dat" --format json | grep -E "$1"
}

for name; do
	set_up "$name"
	dat=$work/$name.dat
	if [ "$name" = mipsel ]; then
		starts "$name"
		said=$(records --target "$url")
		like "$name: record names the need for a shell if the target helper answers" \
			"$said" \
			'^trace-cmd hist: error: --engine user: the target helper does not send kernel symbols'
		is "$name: recording through the target helper is refused with status 2" \
			"$(tail -n 1 <<<"$said")" "status 2"
		wait
		starts "$name"
		like "$name: list names the machine of the board" \
			"$("$bin/trace-cmd-hist" list --target "$url" 2>&1)" "$machine"
		wait
		starts "$name" with-shell
		said=$(records --target "shell:$url")
		is "$name: a recording through a shell without hist triggers succeeds" \
			"$(tail -n 1 <<<"$said")" "status 0"
		wait
		like "$name: record reports that the host counts the events" \
			"$said" 'no hist triggers .CONFIG_HIST_TRIGGERS., so the user-space engine is used'
		ok "$name: tasks of the board are counted on the host" shows on-board
		ok "$name: the file names user as its engine" shows '"engine": "user"'
		continue
	fi
	starts "$name"
	is "$name: a recording through the target helper succeeds" \
		"$(records --target "$url")" "status 0"
	wait
	ok "$name: tasks of the board are counted through the target helper" shows on-board
	ok "$name: the file names the machine of the board" shows "$machine"
	starts "$name" with-shell
	is "$name: a recording through a shell with echo and a prompt succeeds" \
		"$(records --target "shell:$url")" "status 0"
	wait
	ok "$name: tasks of the board are counted through the shell" shows on-board
done
done_testing
