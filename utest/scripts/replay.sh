#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# replay.sh BIN: `trace-cmd hist replay` over recorded files.  TAP on stdout.
#
# What is counted is compared with what stock trace-cmd prints of the same events, and with
# itself: in threads and in order, whole and by intervals, of the same events in other formats of
# the file.  That kernels count the same is 87-replay.sh's to say.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: replay.sh BIN"
bin=$(readlink -f "$1")
hist=$bin/trace-cmd-hist
need_files "$hist"
data=$here/../data/events
stock=/usr/bin/trace-cmd
work_enter

# rows FILE [OPTION...]: a line of totals, then each row of a report of FILE in a line, in order
cat >rows.py <<'END'
import json, signal, sys
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
doc = json.load(sys.stdin)
for h in doc["histograms"]:
    for s in h["snapshots"]:
        lines = ["%s %s" % (json.dumps(r["key"], sort_keys=True), json.dumps(r["value"], sort_keys=True))
                 for r in s["rows"]]
        print(h["event"], s["seq"], s["hits"], s["entries"], s["dropped"], s.get("events_lost", 0))
        print("\n".join(sorted(lines)))
END
rows()
{
	local file=$1

	shift
	"$hist" report --format json "$@" "$file" | /usr/bin/python3 rows.py
}

# The events of stock trace-cmd, a line each: CPU, name, the rest.
events()
{
	"$stock" report -R "$@" 2>/dev/null | sed -nE 's/^.* \[([0-9]+)\] +[0-9.]+: +(\w+): +(.*)$/\1 \2 \3/p'
}

several=$data/several.dat
events "$several" >several.txt
[ -s several.txt ] || die "stock trace-cmd prints no events of $several"

"$hist" replay -q -e sched:sched_switch -k next_pid -v prev_prio -o switch.dat "$several" ||
	die "replay failed"
is "replay counts each key of sched_switch as often as stock trace-cmd prints it" \
	"$("$hist" report --format csv switch.dat | awk -F, '$1 == "row" && /,hitcount,/ { print $NF }' | sort -n | tr '\n' ' ')" \
	"$(sed -nE 's/^[0-9]+ sched_switch .*next_pid=([0-9xa-f]+).*/\1/p' several.txt | sort | uniq -c |
		awk '{ print $1 }' | sort -n | tr '\n' ' ')"
# model K: "GE LE HITS" of the numbers on stdin; each bucket is a step from the last power of two on
cat >model.py <<'END'
import collections, sys
k, hits = int(sys.argv[1]), collections.Counter()
for n in (int(word, 0) for word in sys.stdin.read().split()):
    power = 1
    while 2 * power < n:
        power *= 2
    step = max(power // 2 ** k, 1)
    le = power + step
    while le < n:
        le += step
    hits[(le - step + 1, le) if n > 1 else (n, n)] += 1
for (ge, le), count in sorted(hits.items()):
    print(ge, le, count)
END
for k in 1 2 3 4 5; do
	"$hist" replay -q -e sched:sched_switch -k "next_pid.log2=$k" -o fine.dat "$several"
	is "replay counts the events of stock trace-cmd in the buckets of .log2=$k" \
		"$("$hist" report --format csv fine.dat | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
			$1 == "row" && $c["metric"] == "hitcount" { print $c["key.next_pid.ge"], $c["key.next_pid.le"], $c["value"] }' |
			sort -n)" \
		"$(sed -nE 's/^[0-9]+ sched_switch .*next_pid=([0-9xa-f]+).*/\1/p' several.txt | /usr/bin/python3 model.py $k)"
done
is "replay counts all sched_switch events and keys" "$(rows switch.dat | head -n 1)" \
	"sched:sched_switch 1 $(grep -c ' sched_switch ' several.txt) $(sed -nE 's/^[0-9]+ sched_switch .*next_pid=([0-9xa-f]+).*/\1/p' \
		several.txt | sort -u | wc -l) 0 0"
sum=$(sed -nE 's/^[0-9]+ kmalloc .*bytes_req=([0-9a-fx]+).*/\1/p' several.txt |
	while read -r n; do echo $((n)); done | awk '{ s += $1 } END { print s }')
"$hist" replay -q -B inner -e kmem:kmalloc -k common_cpu -v bytes_req -o sum.dat "$several"
is "replay adds a value up to the sum of the printed events" \
	"$("$hist" report --format json sum.dat | /usr/bin/python3 -c '
import json, sys
print(sum(r["value"]["bytes_req"] for r in json.load(sys.stdin)["histograms"][0]["snapshots"][0]["rows"]))')" "$sum"
"$hist" replay -q -e raw_syscalls:sys_enter -k id.syscall -f 'id == 1 || id == 0' -o filter.dat "$several"
is "replay applies a filter and names system calls" \
	"$(rows filter.dat | tail -n +2 | sed -E 's/.*"id": "([a-z_]+)".*: ([0-9]+).*/\1 \2/')" \
	"$(for id in 0x0 0x1; do
		n=$(grep -Ec "^[0-9]+ sys_enter .*\bid=($id|$((id)))\b" several.txt)
		[ "$n" = 0 ] || echo "sys_$([ $id = 0x0 ] && echo read || echo write) $n"
	done)"

