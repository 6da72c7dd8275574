# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Another program stops what is counted, and continues it at once. The recording has no snapshot
# between, so only the writes can tell.
#
# In check-long: 50-leftovers.sh is the sample of recordings that end early.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/stops /tmp/cgroup
cd /tmp/stops || bail "no directory"
mount -t cgroup2 none /tmp/cgroup || bail "no cgroups"
mkdir /tmp/cgroup/a
event=events/syscalls/sys_enter_getppid
getppid='-e syscalls:sys_enter_getppid -k common_pid.execname'
# recorded COMMANDS OPTION...: the commands run in the instance. Prints the number of warnings and of
# notes, and whether the JSON has the flag.
recorded()
{
	local commands="cd $tracefs/instances/\$TRACE_CMD_HIST_INSTANCE; $1"

	shift
	trace-cmd hist record -q -i 1h -o r.dat "$@" -- sh -c "$commands" 2>said || {
		cat said
		return
	}
	echo "$(grep -c 'warning: instance .* changed .*; hits may be missing' said)" \
		"$(trace-cmd hist report r.dat | grep -c '^# note: .*paused or stopped the counting')" \
		"$(trace-cmd hist report --format json r.dat | grep -c '"stopped"')"
}
# told WHAT COMMANDS OPTION..., silent: likewise; the commands change something, or nothing.
told()
{
	local what=$1

	shift
	is "$what is told" "$(recorded "$@")" "1 1 1"
}
silent()
{
	local what=$1

	shift
	is "$what is not told" "$(recorded "$@")" "0 0 0"
}

# shellcheck disable=SC2086,SC2016 # options; the shell of the recording expands
{
told "tracing_on off and on" \
	'echo 0 >tracing_on; task_calls 10; echo 1 >tracing_on; task_calls 10' --engine user $getppid
# the shell becomes the last command
is "the calls before and after a stop are counted" \
	"$(trace-cmd hist report --view table r.dat | sed -n '/ task_calls /s/.*hitcount: *\([0-9]*\).*/\1/p' | sort -n | xargs)" \
	"10 10 10 10 11"
told "an event off and on" "echo 0 >>$event/enable; echo 1 >>$event/enable" --engine user $getppid
told "set_event emptied and set" \
	': >set_event; echo syscalls:sys_enter_getppid >set_event' --engine user $getppid
told "the ring buffer, emptied" 'echo >trace' --engine user $getppid
told "another reader of the ring buffer" 'timeout 1 cat trace_pipe >/dev/null; true' --engine user $getppid
silent "a mark, and a look at the ring buffer" \
	'echo mark >trace_marker; cat trace per_cpu/cpu0/stats >/dev/null' --engine user $getppid
silent "the recorder's own list of tasks" 'task_calls 10' --engine user -F -c $getppid
told "a list of tasks beside it" 'echo 1 >set_event_pid' --engine kernel -F -c $getppid
silent "a task that joins and leaves a cgroup" \
	'for g in a/ "" a/; do echo $$ >/tmp/cgroup/${g}cgroup.procs; sleep 0.3; done' \
	--engine kernel --cgroup /tmp/cgroup/a $getppid
told "a trigger that was paused and continued" \
	"echo hist:keys=common_pid.execname:pause >>$event/trigger
	 echo hist:keys=common_pid.execname:cont >>$event/trigger" --engine kernel $getppid
silent "a ring buffer and events that hist triggers do not need" \
	'echo 0 >tracing_on; echo 0 >events/enable; : >set_event; echo >trace' --engine kernel $getppid
told "tracing_on off and on, --function" 'echo 0 >tracing_on; echo 1 >tracing_on' \
	--function vfs_read -k common_pid
told "all functions off and on, --function" \
	'for i in 0 1; do echo $i >/proc/sys/kernel/ftrace_enabled; done' --function vfs_read -k common_pid
# END of this latency has an instance of its own, which counts all tasks
block='-F --latency block:block_rq_issue:dev,sector..block:block_rq_complete:dev,sector -k lat'
ends='cd ../trace-cmd-hist-*-anywhere && '
told "tracing_on off and on where END counts" "$ends echo 0 >tracing_on && echo 1 >tracing_on" \
	--engine user $block
told "the event of END off and on" \
	"${ends}cd events/block/block_rq_complete && echo 0 >enable && echo 1 >enable" --engine user $block
told "a trigger where END counts" \
	"${ends}echo hist:keys=dev >>events/block/block_rq_complete/trigger" --engine kernel $block
silent "an event off and on that does not count there" \
	'echo 0 >events/block/block_rq_complete/enable' --engine user $block
# a shell reads the state ten times per second
told "an event that is off for a while, a shell" "echo 0 >$event/enable; sleep 2; echo 1 >$event/enable" \
	--engine user --target shell:exec:sh $getppid
silent "a recording through a shell" 'task_calls 10; sleep 1' --engine user --target shell:exec:sh $getppid
if [ -n "${CHECK_LONG-}" ]; then
	told "events/enable off and the event on" "echo 0 >events/enable; echo 1 >$event/enable" \
		--engine user $getppid
	told "a filter, set and removed" "echo common_pid==1 >$event/filter; echo 0 >$event/filter" \
		--engine user $getppid
	told "the ring buffer of one CPU, emptied" ': >per_cpu/cpu0/trace' --engine user $getppid
	told "a trigger that stops the ring buffer" "echo traceoff >>$event/trigger" --engine user $getppid
	for engine in user kernel; do
		told "set_event_pid, $engine" 'echo 1 >set_event_pid; echo >set_event_pid' \
			--engine $engine $getppid
		told "the clock, $engine" 'echo boot >trace_clock; echo mono >trace_clock' \
			--engine $engine $getppid
	done
	told "all kprobes off and on" \
		'for i in 0 1; do echo $i >/sys/kernel/debug/kprobes/enabled; done' --kprobe vfs_read -k common_pid
	told "set_ftrace_filter, --function" 'echo vfs_write >set_ftrace_filter' \
		--function vfs_read -k common_pid
	told "a tracer that is off for a while, a shell" 'echo nop >current_tracer; sleep 2' \
		--target shell:exec:sh --tracer function:vfs_read -k common_pid
fi
}
rmdir /tmp/cgroup/a
umount /tmp/cgroup
done_testing
