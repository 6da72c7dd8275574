# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# record --rotate: the files of one recording have together what one file would have, each can be
# read alone, and kill -9 leaves whole files.
#
# In check-long: utest/scripts/rotate.sh is the sample.
# On 6.12 alone: what is in a file does not depend on the kernel.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/rotate && cd /tmp/rotate || bail "no /tmp"

before=$(tree_state)
status() { "$@" >said 2>&1; echo $?; }
hits() { trace-cmd hist report "$@" --format json | sed -n 's/^ *"hits": *\([0-9]*\).*/\1/p' | head -n 1; }
first() { trace-cmd hist report "$1" --format json | sed -n 's/^ *"first_seq": *\([0-9]*\).*/\1/p' | head -n 1; }
last() { trace-cmd hist report "$1" --format json | sed -n 's/^ *"last_seq": *\([0-9]*\).*/\1/p' | head -n 1; }
files() { set -- "${1:-r}".[0-9]*.dat; [ -e "$1" ] && echo "$*"; }
count() { files "$@" | wc -w; }

# A command that calls kill(2) 80 times in at least 800 ms.
calls='i=0; while [ $i -lt 80 ]; do kill -0 $$; i=$((i + 1)); usleep 10000; done'

is "record --rotate exits with status 0" \
	"$(status trace-cmd hist record -q -F -o r.dat -i 100ms --rotate 500ms \
	-e syscalls:sys_enter_kill -k sig -- sh -c "$calls")" 0
is "record --rotate prints nothing" "$(cat said)" ""
is "record --rotate leaves tracefs unchanged" "$(tree_state)" "$before"
ok "there are at least 2 files ($(count))" [ "$(count)" -ge 2 ]
ok "the first file is r.00001.dat, and r.dat does not exist" [ -e r.00001.dat -a ! -e r.dat ]
# shellcheck disable=SC2046 # names without blanks
is "report joins the files: all 80 calls" "$(hits $(files))" 80
# shellcheck disable=SC2046
is "report joins the files in any order" "$(hits $(files | tr ' ' '\n' | sort -r))" 80
sum=0 wrong=0 end=0
for file in $(files); do
	sum=$((sum + $(hits "$file")))
	[ "$(first "$file")" = "$end" ] || wrong=$((wrong + 1))
	end=$(last "$file")
	/usr/bin/trace-cmd report "$file" >/dev/null 2>&1 || wrong=$((wrong + 1))
done
is "the hits of the files add up to all 80 calls" $sum 80
is "each file begins with the last snapshot of the file before, and opens in the stock tool" $wrong 0
# shellcheck disable=SC2046
like "--list shows one histogram of all files" \
	"$(trace-cmd hist report --list $(files) | grep -c '^syscalls:')" '^1$'
# shellcheck disable=SC2046
is "diff takes the files as one recording" \
	"$(trace-cmd hist diff --format json $(files) -- $(files) | grep -c ' to r.0')" 2

# A later recording goes on after the last number, and --keep removes the oldest of all.
echo mine >r.00002.dat.bak
echo 'not a recording' >r.00000.dat
highest=$(files | tr ' ' '\n' | tail -n 1 | sed 's/r\.0*//;s/\.dat//')
is "record --rotate --keep 2 exits with status 0" \
	"$(status trace-cmd hist record -q -o r.dat -i 50ms --rotate 100ms --keep 2 -d 1 \
	-e syscalls:sys_enter_kill -k sig)" 0
rm r.00000.dat
is "--keep 2 leaves 2 files" "$(count)" 2
ok "the numbers go on after those of the earlier recording" [ "$highest" -ge 2 -a ! -e "r.0000$highest.dat" ]
is "--keep removes only files of the sequence" "$(cat r.00002.dat.bak)" mine

# Counters include the files that --keep removed, and what was counted before somebody cleared the
# histogram.  The command waits for a file that begins after its calls.
rm -f r.*
cat >next-file.sh <<'END'
newest() { set -- r.[0-9]*.dat; eval "echo \${$#}"; }
for _ in 1 2; do
	now=$(newest)
	while [ "$(newest)" = "$now" ]; do usleep 20000; done
done
END
cat >clear.sh <<'END'
for file in /sys/kernel/tracing/instances/*/events/syscalls/sys_enter_kill/trigger; do
	sed -n '/^hist:/{s/ \[active\].*//;/ if /s/ if /:clear if /;/ if /!s/$/:clear/;p}' "$file" | head -n 1 >clear
	cat clear >>"$file"