"$hist" replay -q -e raw_syscalls:sys_enter -R hist:keys=id:pause \
	-e sched:sched_switch -R 'enable_hist:raw_syscalls:sys_enter if next_comm == "sh"' \
	-e sched:sched_waking -R 'disable_hist:raw_syscalls:sys_enter if comm == "rcu_preempt"' \
	-o switched.dat "$several"
is "replay counts only events between enable_hist and disable_hist" \
	"$(rows switched.dat | head -n 1 | cut -d ' ' -f 3)" \
	"$(awk '/ sched_switch .*next_comm=sh / { on = 1 } / sched_waking .*comm=rcu_preempt/ { on = 0 }
		/ sys_enter / { n += on } END { print n }' several.txt)"

all=(-e sched:sched_switch -k next_comm,common_cpu -e raw_syscalls:sys_enter -k id,common_pid -v id
	-e kmem:kmalloc -k call_site.sym -v bytes_req,bytes_alloc)
for threads in 1 2 8; do
	"$hist" replay -q --threads $threads "${all[@]}" -i 10ms -o threads.dat "$several"
	rows threads.dat --snapshot all >threads.$threads
done
is "replay counts the same with one, two and eight threads" \
	"$(cat threads.1 | md5sum) $(md5sum <threads.2)" \
	"$(md5sum <threads.8) $(md5sum <threads.1)"
is "the intervals of a replay add up to the whole" \
	"$(rows threads.dat --intervals | awk '/^sched:/ { n += $3 } END { print n }')" \
	"$(grep -c ' sched_switch ' several.txt)"
for threads in 1 4; do
	"$hist" replay -q --threads $threads -e raw_syscalls:sys_enter \
		-R 'hist:keys=common_timestamp:size=100' -i 10ms -o full.dat "$several" 2>full.said
	rows full.dat --snapshot all >full.$threads
done
is "a full table holds the same first keys with one and four threads" \
	"$(md5sum <full.1)" "$(md5sum <full.4)"
is "a full table counts the dropped hits" \
	"$(grep '^raw_sys' full.1 | tail -n 1 | cut -d ' ' -f 3-5)" \
	"128 128 $(($(grep -c ' sys_enter ' several.txt) - 128))"

is "replay -q warns about a full table, and suggests a size" "$(cat full.said)" \
	"trace-cmd hist: warning: raw_syscalls:sys_enter: $(($(grep -c ' sys_enter ' several.txt) - 128)) \
hits were dropped because the table was full
hint: record fewer distinct keys, or set size=1024 with -R"
is "a table of that size holds all keys" "$("$hist" replay -q -e raw_syscalls:sys_enter \
	-R 'hist:keys=common_timestamp:size=1024' -o full.dat "$several" 2>&1)" ""

# The page of CPU 1, 2^58 ns later: a snapshot for each second between would never end.
/usr/bin/python3 - "$data/six.dat" gap.dat <<'END'
import struct, sys
data, page = bytearray(open(sys.argv[1], "rb").read()), struct.pack("<Q", 63774628508)
assert data.count(page) == 1
struct.pack_into("<Q", data, data.index(page), 63774628508 + (1 << 58))
open(sys.argv[2], "wb").write(data)
END
for threads in 1 2; do
	timeout 60 "$hist" replay -q --threads $threads -e sched:sched_switch -k next_comm -i 1 -o far.dat gap.dat
	is "replay of a long gap ends with status 0 with $threads threads" $? 0
	rows far.dat --snapshot all >far.$threads
done
is "a long gap adds only the snapshots before it, at its end and after it" "$(grep ^sched: far.1)" \
	"sched:sched_switch 0 0 0 0 0
sched:sched_switch 1 7 5 0 0
sched:sched_switch 2 7 5 0 0
sched:sched_switch 3 18 8 0 0"
is "snapshot times are whole seconds from the first event" \
	"$("$hist" report --format json --snapshot all far.dat | grep -oE '"time_ns": ?"?[0-9]+' | grep -oE '[0-9]+$' |
		awk 'NR == 1 { first = $1 } NR < 4 { printf "%s ", substr($1, length($1) - 8) == substr(first, length(first) - 8) }')" \
	"1 1 1 "
is "replay of a long gap is the same with two threads" "$(cat far.2)" "$(cat far.1)"

# A latency by hand: from each wake-up of a task until it runs.
"$hist" replay -q --latency sched:sched_waking:pid..sched:sched_switch:next_pid:usecs -k next_pid \
	-v lat_us -o lat.dat "$several"
