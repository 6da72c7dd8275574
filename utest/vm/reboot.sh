#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# reboot.sh KERNEL BIN: a target that is reset, that is switched off, and that stands
# still in mid-recording, recorded from here over TCP with a key.  TAP on stdout.
#
# Invariant: QEMU is this script's child, is known by its pid, and ends with it.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 2 ] || die "usage: reboot.sh KERNEL BIN"
kernel=$1 bin=$(readlink -f "$2")
# shellcheck source-path=SCRIPTDIR source=qemu.sh
. "$here/qemu.sh"
work=$(mktemp -d)
qemu='' host=''
cleanup()
{
	trap '' INT TERM HUP
	for pid in $host $qemu; do
		kill -KILL "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cd "$work" || exit 2

hist() { "$bin/trace-cmd" hist "$@"; }
# Times are for a slow machine: the host gives a silent target 30 s.
wait_until()
{
	local end=$((SECONDS + 120))

	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}

# --- the target ---

hist listen --new-key key >/dev/null || die "no key"
kernel_dir=$("$here/kernel.sh" "$kernel") || exit 2
"$here/initramfs.sh" --kernel-dir "$kernel_dir" --module virtio_net initramfs \
	"$bin/trace-cmd-hist-target:/usr/bin/trace-cmd-hist-target" "$work/key:/key" \
	/dev/null:/tests/settings "$here/guest/lib.sh:/tests/lib.sh" "$here/guest/target.sh:/guest/shell.sh" || exit 2

said() { [ "$(grep -ac "^target: $1" console)" -ge "$2" ]; }

# switch_on: sets $qemu and $url
switch_on()
{
	: >console
	rm -f qmp
	qemu_set "$kernel_dir" "$work/initramfs" 1 512
	setpriv --pdeathsig KILL "${qemu_command[@]}" -serial file:console \
		-qmp unix:qmp,server=on,wait=off -device virtio-net-pci,netdev=net \
		-netdev user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:0-:8300 </dev/null >&2 &
	qemu=$!
	wait_until [ -S qmp ] || die "QEMU does not start"
	# a reset is one, and does not end QEMU
	"$here/qmp.py" qmp set-action '{"reboot": "reset"}' >/dev/null || exit 2
	url=tcp://127.0.0.1:$("$here/qmp.py" qmp human-monitor-command \
		'{"command-line": "info usernet"}' | awk '/HOST_FORWARD/ { print $4 }')
	wait_until said ready 1 || { tail -n 20 console >&2; die "the target does not start"; }
}

# --- a recording ---

# field FILE NAME: of the first histogram.  Of "hits" there are two; that of "from", which is
# where the difference begins and can be 0 for ever, is not the first of its line.
field() { hist report "$1" --format json 2>/dev/null | sed -n "s/^ *\"$2\": *\([0-9a-z]*\).*/\1/p" | head -n 1; }
more() { [ "$(field "$1" snapshots)" -gt "$2" ]; }
counted() { [ "$(field "$1" hits)" -gt 0 ]; }

# begin FILE: a recording that does not end by itself, once it has five snapshots; sets
# $host, and $seen, how many snapshots have come
begin()
{
	# not by record(): a function in the background is a shell
	"$bin/trace-cmd-hist" record -q -i 200ms -e task:task_rename -k newcomm -d 600 \
		--target "$url" --key key -o "$1" >err 2>&1 &
	host=$!
	ok "$1 gets four more snapshots" wait_until more "$1" 4
	seen=$(field "$1" snapshots)
}

ended() { ! kill -0 "$host"; }

# lost FILE: the recorder of begin() ends as it should
lost()
{
	local from=$SECONDS

	ok "$1: the recorder ends by itself" wait_until ended
	echo "# after $((SECONDS - from)) s"
	ok "$1: the recorder ends within 60 s" [ $((SECONDS - from)) -le 60 ]
	wait "$host"
	is "$1: the recorder exits with status 2" $? 2
	host=
	is "$1: the recorder prints one line" "$(wc -l <err) $(cat err)" "1 $(head -n 1 err)"
	like "$1: the line names the target and the reason" "$(cat err)" "$2"
	ok "$1 has all snapshots that arrived" [ "$(field "$1" snapshots)" -ge "$seen" ]
	is "$1: the report shows each snapshot" "$(hist report "$1" --snapshot all --format json |
		grep -c '"seq"')" "$(field "$1" snapshots)"
	ok "$1: report opens the histogram" hist report "$1" -e task_rename
	like "$1: the histogram has hits of the task on the target" \
		"$(hist report --view table "$1" -e task_rename)" 'newcomm: on-target.* hitcount: +[1-9]'
	like "$1: the report says that the recording was interrupted" "$(hist report "$1" 2>&1)" 'interrupted'
	ok "stock trace-cmd opens $1" /usr/bin/trace-cmd report -i "$1"
}

# again N WHAT: after WHAT the target is there again, and leaves nothing; N hosts have gone since it was on
again()
{
	begin again.dat
	ok "a new recording counts hits after $2" wait_until counted again.dat
	kill -INT "$host"
	wait "$host"
	is "the new recording exits with status 0 after $2" $? 0
	host=
	is "the new recording prints no message after $2" "$(cat err)" ""
	ok "tracefs of the target is restored after $2" wait_until said clean "$1"
	is "tracefs of the target was never left changed until $2" "$(grep -ac '^target: left' console)" 0
	rm again.dat
}

switch_on
begin reset.dat
"$here/qmp.py" qmp system_reset >/dev/null
# it hears so from the kernel that has booted, unless that takes too long
lost reset.dat '^trace-cmd hist: error: 127\.0\.0\.1: (the target closed the connection|no complete answer within 30 s)'
ok "the target boots again after the reset" wait_until said ready 2
again 1 "a reset"

begin still.dat
"$here/qmp.py" qmp stop >/dev/null
lost still.dat '^trace-cmd hist: error: 127\.0\.0\.1: no complete answer within 30 s; the target is considered lost'
"$here/qmp.py" qmp cont >/dev/null
ok "the target restores tracefs when it runs again and the host is gone" wait_until said clean 2
again 3 "a standstill"

begin off.dat
kill -KILL $qemu
wait $qemu 2>/dev/null
lost off.dat '^trace-cmd hist: error: 127\.0\.0\.1: the target closed the connection'
switch_on
again 1 "a power cut"
done_testing
