# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck source-path=SCRIPTDIR source=lib.sh
# shellcheck disable=SC2016 # $ are of the triggers' language
#
# The text of hist files is what it was, byte for byte: `hist` against hist_before, which
# has the same map printed by the code that the series removes, as a whole and in pieces.
# Histograms of each kind that there is, counted from what really happens.
#
# Invariant: while it is read, nothing is counted: the triggers are paused; those with
# variables, which the kernel does not pause, have a filter for tasks that are no more.

. /tests/lib.sh
cd $tracefs || exit 1

# What is counted: forks, system calls that fail, sleeps, tasks and files of odd names.
# Tasks that are named tch... are only here.
load()
{
	local i=0

	while [ $i -lt 5 ]; do
		/bin/busybox cat /proc/self/stat /nowhere >/dev/null 2>&1
		: >"/tmp/odd { $i }, hitcount: 5
: [$i]"
		(printf 'tch }, b\n: %s' $i >/proc/self/comm; usleep 2000; usleep 1000)
		i=$((i + 1))
	done
	rm -f /tmp/odd*
}

# remove EVENT: its triggers, the last first, as others may refer to what is above
remove()
{
	local text

	sed -n 's/ \[[a-z]*\]$//p' "events/$1/trigger" | sed '1!G; h; $!d' >/tmp/triggers
	while IFS= read -r text; do
		echo "!$text" >>"events/$1/trigger" || say "# $1 keeps $text"
	done </tmp/triggers
}

# attach EVENT TRIGGER...
attach()
{
	local event=$1 trigger

	shift
	for trigger; do
		echo "$trigger" >>"events/$event/trigger" || {
			tail -n 4 error_log | sed 's/^/# /' | sh /tests/say.sh
			return 1
		}
	done
}

# pause EVENT TRIGGER...
pause()
{
	local event=$1 trigger

	shift
	for trigger; do
		# a filter is the last of a trigger
		case $trigger in
		*' if '*) trigger="${trigger%% if *}:pause if ${trigger#* if }" ;;
		*) trigger=$trigger:pause ;;
		esac
		echo "$trigger" >>"events/$event/trigger" || return
	done
}

# compare WHAT EVENT: the two files are equal, and have what matches the BRE $has
compare()
{
	local what=$1 dir=events/$2

	cat "$dir/hist_before" >/tmp/before
	cat "$dir/hist" >/tmp/after
	dd if="$dir/hist" bs=61 >/tmp/pieces 2>/dev/null
	# nothing was counted meanwhile
	cat "$dir/hist_before" >/tmp/before.again
	if ! cmp -s /tmp/before /tmp/before.again; then
		say "not ok $what: the histogram does not change while hist is read"
	elif ! grep -q -e "$has" /tmp/before; then
		say "not ok $what: the text of hist_before matches $has"
		tail -n 12 /tmp/before | sed 's/^/# /' | sh /tests/say.sh
	elif cmp -s /tmp/before /tmp/after && cmp -s /tmp/before /tmp/pieces; then
		say "ok hist prints $what as hist_before does: $(grep -c '}' /tmp/before) rows"
	else
		say "not ok hist prints $what as hist_before does"
		diff -U1 /tmp/before /tmp/after | head -n 20 | sed 's/^/# /' | sh /tests/say.sh
	fi
}

# text WHAT HAS EVENT TRIGGER...: triggers without "hist:", paused if not for the filter $mine
mine='comm ~ "tch*"'
text()
{
	local what=$1 has=$2 event=$3 trigger

	shift 3
	for trigger; do
		shift
		set -- "$@" "hist:$trigger"
	done
	if attach "$event" "$@"; then
		load
		case $* in *"$mine"*) ;; *) pause "$event" "$@" ;; esac
		compare "$what" "$event"
	else
		say "not ok $what: the kernel accepts the triggers"
	fi
	remove "$event"
}

text "names of tasks" '{ next_comm: .* } hitcount:' sched/sched_switch keys=next_comm
text "three histograms of one event" '^{ common_cpu:' sched/sched_switch keys=next_comm \
	keys=prev_pid,next_pid:vals=prev_prio:sort=next_pid 'keys=common_cpu if next_pid != 0'
text "percentages and bars of hits" 'hitcount: #' raw_syscalls/sys_enter \
	keys=id.syscall:vals=hitcount.percent,hitcount.graph:sort=hitcount.descending:nohitcount
text "percentages and bars" 'bytes_req (%): ' kmem/kmalloc \
	keys=call_site.sym:vals=bytes_req.percent,bytes_alloc.graph:sort=bytes_req.descending