"$stock" report -R -t "$several" 2>/dev/null | /usr/bin/python3 -c '
import re, sys
start, hits, total = {}, 0, 0
for line in sys.stdin:
    m = re.match(r".* \[\d+\] +(\d+)\.(\d+): +(\w+): +(.*)$", line)
    if not m:
        continue
    us = (int(m[1]) * 10**9 + int(m[2])) // 1000
    fields = dict(re.findall(r"(\w+)=(\S+)", m[4]))
    if m[3] == "sched_waking":
        start[int(fields["pid"], 0)] = us
    elif m[3] == "sched_switch":
        pid = int(fields["next_pid"], 0)
        if pid in start:
            hits += 1
            total += us - start.pop(pid)
print(hits, total)' >want
is "a latency equals the one computed from the times of the events" \
	"$("$hist" report --format json lat.dat | /usr/bin/python3 -c '
import json, sys
s = json.load(sys.stdin)["histograms"][0]["snapshots"][0]
print(s["hits"], sum(r["value"]["lat_us"] for r in s["rows"]))')" "$(cat want)"

# The same events, in every kind of file.
"$hist" replay -q "${all[@]}" -o whole.dat "$several"
rows whole.dat >whole
for kind in '--file-version 6' '--file-version 7 --compression none' '--file-version 7 --compression zstd'; do
	# shellcheck disable=SC2086
	"$stock" convert -i "$several" -o other.dat $kind >/dev/null 2>&1 || die "convert $kind"
	"$hist" replay -q "${all[@]}" -o again.dat other.dat
	is "replay counts the same after convert $kind" \
		"$(rows again.dat | md5sum)" "$(md5sum <whole)"
done

# In order, a second thread decompresses ahead: the same result, also of damaged chunks.
latency=sched:sched_waking:pid..sched:sched_switch:next_pid
ordered()
{
	rm -f ordered.dat
	"$hist" replay -q --threads "$1" --latency $latency -o ordered.dat bent.dat 2>&1
	echo "status $?"
	[ ! -e ordered.dat ] || "$hist" report --format json ordered.dat | grep -v '"file"'
}
"$stock" convert -i "$several" -o short.dat --file-version 6 >/dev/null 2>&1 || die "convert --file-version 6"
/usr/bin/python3 "$here/lib/events_make.py" short.dat long.dat long:3 || die "events_make.py"
"$stock" convert -i long.dat -o other.dat --file-version 7 --compression zstd >/dev/null 2>&1 || die "convert zstd"
size=$(stat -c %s other.dat)
results=0
for damage in none $(seq $((size / 3)) $((size / 41)) $((size - 1))); do
	cp other.dat bent.dat
	[ "$damage" = none ] || printf '\377\377' | dd of=bent.dat bs=1 seek="$damage" conv=notrunc 2>/dev/null
	ordered 1 >one
	ordered 2 >two
	[ "$damage" != none ] || cp two whole_ordered
	cmp -s one two || { is "replay with a second thread gives the same, damaged at $damage" "$(cat two)" "$(cat one)"; break; }
	cmp -s two whole_ordered || results=$((results + 1))
done
is "the last damage is near the end of the file" "$damage" $((size / 3 + 27 * (size / 41)))
ok "damage changes the result" test "$results" -gt 5
like "the undamaged file has latencies" "$(cat whole_ordered)" '"hits": [1-9]'

"$hist" replay -e raw_syscalls:sys_enter -k id -o lost.out.dat "$data/lost.dat" 2>said
like "replay reports lost events" \
	"$(cat said)" 'warning: .*/lost.dat: at least [0-9]+ events were lost during the recording, so the counts are too low$'
is "the output file of replay has the number of lost events" \
	"$(rows lost.out.dat | head -n 1 | cut -d ' ' -f 6)" \
	"$(sed -nE 's/.*: at least ([0-9]+) events were lost during.*/\1/p' said)"
like "a report of the output file notes the lost events" \
	"$("$hist" report lost.out.dat | grep '^# note')" '[0-9]+ or more events were lost before they were counted: '
"$hist" replay -q -e ftrace:funcgraph_entry -k depth -o graph.out.dat "$data/graph.dat"
is "replay counts ftrace's own events" \
	"$(rows graph.out.dat | head -n 1 | cut -d ' ' -f 1-3)" "ftrace:funcgraph_entry 1 64"

for engine in "--function vfs_*,ksys_read" "--function *"; do
	# shellcheck disable=SC2086
	(set -f; "$hist" replay -q $engine -o calls.out.dat "$data/graph.dat")
	is "replay $engine counts the functions that stock trace-cmd shows" \
		"$("$hist" report --view table calls.out.dat |
		sed -nE 's/^\{ function: \[[0-9a-f]+\] ([a-z_]+) .*hitcount: *([0-9]+).*/\1 \2/p' | sort)" \
		"$("$stock" report "$data/graph.dat" 2>/dev/null |
		sed -nE 's/.*funcgraph_entry:.*\|  *([a-z_]+)\(\).*/\1/p' | sort | uniq -c |
		awk '{ print $2, $1 }')"
done
"$hist" replay -q --function vfs_read -k function,common_pid -f 'common_pid == 216' -o calls.out.dat \
	"$data/graph.dat"
