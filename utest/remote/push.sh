#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# push.sh BIN: recordings sent to the installed `trace-cmd listen`.  TAP on stdout.
#
# BIN holds trace-cmd-hist, push_tool and diff_make.  push_tool sends recordings that
# are there with what `record -N` sends its own; that it is the same on a live
# kernel is for the guest (vm/tests/94-push.sh).
#
# Each case has a listener and a directory of its own, so that all run at the same time:
# much of it is waiting for the 5 s after which a listener gives up.
#
# make check has one silence of 7 s, and fewer places where the link is reset.  CHECK_LONG=1 has longer
# silences, and resets the link at all places where it is also cut.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: push.sh BIN"
bin=$(readlink -f "$1")
recorded=$here/../data/recorded.dat
need_files "$bin/trace-cmd-hist" "$bin/push_tool" "$bin/diff_make" "$recorded"
stock=/usr/bin/trace-cmd
[ -x $stock ] || die "$stock: missing: install trace-cmd"

work=$(mktemp -d)
cases=()
finish()
{
	kill "${cases[@]}" 2>/dev/null
	wait
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 2' HUP INT TERM
cd "$work" || exit 2

wait_limit=30

# sure CMD...: what must come true before a case makes sense
sure()
{
	wait_for "$@" || not_so "never true: $*"
}

not_so()
{
	is "the conditions of the case $case come true" "$1" ""
	exit 1
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

# Nothing that was sent to the listener is still under way.  State 01 is ESTABLISHED.
is_there()
{
	[ "$(awk -v port="$(printf ':%04X' "$port")" '
		$4 != "01" { next }
		substr($3, 9) == port { connections++; waiting += substr($5, 1, 8) != "00000000" }
		substr($2, 9) == port { waiting += substr($5, 10, 8) != "00000000" }
		END { print connections + 0, waiting + 0 }' /proc/net/tcp)" = "1 0" ]
}

has_ended()
{
	! kill -0 "$listener" 2>/dev/null
}

listens_or_not()
{
	has_ended || is_listening
}

# Another one may have taken the port meanwhile.
listens()
{
	mkdir files
	for _ in 1 2 3 4 5; do
		port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
		$stock listen -p "$port" -d files >log 2>&1 &
		listener=$!
		wait_for listens_or_not
		sleep 0.1
		has_ended || return 0
	done
	not_so "$stock listen does not"
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
	/usr/bin/python3 -B "$here/link.py" "${from:-127.0.0.1:0}" "127.0.0.1:$port" "$@" >where </dev/null &
	link=$!
	sure [ -s where ]
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
	wait_for idle || return
	set -- files/*.dat
	[ $# = 1 ] && [ -e "$1" ] && mv "$1" got.dat
}

arrives()
{
	received || not_so "the listener has written no file"
}

# same ORIGINAL RECEIVED: "all", or how many of the snapshots that are there are
# the first ones; else what differs
same()
{
	/usr/bin/python3 -B "$here/push_same.py" "$bin/trace-cmd-hist" "$1" "$2"
}

end_case()
{
	exec 4>&-
	[ -z "$tool" ] || kill -KILL "$tool" 2>/dev/null
	[ -z "$link" ] || kill "$link" 2>/dev/null
	[ -z "$listener" ] || kill "$listener" 2>/dev/null
	wait
}

# start FUNCTION ARGUMENT...: in a directory of its own; its TAP, numbered later, in NAME.tap
start()
{
	local name=$1-${3-}-${2-}

	order+=" $name"
	mkdir "$name"
	(
		# shellcheck disable=SC2030
		case=$name listener='' link='' tool=''
		trap end_case EXIT
		trap 'exit 1' HUP INT TERM
		cd "$name" || exit
		listens
		"$@"
	) >"$name.tap" &
	cases+=($!)
}

# The tool in the background, with its lines from a fifo at descriptor 4.
push_lines()
{
	mkfifo lines
	push "127.0.0.1:$port" "$load" <lines &
	pushing=$!
	exec 4>lines
}

# --- the cases ---

# All of it.
whole()
{
	local file

	for file in "$recorded" "$load"; do
		name=$(basename "$file")
		push "localhost:$port" "$file" <<<all
		is "push_tool sends $name" "$status $said" "0 "
		arrives
		is "every snapshot of $name arrives, and its end" \
			"$(same "$file" got.dat)" "all, ended"
		is "stock report opens the received $name" \
			"$($stock report got.dat 2>err; echo $?)" "cpus=2
0"
		is "stock dump validates the received $name" \
			"$($stock dump --validate -i got.dat >/dev/null 2>err; echo $?)" 0
	done
	cp got.dat ../whole.dat
}

# Silence: the listener gives up after 5 s, so that there must be none.
silence()
{
	local first=7 second=0

	[ -z "${CHECK_LONG-}" ] || first=12 second=6
	{ printf '1\n2\n'; sleep $first; printf '3\n'; sleep $second; } | push "127.0.0.1:$port" "$recorded"
	arrives
	is "a recording with silences of $first s and $second s arrives with its end" \
		"$(same "$recorded" got.dat)" "3 of 4, ended"
	is "stock report opens a recording with silences" \
		"$($stock report got.dat 2>err; echo $?)" "cpus=2
0"
	is "read_dat.py skips the keep-alive data of a recording with silences" \
		"$(/usr/bin/python3 -B "$here/../scripts/lib/read_dat.py" got.dat | grep -c '"seq": 2,')" 11
}

# The same silence, when nobody keeps it alive.
given_up()
{
	push_lines
	printf '1\n2\n3\n' >&4
	sure grep -qs 'sent 2' sent
	sure serving
	tool=$(pgrep -P $pushing)
	sure grep -q 'S (sleeping)' "/proc/$tool/status"
	sure is_there
	kill -STOP "$tool"
	sure grep -q 'reading client' log
	kill -CONT "$tool"
	wait_for grep -qs 'connection was lost' said
	exec 4>&-
	wait $pushing
	tool=
	is "the sender reports a listener that has given up" "$(<said)" \
		"trace-cmd hist: error: -N 127.0.0.1:$port: the connection was lost: the listener received nothing for 5 s and gave up; the listener's file contains only the data received until then"
	arrives
	is "the file of a listener that has given up has the data sent before" \
		"$(same "$load" got.dat)" "3 of 300, interrupted"
}

# IPv6, by way of a link, as the stock listener has none.
ipv6()
{
	from='[::1]:0' linked
	push "$address" "$recorded" <<<all
	link_ends
	like "push_tool sends a recording over IPv6" "$address $status $said" '^\[::1\]:[0-9]+ 0 $'
	arrives
	is "every snapshot arrives over IPv6" "$(same "$recorded" got.dat)" "all, ended"
}

# cut_at BYTES MODE: the link is cut
cut_at()
{
	local result="0 of 300, interrupted" bad=

	linked "$2" "$1"
	push "$address" "$load" <<<all
	link_ends
	[ "$status" = 2 ] && grep -q 'connection was lost\|closed the connection\|Connection reset' said ||
		bad+="status $status: $said; "
	# before the file begins there may be none
	if received; then
		[ "$(stat -c %s got.dat)" -le "$first" ] || result=$(same "$load" got.dat)
		case $result in
		[0-9]*" of 300, interrupted") ;;
		*) bad+="$result; " ;;
		esac
		if [ "$result" != "0 of 300, interrupted" ]; then
			$stock report got.dat >/dev/null 2>err || bad+="stock report: $(<err); "
		fi
		echo "$2 at $1: $(stat -c %s got.dat) bytes, $result" >cuts
	fi
	is "$2 at byte $1: the sender reports the lost link, and the sent snapshots are readable" \
		"$bad" ""
}

# Killed like a recorder that is killed.
killed()
{
	push_lines 2>/dev/null
	printf '1\n2\n3\n4\n' >&4
	sure grep -qs 'sent 3' sent
	sure is_there
	kill -KILL "$(pgrep -P $pushing)"
	exec 4>&-
	wait $pushing 2>/dev/null
	arrives
	is "a killed sender leaves the snapshots that it sent" \
		"$(same "$load" got.dat)" "4 of 300, interrupted"
}

# The listener dies.
dies()
{
	push_lines
	printf '1\n2\n3\n' >&4
	sure grep -qs 'sent 2' sent
	sure serving
	kill -KILL "$(<children)"
	wait_for grep -qs 'connection was lost' said
	exec 4>&-
	wait $pushing
	like "the sender reports a dead listener at once" \
		"$(<said)" "connection was lost: (the listener closed the connection|Connection reset by peer); "
}

ten()
{
	local pids='' bad='' i pid file

	for i in 0 1 2 3 4 5 6 7 8 9; do
		"$bin/push_tool" "127.0.0.1:$port" "$load" <<<all >/dev/null 2>"said.$i" &
		pids+=" $!"
	done
	for pid in $pids; do
		wait "$pid" || bad+="status $? "
	done
	sure idle
	for file in files/*.dat; do
		[ "$(same "$load" "$file")" = "all, ended" ] || bad+="$file "
	done
	is "ten recordings arrive at the same time" "$bad$(find files -name '*.dat' | wc -l)" 10
}

# No listener, and a name that is none.
nobody()
{
	# shellcheck disable=SC2031 # it is that of this case
	kill "$listener"
	# shellcheck disable=SC2031
	wait "$listener" 2>/dev/null
	listener=
	push "127.0.0.1:$port" "$load" <<<all
	is "the sender reports a refused connection" \
		"$status $said" "2 trace-cmd hist: error: -N 127.0.0.1:$port: Connection refused"
	push "no-such-host.invalid:1" "$load" <<<all
	like "the sender reports an unknown host" \
		"$status $said" '^2 trace-cmd hist: error: -N no-such-host.invalid:1: .*(known|name resolution)'
}

load=$work/load.dat
"$bin/diff_make" load.dat kmalloc 1 snapshots=300 || die "diff_make failed"
order=
start silence
start given_up
start killed
start dies
start ipv6
start nobody
start whole
wait $!
# Where to cut: at many places.  Before the snapshots is the handshake, 37 bytes.
[ -s whole.dat ] || cp load.dat whole.dat
size=$(stat -c %s whole.dat)
first=$(/usr/bin/python3 -B -c 'import sys
sys.path.insert(0, sys.argv[1])
import read_dat
print(read_dat.File(sys.argv[2]).first())' "$here/../scripts/lib" whole.dat)
resets=3 least=6
[ -z "${CHECK_LONG-}" ] || resets=8 least=10
for ((at = 30; at < size - 500; at += size / 8)); do
	start cut_at $at cut
done
for ((at = 30; at < size - 500; at += size / resets)); do
	start cut_at $at reset
done
start ten
wait "${cases[@]}"
cases=()
for name in $order; do
	cat "$name.tap"
	[ ! -s "$name/cuts" ] || sed 's/^/# /' "$name/cuts"
done >all.tap
# a case that ended early has told nothing, or that it did
for name in $order; do
	grep -q '^ok\|^not ok' "$name.tap" || echo "not ok 0 - the case $name prints a result" >>all.tap
done
awk '/^(not )?ok [0-9]+ / { sub(/ok [0-9]+/, "ok " ++n) } /^not ok/ { failed = 1 } { print }
	END { print n > "count"; exit failed }' all.tap
failed=$?
count=$(<count)
is "at least $least cuts leave snapshots" "$(($(cat cut_at*/cuts | grep -cv ' 0 of') >= least))" 1
done_testing
