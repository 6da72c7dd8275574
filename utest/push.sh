#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# push.sh BIN: recordings sent to the installed `trace-cmd listen`.  TAP on stdout.
#
# BIN holds trace-cmd-hist, push_tool and diff_make.  push_tool sends recordings that
# are there with what `record -N` sends its own; that it is the same on a live
# kernel is for the guest (vm/guest/94-push.sh).

set -u
export LC_ALL=C.UTF-8

die()
{
	echo "push.sh: $*" >&2
	exit 2
}

[ $# = 1 ] || die "usage: push.sh BIN"
bin=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
recorded=$here/data/recorded.dat
for file in "$bin/trace-cmd-hist" "$bin/push_tool" "$bin/diff_make" "$recorded"; do
	[ -e "$file" ] || die "$file: missing"
done
stock=/usr/bin/trace-cmd
[ -x $stock ] || die "$stock: missing: install trace-cmd"

listener=
link=
work=$(mktemp -d)
tool=
finish()
{
	[ -z "$tool" ] || kill -KILL "$tool" 2>/dev/null
	[ -z "$link" ] || kill "$link" 2>/dev/null
	[ -z "$listener" ] || kill "$listener" 2>/dev/null
	wait
	rm -rf "$work"
}
trap finish EXIT
cd "$work" || exit 2

# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

# until_true CMD...: at most 30 s
until_true()
{
	local end=$((SECONDS + 30))

	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.05
	done
}

# push ADDRESS FILE: with lines from the standard input; status in $status, words in $said
push()
{
	"$bin/push_tool" "$@" >sent 2>said
	status=$?
	said=$(<said)
}

# state 0A is LISTEN
is_listening()
{
	grep -q "^ *[0-9]*: [0-9A-F]*:$(printf %04X "$port") [0-9A-F]*:0000 0A " /proc/net/tcp
}

# Nothing that was sent to the listener is still under way.
is_there()
{
	[ "$(awk -v port="$(printf ':%04X' "$port")" '
		substr($3, 9) == port { connections++; waiting += substr($5, 1, 8) != "00000000" }
		substr($2, 9) == port && $4 == "01" { waiting += substr($5, 10, 8) != "00000000" }
		END { print connections + 0, waiting + 0 }' /proc/net/tcp)" = "1 0" ]
}

listens()
{
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	mkdir -p files
	$stock listen -p "$port" -d files >log 2>&1 &
	listener=$!
	until_true is_listening || die "$stock listen does not"
}

# Ends only the child that has the connection: the listener itself serves on.
serving()
{
	pgrep -P "$listener" >children
}

idle()
{
	! serving
}

# linked MODE BYTES: an address in $address that leads to the listener
linked()
{
	rm -f where
	python3 -B "$here/link.py" "${from:-127.0.0.1:0}" "127.0.0.1:$port" "$@" >where </dev/null &
	link=$!
	until_true [ -s where ]
	address=$(<where)
}

link_ends()
{
	wait "$link"
	link=
}

# received: the name of the one file that the listener has written since; status 1: not one
received()
{
	until_true idle || return
	set -- files/*.dat
	[ $# = 1 ] && [ -e "$1" ] && mv "$1" got.dat
}

# same ORIGINAL RECEIVED: "all", or how many of the snapshots that are there are
# the first ones; else what differs
same()
{
	python3 -B "$here/push_same.py" "$bin/trace-cmd-hist" "$1" "$2"
}

listens
"$bin/diff_make" load.dat kmalloc 1 snapshots=300 || die "diff_make failed"

# All of it.
for file in "$recorded" load.dat; do
	name=$(basename "$file")
	push "localhost:$port" "$file" <<<all
	is "$name is sent" "$status $said" "0 "
	received || die "the listener has written no file"
	is "every snapshot arrives, and the end" "$(same "$file" got.dat)" "all, ended"
	is "stock report opens it" "$($stock report got.dat 2>err; echo $?)" "cpus=2
0"
	is "so does stock dump" "$($stock dump --validate -i got.dat >/dev/null 2>err; echo $?)" 0
done
cp got.dat whole.dat

# Silence: the listener gives up after 5 s, so that there must be none.
{ printf '1\n2\n'; sleep 12; printf '3\n'; sleep 6; } | push "127.0.0.1:$port" "$recorded" &
pushing=$!
wait $pushing
received || die "the listener has written no file"
is "a recording that has nothing to say for 12 s, and 6 before its end, is whole" \
	"$(same "$recorded" got.dat)" "3 of 4, ended"
is "stock report opens it" "$($stock report got.dat 2>err; echo $?)" "cpus=2
0"
is "the reader made from the page passes over the signs of life" \
	"$(python3 -B "$here/read_dat.py" got.dat | grep -c '"seq": 2,')" 11

# The same silence, when nobody keeps it alive.
mkfifo lines
push "127.0.0.1:$port" load.dat <lines &
pushing=$!
exec 4>lines
printf '1\n2\n3\n' >&4
until_true grep -q 'sent 2' sent
until_true serving
tool=$(pgrep -P $pushing)
until_true grep -q 'S (sleeping)' "/proc/$tool/status"
until_true is_there
kill -STOP "$tool"
until_true grep -q 'reading client' log || die "the listener does not give up any more"
kill -CONT "$tool"
until_true grep -q 'link is lost' said
exec 4>&-
wait $pushing
tool=
is "a listener that has given up is told" "$(<said)" \
	"trace-cmd hist: -N 127.0.0.1:$port: the link is lost: the listener takes no more, as nothing reached it for 5 s: the file there has what arrived before"
received || die "the listener has written no file"
is "its file has what was sent before" "$(same load.dat got.dat)" "3 of 300, interrupted"
rm lines

# IPv6, by way of a link, as the stock listener has none.
from='[::1]:0' linked
push "$address" "$recorded" <<<all
link_ends
like "over IPv6" "$address $status $said" '^\[::1\]:[0-9]+ 0 $'
received || die "the listener has written no file"
is "every snapshot arrives" "$(same "$recorded" got.dat)" "all, ended"

# The link is cut at many places.  Before the snapshots is the handshake, 37 bytes.
size=$(stat -c %s whole.dat)
first=$(python3 -B -c 'import sys
sys.path.insert(0, sys.argv[1])
import read_dat
print(read_dat.File(sys.argv[2]).first())' "$here" whole.dat)
for mode in cut reset; do
	bad=
	for ((at = 30; at < size - 500; at += size / 8)); do
		linked $mode $at
		push "$address" load.dat <<<all
		link_ends
		[ "$status" = 2 ] && grep -q 'link is lost\|hung up\|Connection reset' said ||
			bad+="$at: status $status: $said; "
		received || continue
		result="0 of 300, interrupted"
		[ "$(stat -c %s got.dat)" -le "$first" ] || result=$(same load.dat got.dat)
		case $result in
		[0-9]*" of 300, interrupted") ;;
		*) bad+="$at: $result; " ;;
		esac
		if [ "$result" != "0 of 300, interrupted" ]; then
			$stock report got.dat >/dev/null 2>err || bad+="$at: stock report: $(<err); "
		fi
		echo "$mode at $at: $(stat -c %s got.dat) bytes, $result" >>cuts
	done
	is "$mode: it is told, and what was sent is there and readable" "$bad" ""
done
sed 's/^/# /' cuts
is "most of the cuts left snapshots" "$(($(grep -cv ' 0 of' cuts) > 9))" 1

# Killed like a recorder that is killed.
mkfifo lines
push "127.0.0.1:$port" load.dat <lines 2>/dev/null &
pushing=$!
exec 4>lines
printf '1\n2\n3\n4\n' >&4
until_true grep -q 'sent 3' sent
until_true is_there
kill -KILL "$(pgrep -P $pushing)"
exec 4>&-
wait $pushing 2>/dev/null
received || die "the listener has written no file"
is "one that is killed leaves what it sent" "$(same load.dat got.dat)" "4 of 300, interrupted"
rm lines

# The listener dies.
mkfifo lines
push "127.0.0.1:$port" load.dat <lines &
pushing=$!
exec 4>lines
printf '1\n2\n3\n' >&4
until_true grep -q 'sent 2' sent
until_true serving
kill -KILL "$(<children)"
until_true grep -q 'link is lost' said
exec 4>&-
wait $pushing
like "a listener that dies is told at once" "$(<said)" "link is lost: (the listener hung up|Connection reset by peer): "
rm lines files/*

# Ten at once.
pids=
for i in 0 1 2 3 4 5 6 7 8 9; do
	"$bin/push_tool" "127.0.0.1:$port" load.dat <<<all >/dev/null 2>"said.$i" &
	pids+=" $!"
done
bad=
for pid in $pids; do
	wait "$pid" || bad+="status $? "
done
until_true idle
for file in files/*.dat; do
	[ "$(same load.dat "$file")" = "all, ended" ] || bad+="$file "
done
is "ten at once" "$bad$(find files -name '*.dat' | wc -l)" 10

# No listener, another service, a name that is none.
kill "$listener"
wait "$listener" 2>/dev/null
listener=
push "127.0.0.1:$port" load.dat <<<all
is "no listener" "$status $said" "2 trace-cmd hist: -N 127.0.0.1:$port: Connection refused"
push "no-such-host.invalid:1" load.dat <<<all
like "no such host" "$status $said" '^2 trace-cmd hist: -N no-such-host.invalid:1: .*(known|name resolution)'

done_testing