is "replay --function combines its own filter with -f" \
	"$("$hist" report calls.out.dat | sed -n 's/^ *Hits: //p')" \
	"$("$stock" report "$data/graph.dat" 2>/dev/null | grep -c -- '-216 .*funcgraph_entry:.*vfs_read')"
"$hist" replay -q --function-latency 'vfs_*' -v lat -o calls.out.dat "$data/graph.dat"
# the stock program shows the time of a call in one line or, of a call that contains others, in its exit
is "replay --function-latency adds up the times of the calls" \
	"$("$hist" report --view table calls.out.dat | sed -nE 's/.* lat_ns: +([0-9]+).*/\1/p' |
	awk '{ n += $1 } END { print int(n / 1000) }')" \
	"$("$stock" report "$data/graph.dat" 2>/dev/null |
	sed -nE 's/.*funcgraph_(entry|exit):[^0-9]*([0-9.]+) us .*/\2/p' |
	awk '{ n += $1 } END { print int(n) }')"
"$hist" replay --function-latency 'vfs_*' "$several" >printed 2>said
is "replay --function-latency refuses a recording without the tracer" \
	"$? $(grep -c 'no events of the "function" or "function_graph" tracer' said)" "2 1"

"$hist" replay -q -B inner -e kmem:kmalloc -k stacktrace -o stacks.dat "$several" 2>said
"$hist" replay -e sched:sched_switch -k stacktrace -o none.dat "$data/six.dat" 2>said
like "replay reports hits without a recorded stack" "$(cat said)" 'warning: .*: 18 hits without a recorded stack are not included in any row$'
"$hist" replay -e sched:sched_switch -k stacktrace -f 'next_pid == 193' -o none.dat "$data/six.dat" 2>one
like "replay reports a single hit without a recorded stack" "$(cat one)" \
	'warning: .*: 1 hit without a recorded stack is not included in any row$'
like "a hint names the option that records stacks" "$(cat said)" "^hint: record with 'trace-cmd record -T'\$"
is "replay counts each event with its own stack" \
	"$(rows stacks.dat | head -n 1 | cut -d ' ' -f 3)" \
	"$(grep -c ' kmalloc ' several.txt)"
"$hist" replay -e sched:sched_switch -k next_comm "$several" >printed 2>said
is "replay prints a report if -o is missing" \
	"$? $(grep -c '^# event histogram: sched:sched_switch' printed)" "0 1"
is "replay leaves no file if -o is missing" "$(find . -newer printed -name '*.dat*')" ""
is "replay --dry-run prints the trigger" \
	"$("$hist" replay --dry-run -e sched:sched_switch -k next_comm "$several")" \
	"sched:sched_switch hist:keys=next_comm"

# refused DESC REGEX ARG...
refused()
{
	local desc=$1 regex=$2

	shift 2
	"$hist" replay "$@" >out 2>said
	is "replay refuses $desc with status 2 and the reason" \
		"$? $(grep -Eq -e "$regex" said || cat said)" "2 "
}
refused "a command line without a file" 'no input file is given' -e sched:sched_switch -k next_comm
refused "two files" 'replay accepts only one file' -e sched:sched_switch -k next_comm "$several" "$several"
refused "a file without events" \
	'recorded.dat: no events to count$' -e sched:sched_switch -k next_comm "$here/../data/recorded.dat"
refused "an event of --latency that the file lacks" \
	'error: foo: no such event in the recording$' --latency foo:pid..bar:pid "$several"
is "no hint leads to the events of this machine" "$(grep -c 'hist list' said)" 0

"$hist" replay -q -o sql.dat --sql 'SELECT next_comm FROM sched_switch' "$several" 2>said
is "replay --sql counts as -e and -k do" "$? $(cat said) $(rows sql.dat)" \
	"0  $("$hist" replay -q -o keys.dat -e sched:sched_switch -k next_comm "$several" && rows keys.dat)"
refused "an unknown event" \
	'did you mean "sched_switch"' -e sched:sched_swich -k next_comm "$several"
refused "a preset whose events the file lacks" \
	'marks\.dat does not contain the event raw_syscalls:sys_exit' --preset syscall-latency "$here/../data/marks.dat"
refused "a preset with the events to record" \
	"^hint: .*'trace-cmd record -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit'$" \
	--preset syscall-latency "$here/../data/marks.dat"

