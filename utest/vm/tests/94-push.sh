# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# record -N on a live kernel, into the stock trace-cmd's listener on the loopback.
#
# On 6.12 alone: the protocol sees no kernel.
# In check-long: utest/remote/push.sh is the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir -p /tmp/push && cd /tmp/push || bail "no /tmp"

status() { "$@" >said 2>&1; echo $?; }
all() { trace-cmd hist report "$1" --snapshot all --format json | grep -v '"file"'; }
number() { trace-cmd hist report "$1" --format json | sed -n "s/^ *\"$2\": *\([0-9]*\).*/\1/p" | head -n 1; }
ended() { trace-cmd hist report "$1" --format json | grep -o '"unfinished": *[a-z]*' | head -n 1; }
address=127.0.0.1:8462
events="-e sched:sched_switch -k next_comm,prev_state -e kmem:kmalloc -k bytes_req.log2 -k call_site.sym"

ifconfig lo 127.0.0.1 up || bail "no loopback"
# the listener hangs up on addresses for which it finds no name
echo '127.0.0.1 localhost' >/etc/hosts
mkdir files
/usr/bin/trace-cmd listen -p 8462 -d files >log 2>&1 &
listener=$!
# port 8462, state LISTEN
listens() { cat /proc/net/tcp /proc/net/tcp6 | grep -q ':210E [0-9A-F]*:0000 0A '; }
ok "the stock listener listens" wait_until listens
# the process that serves a connection is a child of the listener
is_served()
{
	awk -v parent="$listener" '$4 == parent { print $1; found = 1 } END { exit !found }' \
		/proc/[0-9]*/stat 2>/dev/null
}
idle() { ! is_served; }
# what it has written, as got.dat
received()
{
	wait_until idle
	set -- files/*.dat
	[ $# = 1 ] && mv "$1" got.dat
}

before=$(tree_state)

# The same recording here and there.
load_start
# shellcheck disable=SC2086 # options
trace-cmd hist record -N $address -o local.dat -i 100ms $events >said 2>&1 &
pid=$!
wait_until has_snapshots local.dat 10
kill -INT $pid
wait $pid
is "record with -N and -o exits with status 0" $? 0
is "record with -N and -o prints nothing" "$(cat said)" ""
load_stop
ok "the listener writes one file for record with -N and -o" received
ok "the file of the listener has at least 10 snapshots" [ "$(number got.dat snapshots)" -ge 10 ]
is "the file of the listener has the same snapshots as the local file" \
	"$(all got.dat)" "$(all local.dat)"
ok "the file of the listener has more than 100 hits" [ "$(number got.dat hits)" -gt 100 ]
like "the file of the listener is finished" "$(ended got.dat)" false
like "the local file is finished" "$(ended local.dat)" false
ok "stock trace-cmd report opens the file of the listener" /usr/bin/trace-cmd report -i got.dat
is "record with -N and -o leaves tracefs unchanged" "$(tree_state)" "$before"
rm local.dat

# Alone, and with nothing to say for longer than the listener waits.
is "record with -N alone exits with status 0 after 8 s without a snapshot" \
	"$(status trace-cmd hist record -N localhost:8462 -i 0 -d 8 \
	-e task:task_rename -k newcomm)" 0
ok "record with -N alone writes no local file" [ ! -e trace.dat ]
ok "the listener writes one file for record with -N alone" received
is "the file of record with -N alone has the first and the last snapshot" \
	"$(number got.dat snapshots)" 2
is "record with -N exits with the status of its command" \
	"$(status trace-cmd hist record -N $address \
	-e task:task_rename -k newcomm -- sh -c 'exit 7')" 7
received

# The listener dies.
listener_has_two() { has_snapshots "$(echo files/*.dat)" 2; }
died()
{
	"$@" 2>said &
	recorder=$!
	wait_until is_served
	# the recording runs when the listener has snapshots
	wait_until listener_has_two
	kill -KILL "$(is_served)"
}
# shellcheck disable=SC2086
died trace-cmd hist record -N $address -i 100ms $events
wait $recorder
is "record without -o exits with status 2 after a lost link" $? 2
like "record without -o reports a lost link" "$(cat said)" \
	'^trace-cmd hist: error: -N 127.0.0.1:8462: the connection was lost: .*; the listener.s file contains only the data received until then$'
is "record without -o prints one line about a lost link" "$(wc -l <said)" 1
is "record without -o leaves tracefs unchanged after a lost link" "$(tree_state)" "$before"
ok "the listener keeps the file of a lost link" received
ok "the file of a lost link has at least 2 snapshots" [ "$(number got.dat snapshots)" -ge 2 ]
like "the file of a lost link is marked as unfinished" "$(ended got.dat)" true
ok "stock trace-cmd report opens the file of a lost link" /usr/bin/trace-cmd report -i got.dat
# shellcheck disable=SC2086
died trace-cmd hist record -N $address -o on.dat -i 100ms $events
wait_until grep -q 'connection was lost' said
n=$(number on.dat snapshots)
more() { [ "$(number on.dat snapshots)" -gt $((n + 2)) ]; }
ok "record with -o continues after a lost link" wait_until more
kill -INT $recorder
wait $recorder
is "record with -o exits with status 2 after a lost link" $? 2
is "record with -o reports a lost link once" "$(grep -c 'connection was lost' said)" 1
like "the local file is finished after a lost link" "$(ended on.dat)" false
is "record with -o leaves tracefs unchanged after a lost link" "$(tree_state)" "$before"
rm -f files/*.dat

# What is refused.
refused() { status trace-cmd hist record "$@" -e task:task_rename -k newcomm -- true; }
is "record with -N refuses --events without -o" "$(refused -N $address --events) $(cat said)" \
	"2 trace-cmd hist: error: --events: -N cannot send events
hint: add -o FILE"
is "record refuses two listeners" "$(refused -N $address -N $address) $(cat said)" \
	"2 trace-cmd hist: error: -N $address: a recording can be sent to only one listener
hint: use -N only once"
is "-N refuses an IPv6 address without brackets" "$(refused -N ::1:8462) $(cat said)" \
	"2 trace-cmd hist: error: -N ::1:8462: an IPv6 address needs brackets, such as [::1]:8462"
kill $listener
wait $listener
is "-N reports an address without a listener" "$(refused -N $address) $(cat said)" \
	"2 trace-cmd hist: error: -N 127.0.0.1:8462: Connection refused"
is "--dry-run reports an address without a listener" \
	"$(refused -N $address --dry-run) $(cat said)" \
	"2 trace-cmd hist: error: -N 127.0.0.1:8462: Connection refused"
is "refused recordings with -N leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
