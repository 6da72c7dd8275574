#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# boards.sh BIN: a recording of an emulated arm64 board, over its serial line.  TAP.
#
# The board is QEMU's "virt" with Debian's kernel; on it run busybox's sh as init and
# the static helper, whose stdin and stdout are the serial line.  The packages, 38 MB,
# are downloaded and unpacked into the cache, not installed.

set -eu
export LC_ALL=C.UTF-8
me=boards.sh
here=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=../scripts/apt_cache.sh
. "$here/../scripts/apt_cache.sh"
[ $# = 1 ] || die "usage: boards.sh BIN"
bin=$(readlink -f "$1")

# Lists of packages for arm64, beside those of this machine.
arm64()
{
	apt-get -q=2 -o Dir::State::Lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt/cache" \
		-o APT::Architecture=arm64 -o APT::Architectures::=arm64 \
		-o APT::Sandbox::User="$(id -un)" "$@" >&2
}

fetch()
{
	local deb meta kernel

	apt_download qemu-system-arm
	mkdir -p apt/lists/partial apt/cache/archives/partial
	arm64 update || die "apt-get update for arm64 failed"
	arm64 download busybox-static linux-image-6.12-cloud-arm64 || die "apt-get download failed"
	meta=$(echo linux-image-6.12-cloud*.deb)
	kernel=$(dpkg-deb -f "$meta" Depends | sed 's/ .*//')
	arm64 download "$kernel" || die "$kernel: apt-get download failed"
	for deb in ./*.deb; do
		dpkg-deb -x "$deb" . || die "$deb: cannot be unpacked"
	done
	rm -rf apt lib
	apt_keep qemu-system-arm board-arm64
}

board=$(cache_enter lock-board && { [ -d board-arm64 ] || fetch; } && echo "${cache:?}/board-arm64")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../scripts/target_helper.sh" arm64 "$work/helper" >&2

mkdir -p "$work"/root/{bin,proc,sys,dev}
cp "$board/bin/busybox" "$work/root/bin/"
cp "$work/helper/trace-cmd-hist-target" "$work/root/helper"
cat >"$work/root/init" <<'END'
#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sysfs /sys
$b mount -t devtmpfs dev /dev
echo 1 >/proc/sys/kernel/printk
# what is counted: a task that is renamed ten times a second
(while :; do echo on-board >/proc/self/comm; $b usleep 100000; done) &
$b stty raw -echo <>/dev/ttyAMA0
echo board-is-ready
/helper --stdio
$b poweroff -f
END
chmod +x "$work/root/init"
(cd "$work/root" && find . | cpio -o -H newc --quiet) >"$work/initramfs"

# What the host says waits until the serial line carries bytes as they are.  A serial
# line has no end of file: when the host is gone, the board is switched off.
cat >"$work/connect" <<END
: >$work/log
{ until grep -q board-is-ready $work/log; do sleep 0.1; done; cat; kill \$(cat $work/pid); } |
	$board/usr/bin/qemu-system-aarch64 -M virt -cpu cortex-a53 -m 256 -nic none -display none \\
		-monitor none -serial stdio -no-reboot -pidfile $work/pid -L /usr/share/qemu \\
		-kernel $(echo "$board"/boot/vmlinuz-*) -initrd $work/initramfs \\
		-append 'console=ttyAMA0 quiet panic=-1' | tee $work/log
END

count=0
failed=0
# ok DESC COMMAND...
ok()
{
	local what=$1

	shift
	count=$((count + 1))
	if "$@" >"$work/said" 2>&1; then
		echo "ok $count - $what"
	else
		failed=1
		echo "not ok $count - $what"
		sed 's/^/# /' "$work/said"
	fi
}
# shellcheck disable=SC2317 # called by ok
report() { "$bin/trace-cmd-hist" report "$work/board.dat" "$@"; }
# shellcheck disable=SC2317
has() { report "${@:2}" | tee "$work/report" | grep -E "$1" || { cat "$work/report"; return 1; }; }

ok "arm64: a recording of the board" timeout 120 "$bin/trace-cmd-hist" record \
	-o "$work/board.dat" -i 200ms -d 3s -e task:task_rename -k newcomm \
	--target "exec:sh $work/connect"
ok "arm64: what ran there was counted" has 'on-board' --format json
ok "arm64: the file says where it is from" has 'aarch64' --format json
echo "1..$count"
exit $failed