# Preempted tasks have another state in each of these kernels, which the print fmt tells.  Stock
# trace-cmd prints them as "R+"; task 11 waits 5 ms for the CPU and sleeps 20 ms.
for plus in 0 256 512 1024 4096; do
	/usr/bin/python3 "$here/lib/switches_make.py" preempted.dat $plus 0:11:$plus:12 5000000:12:64:11 \
		1000000:11:1:12 20000000:12:wake:11 3000000:12:2:11 || die "switches_make.py"
	[ $plus = 0 ] || [ "$("$stock" report -N preempted.dat 2>/dev/null | grep -c 'prev_state=R+ ')" = 1 ] ||
		die "$plus: not a preempted task for stock trace-cmd"
	counted=
	for preset in off-cpu-time runqueue-wait; do
		"$hist" replay -q --preset $preset -o preempted.hist preempted.dat 2>said
		counted+="$preset $? $("$hist" report --format csv preempted.hist |
			awk -F, '$1 == "row" && /,lat_us,/ { print $NF }' | sort -n | tr '\n' ' ')"
	done
	is "the presets for sleep do not count preempted tasks, whose bit in the print fmt is $plus" \
		"$counted$(cat said)" "off-cpu-time 0 1000 23000 runqueue-wait 0 3000 5000 "
done
"$hist" replay -q -e sched:sched_switch -k prev_pid -f 'prev_state & PREEMPTED' -o plus.dat preempted.dat
is "PREEMPTED in a filter is the bit of the recording" "$(rows plus.dat | tail -n +2)" \
	'{"prev_pid": 11} {"hitcount": 1}'
is "no preset knows the number of a task state" "$(grep -rEl 'prev_state *[!=<>&]+ *[0-9]' "$here/../../recipes")" ""
refused "PREEMPTED for a field that is a string" '"PREEMPTED" is not a number' \
	-e sched:sched_switch -k prev_pid -f 'prev_comm == PREEMPTED' preempted.dat

# Nothing is known of a largest latency of 0 us, so it is not shown; in ns it is a latency as any other.
/usr/bin/python3 "$here/lib/switches_make.py" zero.dat 256 0:11:1:12 300:12:1:11 || die "switches_make.py"
"$hist" replay -q --latency sched:sched_switch:prev_pid..sched:sched_switch:next_pid -o zero.us zero.dat
for format in text json csv ndjson html; do
	"$hist" report --format $format zero.us >zero.$format 2>said
	is "a largest latency of 0 us does not have a made-up time or task in $format" \
		"$? $(cat said)$(grep -Eo '\(null\)|worst: 0 us|"time_ns": ?0\b' zero.$format)" "0 "
done
is "a latency of 0 us is counted" "$(rows zero.us | head -n 1)" 'latency:sched_switch..sched_switch 1 1 1 0 0'
"$hist" replay -q --latency sched:sched_switch:prev_pid..sched:sched_switch:next_pid:nsecs -o zero.ns zero.dat
like "the same latency in ns has its time and task" "$("$hist" report zero.ns)" \
	'^worst: 300 ns at 1\.000000.*, CPU 0, after task12/12 '
refused "an unknown field" 'did you mean "next_comm"' -e sched:sched_switch -k next_com "$several"
refused "a clock that the recording does not have" \
	'recorded with the clock' -e sched:sched_switch -R hist:keys=next_comm:clock=tai "$several"
refused "the action snapshot()" 'running kernel' -e sched:sched_switch \
	-R 'hist:keys=next_pid:x=prev_pid:onchange($x).snapshot()' "$several"
refused "an unknown buffer" 'no buffer with this name' -B nosuch -e sched:sched_switch \
	-k next_comm "$several"
is "the hint for an unknown buffer lists only buffers that need -B" "$(grep ^hint: said)" \
	'hint: use one of these: "inner"'
refused "a file that is not a trace.dat file" \
	'not a trace.dat' -e sched:sched_switch -k next_comm "$here/replay.sh"
head -c 20000 "$several" >cut.dat
refused "a truncated file" 'cut' -e sched:sched_switch -k next_comm cut.dat
echo keep >old.dat
refused "an unknown field with an old output file" \
	'no field' -e sched:sched_switch -k nosuchfield -o old.dat "$several"
is "a refused replay leaves the old output file unchanged" "$(cat old.dat)" keep
# the last read of whole pages, which are 4 KiB
six=$here/../data/events/six.dat
/usr/bin/strace -o trace -e trace=pread64 "$hist" replay -q --threads 1 -e sched:sched_switch -k next_comm \
	-o gone.dat "$six" && rm gone.dat
page=$(sed -nE '/^pread64/s/.*, ([0-9]+), [0-9]+\) += .*/\1/p' trace |
	awk '$1 >= 4096 && $1 % 4096 == 0 { n = NR } END { print n }')
/usr/bin/strace -o trace -e trace=pread64 -e inject=pread64:retval=0:when="$page" \
	"$hist" replay -q --threads 1 -e sched:sched_switch -k next_comm -o gone.dat "$six" 2>said
is "replay reports a file that is truncated during the replay" "$? $(cat said)" \
	"2 trace-cmd hist: error: $six: the file was truncated while its events were counted"
is "replay of a file that is truncated during the replay leaves no output" \
	"$(ls gone.dat* 2>/dev/null)" ""
