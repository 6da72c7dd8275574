# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Presets against the kernel's own counters, and against stock trace-cmd report and awk: loads that
# overlap and fork, -F, -P and --cgroup, and a CPU that is offline.
#
# A counter of the kernel goes on around the load, so a preset must count no less than within the
# load, and no more than around the recording.
#
# In check-long: 80-presets.sh is the sample, with /proc/interrupts and /proc/softirqs.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)
load=/usr/local/bin/preset_load

# The counters, "NAME NUMBER" each.
cat >counters.sh <<'END'
awk '$1 == "ctxt" || $1 == "processes" { print $1, $2 }' /proc/stat
awk '$1 != name { name = $1; split($0, head) ; next } { for (i = 2; i <= NF; i++) print name head[i], $i }' /proc/net/snmp
awk '$1 == "lo:" { print "lo_packets", $11; print "lo_bytes", $10 }' /proc/net/dev
awk '{ print "disk_reads", $1; print "disk_requests", $1 + $5; print "disk_flushes", $16; print "disk_sectors", $3 + $7 }' /sys/block/${NODE##*/}/stat
END

# hits FILE EVENT[#N]: the sum of its hit counts; sum FILE EVENT FIELD
hits()
{
	sum "$1" "$2" hitcount
}

sum()
{
	trace-cmd hist report "$1" -e "$2" --format csv | awk -F, -v "field=$3" '
		$1 == "row" { for (i = 1; i < NF; i++) if ($i == field) s += $NF } END { print s + 0 }'
}

# within PRESET NUMBER COUNTER [FACTOR]: the number is that of the counter times FACTOR
within()
{
	local at number

	for at in before begin end after; do
		number=$(awk -v "name=$3" '$1 == name { print $2 }' $at)
		eval "at_$at=$((${number:-0} * ${4-1}))"
	done
	# shellcheck disable=SC2154 # eval sets them
	if [ "$2" -ge $((at_end - at_begin)) ] && [ "$2" -le $((at_after - at_before)) ] && [ "$2" -gt 0 ]; then
		pass "$run: $1 counts as the kernel does: $3"
	else
		not_ok "$run: $1 counts as the kernel does: $3" \
			"$2, not $((at_end - at_begin)) to $((at_after - at_before))"
	fi
}

mkdir -p /sys/kernel/config
mount -t configfs configfs /sys/kernel/config 2>/dev/null
disk=/sys/kernel/config/nullb/slow
ok "null_blk creates a test disk" mkdir $disk
echo 2 >$disk/irqmode
echo 1000000 >$disk/completion_nsec
echo 64 >$disk/size
echo 1 >$disk/memory_backed
echo 8 >$disk/cache_size # so that it has a cache to flush
ok "the test disk powers on" sh -c "echo 1 >$disk/power"
# its name is that of the directory, and before 6.3 that of its number
NODE=/dev/nullb$(cat $disk/index)
[ -e /sys/block/slow ] && NODE=/dev/slow
export NODE
ok "the device node of the test disk appears" wait_until [ -b "$NODE" ]
ip route add 10.9.9.9/32 dev lo

# Four readers, each of its own sectors, a task that writes and flushes, tasks that fork, and
# connections, at the same time.
cat >load.sh <<END
sh counters.sh >begin
for i in 1 2 3 4; do
	dd if=$NODE of=/dev/null bs=4096 count=25 skip=\$((25 * \$i)) iflag=direct 2>/dev/null &
	$load fork 10 &
done
for i in 1 2 3 4 5; do
	dd if=/dev/zero of=$NODE bs=4096 count=1 seek=\$((200 + \$i)) conv=fsync 2>/dev/null
done &
$load tcp 10 &
$load udp 30 &
$load retransmit 2 10.9.9.9 >/dev/null &
wait
sh counters.sh >end
END
# system_wide OPTION...: record the presets that the kernel counts, too
system_wide()
{
	sh counters.sh >before
	ok "$run: the recording exits with status 0" trace-cmd hist record -q -i 0 -o wide.dat "$@" \
		--preset context-switches --preset process-starts --preset block-latency \
		--preset block-sizes --preset tcp-connects --preset tcp-accepts --preset network-bytes \
		--preset packet-drops --preset tcp-retransmits -- sh load.sh
	sh counters.sh >after
	within context-switches "$(hits wide.dat sched_switch)" ctxt
	within process-starts "$(hits wide.dat sched_process_fork)" processes
	within block-latency "$(hits wide.dat 'block_rq_issue..block_rq_complete#0')" disk_requests
	within block-latency "$(hits wide.dat 'block_rq_issue..block_rq_complete#2')" disk_flushes
	within block-sizes "$(sum wide.dat block_rq_issue bytes)" disk_sectors 512
	within tcp-connects "$(hits wide.dat 'inet_sock_set_state#0')" Tcp:ActiveOpens
	within tcp-accepts "$(hits wide.dat 'inet_sock_set_state#1')" Tcp:PassiveOpens
	within network-bytes "$(hits wide.dat net_dev_start_xmit)" lo_packets
	within tcp-retransmits "$(hits wide.dat tcp_retransmit_skb)" Tcp:RetransSegs
	within packet-drops "$(trace-cmd hist report wide.dat -e kfree_skb --format csv |
		awk -F, '$1 == "row" && /udp/ && /,hitcount,/ { s += $NF } END { print s + 0 }')" Udp:NoPorts
}
run="loads that overlap"
system_wide
run="loads that overlap, --engine user"
system_wide --engine user
run="a CPU is offline"
ok "CPU 1 goes offline" sh -c 'echo 0 >/sys/devices/system/cpu/cpu1/online'
system_wide --engine kernel
ok "CPU 1 is online again" sh -c 'echo 1 >/sys/devices/system/cpu/cpu1/online'
ip route del 10.9.9.9/32 dev lo