done
END
is "record --keep with a clearing exits with status 0" \
	"$(status trace-cmd hist record -q -F -c -o r.dat -i 50ms --rotate 100ms --keep 2 \
	-e syscalls:sys_enter_kill -k sig -- \
	sh -c "$calls; sh ./next-file.sh; sh ./clear.sh; kill -0 \$\$; kill -0 \$\$; sh ./next-file.sh")" 0
counter() { sed -n "s/^trace_$1{.*} \([0-9]*\) [0-9.]*\$/\1/p" counters; }
# shellcheck disable=SC2046
trace-cmd hist report --format openmetrics $(files) >counters
is "the counters have the calls of all files, and those before the clearing" \
	"$(counter cmd_hist_hits_total) $(counter cmd_hist_resets_total)" "82 1"
is "--keep 2 removed the files with the first calls" \
	"$(count) $([ -e r.00001.dat ] || echo removed)" "2 removed"
# shellcheck disable=SC2046
ok "stock trace-cmd reads a file with these counts" /usr/bin/trace-cmd report $(files | sed 's/ .*//')

# A size: the file ends with the interval that passes it.
rm -f r.*
load_start 1
is "record --rotate 8K exits with status 0" \
	"$(status trace-cmd hist record -q -o r.dat -i 50ms --rotate 8K --keep 3 -d 4 \
	-e raw_syscalls:sys_enter -k common_pid,id -e kmem:kmalloc -k call_site.sym,ptr)" 0
load_stop
is "--rotate 8K --keep 3 leaves 3 files" "$(count)" 3
sizes=$(for file in $(files | sed 's/ [^ ]*$//'); do [ "$(stat -c %s "$file")" -ge 8192 ] || echo short; done)
is "each of the files except the last has the size" "$sizes" ""

# Several targets have their own files.
rm -f r.*
is "record of two targets with --rotate exits with status 0" \
	"$(status trace-cmd hist record -q -o r.dat -i 50ms --rotate 200ms --keep 2 -d 1 \
	-e sched:sched_switch -k next_comm --target exec:sh --target 'exec:trace-cmd hist listen --stdio')" 0
is "each target has 2 files" "$(for name in r.exec-*.00*.dat; do echo "${name%.0*}"; done | sort | uniq -c |
	awk '{ printf "%s ", $1 }')" "2 2 "

# Each file has the worst episodes of its time: sleeps of 100 ms, and one of 300 ms in each second.
episodes() { trace-cmd hist report --worst=100 --format json "$@" | grep -c '"episode":'; }
sleeps='i=0; while [ $i -lt 18 ]; do usleep 100000; i=$((i + 1)); [ $((i % 6)) != 3 ] || usleep 300000; done'
sleep=syscalls:sys_enter_clock_nanosleep:common_pid..syscalls:sys_exit_clock_nanosleep:common_pid
for engine in kernel ${CHECK_LONG:+user}; do
	rm -f e.*
	# this engine cannot capture with -F
	only="-F -c"
	[ $engine = kernel ] || only=
	# shellcheck disable=SC2086
	is "record --rotate with --threshold exits with status 0 ($engine)" \
		"$(status trace-cmd hist record $only -o e.dat --engine $engine -i 100ms --rotate 1s \
		--latency $sleep --threshold 80ms --worst 2 -- sh -c "$sleeps")" 0
	captured=$(sed -n 's/.* \([0-9]*\) captured.*/\1/p' said)
	sum=0 wrong=0
	for file in $(files e); do
		n=$(episodes "$file" 2>/dev/null)
		sum=$((sum + n))
		[ "$n" -le 2 ] || wrong=$((wrong + 1))
		[ "$(/usr/bin/trace-cmd report "$file" 2>/dev/null | grep -o 'episode-[0-9]*:' | sort -u | wc -l)" = "$n" ] ||
			wrong=$((wrong + 1))
	done
	is "each file has up to 2 episodes, also in the stock tool ($engine)" $wrong 0
	ok "at least 2 files have 2 episodes each ($engine: $sum)" [ "$sum" -ge 4 ]
	# shellcheck disable=SC2046
	is "record and the report of all files tell the same number of episodes ($engine)" \
		"$sum $(episodes $(files e))" "$captured $captured"
	# the largest of each file took 300 ms, after the first file began a new limit
	large=$(for file in $(files e); do
		trace-cmd hist report --worst=1 --format json "$file" 2>/dev/null |
			awk -F '[:,]' '/"latency_ns":/ && $2 >= 290000000 { print "large"; exit }'
	done | wc -l)
	ok "at least 2 files have a sleep of 300 ms as their worst ($engine: $large)" [ "$large" -ge 2 ]
	is "no side file is left ($engine)" "$(echo e.*.episode-*)" "e.*.episode-*"
