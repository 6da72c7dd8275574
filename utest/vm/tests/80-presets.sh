# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Presets, --latency and --sql against load whose numbers are known.  The
# files go to the host, where verify_presets.py looks at what is in them.  81-preset-loads.sh
# has the other presets.
#
# On 6.1 in check-long: 30-kinds.sh is the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)

# record NAME OPTIONS... -- SCRIPT: into $OUT/preset-NAME.dat; silent when it goes well.
record()
{
	local name=$1

	shift
	is "the recording $name exits with status 0 and prints nothing" \
		"$(trace-cmd hist record -i 0 -o "$OUT/preset-$name.dat" "$@" 2>&1; echo $?)" 0
}

# One task that sleeps at least 20 times for 10 ms: on a busy machine, the time of a sleep can be
# over before it begins, so there are more.
mkfifo never
cat >sleeper.sh <<'END'
printf sleeper >/proc/$$/comm
exec 3<>/tmp/never
i=0
while [ $i -lt 30 ]; do read -r -t 0.01 x <&3; i=$((i + 1)); done
END
record wakeup --preset wakeup-latency:sleep?r -- sh sleeper.sh
like "--view bars draws the wakeup latencies as a chart" \
	"$(trace-cmd hist report "$OUT/preset-wakeup.dat" -e 'latency:sched_waking..sched_switch#0' --view bars 2>&1)" '^ +[0-9]+(-[0-9]+)? us +[0-9]+ +[0-9.]+% \|##########'

# usleep never sleeps less than 20 ms.
record syscall --preset syscall-latency:usleep -- sh -c \
	'for i in 1 2 3 4 5; do usleep 20000; done'
record syscalls --preset 'syscalls:d?' -- sh -c 'dd if=/dev/zero of=/dev/null bs=64 count=1000 2>/dev/null'

# Two tasks on one CPU that wait for each other.
mkfifo ping pong
cat >pinger.sh <<'END'
printf pinger >/proc/$$/comm
i=0
while [ $i -lt 100 ]; do echo >&3; read -r x <&4; i=$((i + 1)); done
END
cat >ponger.sh <<'END'
printf ponger >/proc/$$/comm
while read -r x <&3; do echo >&4; done
END
record switches --preset context-switches -- taskset 1 sh -c \
	'exec 3<>ping 4<>pong; sh ponger.sh & sh pinger.sh; kill $!'

# Two tasks that both want one CPU, after two seconds of sleep.
record runqueue --preset 'runqlat:spin*' -- taskset 2 sh -c '
	exec 3<>never
	for n in 1 2; do
		sh -c "printf spinner >/proc/\$\$/comm; read -r -t 2 x <&3; i=0; while [ \$i -lt 40000 ]; do i=\$((i + 1)); done" &
	done
	wait'

# What one task allocates: each histogram has all of it.
mkfifo go
sh -c 'read x </tmp/go; for i in 1 2 3 4 5 6 7 8 9; do read x </proc/self/status; done' &
pid=$!
record kmalloc --preset kmalloc-bytes -k common_pid -v bytes_req,bytes_alloc -P $pid -- \
	sh -c "echo >/tmp/go; while [ -e /proc/$pid/fd/0 ]; do usleep 5000; done"
wait $pid

# Memory that is touched; the kernel's own count of faults is beside.
echo never >/sys/kernel/mm/transparent_hugepage/enabled
record faults --preset page-faults -- sh -c \
	'exec awk "BEGIN { for (i = 0; i < 50000; i++) a[i] = i; getline x <\"/proc/self/stat\"; print x }" >'"$OUT/preset-faults.stat"

# Interrupts of the serial port, and of two devices that share a line, which the kernel counts
# meanwhile: no fewer than within the command, and no more than around the recording.
for port in /sys/class/virtio-ports/*; do
	read -r name <"$port/name"
	case $name in shared?) eval "$name=/dev/${port##*/}" ;; esac
done
cat >interrupts.sh <<END
cat /proc/interrupts /proc/softirqs >"$OUT/preset-irq.begin"
for i in 1 2 3 4 5 6 7 8 9 10; do echo "80-presets: interrupts, please" >/dev/ttyS0; usleep 5000; done
(for i in 1 2 3 4 5 6 7 8 9 10; do echo x >${shared0-}; done) &
for i in 1 2 3 4 5 6 7 8 9 10; do echo x >${shared1-}; done
wait
cat /proc/interrupts /proc/softirqs >"$OUT/preset-irq.end"
END
cat /proc/interrupts /proc/softirqs >"$OUT/preset-irq.before"
record irq --preset irq-time -- sh interrupts.sh
cat /proc/interrupts /proc/softirqs >"$OUT/preset-irq.after"

# A disk whose requests take 5 ms by a timer.
mkdir -p /sys/kernel/config
mount -t configfs configfs /sys/kernel/config 2>/dev/null
disk=/sys/kernel/config/nullb/slow
ok "null_blk creates a test disk" mkdir $disk
echo 2 >$disk/irqmode
echo 5000000 >$disk/completion_nsec
echo 64 >$disk/size
ok "the test disk powers on with 5 ms per request" sh -c "echo 1 >$disk/power"
# its name is that of the directory, and before 6.3 that of its number
node=/dev/nullb$(cat $disk/index)
[ -e /sys/block/slow ] && node=/dev/slow
ok "the device node of the test disk appears" wait_until [ -b "$node" ]
reads="dd if=$node of=/dev/null bs=4096 count=20 iflag=direct 2>/dev/null"
record block --preset biolatency -- sh -c "$reads"
record stacks -e block:block_rq_issue -k stacktrace -- sh -c "$reads"
rmdir $disk

