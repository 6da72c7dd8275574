# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# The kernel counts, our engine counts beside it, and the events are recorded; the host replays
# them and compares every key and value of the three (verify_replay.py).  All must have seen
# the same: the filters let only tasks of the load pass, which have numbers that no other task gets, and
# which begin and end while all are counting.
#
# On 6.12 alone: what replay is to be equal to is the language of 6.12.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)
replays=$tracefs/instances/replays

cat >/tmp/replay-load.sh <<'END'
for cpu in 1 2; do
	n=$((20000 + (cpu - 1) * 30))
	as_pid $((n + 1)) taskset $cpu ls / /proc/self
	as_pid $((n + 2)) taskset $cpu usleep 2000
	as_pid $((n + 3)) taskset $cpu as_pid $((n + 4)) true
	as_pid $((n + 5)) taskset $cpu cat /nosuch
	as_pid $((n + 6)) taskset $cpu dd if=/dev/zero of=/dev/null bs=700 count=20
	as_pid $((n + 7)) taskset $cpu sh -c 'kill -CHLD $$'
	as_pid $((n + 8)) taskset $cpu head -c 5000 /proc/kallsyms
	as_pid $((n + 9)) taskset $cpu as_pid $((n + 10)) as_pid $((n + 11)) as_pid $((n + 12)) usleep 1000
	for i in 1 2 3; do
		as_pid $((n + 12 + i)) taskset $cpu usleep $((i * 300))
		as_pid $((n + 15 + i)) uname
	done
	as_pid $((n + 19)) taskset 3 usleep 1500 &
	as_pid $((n + 20)) taskset 3 usleep 900 &
	wait
	as_pid $((n + 21)) true | as_pid $((n + 22)) cat | as_pid $((n + 23)) cat
done >/dev/null 2>&1
END
is "a task of the load has the number that it is to have" \
	"$(as_pid 20001 sh -c 'echo $$') $(as_pid 20010 as_pid 20011 sh -c 'echo $$ $PPID')" "20001 20011 20010"

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
least=3
[ -z "${CHECK_LONG-}" ] || least=5
ok "the case files contain at least $least recordings" [ "$recording" -ge $least ]
is "the recordings for replay leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
