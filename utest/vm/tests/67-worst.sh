# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2016
#
# report --worst: a culprit made on purpose is named first, with most of the time.  The time of each part
# is compared with what awk computes from the output of the stock trace-cmd report.
#
# In check-long: 66-capture.sh is the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
# shellcheck source-path=SCRIPTDIR source=../guest/episodes.sh
. /tests/episodes.sh
mkdir /tmp/worst
cd /tmp/worst || bail "no directory"
before=$(tree_state)
# on the other CPU, except preset_load and "hog", which choose CPU 0
record="taskset 2 trace-cmd hist record -q -i 200ms"
wakeup="--preset wakeup-latency:presetload"
times=3
[ -z "${CHECK_LONG-}" ] || times=20
# some may be disturbed by the host
worst=$((times + 2 + times / 10))

# sums: number of episodes whose parts add up to the latency exactly
sums()
{
	awk -F, -v r="$rank" -v l="$latency" -v n="$ns" '
	NR > 1 { sum[$r] += $n; want[$r] = $l }
	END { for (e in sum) good += sum[e] == want[e]; print good + 0 }' parts.csv
}

# stock FILE: "EPISODE HOG TIMER" in ns, in the window of each episode on CPU 0: time of the task "hog"
# without interrupts and softirqs, and time of the local timer's interrupt
stock()
{
	awk -F, -v r="$rank" -v s="$start" -v e="$end" 'NR > 1 && $r != last {
		last = $r; printf "window %s %.0f %.0f\n", $r, $s, $e }' parts.csv >windows
	command trace-cmd report -t "$1" 2>/dev/null | sed -n 's/^ *\(episode-[0-9]*\): /\1 /p' |
		grep '\[000\]' | cat windows - | awk '
	function add(name, until,    from, to) {
		if (!(name in start))
			return
		from = since[name] > start[name] ? since[name] : start[name]
		to = until < end[name] ? until : end[name]
		if (to <= from)
			return
		# the innermost context has the time
		if (depth[name])
			timer[name] += inner[name, depth[name]] == "timer" ? to - from : 0
		else
			hog[name] += task[name] == "hog" ? to - from : 0
	}
	$1 == "window" {
		start["episode-" $2] = $3; end["episode-" $2] = $4
		next
	}
	{
		e = $1
		if (!match($0, /[0-9]+\.[0-9]+: /))
			next
		time = substr($0, RSTART, RLENGTH - 2)
		event = substr($0, RSTART + RLENGTH)
		split(time, t, ".")
		# a leading 0 would make an octal number
		now = t[1] * 1000000000 + ("1" t[2]) - 1000000000
		sub(/^ */, "", event)
		add(e, now)
		since[e] = now
		if (event ~ /^sched_switch:/) {
			task[e] = event
			sub(/.*==> (next_comm=)?/, "", task[e])
			sub(/[: ].*/, "", task[e])
			depth[e] = 0
		} else if (event ~ /^local_timer_entry:/) {
			inner[e, ++depth[e]] = "timer"
		} else if (event ~ /^(irq_handler|softirq|[a-z_]*_single|irq_work)_entry:/) {
			inner[e, ++depth[e]] = "other"
		} else if (event ~ /^(local_timer|irq_handler|softirq|[a-z_]*_single|irq_work)_exit:/ &&
			   depth[e]) {
			depth[e]--
		}
	}
	END {
		for (e in start)
			printf "%s %.0f %.0f\n", substr(e, 9), hog[e], timer[e]
	}' | sort -n
}

# ours: the same from our report
ours()
{
	awk -F, -v r="$rank" -v k="$kind" -v n="$name" -v t="$ns" '
	NR > 1 { seen[$r] }
	NR > 1 && $k == "task" && $n == "hog" { hog[$r] += $t }
	NR > 1 && $k == "irq" && $n == "local_timer" { timer[$r] += $t }
	END { for (e in seen) printf "%d %.0f %.0f\n", e, hog[e], timer[e] }' parts.csv | sort -n
}

# same_times FILE TITLE: compare both, without the episodes in which the task also sleeps: that time belongs
# to the sleep, no matter what interrupts the CPU
same_times()
{
	awk -F, -v r="$rank" -v k="$kind" 'NR == FNR { slept[$r] += $k == "asleep"; next } !slept[$r]' \
		parts.csv parts.csv >awake.csv
	mv awake.csv parts.csv
	ok "$2: at least 1 episode has no sleep in it" test -n "$(ours)"
	is "$2" "$(stock "$1")" "$(ours)"
	parts "$1"
}

# our_stack "of TASK": the kernel stack in the file "text", as one line of symbols
our_stack()
{
	awk -v title="  kernel stack $1" '
		on && (!/^    / || / more$/) { exit }
		on { sub(/\+.*/, ""); printf "%s ", $1 }
		index($0, title) == 1 { on = 1 }' text
}

# A task with SCHED_FIFO uses the CPU for 60 ms.
$record $wakeup --threshold 50ms --worst $worst -o hog.dat -- preset_load hog 200 hog.dat.episode-$worst 2>said
is "record with --threshold succeeds" "$?" 0
parts hog.dat
count=$(first task hog 50000000)
ok "the hog is named first with at least 80 % of each of $times waits ($count)" enough "$count" $times
is "the parts of each episode add up to its latency" "$(sums)" $worst
same_times hog.dat "awk computes the same times from the stock report"
trace-cmd hist report --worst hog.dat >text
sed -n 1,12p text | tap_comment
like "the sum of all episodes names the hog first" "$(tail -n 2 text | head -n 1)" \
	"^# total of $worst episodes, [0-9.]* m?s: [0-9]* % hog \[49\]"
