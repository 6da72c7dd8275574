# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2016
#
# Triggers that refer to others: what the kernel would refuse is refused before
# anything is written, with a caret under it, and what it takes is taken.
#
# "Before" is proved by a tracefs that cannot be written: the same message comes
# from there, and a good chain comes as far as its first write and no further.
#
# On 6.1 in check-long: what a chain may refer to is checked before the kernel sees it.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/chains
cd /tmp/chains || bail "no directory"

echo 'users_lat u64 lat; pid_t pid' >>$tracefs/synthetic_events
mkdir $tracefs/instances/users
echo 'hist:keys=pid:theirs=common_timestamp.usecs:clock=mono' \
	>>$tracefs/instances/users/events/sched/sched_waking/trigger
echo 'hist:keys=prio' >>$tracefs/instances/users/events/sched/sched_waking/trigger
echo 'disable_hist:sched:sched_waking:3 if pid == -1' \
	>>$tracefs/instances/users/events/sched/sched_wakeup/trigger
before=$(tree_state)

# read_only COMMAND...: with all of tracefs read-only.
cat >read_only <<'END'
#!/bin/sh
mount -o bind $tracefs $tracefs && mount -o remount,bind,ro $tracefs && exec "$@"
END
chmod +x read_only
read_only() { unshare -m ./read_only "$@"; }

# refused DESC REGEX CARET COMMAND...: CARET is what the caret stands under.
refused()
{
	local desc=$1 regex=$2 caret=$3 status=0

	shift 3
	read_only "$@" >out 2>said </dev/null || status=$?
	is "$desc fails with status 2 and prints three lines and a hint" \
		"$status $(grep -vc '^hint: ' said)" "2 3"
	like "the message about $desc names the problem" \
		"$(grep -v '^  ' said | tr '\n' '~')" "^trace-cmd hist: error: $regex"
	is "the caret for $desc marks the wrong text" "$(awk 'NR == 2 { text = $0 }
		NR == 3 { match($0, /\^~*/); print substr(text, RSTART, RLENGTH) }' said)" "$caret"
}
record="trace-cmd hist record -q -o x.dat"
start='hist:keys=pid:ts0=common_timestamp.usecs:clock=mono'
end='hist:keys=next_pid:w=common_timestamp.usecs-$ts0:clock=mono'
match='onmatch(sched.sched_waking)'

# The good one, in three orders; where it can be written nothing is refused.
ok "record accepts a chain of two triggers and a synthetic event" \
	$record -e sched:sched_waking -R "$start" \
	-e sched:sched_switch -R "$end:$match.trace(users_lat,\$w,next_pid)" \
	-e synthetic:users_lat -k pid -- usleep 100000
like "the synthetic event of a chain counts hits" \
	"$(trace-cmd hist report --view table -e synthetic:users_lat x.dat)" 'hitcount: +[1-9]'
ok "record accepts the histogram of a synthetic event before the chain" \
	$record -e synthetic:users_lat -k lat.log2 \
	-e sched:sched_waking -R "$start" \
	-e sched:sched_switch -R "$end:$match.trace(users_lat,\$w,next_pid)" -- usleep 100000
like "a histogram that comes before its chain counts hits" \
	"$(trace-cmd hist report --view table -e synthetic:users_lat x.dat)" 'hitcount: +[1-9]'
ok "trace() accepts a field of the event of onmatch()" $record -e sched:sched_waking -R "$start" \
	-e sched:sched_switch -R "$end:$match.trace(users_lat,\$w,pid)" -- true
ok "a variable that two events set is accepted with the name of its event" \
	$record -e sched:sched_waking -R "$start" \
	-e sched:sched_wakeup -R "$start" -e sched:sched_switch \
	-R 'hist:keys=next_pid:w=common_timestamp.usecs-sched.sched_wakeup.$ts0:clock=mono' -- true
ok "onchange() accepts a variable of its own trigger" $record -e sched:sched_switch \
	-R 'hist:keys=next_pid:p=prev_pid:onchange($p).save(prev_comm)' -- true
is "recordings with chains leave tracefs unchanged" "$(tree_state)" "$before"
good="$record -e sched:sched_waking -R $start"
read_only $good -- true >out 2>said
is "a good chain fails at its first write if tracefs is read-only" \
	"$? $(grep -ci 'read-only' said)" "2 1"

