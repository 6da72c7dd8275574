# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2016
#
# --threshold: a real-time task takes the CPU from preset_load, which knows how often.  What was
# captured is read with the stock trace-cmd: who ran on that CPU during the wait?
#
# Other ends, kills, buffers that are too small, all events, filters, times, presets and a full disk are in
# check-long.
#
# On 6.12 in check-long: 6.1 records an episode as 6.12 does, and is faster.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
# shellcheck source-path=SCRIPTDIR source=../guest/episodes.sh
. /tests/episodes.sh
mkdir /tmp/capture
cd /tmp/capture || bail "no directory"
before=$(tree_state)
# on the other CPU, except preset_load and "hog", which choose CPU 0
record="taskset 2 trace-cmd hist record -q -i 200ms"
wakeup="--preset wakeup-latency:presetload"
hogs=8
[ -z "${CHECK_LONG-}" ] || hogs=25

# stories FILE: for each episode, its number, its latency in its unit, and the share of it in which "hog"
# ran on the CPU, in percent.  An episode ends with the event of the latency.
stories()
{
	command trace-cmd report -t "$1" 2>/dev/null | awk '
	{
		name = ""
		for (i = 1; i < 4 && name == ""; i++)
			if ($i ~ /^episode-[0-9]+:$/)
				name = $i
		if (name == "" || !match($0, /\[[0-9]+\]/))
			next
		cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0
		rest = substr($0, RSTART + RLENGTH)
		match(rest, /[0-9]+\.[0-9]+:/)
		time = substr(rest, RSTART, RLENGTH - 1)
		split(time, t, ".")
		# a leading 0 would make an octal number
		us = t[1] % 100000 * 1000000 + ("1" substr(t[2] "000", 1, 6)) - 1000000
		if ($0 ~ /sched_switch:/) {
			if (since[name, cpu])
				spans[name, cpu] = spans[name, cpu] " " since[name, cpu] "-" us
			since[name, cpu] = $0 ~ /(==>|next_comm=) *hog[: ]/ ? us : 0
		}
		if (match($0, /lat_[un]s=[0-9]+/)) {
			wait[name] = substr($0, RSTART + 7, RLENGTH - 7)
			end[name] = us
			where[name] = cpu
		}
	}
	END {
		for (name in wait) {
			start = end[name] - wait[name]
			sum = 0
			n = split(spans[name, where[name]], list, " ")
			for (i = 1; i <= n; i++) {
				split(list[i], s, "-")
				from = s[1] + 0 > start ? s[1] + 0 : start
				to = s[2] + 0 < end[name] ? s[2] + 0 : end[name]
				if (to > from)
					sum += to - from
			}
			print name, wait[name], int(sum * 100 / wait[name])
		}
	}' | sort
}

(trap 'echo got >>signals' USR1
$record $wakeup --threshold 100ms --worst 4 --on-threshold capture \
	--on-threshold signal,num=USR1,pid=parent \
	--on-threshold 'shell,command=echo $TRACE_CMD_HIST_VALUE $TRACE_CMD_HIST_EVENT >>shell' \
	-o w.dat -- preset_load hog $hogs 2>said &
while kill -0 $! 2>/dev/null; do wait $!; done
wait $!)
is "record with --threshold succeeds" "$?" 0
is "the parent gets the signal" "$(sort -u signals)" got
is "the command gets the latency in ns, and the event" \
	"$(awk '$1 >= 100000000 && $2 ~ /^latency:/' shell | wc -l)" "$(wc -l <shell)"
ok "the command ran" test -s shell
stories w.dat >got
is "the 4 worst waits are in the file" "$(wc -l <got)" 4
is "the events show the task that used the CPU for at least 80 % of each wait" \
	"$(awk '$3 >= 80' got | wc -l)" 4
is "the worst comes first, and all are above the threshold" \
	"$(awk '$2 < 100000 || (NR > 1 && $2 > last) { bad++ } { last = $2 } END { print bad + 0 }' got)" 0
cat got said | tap_comment
for name in $(awk '$3 < 80 { print $1 }' got); do
	command trace-cmd report -t w.dat 2>/dev/null | grep "$name.*\(sched_switch\|lat_us\)" |
		tail -n 20 | tap_comment
done
# The kernel measured the same: the largest wait is in the file, or was told as missed.
worst=$({ awk '{ print $2 }' got; sed -n 's/.*not captured, .*; worst: \([0-9]*\) us.*/\1/p' said; } |
	sort -rn | head -n 1)
is "the largest wait of the histogram is captured, or told as missed" "$(trace-cmd hist report w.dat \
	--format json | tr -d ' \n' | grep -o '"value":[0-9]*,"exact"' | tr -dc '0-9\n' |
	sort -rn | head -n 1)" "$worst"