# What the kernel has counted, beside a replay of the events in the same file.
shark=$here/../data/shark.dat
"$hist" replay -q -e sched:sched_switch -k next_comm -o again.dat "$shark" || die "replay failed"
said=$("$hist" diff --min-decided 0 -e sched:sched_switch "$shark" again.dat)
is "diff compares a kernel recording with a replay" $? 0
like "diff names the two engines of its files" "$said" 'the histogram was counted by different engines: kernel, replay'
is "diff compares all keys of a kernel recording and a replay" \
	"$(grep -cE '^  all keys +hitcount/s +[0-9]+ +[0-9]+ |^  14 keys: 14 ' <<<"$said")" 2
cp again.dat twice.dat
is "diff names no engine if both files have the same engine" \
	"$("$hist" diff again.dat twice.dat | grep -c engines)" 0

# Machines with a long of 32 bits, mips big-endian and armv5 little-endian, and what their own kernels
# counted of the same events (data/events/board_record.sh).
cat >rows_of.py <<'END'
# rows_of.py [HIST EVENT]: rows and totals, in order, of EVENT's first histogram in the text of
# hist files, or of a report
import re, sys
text = open(sys.argv[1]).read() if len(sys.argv) > 1 else sys.stdin.read()
if len(sys.argv) > 1:
    text = text.split("# %s hist:" % sys.argv[2].replace(":", "/"))[1].split("Dropped:")[0]
rows = []
for line in text.splitlines():
    if re.match(r"    (Hits|Entries): ", line):
        rows.append(line.strip())
    if not line.startswith("{"):
        continue
    line = re.sub(r"  (share|cum): +[0-9.]+%", "", line)
    # kernels print what is below zero as if it was not
    # nor do they print the name of an error
    line = re.sub(r"\bE[A-Z0-9]+ +\[(-\d+)\]", r"\1", line)
    line = re.sub(r"(?<= )-(\d+)\b", lambda m: str(2 ** 64 - int(m[1])), line)
    rows.append(re.sub(r" +", " ", line.replace(",", " , ")).strip())
print("\n".join(sorted(rows)))
END
for board in mips armv5; do
	xz -dc "$here/../data/events/$board.dat.xz" >board.dat || die "$board.dat.xz"
	"$hist" replay -q -o counted.dat --synthetic 'lat u64 ns; int pid' \
		-e sched:sched_switch -R 'hist:keys=next_comm,prev_prio:vals=next_pid' \
		-e kmem:kmalloc -R 'hist:keys=call_site.sym,bytes_req.log2:vals=bytes_req,bytes_alloc' \
		-e raw_syscalls:sys_enter -R 'hist:keys=id:vals=common_pid:sort=id' \
		-e raw_syscalls:sys_exit -R 'hist:keys=ret' \
		-e raw_syscalls:sys_enter -R 'hist:keys=common_pid:t=common_timestamp' -e raw_syscalls:sys_exit \
		-R 'hist:keys=common_pid:ns=common_timestamp-$t:onmatch(raw_syscalls.sys_enter).lat($ns,common_pid)' \
		-e synthetic:lat -R 'hist:keys=ns.log2:vals=ns' board.dat || die "replay of $board.dat failed"
	for event in sched:sched_switch kmem:kmalloc raw_syscalls:sys_enter raw_syscalls:sys_exit \
		synthetic:lat; do
		name=$event
		[[ $event != raw_* ]] || name=$event#0
		/usr/bin/python3 rows_of.py "$here/../data/events/$board.hist" $event >expected
		"$hist" report --view table -e "$name" counted.dat |
			sed "s/prev_prio: nice 0 /prev_prio: 120 /" | /usr/bin/python3 rows_of.py >got
		is "replay counts $event of $board as its kernel did" "$(cat got)" "$(cat expected)"
		is "the kernel of $board counted rows of $event" \
			"$(grep -c hitcount expected | sed 's/^[1-9].*/rows/')" rows
	done
done

# More keys than the tables of START and END have room for: task 7 and 17,000 others, in 16,384.
# The first task 7 has no START either.
seq 101 17100 | sed 's/.*/1000:&:1:7 1000:7:0:&/' | tr '\n' ' ' >words
# shellcheck disable=SC2046
/usr/bin/python3 "$here/lib/switches_make.py" keys.dat 256 $(cat words) || die "switches_make.py"
"$hist" replay -q -o part.dat --latency sched:sched_switch:prev_pid..sched:sched_switch:next_pid \
	-f 'next_pid > 100' keys.dat 2>said
is "replay tells that the table of START was full" "$? $(head -n 1 said)" "0 trace-cmd hist: warning: \
sched:sched_switch: 617 hits did not fit in the table of --latency or --sql, so some latencies are missing"
is "the output tells the pairs that have no START" "$("$hist" report part.dat |
	sed -n 's/^# note: \([0-9]* ENDs\) of the latency.*/\1/p; s/ *Hits: //p' | tr '\n' ' ')" "618 ENDs 16383 "

