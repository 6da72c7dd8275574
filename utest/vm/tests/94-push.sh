# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# record -N on a live kernel, into the stock trace-cmd's listener on the loopback.
#
# On 6.12 alone: the protocol sees no kernel.

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
is "-N and -o" "$(status trace-cmd hist record -N $address -o local.dat -i 100ms -d 3 $events)" 0
is "nothing is said" "$(cat said)" ""
load_stop
ok "the listener has a file" received
ok "with many snapshots" [ "$(number got.dat snapshots)" -ge 10 ]
is "each is the same as in the file here" "$(all got.dat)" "$(all local.dat)"
ok "and none is empty" [ "$(number got.dat hits)" -gt 100 ]
is "it ended in order" "$(ended got.dat)" "$(ended local.dat)"
ok "the stock report opens it" /usr/bin/trace-cmd report -i got.dat
is "nothing is left behind" "$(tree_state)" "$before"
rm local.dat

# Alone, and with nothing to say for longer than the listener waits.
is "-N alone, silent for 8 s" "$(status trace-cmd hist record -N localhost:8462 -i 0 -d 8 \
	-e task:task_rename -k newcomm)" 0
ok "no file is made here" [ ! -e trace.dat ]
ok "the listener has one" received
is "with both snapshots" "$(number got.dat snapshots)" 2
is "a command's status" "$(status trace-cmd hist record -N $address \
	-e task:task_rename -k newcomm -- sh -c 'exit 7')" 7
received

# The listener dies.
has_snapshots() { [ "$(number "$(echo files/*.dat)" snapshots 2>/dev/null)" -ge 2 ]; }
died()
{
	"$@" 2>said &
	recorder=$!
	wait_until is_served
	# the recording runs when the listener has snapshots
	wait_until has_snapshots
	kill -KILL "$(is_served)"
}
# shellcheck disable=SC2086
died trace-cmd hist record -N $address -i 100ms $events
wait $recorder
is "a lost link ends a recording that has no file here" $? 2
like "and says so" "$(cat said)" \
	'^trace-cmd hist: -N 127.0.0.1:8462: the link is lost: .*: the file there has what arrived before$'
is "once" "$(wc -l <said)" 1
is "nothing is left behind" "$(tree_state)" "$before"
ok "what arrived is there" received
ok "and readable" [ "$(number got.dat snapshots)" -ge 2 ]
like "as interrupted" "$(ended got.dat)" true
ok "for the stock report too" /usr/bin/trace-cmd report -i got.dat
# shellcheck disable=SC2086
died trace-cmd hist record -N $address -o on.dat -i 100ms $events
wait_until grep -q 'link is lost' said
n=$(number on.dat snapshots)
more() { [ "$(number on.dat snapshots)" -gt $((n + 2)) ]; }
ok "with -o it goes on" wait_until more
kill -INT $recorder
wait $recorder
is "the status tells of it" $? 2
is "it was said once" "$(grep -c 'link is lost' said)" 1
like "the file here is whole" "$(ended on.dat)" false
is "nothing is left behind" "$(tree_state)" "$before"
rm -f files/*.dat

# What is refused.
refused() { status trace-cmd hist record "$@" -e task:task_rename -k newcomm -- true; }
is "--events needs a file here" "$(refused -N $address --events) $(cat said)" \
	"2 trace-cmd hist: --events: the listener gets histograms only: give -o FILE beside -N"
is "two listeners" "$(refused -N $address -N $address) $(cat said)" \
	"2 trace-cmd hist: -N: given twice: a recording is sent to one listener"
is "an IPv6 address without brackets" "$(refused -N ::1:8462) $(cat said)" \
	"2 trace-cmd hist: -N ::1:8462: an IPv6 address is written in brackets: [::1]:8462"
kill $listener
wait $listener
is "no listener" "$(refused -N $address) $(cat said)" \
	"2 trace-cmd hist: -N 127.0.0.1:8462: Connection refused"
is "--dry-run sees it too" "$(refused -N $address --dry-run) $(cat said)" \
	"2 trace-cmd hist: -N 127.0.0.1:8462: Connection refused"
is "nothing is left behind" "$(tree_state)" "$before"
done_testing