done
is "a rotating capture leaves tracefs unchanged" "$(tree_state)" "$before"

# kill -9: the side files belong to the last file
rm -f e.*
trace-cmd hist record -q -o e.dat -i 100ms --rotate 1s --latency $sleep --threshold 80ms --worst 2 \
	-- sh -c "$sleeps" 2>said &
pid=$!
side() { set -- e.0000[2-9].dat.episode-1; [ -e "$1" ] && echo "$1"; }
ok "the second file has a side file" wait_until side
kill -KILL $pid
wait $pid 2>/dev/null
file=$(side)
file=${file%.episode-1}
kept=$(echo "$file".episode-*)
# shellcheck disable=SC2046
like "the report of all files names the file with side files" \
	"$(trace-cmd hist report $(files e) --worst 2>&1 >/dev/null)" \
	"warning: $file: the recording is still running or was interrupted: $(echo "$kept" | wc -w) episodes? (is|are) in the files $file.episode-\\*"
is "cleanup appends the side files of the last file" "$(status trace-cmd hist cleanup "$file") $(episodes "$file" 2>/dev/null)" \
	"0 $(echo "$kept" | wc -w)"
is "cleanup removes the side files" "$(echo e.*.episode-*)" "e.*.episode-*"
trace-cmd hist cleanup -q
same_tree() { [ "$(tree_state)" = "$before" ]; }
ok "nothing is left in tracefs after the kill" wait_until same_tree

# What cannot be is refused before anything changes.
refused() { [ "$(status trace-cmd hist record -d 1 -e kmem:kmalloc -k ptr "$@")" = 2 ] && cat said; }
like "--keep needs --rotate" "$(refused --keep 3)" "--keep: needs --rotate"
like "--rotate refuses --events" "$(refused --rotate 1s --events)" "cannot be combined with --events"
like "--rotate refuses -N alone" "$(refused --rotate 1s -N localhost:1)" "add -o FILE"
like "--rotate refuses a time below the interval" "$(refused --rotate 10ms)" "TIME is shorter than the interval"
like "--rotate refuses a unit in small letters" "$(refused --rotate 10k)" "a size such as 10M"
like "--keep refuses 0" "$(refused --rotate 1s --keep 0)" "at least 1"
trace-cmd hist record -q -o r.dat -i 50ms --rotate 1s -d 20 -e kmem:kmalloc -k ptr.hex &
pid=$!
wait_until [ -e r.00001.dat ]
like "a second recorder of the same files is refused" "$(refused -o r.dat --rotate 1s)" \
	"another program is writing this file"
kill -INT $pid
wait $pid

# kill -9 at random moments.
rm -f r.*
seed=$(date +%s)
echo "# seed $seed"
random_us() { awk -v s="$1" 'BEGIN { srand(s); print 200000 + int(rand() * 300000) }'; }
has_three() { [ "$(count k)" -ge 3 ]; }
kills=3
[ -z "${CHECK_LONG-}" ] || kills=30
i=0 wrong=0
load_start 1
while [ $i -lt $kills ]; do
	i=$((i + 1))
	rm -f k.*
	trace-cmd hist record -q -o k.dat -i 5ms --rotate 10ms --keep 3 -e raw_syscalls:sys_enter \
		-k common_pid,id -e kmem:kmalloc -k call_site.sym &
	pid=$!
	wait_until has_three
	usleep "$(random_us $((seed + i)))"
	kill -KILL $pid
	wait $pid 2>/dev/null
	[ "$(count k)" -ge 3 ] && [ "$(count k)" -le 4 ] || { wrong=$((wrong + 1)) && echo "# $(files k)"; }
	# shellcheck disable=SC2046
	trace-cmd hist report $(files k) --intervals --format json >k.json 2>said || { wrong=$((wrong + 1)) && cat said; }
	grep -q '"lost": [1-9]' k.json && wrong=$((wrong + 1))
	for file in $(files k); do
		trace-cmd hist report "$file" >/dev/null 2>said || { wrong=$((wrong + 1)) && cat said; }
		/usr/bin/trace-cmd report "$file" >/dev/null 2>said || { wrong=$((wrong + 1)) && cat said; }
	done
	trace-cmd hist cleanup >/dev/null || wrong=$((wrong + 1))
done
load_stop
is "each of $kills kills leaves only whole files, at most one more than --keep" $wrong 0
is "cleanup restores tracefs after the kills" "$(tree_state)" "$before"
done_testing