refused "an unknown variable" 'no variable "\$ts1"~hint: did you mean "\$ts0"' '$ts1' \
	$good -e sched:sched_switch -R 'hist:keys=next_pid:w=common_timestamp.usecs-$ts1'
refused "an unknown variable with --dry-run" 'no variable "\$ts1"' '$ts1' \
	$good --dry-run -e sched:sched_switch -R 'hist:keys=next_pid:w=common_timestamp.usecs-$ts1'
refused "an unknown variable in top" 'no variable "\$ts1"' '$ts1' trace-cmd hist top -b -n 1 \
	-e sched:sched_waking -R "$start" \
	-e sched:sched_switch -R 'hist:keys=next_pid:w=common_timestamp.usecs-$ts1'
refused "a variable that a later trigger sets" \
	'no variable "\$ts0"~hint: define it with ts0=... in an earlier trigger' '$ts0' \
	$record -e sched:sched_switch -R "$end" -e sched:sched_waking -R "$start"
refused "a variable that two events set" '"\$ts0" is set by triggers of several events' '$ts0' \
	$good -e sched:sched_wakeup -R "$start" -e sched:sched_switch -R "$end"
refused "a variable of an event that does not set it" \
	'no variable "\$ts0"' 'sched.sched_wakeup.$ts0' \
	$good -e sched:sched_switch -R 'hist:keys=next_pid:w=sched.sched_wakeup.$ts0'
refused "a variable that is set twice" 'the variable "ts0" is set twice' ts0 \
	$good -R 'hist:keys=pid,prio:ts0=common_timestamp'
refused "a repeated trigger" 'this trigger duplicates an earlier trigger: the kernel does not compare size, clock, bucket width or operators' 'keys=pid' \
	$record -e sched:sched_waking -R hist:keys=pid -R hist:keys=pid
refused "an unknown synthetic event" 'no synthetic event "users_lot"~hint: did you mean "users_lat"' \
	users_lot $good -e sched:sched_switch -R "$end:$match.trace(users_lot,\$w,next_pid)"
refused "a trace() with too many parameters" \
	'users_lat has 2 fields, but 3 parameters are given' next_prio \
	$good -e sched:sched_switch -R "$end:$match.trace(users_lat,\$w,next_pid,next_prio)"
refused "a trace() with too few parameters" 'users_lat has 2 fields, but 1 parameter is given' ')' \
	$good -e sched:sched_switch -R "$end:$match.trace(users_lat,\$w)"
refused "a string parameter for a number field" \
	'type mismatch: "next_comm" is char\[16\], but the field "pid" of users_lat is ' next_comm \
	$good -e sched:sched_switch -R "$end:$match.trace(users_lat,\$w,next_comm)"
refused "an unknown event in onmatch()" \
	'sched:sched_wakinx: no such event~hint: did you mean "sched_waking"' sched.sched_wakinx \
	$good -e sched:sched_switch -R "$end:onmatch(sched.sched_wakinx).trace(users_lat,\$w,next_pid)"
refused "an unknown system in onmatch()" \
	'shed:sched_waking: no such event~hint: did you mean "sched"' shed.sched_waking \
	$good -e sched:sched_switch -R "$end:onmatch(shed.sched_waking).trace(users_lat,\$w,next_pid)"
refused "a path as the event of onmatch()" 'sched:\.\./irq: no such event' sched.../irq \
	$good -e sched:sched_switch -R "$end:onmatch(sched.../irq).trace(users_lat,\$w,next_pid)"
refused "a field of an event without a histogram" \
	'sched:sched_wakeup: no histogram has the key types of this trigger' sched.sched_wakeup.pid \
	$good -e sched:sched_switch -R "$end:$match.trace(users_lat,\$w,sched.sched_wakeup.pid)"
refused "an unknown trace clock" 'clock=sundial: unknown trace clock~hint: use one of: .*mono' sundial \
	$record -e sched:sched_waking -R hist:keys=pid:clock=sundial

# A latency keeps its worst: who ran before, on which CPU, and when.  Of the whole snapshot: the
# worst may be from the set-up, so that of a difference may be a limit.  Who ran before is not known
# if the task waited longer between the two reads of a snapshot.
ok "record --latency takes save() of the task before" $record \
	--latency sched:sched_waking:pid..sched:sched_switch:next_pid -- usleep 100000
