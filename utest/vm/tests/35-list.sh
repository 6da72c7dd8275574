# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# `trace-cmd hist list` against the kernel itself: each field of some events, with
# each modifier, as key and as value, is tried as a trigger.  What list says fits,
# or is only meaningless, the kernel must take; the rest it must refuse.
#
# In check-long: 25-language.sh and 30-kinds.sh are the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

status() { "$@" >/tmp/said 2>&1; echo $?; }
list() { trace-cmd hist list "$@"; }
new_kernel() { grep -q common_stacktrace $tracefs/README; }

before=$(tree_state)

# What the test makes: a synthetic event, with a stack where the kernel has that,
# and a probe with an array that is a number and one that is none.
if new_kernel; then
	synthetic='listed char comm[16]; u64 lat; char[] text; long[] stack; int n'
else
	synthetic='listed char comm[16]; u64 lat; char[] text; int n'
fi
echo "$synthetic" >>$tracefs/synthetic_events
# shellcheck disable=SC2016 # the kernel's arguments
echo 'p:listed/opened do_sys_openat2 dfd=$arg1:s32 fn=+0($arg2):ustring how=+0($arg3):x64 four=+0($arg3):x8[4] three=+0($arg3):x8[3]' \
	>>$tracefs/kprobe_events

# "ROLE VERDICT FIELD[.MODIFIER]" for each of the three verdicts, from the JSON.
expand()
{
	awk '
	function words(part, name, list, n, i)
	{
		list = part
		if (!sub(".*\"" name "\": \\[", "", list))
			exit 3
		sub("\\].*", "", list)
		gsub("[\", ]+", " ", list)
		n = split(list, word, " ")
		for (i = 1; i <= n; i++)
			verdict[word[i]] = name == "modifiers" ? "yes" : name
	}
	function role(part, what, bare, i)
	{
		delete verdict
		bare = part
		sub(".*\"bare\": \"", "", bare)
		sub("\".*", "", bare)
		print what, bare, field
		words(part, "modifiers")
		words(part, "meaningless")
		for (i = 1; i <= nall; i++)
			print what, (all[i] in verdict) ? verdict[all[i]] : "no", \
				field "." all[i] (all[i] == "buckets" ? "=4" : "")
	}
	BEGIN {
		nall = split("hex sym sym-offset execname syscall log2 buckets usecs stacktrace " \
			"percent graph", all, " ")
	}
	/^ *\{ "name": / {
		field = $0
		sub(/^ *\{ "name": "/, "", field)
		sub(/".*/, "", field)
		at = index($0, "\"value\": {")
		role(substr($0, 1, at - 1), "key")
		role(substr($0, at), "value")
	}'
}

# Tries every line of /tmp/claims on event $1 in an instance of its own: paused, so
# that nothing of it runs.  Wrong ones go to /tmp/wrong.
try()
{
	local dir role verdict field trigger took

	dir=$tracefs/instances/listed/events/$(echo "$1" | tr : /)
	mkdir $tracefs/instances/listed
	while read -r role verdict field; do
		case $role in
		key) trigger="hist:keys=$field:size=128:pause" ;;
		value) trigger="hist:keys=common_pid:vals=$field:size=128:pause" ;;
		esac
		took=no
		if echo "$trigger" >>"$dir/trigger"; then took=yes; fi
		case $verdict/$took in
		yes/yes | meaningless/yes) accepted=$((accepted + 1)) ;;
		no/no) refused=$((refused + 1)) ;;
		*) echo "$1 $trigger: list says $verdict, the kernel $took" >>/tmp/wrong ;;
		esac
	done 2>/dev/null </tmp/claims
	# rmdir alone would take the triggers along, but the kernel then counts a
	# synthetic event as used for ever.
	: >"$dir/trigger"
	rmdir $tracefs/instances/listed
}

# all_tried EVENT ACCEPTED: with the number that the kernel must accept.
tried=0 specials=4
all_tried()
{
	local event=$1 fields file

	file=$tracefs/events/$(echo "$event" | tr : /)/format
	list "$event" --format json | expand >/tmp/claims
	fields=$(($(grep -c field: "$file") + specials))
	if [ $tried = 0 ]; then
		is "list judges all fields of $event and $specials special ones in 24 ways each" \
			\
			"$(grep -c . /tmp/claims)" $((fields * 24))
	else
		# Those of every event have been tried.
		fields=$((fields - 4 - specials))
		sed -i -E '/ (common_|stacktrace|hitcount)/d' /tmp/claims
	fi
	accepted=0 refused=0
	: >/tmp/wrong
	try "$event"
	is "list judges every tried trigger on $event as the kernel does" \
		"$(cat /tmp/wrong)" ""
	is "the kernel accepts the expected number of triggers on $event" "$accepted $refused" \
		"$2 $((fields * 24 - $2))"
	tried=$((tried + fields * 24))
}