text "a histogram without hitcount" \
	'}  bytes_req: ' kmem/kmalloc keys=bytes_alloc:vals=bytes_req:nohitcount
text "PIDs with the names of their tasks" '{ common_pid: .*\[' kmem/kmalloc \
	keys=common_pid.execname:sort=hitcount.descending
text "system calls" 'id: sys_[a-z0-9_]* *\[' raw_syscalls/sys_enter \
	keys=common_pid.execname,id.syscall:sort=common_pid,hitcount.descending
text "numbers below zero as keys" 'ret: 184467440737' raw_syscalls/sys_exit keys=id.syscall,ret
text "numbers below zero as values" 'ret: *f' raw_syscalls/sys_exit keys=id.syscall:vals=ret,ret.hex
text "powers of two" '~ 2^' kmem/kmalloc keys=bytes_req.log2
text "buckets" '~ 100-199' kmem/kmalloc keys=bytes_req.buckets=100:sort=bytes_req
text "buckets below zero" '~ 18446744073709551' raw_syscalls/sys_exit keys=ret.buckets=100
text "hexadecimal numbers" 'ptr: ff\(ff\|11\)[0-9a-f]\{12\} ' kmem/kmalloc \
	keys=bytes_req.hex,ptr.hex:vals=bytes_alloc.hex:sort=bytes_req
text "symbols" '\[ffff[0-9a-f]*\] [a-z]' kmem/kmalloc \
	keys=call_site.sym:vals=bytes_req,bytes_alloc:sort=bytes_req.descending
text "symbols with offsets" '+0x' kmem/kmalloc keys=call_site.sym-offset:vals=bytes_req
text "symbols of numbers that are not addresses" \
	'\[[0-9]*\] 0x' kmem/kmalloc keys=bytes_req.sym,bytes_alloc.sym-offset
text "stacks" '^         [a-z_]*+0x' kmem/kmalloc keys=common_stacktrace:size=4096
text "stacks by their old name" '^{ common_stacktrace:' kmem/kmalloc keys=stacktrace:size=4096
text "stacks and pids" ', prev_pid:' sched/sched_switch keys=common_stacktrace,prev_pid
text "stacks between other keys" ', next_comm:' sched/sched_switch \
	keys=prev_pid,common_stacktrace,next_comm
text "processors and times" 'common_timestamp:' sched/sched_switch \
	keys=common_cpu,common_timestamp.usecs:size=4096:clock=global
text "times of another clock" 'clock=mono' sched/sched_switch keys=common_timestamp:clock=mono
text "a histogram that is full" 'Dropped: [1-9]' raw_syscalls/sys_enter \
	keys=common_timestamp:size=128:clock=global
text "a histogram with a filter" 'if common_pid > 1 && bytes_req != 0' kmem/kmalloc \
	'keys=bytes_req if common_pid > 1 && bytes_req != 0'
text "variables" 'x=prev_prio' sched/sched_switch \
	"keys=next_pid:vals=prev_prio:x=prev_prio,y=prev_prio+1 if next_$mine"
text "a histogram with an expression among its values" 'bytes_alloc-bytes_req: ' kmem/kmalloc \
	keys=common_pid:vals=bytes_alloc-bytes_req
text "three keys and two values" 'bytes_req: ~ 2^' kmem/kmalloc \
	keys=common_pid.execname,call_site.sym,bytes_req.log2:vals=bytes_req,ptr:sort=common_pid,ptr
text "flags of allocations" 'gfp_flags: ' kmem/kmalloc keys=gfp_flags:vals=bytes_req
text "forged names of tasks" '^: 2 *,' sched/sched_switch \
	keys=next_comm,common_pid.execname:sort=next_comm
text "fields that onchange() saves" '	changed: ' sched/sched_switch \
	'keys=next_pid:p=next_prio:onchange($p).save(next_comm,prev_comm)'" if next_$mine"
text "fields that onmax() saves" '^: [0-9] .*prev_comm: ' sched/sched_switch \
	'keys=next_pid:m=prev_prio:onmax($m).save(next_comm,prev_pid,prev_comm)'" if next_$mine"
text "a snapshot by onchange()" 'Snapshot taken' sched/sched_switch \
	'keys=next_pid:p=next_prio:onchange($p).snapshot()'" if next_$mine"
text "a snapshot by onmax() with the name of a task" \
	'with key: { common_pid: tch' sched/sched_switch \
	'keys=common_pid.execname:m=prev_prio:onmax($m).snapshot()'" if prev_$mine"