# A truncated or damaged recording: how much is missing, in the output, and status 2.
# incomplete DESC STATUS MESSAGE HITS LOSSES ARG...
incomplete()
{
	local desc=$1 want="status $2 $3" losses="$4 $5"

	shift 5
	rm -f part.dat
	is "replay -q tells that $desc" \
		"$("$hist" replay -q -o part.dat -e sched:sched_switch -k next_comm "$@" bent.dat 2>said
		echo "status $? $(sed 's/.*bent.dat: //' said)")" "$want"
	is "the output tells that $desc" "$("$hist" report --format json part.dat | /usr/bin/python3 -c '
import json, sys
s = json.load(sys.stdin)["histograms"][0]["snapshots"][-1]
print(s["hits"], " ".join("%s=%d" % x for x in s.get("losses", {}).items()))')" "$losses"
}
/usr/bin/python3 "$here/lib/dat_make.py" pages.dat pages:3 || die "dat_make.py"
size=$(stat -c %s pages.dat)
cp pages.dat bent.dat
incomplete "nothing is missing" 0 "" 300 ""
missing="pages of events are missing in the recording: their events are not counted"
one="1 page of events is missing in the recording: its events are not counted"
for threads in 1 2; do
	head -c $((size - 130 * 4096)) pages.dat >bent.dat
	incomplete "130 pages of two CPUs are missing, with $threads threads" 2 "130 $missing" 170 \
		"missing_pages=130" --threads $threads
done
head -c $((size - 4000)) pages.dat >bent.dat
incomplete "a part of the last page is missing" 0 "" 300 ""
head -c $((size - 4095)) pages.dat >bent.dat
incomplete "the last page is missing" 2 "$one" 299 \
	"missing_pages=1"
is "the intervals tell it once" "$("$hist" replay -q -i 10ms -o part.dat -e sched:sched_switch -k next_comm bent.dat 2>&1
	"$hist" report --format csv --intervals part.dat | sed -n 's/.*missing_pages,//p' | tr '\n' ' ')" \
	"trace-cmd hist: error: bent.dat: $one
1 "
"$hist" replay -e sched:sched_switch -k next_comm bent.dat >printed 2>said
is "a printed report of a truncated file has the note and status 2" \
	"$? $(grep -c '^# note: 1 page of events is missing' printed)" "2 1"
cp pages.dat bent.dat
dd if=/dev/zero of=bent.dat bs=4096 seek=$((size / 4096 - 150)) count=7 conv=notrunc 2>/dev/null
damaged="damaged pages of events were skipped: their events are not counted"
incomplete "seven pages are a hole" 2 "7 $damaged" 293 "damaged_pages=7"
printf '\377\377' | dd of=bent.dat bs=1 seek=$((size - 100 * 4096 + 8)) conv=notrunc 2>/dev/null
incomplete "a page is damaged" 2 "8 $damaged" 292 "damaged_pages=8"
# the same in compressed chunks: the data of one, and the sizes of one, after which no other is found
/usr/bin/python3 "$here/lib/events_make.py" pages.dat other.dat zlib || die "events_make.py zlib"
/usr/bin/python3 - other.dat <<'END' >bytes || die "chunks"
import struct, sys
data = open(sys.argv[1], "rb").read()
chunks = [i - 8 for i in range(8, len(data) - 1)
          if data[i:i + 2] == b"\x78\x9c" and int.from_bytes(data[i - 4:i], "little") == 4 * 4096]
assert len(chunks) == 75, len(chunks)

def bend(name, at, new):
    bent = bytearray(data)
    bent[at:at + len(new)] = new
    open(name, "wb").write(bent)

bend("data.dat", chunks[37] + 12, bytes(18))
bend("sizes.dat", chunks[37], b"\xff\xff\xff\x7f")
start = chunks[50] - 4
at = data.index(struct.pack("<IQ", 2, start))
length = int.from_bytes(data[at + 12:at + 20], "little")
bend("after.dat", at, struct.pack("<IQ", 2, len(data)))
print(chunks[49] + 8 + int.from_bytes(data[chunks[49]:chunks[49] + 4], "little") - chunks[37], length + 4)
END
read -r after_sizes after_end <bytes
cp data.dat bent.dat
incomplete "a chunk of four pages is damaged" 2 "4 $damaged" 296 "damaged_pages=4"
missing="bytes of compressed events are missing in the recording: their events are not counted"
cp sizes.dat bent.dat
incomplete "no chunk is found after damaged sizes" 2 "$after_sizes $missing" 248 "missing_bytes=$after_sizes"
cp after.dat bent.dat
incomplete "the chunks of a CPU are after the end of the file" 2 "$after_end $missing" 200 \
	"missing_bytes=$after_end"

# A function has all names of its address; a name that no function has is an error.
/usr/bin/python3 "$here/lib/dat_make.py" bent.dat functions || die "dat_make.py"
counted=
for name in first_name second_name 'third*' second_name,caller; do
	rm -f part.dat
	"$hist" replay -q --function "$name" -k function -o part.dat bent.dat
	counted+="$(rows part.dat | head -n 1 | cut -d ' ' -f 3) "
