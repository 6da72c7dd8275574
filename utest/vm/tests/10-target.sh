# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The local target and its undo on a real tracefs: the time on each trace clock,
# reading again, and what cleanup removes and leaves.
#
# target_tool makes changes as a recorder does, and is killed as one may be.
#
# On 6.1 in check-long: what the helper does to tracefs is the same there.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh

switch=events/sched/sched_switch/trigger
waking=events/sched/sched_waking/trigger

# hold_start CHANGE...: target_tool makes them and waits; $hold_pid.
hold_start()
{
	rm -f in out
	mkfifo in out
	target_tool hold "$@" <in >out 2>hold.err &
	hold_pid=$!
	exec 8>in
	read -r _ <out
}

# The normal end; its status is in $hold_status.
hold_end()
{
	exec 8>&-
	hold_status=0
	wait $hold_pid || hold_status=$?
}

hold_kill()
{
	kill -KILL $hold_pid
	wait $hold_pid 2>/dev/null
	exec 8>&-
}

# cleanup [OPTION]...: $cleanup_out with both streams, and $cleanup_status.
cleanup()
{
	cleanup_status=0
	cleanup_out=$(trace-cmd-hist cleanup "$@" 2>&1) || cleanup_status=$?
}

# The time of the mark with text $1 in the instance bracket: microseconds for
# clocks in nanoseconds, as the file "trace" prints them, else the bare count.
bracket_time()
{
	sed -n "s/.* \([0-9.]*\): tracing_mark_write: $1\$/\1/p" \
		$tracefs/instances/bracket/trace | tr -d .
}

# The clock between two marks that are read from a "trace" file.
check_clock()
{
	local clock=$1 first now last

	echo "$clock" >$tracefs/instances/bracket/trace_clock
	echo "$clock" >$tracefs/instances/marks/trace_clock
	echo first >$tracefs/instances/bracket/trace_marker
	now=$(target_tool clock "$clock" instances/marks 2>&1)
	echo last >$tracefs/instances/bracket/trace_marker
	first=$(bracket_time first)
	last=$(bracket_time last)
	case $clock in
	counter | uptime | x86-tsc) ;;
	*) now=$(((now + 500) / 1000)) ;;
	esac
	if [ "$first" -gt 0 ] && [ "$first" -le "$now" ] && [ "$now" -le "$last" ]; then
		pass "the time on the clock $clock lies between two of its marks"
	else
		not_ok "the time on the clock $clock lies between two of its marks" \
			"first $first, now $now, last $last"
	fi
}

test_clocks()
{
	local clock pattern start

	# Else tai would be the same as the real time.
	target_tool tai 37
	mkdir $tracefs/instances/bracket $tracefs/instances/marks
	# The clocks local and perf may differ between CPUs.
	taskset -p 2 $$ >/dev/null
	for clock in local global counter uptime perf mono mono_raw boot tai x86-tsc; do
		check_clock $clock
	done
	taskset -p 3 $$ >/dev/null

	echo counter >$tracefs/instances/marks/trace_clock
	is "the clock counter advances by one with each mark" \
		"$(($(target_tool clock counter instances/marks) + 1))" \
		"$(target_tool clock counter instances/marks)"
	# 300 old events first: more than one page has to be read.
	start=$(target_tool clock counter instances/marks)
	pattern=$(printf '%0200d' 0)
	for _ in $(seq 300); do
		echo "$pattern" >&7
	done 7>$tracefs/instances/marks/trace_marker
	ok "a mark is found after 300 other events" \
		[ "$(target_tool clock counter instances/marks)" -gt $((start + 300)) ]
	is "reading a clock that the instance does not use is an error" \
		"$(target_tool clock local instances/marks 2>&1)" \
		"target_tool: local: Invalid argument"
	is "reading the clock local without an instance is an error" \
		"$(target_tool clock local 2>&1)" \
		"target_tool: local: Operation not supported"
	echo 0 >$tracefs/instances/marks/tracing_on
	is "reading the clock of an instance is an error while its tracing is off" \
		"$(target_tool clock counter instances/marks 2>&1)" \
		"target_tool: counter: Operation not supported"
	target_tool tai 0
	rmdir $tracefs/instances/bracket $tracefs/instances/marks
}