# Four readers of the same sectors share the keys of their requests: what is not counted is told.
# told FILE NAME: the sum of a loss of the first histogram
told()
{
	trace-cmd hist report "$1" -e 'block_rq_issue..block_rq_complete#0' --format json |
		awk -v "name=\"$2\":" '{ for (i = 1; i < NF; i++) if ($i == name) s += $(i + 1) } END { print s + 0 }'
}
for engine in kernel user; do
	reads=$(cut -c 1-9 "/sys/block/${NODE##*/}/stat")
	ok "readers of the same sectors, --engine $engine: the recording exits with status 0" \
		trace-cmd hist record -q -i 0 --engine $engine -o same.dat --preset block-latency -- sh -c "
		for i in 1 2 3 4; do dd if=$NODE of=/dev/null bs=4096 count=25 iflag=direct 2>/dev/null & done; wait"
	is "readers of the same sectors, --engine $engine: each read is counted or told" \
		$(($(hits same.dat 'block_rq_issue..block_rq_complete#0') + $(told same.dat unmatched_starts) + \
			$(told same.dat below_zero))) $(($(cut -c 1-9 "/sys/block/${NODE##*/}/stat") - reads))
	is "readers of the same sectors, --engine $engine: some are told in the text" \
		"$(trace-cmd hist report same.dat -e 'block_rq_issue..block_rq_complete#0' |
			grep -c '^# note: [0-9]* STARTs* of the latency had no END')" \
		$(($(told same.dat unmatched_starts) > 0))
done
rmdir $disk

# Two tasks that want one CPU; the scheduler counts the time of each in /proc/PID/schedstat: on the
# CPU, in its queue, and how often it got the CPU.
cat >compete.sh <<'END'
printf "$1" >/proc/$$/comm
i=0
while [ $i -lt 30000 ]; do i=$((i + 1)); done
cat /proc/self/schedstat >/dev/null
read -r cpu wait times </proc/$$/schedstat
echo "$1 $cpu $wait $times" >"$1"
END
ok "the recording of two tasks exits with status 0" trace-cmd hist record -q -i 0 -o compete.dat \
	--preset 'cpu-time:competer?' --preset 'runqueue-wait:competer?' --preset 'on-cpu-time:competer?' \
	-- taskset 2 sh -c 'sh compete.sh competer1 & sh compete.sh competer2 & wait'