done
is "replay --function counts calls by each name of the address" "$counted" "3 3 3 5 "
rm -f part.dat
"$hist" replay -q --function '*' -f 'function != second_name' -o part.dat bent.dat
is "a filter compares all names of the address" "$(rows part.dat | head -n 1 | cut -d ' ' -f 3)" 2
refused "a function that the recording does not know, with a hint" 'did you mean "first_name"\?$' \
	--function first_nam bent.dat
refused "a pattern that no function of the recording matches" \
	'--function nosuch\*: no function of the recording has a name that matches$' --function 'nosuch*' bent.dat
is "replay warns about one of several names that no function has" \
	"$("$hist" replay -q --function nosuch,caller -o part.dat bent.dat 2>&1; rows part.dat | head -n 1 | cut -d ' ' -f 3)" \
	"trace-cmd hist: warning: --function nosuch: no function of the recording has a name that matches
2"
# told_empty DESC MESSAGE LOSSES ARG...
told_empty()
{
	local desc=$1 want="0 trace-cmd hist: warning: $2" losses=$3

	shift 3
	rm -f part.dat
	"$hist" replay -q -o part.dat "$@" bent.dat 2>said
	is "replay -q warns about $desc" "$? $(cat said)" "$want"
	is "the output tells of $desc" "$("$hist" report --format json part.dat | grep -oE '"absent_events": [0-9]+' |
		sort | uniq -c | tr -s ' ')" "${losses:+ 1 \"absent_events\": $losses}"
}
told_empty "a function without calls" "function:start: no event in the recording matches" "" --function start
told_empty "a filter that nothing matches" "ftrace:function: no event in the recording matches" "" \
	-e ftrace:function -k ip -f 'ip == 7'
told_empty "an event that does not occur" \
	"sched:sched_switch: 1 event that this histogram needs does not occur in the recording" 1 \
	-e sched:sched_switch -k next_comm -i 1us
told_empty "a latency whose events do not occur" \
	"latency:measured..sched_switch: 2 events that this histogram needs do not occur in the recording" 2 \
	--latency sched:measured:common_pid..sched:sched_switch:next_pid
told_empty "a latency whose START does not occur" \
	"latency:sched_switch..function: 1 event that this histogram needs does not occur in the recording" 1 \
	--latency sched:sched_switch:next_pid..ftrace:function:common_pid

# Names that differ in blanks are different keys, in every format.
/usr/bin/python3 "$here/lib/dat_make.py" blanks.dat names || die "dat_make.py"
"$hist" replay -q -e sched:sched_switch -k next_comm -o named.dat blanks.dat
is "replay counts names that differ in blanks at the end separately" "$(rows named.dat | tail -n +2)" \
	'{"next_comm": " zz"} {"hitcount": 25}
{"next_comm": "z"} {"hitcount": 25}
{"next_comm": "zz "} {"hitcount": 25}
{"next_comm": "zz"} {"hitcount": 25}'
is "a report shows a blank at the end of a name" "$("$hist" report --view table named.dat | grep -c '^{ next_comm: zz\\x20 } hitcount: 25 ')" 1
is "csv has the blank at the end of a name" "$("$hist" report --format csv named.dat | grep -c ',"zz ",hitcount,25$')" 1

# A latency that triggers compute has the unit of the time stamps, whatever its name.
"$hist" replay -q -o counted.dat --synthetic 'lat u64 wait' \
	-e raw_syscalls:sys_enter -R 'hist:keys=common_pid:t=common_timestamp' -e raw_syscalls:sys_exit \
	-R 'hist:keys=common_pid:d=common_timestamp-$t:onmatch(raw_syscalls.sys_enter).lat($d)' \
	-e synthetic:lat -R 'hist:keys=wait.log2' board.dat || die "replay of a latency failed"
like "a computed latency in ns is shown in seconds where it is that long" \
	"$("$hist" report --view bars -e synthetic:lat counted.dat)" '^ *537 ms-1\.07 s +1 '

# A report of a file without histograms offers a command, and the command works.
cp "$data/several.dat" "it's all.dat"
cp "$data/several.dat" ./-dash.dat
for file in "$data"/{several,six,lost,graph}.dat "$data/../events.dat" "it's all.dat" -dash.dat; do
	name=$(basename -- "$file")
	"$hist" report -i "$file" >out 2>said
	is "report of $name, which has only events, fails" "$? $(wc -c <out)" "2 0"
	offer=$(sed -n '2s/^hint: count its events: trace-cmd hist //p' said)
	rows=$(eval "'$hist' $offer" 2>/dev/null | grep -Ec '} hitcount: |: hitcount [0-9]|  hitcount +p50')
	is "report of $name offers a replay that counts its events" \
		"$(wc -l <said) ${offer%% *} $((rows > 0))" "2 replay 1"
done
# without events, there is nothing to count
is "report of a file without events and histograms offers nothing" "$(head -c 2000 "$data/several.dat" >cut.dat
	"$hist" report cut.dat 2>&1 | grep -c replay)" 0

done_testing
