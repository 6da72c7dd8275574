# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# `trace-cmd hist top` in a pseudo-terminal and without one: what it shows, what
# keys do, and that nothing is left in tracefs however it ends.
#
# On 6.12 alone: a terminal sees no kernel.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

top() { trace-cmd hist top "$@"; }
# drive OPTIONS COMMAND... <STEPS: its status, and what it said in /tmp/said
drive() { pty_drive "$@" 2>/tmp/said; echo $?; }
said() { tap_comment </tmp/said; }
trigger=events/sched/sched_switch/trigger

before=$(tree_state)

# A load whose rate is known: one kill(2) a round, counted by itself. It stays.
sh -c 'i=0
while kill -0 $$; do
	i=$((i + 1))
	read -r up rest </proc/uptime
	echo "$i $up end" >/tmp/count
	usleep 20000
done' &
paced=$!
# count_now: "ROUNDS SECONDS"
# shellcheck disable=SC2317 # called by wait_until
whole_count() { read -r rounds up last_word </tmp/count && [ "$last_word" = end ]; }
count_now() { wait_until whole_count && echo "$rounds $up"; }
first=$(count_now)
top -b -n 4 -i 500ms -e syscalls:sys_enter_kill -k common_pid >batch.txt 2>said
is "top -b -n exits with status 0 and prints nothing" "$? $(cat said)" "0 "
last=$(count_now)
is "top -b -n 4 prints four refreshes" "$(grep -c '^hits ' batch.txt)" 4
# shellcheck disable=SC2016 # awk's own
ok "top -b shows the rate that the load itself measures" \
	awk -v first="$first" -v last="$last" -v pid=$paced '
	$1 == pid { rate = $2; total = $3 }
	END {
		split(first, a); split(last, b)
		own = (b[1] - a[1]) / (b[2] - a[2])
		print "shown " rate ", counted " own ", in all " total
		exit !(rate > own * 0.65 && rate < own * 1.6 && total > 1.3 * own && total < 2.2 * (b[1] - a[1]))
	}' batch.txt
top -b -n 2 -i 300ms -e syscalls:sys_enter_kill -k common_pid --bucket common_pid.buckets=100000 \
	--view table >merged.txt
is "top --bucket has all hits in one row" \
	"$(awk '/^hits / { hits = $2 } $1 == "0-99999" { row = $3 } END { print (hits > 0), (row == hits) }' merged.txt)" "1 1"
# The summary of an axis: the totals of its lines are the hits of its second line.
top -b -n 3 -i 300ms --preset wakeup-latency >summary.txt
like "top shows percentiles, maximum and distribution of each task" "$(cat summary.txt)" \
	'^next_comm +hitcount/s +hitcount +p50 +p99 +max +distribution$'
is "the lines of a summary have all hits" "$(awk '
	/^hits / { hits = $2 }
	/^next_comm / { at = index($0, "hitcount/s") + length("hitcount/s"); sum = 0; next }
	!NF && at { whole = (hits > 0 && sum == hits); at = 0 }
	at { sum += substr($0, at) + 0 }
	END { print whole }' summary.txt)" 1
is "top -b leaves tracefs unchanged" "$(tree_state)" "$before"

# Each view, and what keys do, on a terminal that knows nothing but ASCII.
export TERM=vt100
cat >steps <<'END'
expect hitcount/s
gone -/s
expect swapper/
save table.txt
send b
expect ######
save bars.txt
send m
expect per second:
expect now
save heat.txt
send t
gone per second:
send /
expect filter: _
send SWAPP
expect filter: SWAPP_
expect rows hidden
save filtered.txt
send \n
gone filter: SWAPP_
send \e
gone rows hidden
send >
expect by hitcount down
save down.txt
send r
expect by hitcount up
save up.txt
send <<r
expect by next_comm down
save names.txt
send p
expect PAUSED
save pause1.txt
run trace-cmd hist top -b -n 4 -i 100ms -e sched:sched_switch -k next_pid >/dev/null
save pause2.txt
send p
gone PAUSED
save pause3.txt
send \t
expect 2/2 sched:sched_switch#1
send 1
expect 1/2 sched:sched_switch#0
send h
expect show this help
send x
gone show this help
resize 10 44
gone <> sort
expect v view
save small.txt
resize 4 20
expect terminal too sma
resize 40 120
expect <> sort
expect swapper/
send q
exit 0
END
is "an interactive session responds to its keys and exits with status 0" \
	"$(drive trace-cmd hist top -i 100ms -e sched:sched_switch -k next_comm \
	-k next_prio.log2 <steps; said)" 0
