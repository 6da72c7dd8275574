# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2016
#
# Probes and synthetic events: what they count is known exactly, as
# probe_victim N calls each of its functions N times. Whatever goes wrong, ours
# are gone and those of a user stay.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/objects
cd /tmp/objects || bail "no directory"

record() { trace-cmd hist record -q -i 0 -o o.dat "$@"; }
# What the last recording says: "HITS ROW=COUNT ROW=COUNT...", rows sorted.
counts()
{
	trace-cmd hist report o.dat | sed -n 's/^ *Hits: //p; s/^{ *\([^}]*[^} ]\) *} hitcount: *\([0-9]*\).*/\1=\2/p' |
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
is "a kprobe with its arguments" "$? $(counts | cut -d ' ' -f 1)" "0 200"
# a string of a page that is not there yet is empty
like "the file's name" "$(counts)" '(^| )dfd:-77,file:victim-file=(19[0-9]|200)( |$)'
record --kprobe 'do_sys_openat2%return ret=$retval:s32' -k ret -f 'ret == -9' -- probe_victim 200
is "a kretprobe, and what is returned" "$? $(counts)" "0 200 ret:-9=200"
# one return at a time can be waited for: what is in no row was missed, and all is told
record --kprobe 'r1:mine/nap hrtimer_nanosleep' -k common_pid -- \
	sh -c 'sleep 1 & sleep 1 & sleep 1 & sleep 1 & wait' 2>misses
hits=$(counts | cut -d ' ' -f 1)
missed=$(trace-cmd hist report --format json o.dat | sed -n 's/^ *"probe_misses": \([0-9]*\),$/\1/p')
is "hits and misses of a kretprobe are all calls" "$((hits + missed)) $((missed > 0))" "4 1"
like "record says what the probe missed" "$(cat misses)" "mine:nap: the probe missed $missed hits"
like "so does report" "$(trace-cmd hist report o.dat)" "$missed hits? w(as|ere) missed by the probe"
record --uprobe 'probe_victim:victim_add a=$arg1:s32 b=$arg2:s32' -k a,b -- probe_victim 200
is "a uprobe in a PIE" "$? $(counts)" \
	"0 200 a:0,b:7=50 a:1,b:7=50 a:2,b:7=50 a:3,b:7=50"
like "misses of a uprobe are unknown" "$(trace-cmd hist report --format json o.dat)" '"probe_misses": null'
# paused by another while it is recorded; by us, at its end, is another thing
like "our own pause is not another's" "$(trace-cmd hist report --format json o.dat)" '"flags": \[ "paused" \]'
cat >pause.sh <<'END'
cd "$1/instances/$TRACE_CMD_HIST_INSTANCE" || exit 1
until grep -q 'hist-snapshot: .*seq=1 ' trace; do :; done
echo 'hist:keys=next_pid:pause' >>events/sched/sched_switch/trigger
until grep -q 'hist-snapshot: .*seq=4 ' trace; do :; done
END
record -i 100ms -e sched:sched_switch -k next_pid -- sh pause.sh $tracefs 2>paused
is "paused by another: status" $? 0
like "record says that another paused it" "$(cat paused)" 'another program or trigger had paused the trigger'
like "report marks it" "$(trace-cmd hist report --format json o.dat)" '"flags": \[ "paused", "stopped" \]'
like "the first snapshot was not paused" "$(trace-cmd hist report --snapshot 0 --format json o.dat)" '"flags": \[\]'
record --uprobe 'sum=probe_victim:victim_add%return ret=$retval:s32' -k ret -- probe_victim 200
is "a uretprobe" "$? $(counts)" "0 200 ret:10=50 ret:7=50 ret:8=50 ret:9=50"
record --uprobe 'probe_victim_fixed:victim_add a=$arg1:s32' -k a -- probe_victim_fixed 40
is "a program that is no PIE" "$? $(counts)" "0 40 a:0=10 a:1=10 a:2=10 a:3=10"
record --uprobe /usr/local/bin/probe_victim_stripped:victim_exported%return' r=$retval:s32' -k r \
	-- probe_victim_stripped 40
is "what a stripped program exports" "$? $(counts)" "0 40 r:-1=10 r:-2=10 r:-3=10 r:0=10"
record --uprobe 'p:mine/call probe_victim:victim_add a=$arg1' -k a -f 'a < 2' \
	--kprobe 'r:mine/ret do_sys_openat2 ret=$retval:s32' -k ret -f 'ret == -9' -- probe_victim 40
is "two probes in the kernel's own words" "$? $(counts)" "0 20 40 a:0=10 a:1=10 ret:-9=40"
is "all are gone" "$(tree_state)" "$before"

# A chain over probes of ours and a synthetic event of the user's.
chain='hist:keys=common_pid:w=common_timestamp.usecs-$ts0:clock=mono'
record --kprobe 'do_sys_openat2 dfd=$arg1:s32' \
	-R 'hist:keys=common_pid:ts0=common_timestamp.usecs:clock=mono if dfd == -77' \
	--kprobe 'do_sys_openat2%return' \
	-R "$chain:onmatch(tch_kprobe.do_sys_openat2).trace(users_synth,\$w)" \
	-e synthetic:users_synth -k lat.log2 -- probe_victim 200 2>said
is "a chain" "$? $(objects)" "0 $few"
is "counts each pair once" "$(trace-cmd hist report -e synthetic:users_synth o.dat |
	sed -n 's/^ *Hits: //p')" 200

# One histogram of two events.
record --uprobe 'probe_victim:victim_add' -R 'hist:keys=common_pid:name=tch_both' \
	--uprobe 'probe_victim:victim_exported' -R 'hist:keys=common_pid:name=tch_both' \
	-- probe_victim 200
