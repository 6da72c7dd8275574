# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# However a recording ends, tracefs is as before, and what is the user's is
# untouched. What kill -9 leaves, cleanup removes, and only that.
#
# On 6.1 in check-long: a recording is undone by the same steps there.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

record() { trace-cmd hist record "$@"; }

# Things of a user, on the same events, that must survive everything below.
echo 'hist:keys=next_comm' >>$tracefs/events/sched/sched_switch/trigger
echo 'users_synth u64 lat' >>$tracefs/synthetic_events
mkdir $tracefs/instances/users
echo 'hist:keys=bytes_req' >>$tracefs/instances/users/events/kmem/kmalloc/trigger
before=$(tree_state)

record -o n.dat -i 50ms -e sched:sched_switch -k next_comm -e kmem:kmalloc -k bytes_req -- usleep 200000
is "a recording that ends normally leaves tracefs as before" "$? $(tree_state)" "0 $before"

record -o n.dat -e sched:sched_switch -k next_comm -- sh -c 'exit 3'
is "record exits with the status of a failed command and leaves tracefs as before" \
	"$? $(tree_state)" "3 $before"

cp n.dat old.dat
record -o n.dat -e sched:sched_switch -k next_comm -- /no/such/command 2>said
is "record exits with 2 and leaves tracefs as before if the command is missing" \
	"$? $(tree_state)" "2 $before"
like "the error message names the missing command" \
	"$(cat said)" '^trace-cmd hist: error: /no/such/command: No such file'
ok "the old output file stays if the command is missing" cmp n.dat old.dat

for signal in INT TERM HUP; do
	rm -f s.dat
	trace-cmd hist record -o s.dat -i 50ms -e sched:sched_switch -k next_comm &
	pid=$!
	wait_until [ -s s.dat ]
	kill -$signal $pid
	wait $pid
	is "SIG$signal ends a recording with status 0 and leaves tracefs as before" \
		"$? $(tree_state)" "0 $before"
done

rm -f s.dat
(trap "" HUP; exec trace-cmd hist record -o s.dat -i 50ms -e sched:sched_switch -k next_comm) &
pid=$!
wait_until [ -s s.dat ]
kill -HUP $pid
rm -f t.dat
record -i 20ms -o t.dat -e sched:sched_switch -k next_comm -- true
ok "a recording that ignores SIGHUP, as under nohup, survives the signal" kill -0 $pid
kill -TERM $pid
wait $pid
is "SIGTERM ends a recording that ignores SIGHUP and leaves tracefs as before" \
	"$? $(tree_state)" "0 $before"

# The second event is one that only the kernel rejects: its place in a file is
# gone when it is to be counted.
truncate -s 8192 shrinks
echo "p:users/gone $PWD/shrinks:0x1000" >>$tracefs/uprobe_events
: >shrinks
with_probe=$(tree_state)
record -o n.dat -e sched:sched_switch -k next_comm -e users:gone -k common_pid -- true 2>said
is "tracefs is as before if the kernel rejects the trigger of the second event" \
	"$? $(tree_state)" "2 $with_probe"
like "the error message names the event and the trigger that the kernel rejects" \
	"$(cat said)" 'users:gone: the kernel rejects "hist:keys=common_pid"'
is "the message about the refused trigger is an error and a hint at most" \
	"$(sed -n 1d\;/^hint:/!p said)" ""
echo '-:users/gone' >>$tracefs/uprobe_events
# Names of functions are the kernel's to know; filters have them since 6.3.
if grep -q common_stacktrace $tracefs/README; then
	record -o n.dat -e sched:sched_switch -k next_comm \
		-e kmem:kmalloc -k ptr -f 'call_site.function == "nosuch_function"' -- true 2>said
	is "tracefs is as before if the kernel rejects a filter" "$? $(tree_state)" "2 $before"
	like "the error message has the kernel's reason for the refused filter" \
		"$(cat said)" 'the kernel rejects .*: Function not found'
fi
ok "the old output file stays if the kernel rejects a trigger" cmp n.dat old.dat