test_paths()
{
	is "a path with .. is refused" "$(target_tool list events/../.. 2>&1)" \
		"target_tool: list: Invalid argument"
	is "an absolute path is refused" "$(target_tool list /etc 2>&1)" \
		"target_tool: list: Invalid argument"
	is "the list of an event's directory has the event's files" \
		"$(target_tool list events/sched/sched_switch | grep -c -x \
		-e enable -e filter -e format -e hist -e id -e trigger)" 6
	is "describe prints the system, host name, CPUs, page size, word size and byte order" \
		"$(target_tool describe)" "uname $(uname -snrm)
host $(uname -n)
cpus 2
page 4096
long 8
big 0"
}

# hits of each of two readings of ftrace:print, which counts trace_marker
test_reread()
{
	local dir=instances/reread

	mkdir $tracefs/$dir
	echo 'hist:keys=common_pid' >>$tracefs/$dir/events/ftrace/print/trigger
	echo one >$tracefs/$dir/trace_marker
	is "reading a hist file again on one handle shows the new hits" \
		"$(target_tool reread $dir/events/ftrace/print/hist $dir/trace_marker two |
			sed -n -e 's/^    Hits: //p' -e '/^--$/p' | xargs)" "1 -- 2"
	rmdir $tracefs/$dir
}

test_normal_end()
{
	local before

	before=$(tree_state)
	hold_start instance instances/h trigger instances/h/$switch 'hist:keys=next_pid' \
		value instances/h/trace_clock mono
	like "a trigger is set while its recorder runs" "$(cat $tracefs/instances/h/$switch)" \
		'^hist:keys=next_pid'
	is "only root can enter the directory of the undo logs" \
		"$(stat -c %a /run/trace-cmd-hist)" 700
	cleanup
	is "cleanup finds nothing to clean up while the recorder runs" \
		"$cleanup_status $cleanup_out" \
		"0 nothing to clean up"
	like "cleanup leaves the trigger of a running recorder in place" \
		"$(cat $tracefs/instances/h/$switch)" \
		'^hist:keys=next_pid'
	hold_end
	is "a recorder that ends normally exits with 0 and prints no error" \
		"$hold_status$(cat hold.err)" 0
	is "a recorder that ends normally leaves tracefs as before" "$(tree_state)" "$before"
	is "a recorder that ends normally removes the undo log" "$(ls /run/trace-cmd-hist)" ""
}

# Triggers of the user beside ours, and a chain that must be removed in order.
# shellcheck disable=SC2016 # $ts0 is the kernel's
test_killed()
{
	local before during

	echo 'hist:keys=prev_pid' >>$tracefs/$switch
	mkdir $tracefs/instances/user
	echo 123 >$tracefs/instances/user/set_event_pid
	before=$(tree_state)
	hold_start instance instances/h \
		trigger instances/h/$waking 'hist:keys=pid:ts0=common_timestamp.usecs' \
		trigger instances/h/$switch 'hist:keys=next_pid:lat=common_timestamp.usecs-$ts0' \
		trigger $switch 'hist:keys=next_comm:sort=hitcount.descending' \
		value instances/user/set_event_pid 77 \
		value instances/user/trace_clock global
	hold_kill
	during=$(tree_state)
	like "the trigger of a killed recorder stays set" \
		"$during" '^\./.*trigger:hist:keys=next_comm'

	cleanup -n
	is "cleanup -n lists what cleanup would undo, the newest change first" \
		"$cleanup_status $cleanup_out" \
		"0 would restore instances/user/trace_clock: local
would restore instances/user/set_event_pid: 123
would remove from $switch: hist:keys=next_comm:sort=hitcount.descending
would remove from instances/h/$switch: hist:keys=next_pid:lat=common_timestamp.usecs-\$ts0
would remove from instances/h/$waking: hist:keys=pid:ts0=common_timestamp.usecs
would remove instances/h"
	is "cleanup -n changes nothing" "$(tree_state)" "$during"
	cleanup
	is "cleanup lists each change that was restored or removed" \
		"$cleanup_status $(echo "$cleanup_out" | cut -d ' ' -f 1 |
		xargs)" "0 restored restored removed removed removed removed"
	is "cleanup undoes the changes of a killed recorder and keeps those of the user" \
		"$(tree_state)" "$before"
	cleanup
	is "a second cleanup finds nothing to clean up" "$cleanup_status $cleanup_out" \
		"0 nothing to clean up"
	is "cleanup removes the undo log of a killed recorder" "$(ls /run/trace-cmd-hist)" ""
	rmdir $tracefs/instances/user
	echo '!hist:keys=prev_pid' >>$tracefs/$switch
}