is "a shared histogram is of both events" "$? $(counts | cut -d ' ' -f 1)" "0 400"
is "and is recorded once" "$(trace-cmd hist report --list o.dat | grep -c victim_)" 1

# Marks: those of the command count, ours do not.
record -e ftrace:print -k common_pid -- sh -c "for i in 1 2 3; do
	echo mark >$tracefs/instances/\$TRACE_CMD_HIST_INSTANCE/trace_marker; done"
is "trace_marker" "$? $(counts | cut -d ' ' -f 1)" "0 3"

# The events of a probe beside its histogram.
record --events --uprobe 'call=probe_victim:victim_add a=$arg1' -k a -- probe_victim 20
is "events of a probe" "$? $(trace-cmd report o.dat | grep -c ' call: ') $(objects)" "0 20 $few"

# refused DESC REGEX OPTIONS...: status 2, a message, and nothing has changed.
refused()
{
	local desc=$1 regex=$2 status=0

	shift 2
	record "$@" -- true 2>said || status=$?
	is "$desc" "$status $(objects)" "2 $few"
	like "$desc: said" "$(cat said)" "^trace-cmd hist: .*$regex"
	# the kernel's command and caret are the only further lines
	is "$desc: one line, or a caret" "$(sed 1d said | grep -vc '^  ')" 0
}
good='good=probe_victim:victim_add a=$arg1'
refused "a second probe that the kernel refuses" '": no such function in it, or it was inlined: did you mean "do_sys_openat2"' \
	--uprobe "$good" -k a --kprobe 'do_sys_openat22' -k common_pid
refused "an argument that the kernel refuses" '[Ii]nvalid' \
	--uprobe "$good" -k a --kprobe 'do_sys_openat2 x=$nosuch' -k common_pid
like "with a caret under it" "$(tail -n 1 said)" '^ +\^$'
refused "a place within an instruction" 'do_sys_openat2\+1": .*instruction' \
	--uprobe "$good" -k a --kprobe 'do_sys_openat2+0x1' -k common_pid
refused "a place that the kernel keeps to itself" 'exc_int3": it allows no probe there' \
	--uprobe "$good" -k a --kprobe exc_int3 -k common_pid
refused "a name of the user's" 'users:open: there is an event of this name' \
	--uprobe "$good" -k a --kprobe 'users:open=do_sys_openat2' -k common_pid
refused "a name twice" 'tch_uprobe:good: asked for twice' \
	--uprobe "$good" -k a --uprobe 'good=probe_victim:victim_exported' -k common_pid
refused "a field that the probe has not" 'no field "b"' --uprobe "$good" -k b
refused "a bad one of two that share a histogram" 'no field "b"' \
	--uprobe "$good" -R 'hist:keys=a:name=tch_two' \
	--uprobe 'probe_victim:victim_exported' -R 'hist:keys=b:name=tch_two'
refused "a bad trigger behind a good one" 'refuses|no variable|nosuch' --uprobe "$good" -k a \
	-R 'hist:keys=a:x=$nosuch'
refused "a bad clock" 'no such trace clock' -C sundial --uprobe "$good" -k a
refused "no symbol in a stripped program" 'stripped' \
	--uprobe 'probe_victim_stripped:victim_add' -k common_pid
refused "the user's paused histogram" 'could pause' -B users \
	-e sched:sched_switch -R 'hist:keys=next_pid:pause'
refused "clearing it" 'clear' -B users -e sched:sched_switch -R 'hist:keys=next_pid:clear'
refused "continuing it" 'cont' -B users -e raw_syscalls:sys_enter -R 'hist:keys=id.syscall:cont'
refused "the same trigger as the user's" 'not ours' -B users -e sched:sched_switch -k next_pid
refused "the user's named histogram" 'name=theirs: events/users/open has' \
	-e sched:sched_switch -R 'hist:keys=common_pid:name=theirs'

is "nothing has changed elsewhere" "$(tree_state)" "$before"

# A trigger of ours that starts paused stays empty, and goes.
record -B users -e sched:sched_switch -R 'hist:keys=prev_pid:pause' -- usleep 50000
is "a paused trigger of ours" "$? $(counts) $(objects)" "0 0 $few"

# Killed: cleanup takes probes away, but for one that somebody uses.
trace-cmd hist record -q -o k.dat -i 20ms --uprobe "$good" -k a --kprobe 'do_sys_openat2' -k common_pid &
pid=$!
wait_until [ -s k.dat ]
kill -KILL $pid
wait $pid
like "killed, the probes are there" "$(cat $tracefs/dynamic_events)" '^p:tch_uprobe/good'
like "--dry-run tells" "$(trace-cmd hist cleanup --dry-run)" 'would remove from dynamic_events: tch_kprobe/do_sys_openat2'
echo 'hist:keys=common_pid' >>$tracefs/instances/users/events/tch_uprobe/good/trigger
trace-cmd hist cleanup >/dev/null 2>said
is "cleanup cannot take one in use" "$? $(grep -c tch_ $tracefs/dynamic_events)" "2 1"
like "and says so" "$(cat said)" 'cannot remove tch_uprobe/good: a trigger of somebody uses it'
echo '!hist:keys=common_pid' >>$tracefs/instances/users/events/tch_uprobe/good/trigger
ok "cleanup again" trace-cmd hist cleanup
is "leaves what is the user's" "$(tree_state)" "$before"

echo '!hist:keys=common_pid:name=theirs' >>$tracefs/events/users/open/trigger
rmdir $tracefs/instances/users
echo '!users_synth' >>$tracefs/synthetic_events
echo '-:users/open' >>$tracefs/kprobe_events
done_testing