text "a histogram with a name" 'name=foo' sched/sched_waking name=foo:keys=pid,comm
text "many rows of equal rank" '.' kmem/kmalloc keys=ptr,common_timestamp:size=16384
text "a histogram with two sort keys" 'sort=bytes_alloc.descending,bytes_req' kmem/kmalloc \
	keys=bytes_req,bytes_alloc,call_site.sym:sort=bytes_alloc.descending,bytes_req

# One that is not paused
attach task/task_rename "hist:keys=newcomm,oldcomm if new$mine"
load
has='\[active\]' compare "a histogram that is not paused" task/task_rename
attach task/task_rename "hist:keys=newcomm,oldcomm:clear if new$mine"
has='Entries: 0' compare "a histogram that was cleared" task/task_rename
remove task/task_rename
: >/tmp/empty
cat events/task/task_rename/hist_before >/tmp/before
cat events/task/task_rename/hist >/tmp/after
ok "hist and hist_before are empty for an event without triggers" \
	sh -c 'cmp /tmp/before /tmp/empty && cmp /tmp/after /tmp/empty'

# One name for two events
attach sched/sched_waking "hist:name=two:keys=pid,comm if $mine"
text "a name that two events share" 'name=two' sched/sched_wakeup "name=two:keys=pid,comm if $mine"
remove sched/sched_waking

# A trigger that another one starts
attach kmem/kmem_cache_alloc hist:keys=common_pid:pause
attach task/task_newtask enable_hist:kmem:kmem_cache_alloc
load
attach task/task_newtask '!enable_hist:kmem:kmem_cache_alloc'
pause kmem/kmem_cache_alloc hist:keys=common_pid
has='Hits: [1-9]' compare "a histogram that enable_hist started" kmem/kmem_cache_alloc
remove kmem/kmem_cache_alloc

# Chains: latencies, by variables of another trigger, and synthetic events of them
put 'tch_wake u64 lat; pid_t pid; char comm[16]' synthetic_events
waking='hist:keys=pid:ts0=common_timestamp.usecs:clock=global'
switch='hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:clock=global'
for action in 'onmatch(sched.sched_waking).trace(tch_wake,$lat,next_pid,next_comm)' \
	'onmax($lat).save(next_comm,prev_pid,prev_prio,prev_comm)' 'onmax($lat).snapshot()'; do
	attach sched/sched_waking "$waking if $mine"
	attach sched/sched_switch "$switch:$action if next_$mine"
	attach synthetic/tch_wake hist:keys=comm,lat.log2:vals=lat:sort=comm,lat \
		hist:keys=lat.buckets=50:sort=lat
	load
	case $action in
	*trace*) has='lat: ~ 2^' compare "a histogram of a synthetic event" synthetic/tch_wake ;;
	esac
	has='next_pid:' compare "a latency: $action" sched/sched_switch
	has='pid:' compare "the start of a latency: $action" sched/sched_waking
	remove synthetic/tch_wake
	attach sched/sched_switch "!$switch:$action if next_$mine"
	attach sched/sched_waking "!$waking if $mine"
done
put '!tch_wake' synthetic_events

# Stacks that are fields
put 's:tch_block pid_t pid; u64 delta; unsigned long stack[]' dynamic_events
off='hist:keys=prev_pid:t=common_timestamp.usecs,s=common_stacktrace:clock=global if prev_'$mine
block='onmax($delta).trace(tch_block,next_pid,$delta,$s2)'
on="hist:keys=next_pid:delta=common_timestamp.usecs-\$t,s2=\$s:clock=global:$block if next_$mine"
attach sched/sched_switch "$off" "$on"
attach synthetic/tch_block hist:keys=delta.buckets=100,stack.stacktrace:sort=delta \
	hist:keys=stack.stacktrace,pid
load
has='stack.stacktrace' compare "stacks of a synthetic event" synthetic/tch_block
has='s2=' compare "stacks as variables" sched/sched_switch
remove synthetic/tch_block
attach sched/sched_switch "!$on" "!$off"
put '-:synthetic/tch_block' dynamic_events

# Events of our own: an argument, a result, a part of another event
put 'p:tch_open do_sys_openat2 file=+0(%si):ustring' kprobe_events
put 'r:tch_opened do_sys_openat2 ret=$retval:s32' kprobe_events
put 'e:tch_switch sched/sched_switch prev=$prev_pid:u32 next=$next_pid:u32' dynamic_events
text "names of files and forged names" '^: \[3\]' kprobes/tch_open keys=file
text "results of functions" 'ret: *1844674407370955' kprobes/tch_opened keys=ret:vals=ret
text "a histogram of an event probe" '{ prev: ' eprobes/tch_switch keys=prev,next
put '-:eprobes/tch_switch' dynamic_events
put '-:tch_open' kprobe_events
put '-:tch_opened' kprobe_events
