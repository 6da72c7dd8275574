# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck source-path=SCRIPTDIR source=lib.sh
# shellcheck disable=SC2016 # $ are of the triggers' language
#
# Histograms of each kind count what happens; where the machine has kprobes, in them too.

. /tests/lib.sh
cd $tracefs || exit 1

# counts WHAT EVENT TRIGGER: hits, all of them in rows and none dropped
counts()
{
	local what=$1 event=$2 trigger=$3 paused=$3:pause

	# a filter is the last of a trigger
	case $trigger in *' if '*) paused="${trigger%% if *}:pause if ${trigger#* if }" ;; esac
	echo "hist:$trigger" >"events/$event/trigger" || {
		say "not ok $what: the kernel accepts $trigger"
		tail -n 4 error_log | sed 's/^/# /' | sh /tests/say.sh
		return
	}
	for _ in 1 2 3 4 5; do
		load >/dev/null
	done
	echo "hist:$paused" >>"events/$event/trigger"
	cat "events/$event/hist" >/tmp/hist
	echo "!hist:$trigger" >>"events/$event/trigger"
	if [ "$(total /tmp/hist Hits)" -gt 0 ] && [ "$(total /tmp/hist Dropped)" = 0 ] &&
		[ "$(sum /tmp/hist)" = "$(total /tmp/hist Hits)" ]; then
		say "ok $what counts every hit and drops none"
	else
		say "not ok $what counts every hit and drops none"
		tail -n 12 /tmp/hist | sed 's/^/# /' | sh /tests/say.sh
	fi
}

load() { /bin/busybox cat /proc/self/stat; /bin/busybox usleep 1000; }

counts "a histogram of the callers of kmalloc" \
	kmem/kmalloc 'keys=call_site.sym:vals=bytes_req,bytes_alloc:sort=bytes_alloc.descending'
counts "a histogram of sizes with .log2" kmem/kmalloc 'keys=bytes_req.log2:sort=bytes_req'
counts "a histogram of sizes with .buckets" kmem/kmalloc 'keys=bytes_req.buckets=64:sort=bytes_req'
counts "a histogram of tasks" sched/sched_switch 'keys=next_pid,next_comm:sort=hitcount.descending'
counts "a histogram of stacks" kmem/kmalloc "keys=$stack:size=4096"
counts "a histogram of PIDs with .execname" sched/sched_waking 'keys=common_pid.execname,target_cpu'
counts "a histogram with a filter" kmem/kmalloc 'keys=bytes_req if bytes_req > 16'
[ ! -d events/raw_syscalls ] ||
	counts "a histogram of system calls" \
		raw_syscalls/sys_enter 'keys=common_pid.execname,id.syscall'

# A chain: wake-up latency by a variable, onmatch() and a synthetic event.
latency()
{
	put 'tch_wakeup u64 lat; pid_t pid' synthetic_events &&
		put 'hist:keys=pid:ts0=common_timestamp.usecs' events/sched/sched_waking/trigger &&
		put 'hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).tch_wakeup($lat,next_pid)' \
			events/sched/sched_switch/trigger &&
		put 'hist:keys=lat.log2:sort=lat' events/synthetic/tch_wakeup/trigger || return
	load
	cat events/synthetic/tch_wakeup/hist
	[ "$(total events/synthetic/tch_wakeup/hist Hits)" -gt 0 ]
}
ok "a chain of triggers counts wake-up latencies" latency
put '!hist:keys=lat.log2:sort=lat' events/synthetic/tch_wakeup/trigger
put '!hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).tch_wakeup($lat,next_pid)' \
	events/sched/sched_switch/trigger
put '!hist:keys=pid:ts0=common_timestamp.usecs' events/sched/sched_waking/trigger
put '!tch_wakeup u64 lat; pid_t pid' synthetic_events

# A kprobe within the function, so that it is a breakpoint, which RISC-V and x86 take as an
# NMI (in_nmi() is true): each of a known number of hits is counted.
kprobe()
{
	local place=do_sys_openat2 hits

	put "p:tch_probe $place" kprobe_events || return
	put 'hist:keys=common_pid' events/kprobes/tch_probe/trigger || return
	# without a fork: opens of this task alone are one key
	sh -c 'i=0; while [ $i -lt 500 ]; do read -r x </proc/uptime; i=$((i + 1)); done; echo $$' >/tmp/pid
	put 'hist:keys=common_pid:pause' events/kprobes/tch_probe/trigger
	cat events/kprobes/tch_probe/hist
	hits=$(sed -n "s/^{ common_pid: *$(cat /tmp/pid) } hitcount: *//p" events/kprobes/tch_probe/hist)
	[ "$hits" -ge 500 ] && [ "$hits" -lt 540 ] &&
		[ "$(total events/kprobes/tch_probe/hist Dropped)" = 0 ]
}
if [ -e kprobe_events ]; then
	ok "a histogram of a kprobe counts 500 hits and drops none" kprobe
	put '!hist:keys=common_pid' events/kprobes/tch_probe/trigger
	put '-:tch_probe' kprobe_events
fi
