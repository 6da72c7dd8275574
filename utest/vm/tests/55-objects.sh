# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2016
#
# Probes and synthetic events: what they count is known exactly, as
# probe_victim N calls each of its functions N times. Whatever goes wrong, ours
# are gone and those of a user stay.
#
# Chains, what is refused, pauses and kills are in check-long.
#
# On 6.1 in check-long: 30-kinds.sh is the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/objects
cd /tmp/objects || bail "no directory"

record() { trace-cmd hist record -q -i 0 -o o.dat "$@"; }
# What the last recording says: "HITS ROW=COUNT ROW=COUNT...", rows sorted.
counts()
{
	trace-cmd hist report --view table o.dat | sed -n 's/^ *Hits: //p; s/^{ *\([^}]*[^} ]\) *} hitcount: *\([0-9]*\).*/\1=\2/p' |
		sed 's/:  */:/g; s/ *, */,/g' | sort | xargs
}

# Things of a user that must survive everything below.
echo 'p:users/open do_sys_openat2 dfd=$arg1:s32' >>$tracefs/kprobe_events
echo 'users_synth u64 lat' >>$tracefs/synthetic_events
echo 'hist:keys=common_pid:name=theirs' >>$tracefs/events/users/open/trigger
mkdir $tracefs/instances/users
echo mono >$tracefs/instances/users/trace_clock
echo 'hist:keys=next_pid' >>$tracefs/instances/users/events/sched/sched_switch/trigger
echo 'hist:keys=id.syscall:pause' >>$tracefs/instances/users/events/raw_syscalls/sys_enter/trigger
before=$(tree_state)
# The same, but only of the places that the tests touch: quicker.
objects()
{
	(
	cd $tracefs || exit
	cat dynamic_events synthetic_events trace_clock events/users/open/trigger
	ls instances
	cd instances/users || exit
	cat trace_clock tracing_on set_event events/sched/sched_switch/trigger events/raw_syscalls/sys_enter/trigger
	)
}
few=$(objects)

record --kprobe 'do_sys_openat2 dfd=$arg1:s32 file=+0($arg2):ustring' -k dfd,file \
	-f 'dfd == -77' -- probe_victim 200
is "a kprobe with arguments counts every call" "$? $(counts | cut -d ' ' -f 1)" "0 200"
# a string of a page that is not there yet is empty
like "a string argument of a kprobe shows the file name" \
	"$(counts)" '(^| )dfd:-77,file:victim-file=(19[0-9]|200)( |$)'
record --kprobe 'do_sys_openat2%return ret=$retval:s32' -k ret -f 'ret == -9' -- probe_victim 200
is "a kretprobe counts every return with its value" "$? $(counts)" "0 200 ret:EBADF [-9]=200"
# one return at a time can be waited for: what is in no row was missed, and all is told
record --kprobe 'r1:mine/nap hrtimer_nanosleep' -k common_pid -- \
	sh -c 'sleep 1 & sleep 1 & sleep 1 & sleep 1 & wait' 2>misses
hits=$(counts | cut -d ' ' -f 1)
missed=$(trace-cmd hist report --format json o.dat | sed -n 's/^ *"probe_misses": \([0-9]*\),$/\1/p')
is "hits and misses of a kretprobe add up to the number of calls" \
	"$((hits + missed)) $((missed > 0))" "4 1"
like "record reports how many hits the probe missed" \
	"$(cat misses)" "warning: mine:nap: the probe missed $missed hits, which are not in any row"
like "report shows how many hits the probe missed" \
	"$(trace-cmd hist report o.dat)" "the probe missed $missed hits?, which"
record --uprobe 'probe_victim:victim_add a=$arg1:s32 b=$arg2:s32' -k a,b -- probe_victim 200
is "a uprobe in a position-independent program counts every call" "$? $(counts)" \
	"0 200 a:0,b:7=50 a:1,b:7=50 a:2,b:7=50 a:3,b:7=50"
like "the JSON marks the misses of a uprobe as unknown" \
	"$(trace-cmd hist report --format json o.dat)" '"probe_misses": null'
like "diff shows that the misses of a uprobe are unknown" "$(trace-cmd hist diff o.dat -- o.dat)" 'probe misses unknown'
# paused by another while it is recorded; by us, at its end, is another thing
like "the pause at the end of a recording is not marked as stopped" \
	"$(trace-cmd hist report --format json o.dat)" '"flags": \[ "paused" \]'
cat >pause.sh <<'END'
cd "$1/instances/$TRACE_CMD_HIST_INSTANCE" || exit 1
until grep -q 'hist-snapshot: .*seq=1 ' trace; do :; done
echo 'hist:keys=next_pid:pause' >>events/sched/sched_switch/trigger
until grep -q 'hist-snapshot: .*seq=4 ' trace; do :; done
END
record -i 100ms -e sched:sched_switch -k next_pid -- sh pause.sh $tracefs 2>paused
is "record exits with 0 if another program pauses the trigger" $? 0
like "record reports that another program paused the trigger" \
	"$(cat paused)" 'warning: sched:sched_switch: the trigger was paused at [0-9]+ snapshots?;'
