# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The ends of a remote recording: either side is killed, told to end, or falls
# silent. Whatever ends it, the target is as it was before.
#
# On 6.12 alone: the protocol sees no kernel.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

helper='exec:trace-cmd hist listen --stdio'
small='exec:trace-cmd-hist-target --stdio'
before=$(tree_state)

# Frames by hand: 4 bytes of length, 2 of tag, the verb, the length of the path, the path.
little() { printf "\\$(printf %03o $(($1 % 256)))\\$(printf %03o $(($1 / 256)))"; }
ask()
{
	printf '#trace-cmd-hist 1 1\n\n'
	little $((5 + ${#2})); printf '\000\000\007\000'"\\$(printf %03o "$1")"
	little ${#2}; printf %s "$2"
}
counting() { grep -qs '^hist:' $tracefs/instances/*/events/task/task_rename/trigger; }
unchanged() { [ "$(tree_state)" = "$before" ]; }
start()
{
	rm -f k.dat
	trace-cmd hist record -q -o k.dat -i 100ms -e task:task_rename -k newcomm --target "$1" \
		>said 2>&1 &
	host=$!
	wait_until counting || not_ok "record --target $1 starts to count" "$(cat said)"
	wait_until test -s k.dat
}
# The process at the other end.
far()
{
	local p

	for p in /proc/[0-9]*; do
		[ "$(tr '\0' ' ' <"$p/cmdline" 2>/dev/null)" != "$1 " ] || echo "${p#/proc/}"
	done
}
for url in "$helper" "$small" shell:exec:sh; do
	start "$url"
	kill -KILL $host
	ok "the target $url restores tracefs after a kill of the host" wait_until unchanged
	wait $host
	start "$url"
	kill -INT $host
	wait $host
	is "record --target $url exits with status 0 after SIGINT" $? 0
	is "record --target $url prints nothing after SIGINT" "$(cat said)" ""
	is "record --target $url leaves tracefs unchanged after SIGINT" "$(tree_state)" "$before"
done
# The terminal goes away, as that of adb or ssh does.
start 'shell:exec:script -qc sh /dev/null'
kill -KILL "$(far 'script -qc sh /dev/null')"
wait $host
is "record exits with status 2 after a hang-up of the target's terminal" $? 2
ok "the shell on the target restores tracefs after a hang-up of its terminal" wait_until unchanged

# A recorder that dies before it has done what it noted: an equal trigger is somebody else's.
trigger=$tracefs/events/task/task_rename/trigger
echo 'hist:keys=newcomm' >"$trigger"
mkfifo held
for url in 'shell:exec:sh; touch ended' 'exec:trace-cmd-hist-target --stdio; touch ended'; do
	rm -f ended ready
	target_tool -t "$url" hold noted events/task/task_rename/trigger 'hist:keys=newcomm' \
		<held >ready 2>said &
	holder=$!
	exec 5>held
	ok "the undo log of the target $url accepts a trigger that is not written yet" \
		wait_until grep -qs ready ready
	kill -KILL $holder
	wait $holder 2>/dev/null
	exec 5>&-
	ok "the target $url ends after a kill of the host" wait_until test -e ended
	like "the target $url keeps an equal trigger of another process" \
		"$(cat "$trigger")" '^hist:keys=newcomm:'
done
rm held
echo '!hist:keys=newcomm' >"$trigger"
is "undo logs with an unwritten trigger leave tracefs unchanged" "$(tree_state)" "$before"
for sig in TERM HUP; do
	start "$small"
	kill -$sig "$(far 'trace-cmd-hist-target --stdio')"
	wait $host
	is "record exits with status 2 after SIG$sig to the target helper" $? 2
	like "record reports the end of the target helper after SIG$sig" \
		"$(cat said)" 'hist: error: exec: (the target closed the connection|ended by a signal)'
	is "the target helper restores tracefs after SIG$sig" "$(tree_state)" "$before"
done
start "$small"
kill -KILL "$(far 'trace-cmd-hist-target --stdio')"
wait $host
is "record exits with status 2 after a kill of the target helper" $? 2
like "record reports a closed connection after a kill of the target helper" \
	"$(cat said)" 'hist: error: exec: the target closed the connection'
like "the file keeps the snapshots from before the kill of the target helper" \
	"$(snapshots k.dat)" '^[1-9]'
like "cleanup --target -n lists the instance that a killed target helper leaves" \
	"$(trace-cmd hist cleanup -n --target "$small")" \
	'would remove instances/trace-cmd-hist'
ok "cleanup --target -n does not remove the instance" counting
like "cleanup --target removes the instance that a killed target helper leaves" \
	"$(trace-cmd hist cleanup --target "$small")" '^removed instances/trace-cmd-hist'
is "cleanup --target restores tracefs" "$(tree_state)" "$before"
is "a second cleanup --target finds nothing" \
	"$(trace-cmd hist cleanup --target "$small")" "nothing to clean up"

# A host that says nothing more.
mkfifo silent
{ ask 9 instances/idle; exec sleep 1000; } >silent &
sleeper=$!
trace-cmd-hist-target --stdio --idle 1 <silent >/dev/null 2>said
is "the target helper exits with status 2 if the host is silent" $? 2
like "the target helper reports that a silent host sends no request in time" \
	"$(cat said)" 'the host sent no complete request within the time limit'
kill $sleeper
rmdir $tracefs/instances/idle # made without a note
done_testing
