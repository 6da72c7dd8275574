# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Each command of the kernel's documentation and selftests, of our manual page and
# of our own list, is written to this kernel and checked by us: the verdicts are the same, both
# ways. Of commands changed at random we accept none that the kernel rejects.
#
# On 6.1 in check-long: utest/scripts/kernel_language.sh has its language.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh

before=$(tree_state)
# What is written into the cases themselves is what 6.12 says.
expect=
case $(uname -r) in 6.12.*) expect=-e ;; esac

# agrees NAME [OPTIONS]
agrees()
{
	local name=$1 status=0

	shift
	expr_check -k "$@" $tracefs "/language/$name.cases" >said 2>&1 || status=$?
	is "the checker and the kernel give consistent verdicts on $name.cases" $status 0
	[ $status = 0 ] || grep -A 6 -e WRONG -e '^expr_check:' said | tap_comment
	tail -n 1 said
}

agrees doc $expect
agrees tests $expect
agrees page $expect
agrees language $expect
agrees odd

cd /tmp || bail "no /tmp"

# hits FILE
hits()
{
	trace-cmd hist report "$1" 2>&1 | sed -n 's/^ *Hits: *//p'
}

# What each kernel calls the CPU, printed twice by those from 6.16.
for key in common_cpu cpu CPU,next_pid common_cpu.hex; do
	case $key in common_cpu*) grep -q common_cpu $tracefs/README || continue ;; esac
	is "a recording with the key $key prints no message" \
		"$(trace-cmd hist record -q -o cpu.dat -e sched:sched_switch -k $key \
			-- usleep 50000 2>&1)" ""
	ok "a histogram with the key $key counts hits" [ "$(hits cpu.dat)" -gt 0 ]
done
case $(uname -r) in
[0-5].* | 6.[0-9].* | 6.[0-9]-* | 6.1[0-5].* | 6.1[0-5]-*)
	like "record names the alternative if the kernel does not have common_comm" \
		"$(trace-cmd hist record -q -o comm.dat -e sched:sched_switch -k common_comm -- true 2>&1)" \
		'^hint: write common_pid.execname$' ;;
*)
	for key in common_comm comm; do
		is "a recording with the key $key prints no message" \
			"$(trace-cmd hist record -q -o comm.dat -e syscalls:sys_enter_chdir -k $key \
			-- sh -c 'printf victim >/proc/$$/comm; cd / && cd /' 2>&1)" ""
		like "the key $key shows the name of the task" \
			"$(trace-cmd hist report --format csv comm.dat)" '^row,.*,victim,hitcount,2$'
	done ;;
esac

# Switched on and off by other events: five of fifteen are counted.
cat >switched.sh <<'END'
cd / && cd / && cd /
umask 022
cd / && cd / && cd / && cd / && cd /
kill -0 $$
cd / && cd / && cd / && cd / && cd / && cd / && cd /
END
quiet=$(tree_state)
for engine in kernel user; do
	is "--engine $engine records with enable_hist and disable_hist" \
		"$(trace-cmd hist record -q -o switched.dat --engine $engine \
		-e syscalls:sys_enter_chdir -R 'hist:keys=common_pid:pause' \
		-e syscalls:sys_enter_umask -R 'enable_hist:syscalls:sys_enter_chdir:2 if mask == 18' \
		-e syscalls:sys_enter_kill -R 'disable_hist:syscalls:sys_enter_chdir' -- sh switched.sh 2>&1 |
		grep -v '^user-space engine: ')" ""
	is "--engine $engine counts only from enable_hist to disable_hist" "$(hits switched.dat)" 5
	is "--engine $engine leaves no enable_hist and no disable_hist trigger" \
		"$(tree_state)" "$quiet"
done
trace-cmd hist record -q -o killed.dat -e syscalls:sys_enter_chdir -R 'hist:keys=common_pid:pause' \
	-e syscalls:sys_enter_umask -R 'enable_hist:syscalls:sys_enter_chdir' 2>/dev/null &
killed=$!
# shellcheck disable=SC2317 # called by wait_until
is_switched()
{
	grep -q enable_hist $tracefs/instances/trace-cmd-hist-*/events/syscalls/sys_enter_umask/trigger
}
ok "an enable_hist trigger is set while the recording runs" wait_until is_switched
kill -9 $killed
wait $killed 2>/dev/null
trace-cmd hist cleanup >/dev/null 2>&1
is "cleanup removes the enable_hist trigger of a killed recording" "$(tree_state)" "$quiet"
like "enable_hist is refused for an event without a histogram" "$(trace-cmd hist record --dry-run \
	-e sched:sched_switch -k next_pid -e sched:sched_process_exec -R 'enable_hist:sched:sched_waking' 2>&1)" \
	'sched:sched_waking: no histogram to enable or disable'

# The address of a string becomes the string, at the event.
# shellcheck disable=SC2016 # the kernel's variable
is "a const char * field is recorded as a char[] of a synthetic event" \
	"$(trace-cmd hist record -q -o opened.dat --synthetic 'lang_opened char file[]' \
	-e syscalls:sys_enter_openat \
	-R 'hist:keys=common_pid:file=filename:onchange($file).trace(lang_opened,$file)' \
	-e synthetic:lang_opened -k file -- sh -c ': </etc/passwd' 2>&1)" ""
like "the histogram of the synthetic event has the file name as its key" \
	"$(trace-cmd hist report --format csv opened.dat -e synthetic:lang_opened 2>&1)" \
	'/etc/passwd'