like "the JSON marks a trigger that another program paused as stopped" \
	"$(trace-cmd hist report --format json o.dat)" '"flags": \[ "paused", "stopped" \]'
like "the JSON does not mark the first snapshot, which was taken before the pause" \
	"$(trace-cmd hist report --snapshot 0 --format json o.dat)" '"flags": \[\]'
record --uprobe 'sum=probe_victim:victim_add%return ret=$retval:s32' -k ret -- probe_victim 200
is "a uretprobe counts every return with its value" \
	"$? $(counts)" "0 200 ret:10=50 ret:7=50 ret:8=50 ret:9=50"
record --uprobe 'probe_victim_fixed:victim_add a=$arg1:s32' -k a -- probe_victim_fixed 40
is "a uprobe in a program that is not position-independent counts every call" \
	"$? $(counts)" "0 40 a:0=10 a:1=10 a:2=10 a:3=10"
record --uprobe /usr/local/bin/probe_victim_stripped:victim_exported%return' r=$retval:s32' -k r \
	-- probe_victim_stripped 40
is "a uretprobe counts an exported function of a stripped program" \
	"$? $(counts)" "0 40 r:-1=10 r:-2=10 r:-3=10 r:0=10"
record --uprobe 'p:mine/call probe_victim:victim_add a=$arg1' -k a -f 'a < 2' \
	--kprobe 'r:mine/ret do_sys_openat2 ret=$retval:s32' -k ret -f 'ret == -9' -- probe_victim 40
is "a uprobe and a kretprobe in the kernel's syntax count in one recording" \
	"$? $(counts)" "0 20 40 a:0=10 a:1=10 ret:EBADF [-9]=40"
is "tracefs is as before after the recordings of probes" "$(tree_state)" "$before"
forget()
{
	echo '!hist:keys=common_pid:name=theirs' >>$tracefs/events/users/open/trigger
	rmdir $tracefs/instances/users
	echo '!users_synth' >>$tracefs/synthetic_events
	echo '-:users/open' >>$tracefs/kprobe_events
}
if [ -z "${CHECK_LONG-}" ]; then
	forget
	done_testing
fi

# A chain over probes of ours and a synthetic event of the user's.
chain='hist:keys=common_pid:w=common_timestamp.usecs-$ts0:clock=mono'
record --kprobe 'do_sys_openat2 dfd=$arg1:s32' \
	-R 'hist:keys=common_pid:ts0=common_timestamp.usecs:clock=mono if dfd == -77' \
	--kprobe 'do_sys_openat2%return' \
	-R "$chain:onmatch(tch_kprobe.do_sys_openat2).trace(users_synth,\$w)" \
	-e synthetic:users_synth -k lat.log2 -- probe_victim 200 2>said
is "a chain over two probes leaves the user's objects as before" "$? $(objects)" "0 $few"
is "a chain over two probes counts each pair of call and return once" \
	"$(trace-cmd hist report -e synthetic:users_synth o.dat |
	sed -n 's/^ *Hits: //p')" 200

# One histogram of two events.
record --uprobe 'probe_victim:victim_add' -R 'hist:keys=common_pid:name=tch_both' \
	--uprobe 'probe_victim:victim_exported' -R 'hist:keys=common_pid:name=tch_both' \
	-- probe_victim 200
is "a shared histogram counts the hits of both events" "$? $(counts | cut -d ' ' -f 1)" "0 400"
is "a shared histogram is recorded once" "$(trace-cmd hist report --list o.dat | grep -c victim_)" 1

# Marks: those of the command count, ours do not.
record -e ftrace:print -k common_pid -- sh -c "for i in 1 2 3; do
	echo mark >$tracefs/instances/\$TRACE_CMD_HIST_INSTANCE/trace_marker; done"
is "a histogram of ftrace:print counts the command's marks and no snapshot marker" \
	"$? $(counts | cut -d ' ' -f 1)" "0 3"

# The events of a probe beside its histogram.
record --events --uprobe 'call=probe_victim:victim_add a=$arg1' -k a -- probe_victim 20
is "--events records the events of a probe" \
	"$? $(trace-cmd report o.dat | grep -c ' call: ') $(objects)" "0 20 $few"

# refused DESC REGEX OPTIONS...: status 2, a message, and nothing has changed.
refused()
{
	local desc=$1 regex=$2 status=0

	shift 2
	record "$@" -- true 2>said || status=$?
	is "$desc is refused with status 2, and nothing changes" "$status $(objects)" "2 $few"
	like "the message about $desc names the problem" "$(tr '\n' ' ' <said)" "^trace-cmd hist: error: .*$regex"
	# a hint, and the kernel's command and caret, are the only further lines
	is "the message about $desc is one line, with a caret and a hint at most" \
		"$(sed 1d said | grep -vcE '^(  |hint: )')" 0
}
good='good=probe_victim:victim_add a=$arg1'
refused "a second probe on an unknown function" \
	'": no such function, or it was inlined hint: did you mean "do_sys_openat2"\?' \
	--uprobe "$good" -k a --kprobe 'do_sys_openat22' -k common_pid