# Killed after the note and before the change, which would have failed: the user
# has the very same trigger.
test_same_trigger()
{
	local before

	echo 'hist:keys=next_pid' >>$tracefs/$switch
	before=$(tree_state)
	hold_start trigger $switch 'hist:keys=next_pid'
	like "a second trigger with the same text is refused" "$(cat hold.err)" 'File exists'
	hold_kill
	cleanup
	is "cleanup keeps a user's trigger with the same text as a recorder's" \
		"$cleanup_status $cleanup_out $(tree_state)" "0 nothing to clean up $before"
	echo '!hist:keys=next_pid' >>$tracefs/$switch
}

test_busy()
{
	local before

	before=$(tree_state)
	hold_start instance instances/h trigger instances/h/$switch 'hist:keys=next_pid'
	hold_kill
	exec 7<$tracefs/instances/h/trace
	cleanup
	is "cleanup reports an instance that is in use" "$cleanup_status $cleanup_out" \
		"2 removed from instances/h/$switch: hist:keys=next_pid
trace-cmd hist: error: instances/h: in use
hint: stop the programs that use the instance, then run 'trace-cmd hist cleanup'"
	exec 7<&-
	cleanup
	is "cleanup removes the instance once it is no longer in use" \
		"$cleanup_status $cleanup_out" "0 removed instances/h"
	is "tracefs is as before after the instance in use was removed" "$(tree_state)" "$before"
}

# The instance was removed by hand, and a journal comes from another boot.
test_gone()
{
	hold_start instance instances/h trigger instances/h/$switch 'hist:keys=next_pid'
	hold_kill
	rmdir $tracefs/instances/h
	printf 'trace-cmd-hist-undo 1 another-boot\ninstance\tinstances/mine\n' \
		>/run/trace-cmd-hist/9-9.journal
	mkdir $tracefs/instances/mine
	cleanup
	is "cleanup succeeds if the user has already removed the instance" \
		"$cleanup_status $cleanup_out" \
		"0 nothing to clean up"
	ok "cleanup keeps an instance that only an undo log of another boot names" \
		rmdir $tracefs/instances/mine
	is "cleanup removes the undo logs of this boot and of another boot" \
		"$(ls /run/trace-cmd-hist)" ""
}

# Many cleanups at the same time, and recorders that start meanwhile.
test_races()
{
	local before pid pids='' failed=0

	before=$(tree_state)
	for _ in 1 2 3; do
		hold_start instance "instances/h" trigger instances/h/$switch 'hist:keys=next_pid'
		hold_kill
		for _ in 1 2 3; do
			trace-cmd-hist cleanup -q 2>>races &
			pids="$pids $!"
		done
		target_tool hold instance instances/live trigger instances/live/$switch \
			'hist:keys=next_pid' </dev/null >/dev/null 2>>races &
		pids="$pids $!"
		for pid in $pids; do
			wait "$pid" || failed=1
		done
		pids=
		[ -e $tracefs/instances/h ] && failed=1
	done
	is "cleanups that run at the same time do not disturb each other or a recorder" \
		"$failed $(cat races) $(tree_state)" "0  $before"
}

export PATH="$PATH:/usr/local/bin"
test_paths
test_clocks
test_reread
test_normal_end
test_killed
test_same_trigger
test_busy
test_gone
test_races
done_testing