# A chain of triggers goes in reverse order.
record -o c.dat -e sched:sched_waking -R 'hist:keys=pid:ts0=common_timestamp.usecs:clock=mono' \
	-e sched:sched_switch \
	-R 'hist:keys=next_pid:w=common_timestamp.usecs-$ts0:clock=mono:onmatch(sched.sched_waking).trace(users_synth,$w)' \
	-e synthetic:users_synth -k lat.log2 -- usleep 100000
is "a recording of a chain of triggers leaves tracefs as before" "$? $(tree_state)" "0 $before"

# Killed: cleanup takes away what was ours, in a private instance, in the
# user's, and in one of our making; a recording that runs is left alone.
started()
{
	rm -f k.dat
	trace-cmd hist record "$@" -o k.dat -i 20ms &
	pid=$!
	wait_until [ -s k.dat ]
}
started -e sched:sched_switch -k next_comm
kill -KILL $pid
wait $pid
ok "a recording killed by SIGKILL leaves changes in tracefs" [ "$(tree_state)" != "$before" ]
trace-cmd hist record -o l.dat -i 20ms -e kmem:kmalloc -k call_site &
living=$!
wait_until [ -s l.dat ]
like "cleanup --dry-run lists the instance of a killed recording" \
	"$(trace-cmd hist cleanup --dry-run)" 'trace-cmd-hist-'
ok "cleanup succeeds while another recording runs" trace-cmd hist cleanup
ok "the other recording still runs after cleanup" kill -0 $living
ok "the other recording keeps its instance after cleanup" \
	sh -c "ls -d $tracefs/instances/trace-cmd-hist-$living-*"
kill -INT $living
wait $living
is "the other recording ends with status 0, and tracefs is as before" "$? $(tree_state)" "0 $before"

started -B users -P $$ -C mono -e kmem:kmalloc -k bytes_req.log2 -k call_site
kill -KILL $pid
wait $pid
like "the trigger of a killed recording stays in the user's instance" \
	"$(cat $tracefs/instances/users/events/kmem/kmalloc/trigger)" 'log2'
trace-cmd hist cleanup >/dev/null
is "cleanup leaves the user's instance as it was before the killed recording" \
	"$? $(tree_state)" "0 $before"

started -B ours -e sched:sched_waking -R 'hist:keys=pid:ts0=common_timestamp.usecs:clock=mono' \
	-e sched:sched_switch \
	-R 'hist:keys=next_pid:w=common_timestamp.usecs-$ts0:clock=mono:onmatch(sched.sched_waking).trace(users_synth,$w)'
kill -KILL $pid
wait $pid
trace-cmd hist cleanup >/dev/null
is "cleanup removes a killed chain of triggers and the instance that -B created" \
	"$? $(tree_state)" "0 $before"
like "a further cleanup finds nothing to clean up" "$(trace-cmd hist cleanup)" 'nothing to clean up'

if [ -n "${CHECK_LONG-}" ]; then
	# A disk that fills up: 40 KB, of which the first snapshots take some.
	mkdir small && mount -t tmpfs -o size=40k none small
	trace-cmd hist record -o small/f.dat -i 20ms -d 100 -e raw_syscalls:sys_enter -k common_pid,id \
		-e raw_syscalls:sys_exit -k common_pid,id,ret 2>said &
	pid=$!
	wait_until [ -s small/f.dat ]
	load_start
	wait $pid
	is "a full disk ends a recording with status 2 and leaves tracefs as before" \
		"$? $(load_stop; tree_state)" "2 $before"
	like "the error message about the full disk is one line" \
		"$(wc -l <said) $(cat said)" '^1 trace-cmd hist: error: small/f.dat: No space left'
	like "report reads a recording that a full disk ended" \
		"$(trace-cmd hist report small/f.dat 2>&1)" 'Hits: [1-9]'
	ok "stock trace-cmd report reads a recording that a full disk ended" trace-cmd report small/f.dat
	umount small
fi

rmdir $tracefs/instances/users
echo '!users_synth' >>$tracefs/synthetic_events
echo '!hist:keys=next_comm' >>$tracefs/events/sched/sched_switch/trigger
done_testing