is "an interactive session leaves tracefs unchanged" "$(tree_state)" "$before"
like "the table view shows rates and totals" "$(cat table.txt)" '^swapper/[01] +[0-9.]+ +[0-9]+$'
like "the bars view draws a bar next to each rate" "$(cat bars.txt)" '^[a-z].* +[0-9.]+  #+$'
like "the heat map shows its scale" "$(cat heat.txt)" '^per second: \. [<0-9]'
like "the heat map shows cells after the rate" \
	"$(cat heat.txt)" '^swapper/[01] +[0-9.]+ +[-.:=+*#%@]+'
is "the filter hides rows that do not match" \
	"$(sed -n '5,23p' filtered.txt | grep -v '^swapper/' | grep -c .)" 0
like "the filter keeps rows that match" "$(cat filtered.txt)" '^swapper/'
# rows FILE: the rows alone
rows() { sed -n '5,23p' "$1" | grep .; }
ok "key > sorts the rows by total, largest first" \
	sh -c "sed -n '5,23p' down.txt | grep . | awk '{ print \$NF }' | sort -c -nr"
ok "key r reverses the sort order to smallest first" \
	sh -c "sed -n '5,23p' up.txt | grep . | awk '{ print \$NF }' | sort -c -n"
ok "keys < and r sort the rows by name, last name first" \
	sh -c "sed -n '5,23p' names.txt | grep . | awk '{ print \$1 }' | sort -c -r"
ok "the sorted table has at least three rows" [ "$(rows down.txt | wc -l)" -ge 3 ]
ok "a pause freezes the display" cmp pause1.txt pause2.txt
hits() { sed -n 's/^hits \([0-9]*\) .*/\1/p' "$1"; }
ok "counting continues during a pause" [ "$(hits pause3.txt)" -gt "$(hits pause1.txt)" ]
is "top writes 10 lines of at most 44 columns on a terminal of that size" \
	"$(wc -l <small.txt) $(awk 'length > 44' small.txt)" "10 "

# Colours and UTF-8, where they are.
cat >steps <<'END'
expect now
send b
expect ████
expect …
send q
exit 0
END
is "top draws blocks and an ellipsis on a UTF-8 terminal with 256 colours" \
	"$(LC_ALL=C.UTF-8 TERM=xterm-256color drive -l log trace-cmd hist top \
	-i 100ms --view heatmap -e sched:sched_switch -k next_comm,next_pid,next_prio -f 'next_pid >= 0' <steps; said)" 0
ok "the heat map uses the 256 colours of the terminal" grep -q "$(printf '\033')\\[48;5;[0-9]*m" log
ok "top leaves the alternate screen when a session ends" grep -q "$(printf '\033')\\[?1049l" log
like "the heat map uses characters on a linux terminal" \
	"$(printf 'expect now\nsave linux.txt\nsignal 15\nexit 0\n' >steps
	TERM=linux drive trace-cmd hist top --view heatmap -i 100ms -e sched:sched_switch -k next_comm <steps
	cat linux.txt)" '^per second: \.'

# Every way to end.
for signal in 1 2 15; do
	printf 'expect swapper/\nsignal %s\nexit 0\n' $signal >steps
	is "signal $signal ends top with status 0 and leaves tracefs unchanged" \
		"$(drive trace-cmd hist top -i 100ms -e sched:sched_switch -k next_comm \
		<steps; said; tree_state)" "0