command trace-cmd report w.dat >report 2>/dev/null
is "stock trace-cmd report shows the names of all tasks of the episodes" \
	"$(grep -c 'episode-.*<\.\.\.>' report) $(grep 'episode-[1-4]: *hog-[0-9]' report |
	cut -d: -f1 | sort -u | wc -l)" "0 4"
ok "the file is smaller than 4 ring buffers of two CPUs and 1 MiB" \
	test "$(stat -c %s w.dat)" -lt $(((4 * 2 + 1) * 1024 * 1024))
is "no side file is left" "$(ls w.dat.* 2>/dev/null)" ""
is "tracefs is as before" "$(tree_state)" "$before"

# kill -9: report and cleanup find the side files.
# killed [URL]
killed()
{
	local on=${1:+ --target $1}

	rm -f k.dat
	$record $wakeup ${1:+--target "$1"} --threshold 100ms --worst 1 -b 128 -o k.dat -- \
		preset_load hog 500 2>said &
	pid=$!
	ok "side files appear while record$on runs" wait_until test -e k.dat.episode-1
	kill -9 $pid
	wait $pid 2>/dev/null
	killall presetload preset_load hog 2>/dev/null
	is "a side file of record$on is a complete trace.dat" \
		"$(command trace-cmd report k.dat.episode-1 2>/dev/null | grep -c lat_us=)" 1
	like "report of a killed record$on finds the side files" "$(trace-cmd hist report k.dat 2>&1)" \
		'1 episode is in the files k.dat.episode-\*'
	trace-cmd hist cleanup k.dat >said 2>&1
	is "cleanup appends them after record$on" "$? $(cat said)" "0 k.dat: appended 1 episode"
	is "the episode of record$on is in the file now, and the side file is gone" \
		"$(stories k.dat | wc -l) $(ls k.dat.* 2>/dev/null)" "1 "
	trace-cmd hist cleanup -q ${1:+--target "$1"}
	# the other end of a lost connection undoes its changes itself
	same_tree() { [ "$(tree_state)" = "$before" ]; }
	ok "nothing is left in tracefs after a kill of record$on and cleanup" wait_until same_tree
}

# The events of a target come through the helper or the plain shell.
# fetch URL
fetch()
{
	$record $wakeup --target "$1" --threshold 100ms -b 128 --worst 1 -o t.dat -- preset_load hog 2 2>said
	is "record --target $1 with --threshold succeeds" "$?" 0
	stories t.dat >got
	is "the events of --target $1 show the task that used the CPU" \
		"$(awk '$2 >= 100000 && $3 >= 80' got | wc -l)" 1
	cat got said | tap_comment
	is "record --target $1 leaves tracefs as before" "$(tree_state)" "$before"
}
helper='exec:trace-cmd-hist-target --stdio'
fetch "$helper"
[ -z "${CHECK_LONG-}" ] || killed shell:exec:sh

# The user-space engine keeps the events of what it reads; report --worst finds END in them.
# user [OPTION...]
user()
{
	$record $wakeup --engine user "$@" --threshold 100ms --worst 4 -o u.dat -- preset_load hog 6 2>said
	is "record --engine user $* with --threshold succeeds" "$?" 0
	parts u.dat
	count=$(first task hog 60000000)
	ok "the events of --engine user $* show the task that used the CPU ($count)" enough "$count" 1
	cat parts.csv said | tap_comment
	is "record --engine user $* leaves tracefs as before" "$(tree_state)" "$before"
}
user
old="exec:trace-cmd-hist-target --stdio | { read -r line; echo trace-cmd-hist:helper 1 1 old; cat; }"
$record $wakeup --target "$old" --threshold 100ms -o t.dat -- true 2>said
is "an old target helper is refused" "$? $(cat said)" "2 trace-cmd hist: error: --threshold: the target \
helper is too old to send ring buffers
hint: install the same version on both machines"
[ -n "${CHECK_LONG-}" ] || done_testing

$record $wakeup --threshold 30s -o none.dat -- preset_load hog 2 2>said
is "a threshold that is not crossed captures nothing, and nothing is said" \
	"$? $(stories none.dat | wc -l) $(cat said)" "0 0 "
is "stock trace-cmd report finds no buffers in it" \
	"$(command trace-cmd report none.dat 2>&1 | grep -c episode)" 0

start=$(cut -d. -f1 /proc/uptime)
$record $wakeup --threshold 100ms --on-threshold stop -o s.dat -- preset_load hog 500 2>said
is "stop ends the recording with status 0" "$?" 0
ok "stop ends the recording long before the command would end" \
	test $(($(cut -d. -f1 /proc/uptime) - start)) -lt 30
is "stop alone captures nothing" "$(stories s.dat | wc -l)" 0

# A ring buffer of 8 KiB does not reach back 100 ms: "hog" looks at its CPU time all the time.
calls="-e raw_syscalls:sys_enter -e raw_syscalls:sys_exit"
$record $wakeup $calls --threshold 100ms -b 8 --worst 1 -o small.dat -- preset_load hog 3 2>said
is "a ring buffer that is too small is told" \
	"$? $(grep -c 'the ring buffer was too small for the events of' said)" "0 1"

