#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2086,SC2154 # names of events; what eval sets
#
# PID 1 of the machine that board_record.sh boots.  Counts events by hist triggers while the same
# events go into the ring buffer, and prints all of it as text, between two marks.
#
# Only events of tasks that are younger than one are counted and recorded: it waits until triggers
# and events are on, and again before they go off, and meanwhile nobody begins another.  So
# both are of the same events.

/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmpfs /tmp
mount -t tracefs tracefs /sys/kernel/tracing
echo 1 >/proc/sys/kernel/printk
out=/tmp/out
mkdir -p $out/formats $out/hist
mkfifo /tmp/go /tmp/done
cd /sys/kernel/tracing || exit
echo mono >trace_clock

(
	read -r _ </tmp/go
	i=0
	while [ $i -lt 12 ]; do
		cat /proc/self/stat /proc/version >/dev/null
		usleep 3000
		i=$((i + 1))
	done
	dd if=/dev/zero of=/dev/null bs=64 count=20 2>/dev/null
	echo ready >/tmp/done
	read -r _ </tmp/go
) &
worker=$!

sleep 1
echo 'lat u64 ns; int pid' >synthetic_events

# No other task from here on: echo is the shell's own.  To open one with ">" takes all triggers away.
n=0
young="if common_pid > $worker"
# trigger EVENT TRIGGER [FILTER]: its hist file is kept
trigger()
{
	echo "$2${3:+ $3}" >>"events/$1/trigger"
	eval "event$n=\$1 trigger$n=\$2"
	n=$((n + 1))
}
trigger sched/sched_switch 'hist:keys=next_comm,prev_prio:vals=next_pid' "$young"
trigger kmem/kmalloc 'hist:keys=call_site.sym,bytes_req.log2:vals=bytes_req,bytes_alloc' "$young"
trigger raw_syscalls/sys_enter 'hist:keys=id:vals=common_pid:sort=id' "$young"
trigger raw_syscalls/sys_exit 'hist:keys=ret' "$young"
echo "hist:keys=common_pid:t=common_timestamp $young" >>events/raw_syscalls/sys_enter/trigger
echo "hist:keys=common_pid:ns=common_timestamp-\$t:onmatch(raw_syscalls.sys_enter).lat(\$ns,common_pid) $young" \
	>>events/raw_syscalls/sys_exit/trigger
trigger synthetic/lat 'hist:keys=ns.log2:vals=ns'
events="sched/sched_switch kmem/kmalloc raw_syscalls/sys_enter raw_syscalls/sys_exit"
for e in $events; do
	echo "${young#if }" >events/$e/filter
done
for e in $events; do
	echo 1 >events/$e/enable
done
echo go >/tmp/go
read -r _ </tmp/done
sleep 1
for e in $events; do
	echo 0 >events/$e/enable
done
i=0
while [ $i -lt $n ]; do
	eval "e=\$event$i t=\$trigger$i"
	[ $e = synthetic/lat ] && young=
	echo "$t:pause${young:+ $young}" >>events/$e/trigger
	i=$((i + 1))
done

i=0
while [ $i -lt $n ]; do
	eval "e=\$event$i t=\$trigger$i"
	echo "$e $t" >$out/hist/$i.trigger
	cat "events/$e/hist" >"$out/hist/$i"
	i=$((i + 1))
done
cat saved_cmdlines >$out/cmdlines
cat trace_clock >$out/clock
cat events/header_page >$out/header_page
cat events/header_event >$out/header_event
cat per_cpu/cpu0/stats >$out/stats
uname -a >$out/uname
grep -iE ' [tw] ' /proc/kallsyms >$out/kallsyms
for e in $events $(cd events && echo ftrace/[a-z]*/); do
	e=${e%/}
	[ $e = ftrace/enable ] || cat events/$e/format >"$out/formats/$(echo $e | tr / -)"
done
# what there is, and no more: a read waits
until grep -q '^entries: 0$' per_cpu/cpu0/stats; do
	dd if=per_cpu/cpu0/trace_pipe_raw bs=4096 count=1 2>/dev/null >>$out/pages
done
echo recording-begins
cd /tmp && find out -type f | cpio -o -H newc 2>/dev/null | gzip | base64
echo recording-ends
# not all boards can switch themselves off
leave=$(sed -n "s/.*leave=\([a-z]*\).*/\1/p" /proc/cmdline)
${leave:-poweroff} -f