$before"
done
printf 'expect swapper/\nhangup\nexit 0\n' >steps
is "a hang-up of the terminal ends top and leaves tracefs unchanged" \
	"$(drive trace-cmd hist top -i 100ms -e sched:sched_switch \
	-k next_comm <steps; said; tree_state)" "0
$before"
is "a hang-up without SIGHUP ends top and leaves tracefs unchanged" \
	"$(drive sh -c 'trap "" HUP; setsid trace-cmd \
	hist top -i 100ms -e sched:sched_switch -k next_comm; exit $?' <steps; said; tree_state)" "0
$before"
printf 'expect swapper/\nexit 0\n' >steps
is "-d and -n end an interactive session and leave tracefs unchanged" \
	"$(drive trace-cmd hist top -d 1 -i 100ms -e sched:sched_switch -k next_comm <steps
	drive trace-cmd hist top -n 3 -i 300ms -e sched:sched_switch -k next_comm <steps; said; tree_state)" "0
0
$before"

# Loss is told.
printf 'expect hits dropped: the table is full\nsend q\nexit 0\n' >steps
is "top reports the hits that a full table drops" \
	"$(drive trace-cmd hist top -i 100ms -e kmem:kmalloc -R 'hist:keys=ptr:size=128' \
	<steps; said)" 0
cat >steps <<'END'
expect swapper/
signal 19
run trace-cmd hist top -b -n 4 -i 100ms -e sched:sched_switch -k next_pid >/dev/null
signal 18
expect refreshes missed
send q
exit 0
END
is "top reports the refreshes that it missed while stopped" \
	"$(drive trace-cmd hist top -i 100ms -e sched:sched_switch -k next_comm <steps; said)" 0

# What others count, only watched.
mkdir $tracefs/instances/web
for dir in . instances/web; do
	echo 'hist:keys=next_comm:vals=prev_prio' >>$tracefs/$dir/$trigger
done
users=$(tree_state)
like "--attach shows a trigger of the top-level instance" \
	"$(top --attach sched:sched_switch -b -n 1 -i 100ms)" '^swapper/[01] .* [1-9][0-9]*$'
like "--attach shows a trigger of a named instance" \
	"$(top --attach web/sched:sched_switch -b -n 1 -i 100ms)" \
	'^web/sched:sched_switch  hist:keys=next_comm:vals=hitcount,prev_prio'
is "--attach leaves tracefs unchanged" "$(tree_state)" "$users"
cat >steps <<END
expect swapper/
run echo 'hist:keys=next_comm:vals=prev_prio:clear' >>$tracefs/instances/web/$trigger
expect cleared by another program: hits before that are not shown
run echo '!hist:keys=next_comm:vals=prev_prio' >>$tracefs/instances/web/$trigger
expect another program removed the trigger
exit 2
END
is "--attach reports that another process clears and removes the trigger" \
	"$(drive trace-cmd hist top -i 100ms --attach web/sched:sched_switch <steps; said)" 0
rmdir $tracefs/instances/web
like "--attach refuses an event without a histogram" \
	"$(top --attach sched:sched_waking 2>&1; echo $?)" 'the event has no hist trigger'
echo '!hist:keys=next_comm:vals=prev_prio' >>$tracefs/$trigger

# What is refused.
refused() { top "$@" 2>&1 >/dev/null </dev/null | cat; }
like "--sort refuses an unknown column" \
	"$(refused --sort nothing -e sched:sched_switch -k next_comm)" \
	'^trace-cmd hist: error: --sort nothing: no such column'
like "top refuses -i 0" \
	"$(refused -i 0 -e sched:sched_switch -k next_comm)" '^trace-cmd hist: error: -i 0: '
like "--attach refuses -e" \
	"$(refused --attach a:b -e sched:sched_switch -k next_comm)" 'cannot be combined with options that start histograms'
printf 'expect trace-cmd hist: error: TERM=nosuch: \nexit 2\n' >steps
is "top exits with status 2 if the terminal type is unknown" \
	"$(TERM=nosuch drive trace-cmd hist top -e sched:sched_switch -k next_comm <steps; said)" 0
kill $paced
is "all sessions of top leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