refused "a second probe with an invalid argument" '[Ii]nvalid' \
	--uprobe "$good" -k a --kprobe 'do_sys_openat2 x=$nosuch' -k common_pid
like "a caret marks the invalid argument of the probe" "$(tail -n 1 said)" '^ +\^$'
refused "a probe in the middle of an instruction" 'do_sys_openat2\+1": .*instruction' \
	--uprobe "$good" -k a --kprobe 'do_sys_openat2+0x1' -k common_pid
refused "a probe where the kernel allows none" 'exc_int3": a probe is not possible at this address' \
	--uprobe "$good" -k a --kprobe exc_int3 -k common_pid
refused "a probe with the name of a user's event" 'users:open: this event already exists hint: choose another name' \
	--uprobe "$good" -k a --kprobe 'users:open=do_sys_openat2' -k common_pid
refused "a probe name that is given twice" 'tch_uprobe:good: defined twice hint: rename one of them' \
	--uprobe "$good" -k a --uprobe 'good=probe_victim:victim_exported' -k common_pid
refused "a key that the probe does not have" 'no field "b"' --uprobe "$good" -k b
refused "a bad trigger of two that share a histogram" 'no field "b"' \
	--uprobe "$good" -R 'hist:keys=a:name=tch_two' \
	--uprobe 'probe_victim:victim_exported' -R 'hist:keys=b:name=tch_two'
refused "a bad trigger after a good trigger" 'refuses|no variable|nosuch' --uprobe "$good" -k a \
	-R 'hist:keys=a:x=$nosuch'
refused "an unknown clock" '-C sundial: unknown trace clock' -C sundial --uprobe "$good" -k a
refused "an unexported function of a stripped program" 'stripped' \
	--uprobe 'probe_victim_stripped:victim_add' -k common_pid
refused "a trigger that could pause the user's histogram" 'could pause .*, a trigger that another program set hint: remove :pause, or leave out -B to use a private instance' -B users \
	-e sched:sched_switch -R 'hist:keys=next_pid:pause'
refused "a trigger that clears the user's histogram" \
	'clear' -B users -e sched:sched_switch -R 'hist:keys=next_pid:clear'
refused "a trigger that continues the user's histogram" \
	'cont' -B users -e raw_syscalls:sys_enter -R 'hist:keys=id.syscall:cont'
refused "a trigger that the user has already set" \
	'another program has already set an equal trigger .*hint: change the keys, values or actions, or leave out -B to use a private instance' -B users -e sched:sched_switch -k next_pid
refused "a trigger with the name of a user's histogram" 'name=theirs: events/users/open already has a histogram with this name' \
	-e sched:sched_switch -R 'hist:keys=common_pid:name=theirs'

is "tracefs is as before after the refused recordings" "$(tree_state)" "$before"

# A trigger of ours that starts paused stays empty, and goes.
record -B users -e sched:sched_switch -R 'hist:keys=prev_pid:pause' -- usleep 50000
is "a trigger that starts paused counts nothing and is removed" "$? $(counts) $(objects)" "0 0 $few"

# Killed: cleanup takes probes away, but for one that somebody uses.
trace-cmd hist record -q -o k.dat -i 20ms --uprobe "$good" -k a --kprobe 'do_sys_openat2' -k common_pid &
pid=$!
wait_until [ -s k.dat ]
kill -KILL $pid
wait $pid
like "the probes of a killed recording stay" "$(cat $tracefs/dynamic_events)" '^p:tch_uprobe/good'
like "cleanup --dry-run lists a probe of the killed recording" \
	"$(trace-cmd hist cleanup --dry-run)" \
	'would remove from dynamic_events: tch_kprobe/do_sys_openat2'
echo 'hist:keys=common_pid' >>$tracefs/instances/users/events/tch_uprobe/good/trigger
trace-cmd hist cleanup >/dev/null 2>said
is "cleanup exits with 2 and keeps a probe that is in use" \
	"$? $(grep -c tch_ $tracefs/dynamic_events)" "2 1"
like "cleanup reports the probe that is in use" \
	"$(cat said)" 'cannot remove tch_uprobe/good: the event is enabled, or a trigger uses it'
echo '!hist:keys=common_pid' >>$tracefs/instances/users/events/tch_uprobe/good/trigger
ok "cleanup succeeds once the probe is no longer in use" trace-cmd hist cleanup
is "cleanup removes the probes and keeps the user's objects" "$(tree_state)" "$before"

forget
done_testing
