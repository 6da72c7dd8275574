# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The kernel counts, our engine counts beside it, and the events are recorded; the host replays
# them and compares every key and value of the three (verify_replay.py).  All must have seen
# the same: the filters let only tasks of the load pass, whose numbers are chosen, and
# which begin and end while all are counting.
#
# On 6.12 alone: what replay is to be equal to is the language of 6.12.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)
replays=$tracefs/instances/replays

cat >/tmp/replay-load.sh <<'END'
echo 20000 >/proc/sys/kernel/ns_last_pid
for cpu in 1 2; do
	taskset $cpu sh -c 'ls / /proc/self >/dev/null; usleep 2000; /bin/true; cat /nosuch
		dd if=/dev/zero of=/dev/null bs=700 count=20; usleep 1000; kill -CHLD $$; head -c 5000 /proc/kallsyms
		for i in 1 2 3; do usleep $((i * 300)); uname; done' >/dev/null 2>&1
	taskset 3 sh -c 'usleep 1500 & usleep 900 & wait; true | cat | cat' >/dev/null 2>&1
done
echo 1000 >/proc/sys/kernel/ns_last_pid
END

mine='common_pid > 20000 \&\& common_pid < 20900'
yours='pid > 20000 \&\& pid < 20900'
recording=0
# One recording: what stands in the file `case`.
run_case()
{
	local name value

	[ -s case ] || return
	set --
	while IFS="$(printf '\t')" read -r name value; do
		case $name in
		-*) set -- "$@" "$name" "$value" ;;
		*) set -- "$@" -e "$name" -R "$value" ;;
		esac
	done <case
	cp case "$OUT/replay-$recording.case"
	# With room for all events of a machine that is busy.  A new one each time: an instance that had a
	# synthetic event loses its events when a program removes any dynamic event.
	mkdir $replays && echo 8192 >$replays/buffer_size_kb || bail "no instance"
	if grep -q stacktrace case; then echo 1; else echo 0; fi >$replays/options/stacktrace
	ok "recording $recording of both engines and of the events exits with status 0" \
		trace-cmd hist record -q -i 0 --events -B replays -C mono \
		-o "$OUT/replay-$recording.dat" "$@" -- \
		trace-cmd hist record -q -i 0 --engine user -o "$OUT/replay-$recording-live.dat" "$@" -- \
		sh /tmp/replay-load.sh
	rmdir $replays
	recording=$((recording + 1))
	: >case
}

: >case
for cases in /replay/*.cases; do
	while IFS= read -r line; do
		case $line in
		'#'*) ;;
		'') run_case ;;
		*)
			echo "$line" | sed -e "s/MINE/$mine/g" -e "s/YOURS/$yours/g" >>case ;;
		esac
	done <"$cases"
	run_case
done
ok "the case files contain at least 5 recordings" [ "$recording" -ge 5 ]
is "the recordings for replay leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