comm=0
case $(uname -r) in
[0-5].* | 6.[0-9].* | 6.[0-9]-* | 6.1[0-5].* | 6.1[0-5]-*) ;;
*) specials=5 comm=13 ;; # common_comm
esac
if new_kernel; then
	all_tried sched:sched_switch $((192 + comm))
	all_tried kmem:kmalloc 78
	all_tried raw_syscalls:sys_enter 13
	all_tried raw_syscalls:sys_exit 26
	all_tried synthetic:listed 61
	all_tried listed:opened 65
	all_tried ftrace:print 13
	all_tried ras:non_standard_event 78
	is "the test tries the expected number of triggers" $tried $((1056 + 24 * (specials - 4)))
else
	all_tried sched:sched_switch 173
	all_tried kmem:kmalloc 78
	all_tried raw_syscalls:sys_enter 13
	all_tried raw_syscalls:sys_exit 26
	all_tried synthetic:listed 52
	all_tried listed:opened 65
	all_tried ftrace:print 13
	all_tried ras:non_standard_event 78
	is "the test tries the expected number of triggers" $tried 1032
fi
echo '!listed' >>$tracefs/synthetic_events
echo '-:listed/opened' >>$tracefs/kprobe_events

# What this kernel lacks.
list -v >/tmp/overview
# says NAME: the line of a capability and what follows it
says() { sed -n "/^[a-z?]* *$1 /,/^[a-z?]/p" /tmp/overview | tr -s ' \n' ' '; }
for name in hist_triggers synthetic_events dynamic_events kprobes uprobes usdt probe_arguments function_tracer \
	function_graph syscall_events stack_keys buckets percent_graph error_log instances task_children task_exclusion \
	machine_names; do
	like "list -v shows that the kernel has $name" "$(cat /tmp/overview)" "^yes +$name "
done
like "list -v explains how to get groups of tasks" "$(says cgroups)" \
	"^no cgroups .*Run 'mount -t cgroup2 none /sys/fs/cgroup', or select each task with -P"
mkdir /tmp/groups
mount -t cgroup2 none /tmp/groups
like "list -v shows that --cgroup is possible after the mount" "$(list -v)" '^yes +cgroups '
umount /tmp/groups
like "list -v shows that the kernel does not have hist_raw" "$(cat /tmp/overview)" '^no +hist_raw '
like "list -v shows that snapshots are read as text" "$(cat /tmp/overview)" '^snapshots +text$'
like "list -v marks poll as unknown" "$(cat /tmp/overview)" '^\? +poll '
if new_kernel; then
	like "list -v shows that the kernel has common_stacktrace" \
		"$(cat /tmp/overview)" '^yes +common_stacktrace '
	like "list -v shows that the kernel has fprobe events" "$(cat /tmp/overview)" '^yes +fprobes '
	like "list -v shows that the kernel has nohitcount" \
		"$(cat /tmp/overview)" '^yes +nohitcount '
	like "list -v shows that the kernel has stacks in synthetic events" \
		"$(cat /tmp/overview)" '^yes +stack_fields '
else
	like "list -v explains what to write without common_stacktrace" \
		"$(says common_stacktrace)" \
		'^no common_stacktrace .*Linux 6.4 Use keys=stacktrace'
	like "list -v explains what the kernel lacks without nohitcount" "$(says nohitcount)" \
		'^no nohitcount .*Linux 6.2 These words only change what the kernel prints'
	like "list -v explains what the kernel lacks without stacks in synthetic events" \
		"$(says stack_fields)" \
		'^no stack_fields .*Linux 6.4, CONFIG_SYNTH_EVENTS A stack cannot be passed'
fi
like "list -v shows the number of all events" "$(cat /tmp/overview)" \
	"^events +$(($(grep -c . $tracefs/available_events) + 1)) in [0-9]+ systems:\$"
like "list -v shows the number of events of a system" "$(cat /tmp/overview)" \
	" sched\($(grep -c '^sched:' $tracefs/available_events)\)( |\$)"

# Which events match.
is "list with the name of a system lists the events of the system" \
	"$(list sched)" "$(grep '^sched:' $tracefs/available_events | sort)"