# What save() keeps of a signed field has its sign, whoever counts: ENOENT is -2.
for engine in kernel user; do
	# shellcheck disable=SC2016 # the kernel's variable
	trace-cmd hist record -q -o signed.dat --engine $engine -e syscalls:sys_exit_openat \
		-R 'hist:keys=common_pid:r=ret:onchange($r).save(ret)' -- sh -c ': </no/such' >/dev/null 2>&1
	like "--engine $engine keeps the sign of a field in save()" \
		"$(trace-cmd hist report signed.dat 2>&1)" \
		'changed: +-2  ret: +-2$'
done

# What the kernel says of a snapshot() is said at the end. The snapshot stays in an instance
# of the user's, if the clock stays as well; with one of ours it goes, and that is said before.
# shellcheck disable=SC2016 # the kernel's variables
snapshot='hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:clock=mono:onmax($lat).snapshot()'
# shellcheck disable=SC2016
waking='hist:keys=pid:ts0=common_timestamp.usecs:clock=mono'
mkdir $tracefs/instances/kept
echo mono >$tracefs/instances/kept/trace_clock
echo 1 >$tracefs/instances/kept/events/sched/sched_switch/enable
for place in '' '-B kept'; do
	# shellcheck disable=SC2086 # two words or none
	trace-cmd hist record -q -o taken.dat $place -e sched:sched_waking -R "$waking" \
		-e sched:sched_switch -R "$snapshot" -- sleep 0.2 >said 2>&1
	# shellcheck disable=SC2016
	like "record ${place:-without -B} prints the kernel's message about snapshot()" \
		"$(cat said)" \
		'note: sched:sched_switch: the snapshot\(\) action ran and saved the ring buffer: triggering value \{ onmax\(\$lat\) \}: [0-9]+, triggered by event with key: \{ next_pid: [0-9]+ \}$'
	words=$(sed -n 's/.* saved the ring buffer: //p' said)
	is "report shows the kernel's message about snapshot() of record ${place:-without -B}" \
		"$(trace-cmd hist report taken.dat | sed -n 's/^# action snapshot() ran: //p')" "$words"
	is "the JSON has the kernel's message about snapshot() of record ${place:-without -B}" \
		"$(trace-cmd hist report taken.dat --format json | sed -n 's/.*"snapshot_taken": "\(.*\)".*/\1/p')" "$words"
	is "ndjson has the kernel's message about snapshot() of record ${place:-without -B}" \
		"$(trace-cmd hist report taken.dat --format ndjson |
			sed -n 's/.*"kind": *"snapshot_taken".*"text": *"\(.*\)".*/\1/p')" "$words"
	is "the HTML page has the kernel's message about snapshot() of record ${place:-without -B}" \
		"$(trace-cmd hist report taken.dat --format html |
			sed -n 's,.*<dt>Action snapshot()</dt><dd>\(.*\)</dd>.*,\1,p')" "$words"
	is "record ${place:-without -B} warns only if the kernel's snapshot is lost at the end" \
		"$(grep -c 'warning: sched:sched_switch: snapshot(): .* when the recording ends$' said)" \
		"$([ -n "$place" ] && echo 0 || echo 1)"
done
ok "the snapshot stays in the user's instance" grep -q ' sched_switch: ' $tracefs/instances/kept/snapshot
rmdir $tracefs/instances/kept
is "the recordings with snapshot() leave nothing in tracefs" "$(tree_state)" "$quiet"

# The errno that hist_refusal_explain() goes by, where error_log is silent or was not read.
cd $tracefs || bail "no tracefs"
waking=events/sched/sched_waking/trigger
switch=events/sched/sched_switch/trigger

# answers DESC FILE TEXT REGEX
answers()
{
	like "$1" "$( (echo "$3" >>"$2") 2>&1)" "$4"
}

echo 'hist:keys=pid:ts0=prio' >>$waking
# shellcheck disable=SC2016 # the kernel's variables
echo 'hist:keys=next_pid:x=next_prio-$ts0,y=next_prio:onmax($y).snapshot()' >>$switch
answers "the kernel accepts one more trigger on an event" $waking 'hist:keys=pid' '^$'
answers "the kernel answers EEXIST to a second trigger with the same keys" \
	$waking 'hist:keys=pid:size=256' 'File exists'
answers "the kernel answers ENOENT to clear of a trigger that is not set" \
	$waking 'hist:keys=prio:clear' 'No such file'
answers "the kernel answers EINVAL to a second definition of a variable" \
	$waking 'hist:keys=prio:ts0=prio' 'Invalid argument'
answers "the kernel answers EINVAL to pause of a trigger with variables" \
	$waking 'hist:keys=pid:ts0=prio:pause' 'Invalid argument'
answers "the kernel answers EBUSY to the removal of a trigger whose variable is in use" \
	$waking '!hist:keys=pid:ts0=prio' 'busy'
# shellcheck disable=SC2016
answers "the kernel answers EBUSY to a second snapshot() action" \
	$switch 'hist:keys=prev_pid:z=prev_prio:onmax($z).snapshot()' \
	'busy'
answers "the kernel answers ENOMEM to an array as a key" \
	events/raw_syscalls/sys_enter/trigger 'hist:keys=args' \
	'(out of|allocate) memory'
# shellcheck disable=SC2016
echo '!hist:keys=next_pid:x=next_prio-$ts0,y=next_prio:onmax($y).snapshot()' >>$switch
echo '!hist:keys=pid' >>$waking
echo '!hist:keys=pid:ts0=prio' >>$waking
# A trigger that uses time stamps sets it, and it stays.
echo local >$tracefs/trace_clock
is "the test leaves nothing in tracefs" "$(tree_state)" "$before"
done_testing