like "the time above the threshold is summed up, too" "$(tail -n 1 text)" \
	'^# time above the threshold, [0-9.]+ m?s: [0-9]+ % '
is "each episode has the threshold of the recording, and its excess" "$(awk -F, \
	-v r="$rank" -v t="$(column threshold_ns)" -v x="$(column excess_ns)" -v l="$latency" '
	NR > 1 && $r != last { last = $r; good += $t == 50000000 && $x == $l - $t }
	END { print good + 0 }' parts.csv)" $worst
like "the hog has the priority and the process ID" "$(cat text)" '% .* hog/[0-9]* \[RT 50\]$'
like "the worst wait of all names the task that ran before, and its priority" \
	"$(trace-cmd hist report hog.dat)" \
	'^worst: [0-9.]+ ms at [0-9.]+, CPU 0, after .+/[0-9]+ \[(nice|RT) [-0-9]+\], next_comm: presetload$'
like "an interrupt woke the task" "$(cat text)" '^# task: presetload/.*, woken by irq local_timer'

# The timer interrupt wakes the task, and then handles 4000 more timers.
$record $wakeup --threshold 5ms --worst $worst -o irq.dat -- preset_load interrupt 200 irq.dat.episode-$worst 2>said
is "record with an interrupt load succeeds" "$?" 0
parts irq.dat
count=$(first irq local_timer 5000000)
ok "the interrupt is named first with at least 80 % of each of $times waits ($count)" enough "$count" $times
is "the parts of each of the episodes with interrupts add up" "$(sums)" $worst
same_times irq.dat "awk computes the same times of the interrupt"
trace-cmd hist report --worst=1 irq.dat | tap_comment
head -n 4 parts.csv | tap_comment

# A task "holder" computes for 300 ms and holds a lock, for which the task sleeps in futex(2).
$record --latency 'raw_syscalls:sys_enter:common_pid[id == 202]..raw_syscalls:sys_exit:common_pid' \
	-f 'COMM == "presetload"' --threshold 200ms --worst $worst -o lock.dat -- \
	preset_load lock 200 lock.dat.episode-$worst 2>said
is "record with a lock that is held succeeds" "$?" 0
parts lock.dat
count=$(first asleep S 200000000)
ok "the task sleeps at least 80 % of each of $times waits for the lock ($count)" enough "$count" $times
is "the parts of each of these episodes add up, too" "$(sums)" $worst
trace-cmd hist report --worst lock.dat >text
# its priority is known only if the ring buffer still has a switch to it
holders=$(grep -Ec '% .* asleep \(S\) until woken by holder/[0-9]+( \[nice 0\])?$' text)
# also one that a busy host made shorter, or whose first events are missing
slept=$(awk -F, -v r="$rank" -v k="$kind" -v n="$name" '
	$k == "asleep" && $n == "S" { slept[$r] } END { for (e in slept) s++; print s + 0 }' parts.csv)
is "the holder of the lock is named next to the time ($holders of ${count##* } to $slept)" \
	"$([ "$holders" -ge "${count##* }" ] && [ "$holders" -le "$slept" ] && echo named)" named
cat said | tap_comment
sed -n 1,12p text | tap_comment

# Kernel stacks: of the task that used the CPU, of the sleep, and of the task that released the lock.
$record $wakeup --stacks --threshold 50ms --worst 1 -o stacks.dat -- preset_load hog 3 2>said
is "record with --stacks succeeds" "$?" 0
trace-cmd hist report --worst stacks.dat >text
tap_comment <text
like "the stack of the hog is shown, with symbols" "$(our_stack 'of hog/')" '__schedule'
trace-cmd hist report --worst --raw-names stacks.dat >text
like "--raw-names shows addresses instead" "$(our_stack 'of hog/')" '^(0x[0-9a-f]{16} )+$'
$record --latency 'raw_syscalls:sys_enter:common_pid[id == 202]..raw_syscalls:sys_exit:common_pid' \
	-f 'COMM == "presetload"' --stacks --threshold 200ms --worst 1 -o stacks.dat -- \
	preset_load lock 3 2>said
trace-cmd hist report --worst stacks.dat >text
tap_comment <text
like "the stack of the sleep shows the lock" "$(our_stack 'of presetload/')" 'futex_wait'
like "the stack of the waker shows the release of the lock" "$(our_stack 'of the waker holder/')" 'futex_wake'

# A recording with --events and without a threshold.
$record $wakeup --events -o events.dat -- preset_load hog 2 2>said
parts events.dat
# the host may stop the guest meanwhile
is "the events of a recording without a threshold tell the story, too" "$(first task hog 50000000 | cut -d " " -f 2-)" "1 1"
trace-cmd hist report --worst events.dat | tap_comment

# The END of a system call: the task itself is delayed, or asleep.
$record --preset syscall-latency:sleep --threshold 100ms --worst 1 -o sleep.dat -- sleep 0.3 2>said
parts sleep.dat
is "a task that sleeps in a system call is asleep" "$(first asleep S 100000000)" "1 1 1"
is "tracefs is as before" "$(tree_state)" "$before"
done_testing