# All events and the episodes: the worst wait is in both, and the tasks have their names in both.
$record $wakeup --events --threshold 100ms --worst 1 -o both.dat -- preset_load hog 3 2>said
is "record --events with --threshold succeeds" "$?" 0
is "the episode is in the file" "$(stories both.dat | awk '$3 >= 80' | wc -l)" 1
command trace-cmd report both.dat 2>/dev/null >report
ok "the switches to the task outnumber the waits above the threshold, as all events are in the file" \
	test "$(grep -v '^episode-' report | grep -c 'sched_switch:.*==>.*presetload')" -gt 20
is "stock trace-cmd report shows the names of all tasks that ran" \
	"$(grep -v '^episode-' report | grep -c '^ *hog-[0-9]' | awk '{ print ($1 > 0) }') $(grep -c '^episode-.*<\.\.\.>' report)" \
	"1 0"
tap_comment <said

# A filter instead of a time: the first hits are kept.
$record -e sched:sched_process_exec -k pid --threshold 'pid > 1' --worst 2 -o f.dat -- \
	sh -c 'i=0; while [ $i -lt 20 ]; do i=$((i + 1)); /bin/true; usleep 100000; done' 2>said
is "the first hits of a filter are captured" "$? $(command trace-cmd report f.dat 2>/dev/null |
	sed -n 's/^\(episode-[0-9]*\):.*sched_process_exec.*/\1/p' | sort -u | tr '\n' ' ')" \
	"0 episode-1 episode-2 "
$record -e sched:sched_switch -k next_pid --threshold 'next_pix == 1' -o x.dat -- true 2>said
is "an unknown field in the filter is refused" "$? $(grep -c 'next_pix' said)" "2 2"
$record -e sched:sched_switch -k next_pid --threshold 5ms -o x.dat -- true 2>said
like "a time without a latency is refused" "$(cat said)" 'a time can be used only if the recording measures a latency'

# A field with the time up to the event: the ring buffer has the event with this time.
$record -e sched:sched_stat_runtime -k comm,runtime.log2 -f 'comm == "busy"' --threshold 1us --worst 1 \
	-o time.dat -- busybox sh -c 'printf busy >/proc/self/comm; i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' 2>said
is "a time is compared with a field of the histogram" "$?" 0
parts time.dat
first=$(sed -n 2p parts.csv)
runtime=$(echo "$first" | cut -d, -f"$latency")
is "the episode ends with the event whose time it has" "$(command trace-cmd report -R -t time.dat 2>/dev/null |
	grep -c "episode-1: .* $(echo "$first" | cut -d, -f"$end" | sed 's/.\{9\}$/.&/'): sched_stat_runtime: .*runtime=\(0x\)*$runtime")" 1
like "the episode names the task" "$(trace-cmd hist report --worst time.dat)" 'sched_stat_runtime, comm=busy$'
tap_comment <said

# The presets: their own events are captured too.  6.1 has no block_unplug of a single request.
$record --preset block-latency --threshold 1us --worst 1 -o b.dat -- \
	dd if=/dev/nullb0 of=/dev/null bs=64k count=20 2>said
is "the preset block-latency captures its further events" \
	"$? $(command trace-cmd report b.dat 2>/dev/null | grep -q 'episode-1:.*block_plug' && echo yes)" "0 yes"
for preset in runqueue-wait irq-time syscall-latency; do
	$record --preset $preset --threshold 2us --worst 1 -o p.dat -- sh -c 'ls -lR /proc/$$ >/dev/null' 2>said
	ok "the preset $preset captures episodes" test "$(stories p.dat | wc -l)" -ge 1
done

# No room: the histograms are complete, and the recorder says what is missing.
mkdir room
mount -t tmpfs -o size=300k tmpfs room
$record $wakeup $calls --threshold 100ms --worst 3 -b 256 -o room/r.dat -- preset_load hog 5 2>said
is "a full disk fails the recording, and is told" \
	"$? $(grep -q 'r.dat.episode-[0-9]*: No space' said && echo told)" "2 told"
umount room

killed
killed "$helper"
for url in 'exec:trace-cmd hist listen --stdio' shell:exec:sh; do
	fetch "$url"
done
user --events
user --target shell:exec:sh
$record $wakeup --engine user --threshold 100ms -b 4 --worst 1 -o small.dat -- preset_load hog 3 2>said
is "pages that --engine user does not keep are told" \
	"$? $(grep -c 'the ring buffer was too small for the events of' said)" "0 1"
$record $wakeup --engine user --threshold 100ms --on-threshold stop -o s.dat -- preset_load hog 500 2>said
is "stop ends a recording with --engine user with status 0" "$?" 0
done_testing