# Four tasks that make files in one directory, until one has waited for another.
mkdir busy
record locks --preset lock-contention -- sh -c '
	for round in $(seq 100); do
		for n in 1 2 3 4; do
			(i=0; while [ $i -lt 600 ]; do : >busy/$n.$i; i=$((i + 1)); done) &
		done
		wait
		cat /sys/kernel/tracing/instances/$TRACE_CMD_HIST_INSTANCE/events/synthetic/*/hist |
			grep -q "Hits: [1-9]" && break
		rm -r busy && mkdir busy
	done'

# Beside a recording of the same events: every latency can be computed.
record exact --events --latency sched:sched_waking:pid..sched:sched_switch:next_pid:usecs \
	-k lat,next_comm -f 'next_comm == "sleeper"' -k next_prio,lat.log2=3 -f 'next_comm == "sleeper"' \
	-- sh sleeper.sh
trace-cmd report -t -R "$OUT/preset-exact.dat" >"$OUT/preset-exact.txt" 2>/dev/null
# A field of the start, the other unit, two keys, a filter on the start.
record start --events \
	--latency 'raw_syscalls:sys_enter:common_pid,id[id != 0]..raw_syscalls:sys_exit:common_pid,id:nsecs' \
	-k id,lat -f 'COMM == "sleeper"' -- sh sleeper.sh
trace-cmd report -t -R "$OUT/preset-start.dat" >"$OUT/preset-start.txt" 2>/dev/null

# The language of libtracefs.
record sql --sql 'SELECT end.next_comm, end.next_prio AS prio,
	(end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) AS lat_us FROM sched_waking AS start
	JOIN sched_switch AS end ON start.pid = end.next_pid WHERE end.next_comm = "sleeper"' \
	-- sh sleeper.sh
record sql-plain --sql 'SELECT CAST(id AS syscall), CAST(common_pid AS comm) FROM sys_enter WHERE id = 1' \
	-- sh -c 'dd if=/dev/zero of=/dev/null bs=64 count=1000 2>/dev/null'
like "--sql prints the error of the parser with a caret under the query" \
	"$(trace-cmd hist record --sql 'SELECT pid FROM sched_wakinx' true 2>&1 | tr '\n' '|')" \
	'the query has an error:\|SELECT pid FROM sched_wakinx\| +\^\|.*event not found'
like "--sql refuses a field that the event does not have" \
	"$(trace-cmd hist record --sql 'SELECT nothing FROM sched_waking' true 2>&1)" \
	'--sql: libtracefs cannot parse the query, or the query names an event or field that does not exist'
# What libtracefs crashes on is asked in another order; a string may look like the end of a command.
like "--sql takes values before keys, a field that is key and value, and any string" \
	"$(trace-cmd hist record -q -o values.dat --sql "SELECT CAST(sched_switch.prev_pid AS _COUNTER_),
		prev_pid FROM sched_switch WHERE next_comm != \"it' > x\"" true 2>&1
	trace-cmd hist report --list values.dat)" \
	"hist:keys=prev_pid:vals=prev_pid if next_comm != \"it' > x\""
is "--sql refuses a field that is selected twice" \
	"$(trace-cmd hist record --sql 'SELECT prev_pid, prev_pid FROM sched_switch' true 2>&1; echo $?)" \
	"trace-cmd hist: error: --sql: prev_pid is selected twice
hint: select it once
2"

# More pages than the triggers behind have room for: told.
like "--latency reports the hits that did not fit into its triggers" \
	"$(trace-cmd hist record -i 0 -o drops.dat \
	--latency kmem:mm_page_alloc:pfn..kmem:mm_page_free:pfn -- sh -c \
	'dd if=/dev/zero of=big bs=1M count=80 2>/dev/null; rm big' 2>&1)" \
	'^trace-cmd hist: warning: kmem:mm_page_alloc: [1-9][0-9]* hits? did not fit in the table'

# Refused before anything is made.
like "--latency suggests a field for an unknown key" "$(trace-cmd hist record --dry-run --latency \
	sched:sched_waking:pid..sched:sched_switch:next_pid -k next_com,lat.log2 true 2>&1 | tr '\n' ' ')" \
	'no field "next_com" in sched:sched_switch or sched:sched_waking .*hint: did you mean "next_comm"\?'
like "--latency suggests a field for an unknown field of its start event" \
	"$(trace-cmd hist record --latency \
	sched:sched_waking:pidd..sched:sched_switch:next_pid true 2>&1 | tr '\n' ' ')" \
	'no field "pidd" in sched:sched_waking hint: did you mean "pid"\?'
like "--latency refuses a clock that does not count time" \
	"$(trace-cmd hist record -C x86-tsc --latency \
	sched:sched_waking:pid..sched:sched_switch:next_pid true 2>&1)" 'this clock is not in nanoseconds, so --latency cannot use this clock'
cat >mine.recipe <<'END'
# What this kernel does not have
needs: event nowhere:nothing
since: 99.1
-e nowhere:nothing
-k a
END
is "--preset names the event that the kernel lacks" \
	"$(trace-cmd hist record --preset ./mine.recipe true 2>&1; echo $?)" \
	"trace-cmd hist: error: --preset ./mine.recipe: this kernel has no event nowhere:nothing; the preset needs Linux 99.1 or later
2"

# The clock of -C is in all triggers: the histogram, of six or of one, keeps the time of its worst.
clocks()
{
	trace-cmd hist record --dry-run -C boot "$@" --latency \
		sched:sched_waking:pid..sched:sched_switch:next_pid | grep -Ec ':clock=boot($| if )'
}
is "-C sets the clock of the eight triggers of --latency" "$(clocks)" 8
is "-C sets the clock of the three triggers of --latency with --coarse" "$(clocks --coarse)" 3
is "recordings with presets leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