like "report shows the worst of a latency with the task before" \
	"$(trace-cmd hist report --snapshot 1 x.dat)" \
	'^worst: [0-9.]+ [mu]?s at [0-9]+\.[0-9]{6}, CPU [0-9]+, (after .+/[0-9]+ \[(DL|(RT|nice) -?[0-9]+)\]|pid [0-9]+)$'

ok "two latencies with the same END save both" $record \
	--latency sched:sched_waking:pid..sched:sched_switch:next_pid \
	--latency sched:sched_switch:prev_pid..sched:sched_switch:next_pid -- usleep 100000
is "both of them show a worst" \
	"$(trace-cmd hist report --snapshot 1 x.dat | grep -c '^worst: .*, CPU [0-9]')" 2

# What is to be made is known before it is.
refused "a key that --latency does not create" \
	'--latency: no field "lat_uz" in sched:sched_switch or sched:sched_waking~hint: did you mean "lat_us"' lat_uz \
	$record --latency sched:sched_waking:pid..sched:sched_switch:next_pid:usecs -R hist:keys=lat_uz
refused "a filter field that --latency does not create" \
	'--latency: no field "next_com" in sched:sched_switch or sched:sched_waking~hint: did you mean "next_comm"' next_com \
	$record --latency sched:sched_waking:pid..sched:sched_switch:next_pid -k lat.log2 -f 'next_com == "x"'
refused "a key that --sql does not create" \
	'sql:sched_waking..sched_switch: no field "nosuch"~hint: use one of: next_pid, lat' nosuch \
	$record --sql 'SELECT end.next_pid, (end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) AS lat
		FROM sched_waking AS start JOIN sched_switch AS end ON start.pid = end.next_pid' -k nosuch
printf '# Waking to running\n-e sched:sched_waking\n-R %s\n-e sched:sched_switch\n-R %s\n' \
	"$start" 'hist:keys=next_pid:w=common_timestamp.usecs-$ts' >bad.recipe
refused "an unknown variable in a preset" \
	'no variable "\$ts"~hint: did you mean "\$ts0"' '$ts' $record --preset ./bad.recipe
refused "an unknown variable next to a --kprobe" 'no variable "\$ts1"' '$ts1' $good \
	-e sched:sched_switch -R 'hist:keys=next_pid:w=common_timestamp.usecs-$ts1' \
	--kprobe do_sys_openat2 -k common_pid
refused "a field of a probe event without a histogram" 'tch_kprobe:do_sys_openat2: no histogram has the key types of this trigger' \
	tch_kprobe.do_sys_openat2.dfd $good -e sched:sched_switch \
	-R "$end:onmatch(tch_kprobe.do_sys_openat2).trace(users_lat,\$w,tch_kprobe.do_sys_openat2.dfd)" \
	--kprobe 'do_sys_openat2 dfd=$arg1:s32' -k common_pid

# In an instance of others: their triggers are part of it.
ok "record -B accepts a variable of a trigger that the instance already has" $record -B users \
	-e sched:sched_switch -R 'hist:keys=next_pid:w=common_timestamp.usecs-$theirs:clock=mono' -- true
refused "a misspelled variable of an existing trigger" \
	'no variable "\$their"~hint: did you mean "\$theirs"' '$their' \
	$record -B users -e sched:sched_switch -R 'hist:keys=next_pid:w=common_timestamp.usecs-$their'
refused "a variable of a trigger in another instance" 'no variable "\$theirs"' '$theirs' \
	$record -e sched:sched_switch -R 'hist:keys=next_pid:w=common_timestamp.usecs-$theirs'
refused "a second definition of an existing variable" 'the variable "theirs" is set twice' theirs \
	$record -B users -e sched:sched_waking -R 'hist:keys=prio:theirs=pid'
refused "a trigger that the instance already has" 'another program has already set an equal trigger' \
	keys=prio $record -B users -e sched:sched_waking -R hist:keys=prio
ok "record -B accepts a chain for an instance that does not exist yet" \
	$record -B fresh -e sched:sched_waking -R "$start" \
	-e sched:sched_switch -R "$end" -- true
is "accepted and refused recordings leave tracefs unchanged" "$(tree_state)" "$before"

# one whose variable was referred to cannot go with the instance
echo '!hist:keys=pid:theirs=common_timestamp.usecs:clock=mono' \
	>>$tracefs/instances/users/events/sched/sched_waking/trigger
rmdir $tracefs/instances/users
echo '!users_lat' >>$tracefs/synthetic_events
done_testing