# near WHAT GOT WANTED: a tenth and 20 ms more or less, as the names begin and the files are read meanwhile
near()
{
	if [ "$2" -gt $(($3 * 9 / 10 - 20000)) ] && [ "$2" -lt $(($3 * 11 / 10 + 20000)) ] && [ "$2" -gt 0 ]; then
		pass "$1 counts the time that /proc/PID/schedstat shows"
	else
		not_ok "$1 counts the time that /proc/PID/schedstat shows" "$2 us, not $3 us"
	fi
}
schedstat()
{
	cat competer1 competer2 | awk -v "field=$1" '{ s += $field } END { print s }'
}
near cpu-time $(($(sum compete.dat 'sched_stat_runtime#1' runtime) / 1000)) $(($(schedstat 2) / 1000))
pairs=latency:sched_switch..sched_switch
wakes=latency:sched_wakeup..sched_switch
near runqueue-wait $(($(sum compete.dat $wakes lat_us) + $(sum compete.dat "$pairs#0" lat_us))) \
	$(($(schedstat 3) / 1000))
near on-cpu-time "$(sum compete.dat "$pairs#1" lat_us)" $(($(schedstat 2) / 1000))

# stock EVENT [FIELD]: the number of its events that stock trace-cmd prints, or the sum of the field
stock()
{
	awk -v "event=$1:" -v "field=${2-}" '
		function number(text,   i, n) {
			if (text !~ /^0x/)
				return text + 0
			for (i = 3; i <= length(text); i++)
				n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return n
		}
		index($0, " " event " ") {
			if (!field) s++
			else if (match($0, " " field "=[0-9a-fx-]+"))
				s += number(substr($0, RSTART + length(field) + 2, RLENGTH - length(field) - 2))
		}
		END { print s + 0 }' tasks.txt
}

failures()
{
	awk '
		/ sys_exit: / && match($0, / ret=[0-9a-fx-]+/) {
			ret = substr($0, RSTART + 5, RLENGTH - 5)
			n += ret ~ /^-/ || ret ~ /^0xfffffffffffff[0-9a-f][0-9a-f][0-9a-f]$/
		}
		END { print n + 0 }' tasks.txt
}

# some_tasks OPTION... -- COMMAND: presets of events that the tasks cause, beside their events
some_tasks()
{
	ok "$run: the recording exits with status 0" trace-cmd hist record -q -i 0 -o tasks.dat --events \
		--preset syscalls --preset syscall-errors --preset signals --preset kmalloc-bytes \
		--preset process-starts "$@"
	trace-cmd report -R tasks.dat >tasks.txt 2>/dev/null
	is "$run: syscalls counts as stock trace-cmd does" "$(hits tasks.dat sys_enter)" "$(stock sys_enter)"
	is "$run: syscall-errors counts as stock trace-cmd does" "$(hits tasks.dat sys_exit)" "$(failures)"
	is "$run: signals counts as stock trace-cmd does" "$(hits tasks.dat signal_generate)" \
		"$(stock signal_generate)"
	is "$run: kmalloc-bytes counts as stock trace-cmd does" \
		"$(hits tasks.dat 'kmalloc#0') $(sum tasks.dat 'kmalloc#0' bytes_alloc)" \
		"$(stock kmalloc) $(stock kmalloc bytes_alloc)"
	is "$run: process-starts counts as stock trace-cmd does" "$(hits tasks.dat sched_process_fork)" \
		"$(stock sched_process_fork)"
	is "$run: the tasks did something" "$(($(stock sys_enter) >= 30 && $(stock signal_generate) >= signals))" 1
}
cat >tasks.sh <<END
$load signal 10 & $load fork 10 & $load fail 15 & wait
END
rm -f go
mkfifo go
run="-F" signals=0
some_tasks -F -- sh tasks.sh
run="-F -c" signals=10
some_tasks -F -c -- sh tasks.sh

sh -c 'read -r x <go; exec sh tasks.sh' &
run="-P -c"
some_tasks -P $! -c -- sh -c "echo >go; while [ -e /proc/$!/exe ]; do usleep 20000; done"

ok "cgroup2 is mounted" sh -c 'mkdir -p cgroups && mount -t cgroup2 none cgroups && mkdir cgroups/some'
sh -c 'echo $$ >cgroups/some/cgroup.procs; read -r x <go; exec sh tasks.sh' &
ok "a task is in the cgroup" wait_until grep -q . cgroups/some/cgroup.procs
run="--cgroup"
some_tasks --cgroup some -- sh -c "echo >go; while [ -e /proc/$!/exe ]; do usleep 20000; done"
wait
rmdir cgroups/some
umount cgroups
is "recordings with presets leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