is "list shows an event once if two patterns match the event" \
	"$(list 'block:*' 'b*ck:block_rq_*')" \
	"$(grep '^block:' $tracefs/available_events | sort)"
is "list exits with 2 if no event matches" "$(status trace-cmd hist list sched:sched_swich)" 2
is "list suggests a similar name if no event matches" "$(cat /tmp/said)" \
	'trace-cmd hist: error: sched:sched_swich: no event matches
hint: did you mean "sched:sched_switch"?'
is "list exits with 2 if the user is not root" \
	"$(status /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups \
	trace-cmd hist list)" 2
is "the error message of list has the hint to be root if the user is not root" \
	"$(sed 's|/sys/kernel/[^:]*|TRACEFS|' /tmp/said)" "trace-cmd hist: error: TRACEFS: permission denied
hint: run as root (sudo)"
for args in '--format xml' '--hists -v' '--presets sched' '--presets -v' '--hists --presets' --nonesuch -z; do
	# shellcheck disable=SC2086 # words
	is "list $args is refused with status 2 and one message" \
		"$(status trace-cmd hist list $args) $(grep -c '^trace-cmd hist: error: ' /tmp/said)" "2 1"
done

# The histograms that are set, with the kernel's own totals.
is "list --hists reports that no hist trigger is set" "$(list --hists)" "no hist triggers"
mkdir $tracefs/instances/theirs
there=$tracefs/instances/theirs/events/sched/sched_switch
echo 'hist:keys=next_pid:size=128' >>$there/trigger
echo 'hist:keys=next_comm:vals=next_prio' >>$there/trigger
echo 'hist:keys=ret' >>$tracefs/events/raw_syscalls/sys_exit/trigger
usleep 100000
echo 'hist:keys=next_pid:size=128:pause' >>$there/trigger
echo 'hist:keys=next_comm:vals=next_prio:pause' >>$there/trigger
echo 'hist:keys=ret:pause' >>$tracefs/events/raw_syscalls/sys_exit/trigger
theirs=$(tree_state)
totals() { sed -n 's/^    Hits: /    hits /p; s/^    Entries: /, entries /p; s/^    Dropped: \(.*\)/, dropped \1;/p' "$1/hist" | tr -d '\n'; }
list --hists >/tmp/hists
# The first line of each histogram, and the third as totals() has it.
is "list --hists shows the totals of the user's histograms" \
	"$(sed 's/dropped .*/&;/' /tmp/hists | grep -v '^ *hist:' | tr '\n' '|' | sed 's/;|/;/g')" \
	"raw_syscalls:sys_exit|$(totals $tracefs/events/raw_syscalls/sys_exit)$(totals $there |
		sed 's/    hits/sched:sched_switch in instance theirs|    hits/g')"
is "list --hists shows the triggers of the user's histograms" \
	"$(sed -n 's/^    hist:keys=\([a-z_]*\):.* \[paused\]$/\1/p' /tmp/hists | xargs)" \
	"ret next_pid next_comm"
list --hists --format json >"$OUT/list-hists.json"
is "list --hists changes nothing in tracefs" "$(tree_state)" "$theirs"
rmdir $tracefs/instances/theirs
echo '!hist:keys=ret' >>$tracefs/events/raw_syscalls/sys_exit/trigger

# Recordings, and what is left of a killed one.
like "list shows no recording before the first recording starts" "$(list)" '^recordings +0 running$'
trace-cmd hist record -o r.dat -i 50ms -e sched:sched_switch -k next_comm &
pid=$!
ok "a recording writes the first snapshot" wait_until [ -s r.dat ]
like "list shows a running recording" "$(list)" '^recordings +1 running$'
kill -KILL $pid
wait $pid
like "list shows a killed recording and the command that removes its remains" \
	"$(list | tr '\n' '~')" "~recordings +0 running, 1 killed~ +hint: run 'trace-cmd hist cleanup'~"
ok "cleanup succeeds after a recording was killed" trace-cmd hist cleanup -q
like "list shows no killed recording after cleanup" "$(list)" '^recordings +0 running$'

# All as JSON, read on the host.
list --format json >"$OUT/list-overview.json"
list --format json '*:*' -v >"$OUT/list-events.json"
list --format json --presets >"$OUT/list-presets.json"
grep -c . $tracefs/available_events >"$OUT/list-count"
like "list --presets lists a preset with its parameter" \
	"$(list --presets)" '^wakeup-latency\[:TASK\] +Time '

is "the test leaves nothing in tracefs" "$(tree_state)" "$before"
done_testing
