# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# kill -9 at 10 random moments, and at 50 with CHECK_LONG=1. The file, when there is
# one, opens in ours and in the stock tool, with every snapshot that had been
# written: the marks in the ring buffer of the user's instance tell which those are.
#
# In check-long: 50-leftovers.sh is the sample of a kill.
# On 6.12 alone: what a file is after a kill does not depend on the kernel.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)
mkdir $tracefs/instances/kill
# With another clock the recorder would make an instance to read it, and a kill
# inside mkdir(2) makes the kernel warn that it could not allocate a buffer.
echo mono >$tracefs/instances/kill/trace_clock
seed=$(date +%s)
echo "# seed $seed"
load_start 1

# start I: a recording, $pid.
start()
{
	rm -f k.dat
	echo >$tracefs/instances/kill/trace
	trace-cmd hist record -B kill -o k.dat -i 10ms -e raw_syscalls:sys_enter -k common_pid,id \
		-e kmem:kmalloc -k call_site.sym &
	pid=$!
}

# Uptime in ms.
now() { awk '{ print int($1 * 1000) }' /proc/uptime; }

# Random moments between the start and 1.75 times what it takes to get to the first snapshot, so
# that all phases are hit on a machine of any speed.  About two of five kills leave a file.
begun=$(now)
start
wait_until [ -s k.dat ]
window=$((($(now) - begun) * 1750))
kill -KILL $pid
wait $pid 2>/dev/null
trace-cmd hist cleanup >/dev/null
echo "# window $window us"
random_us() { awk -v s="$1" -v w=$window 'BEGIN { srand(s); print int(rand() * w) }'; }

kills=10
[ -z "${CHECK_LONG-}" ] || kills=50
files=0 wrong=0 i=0
while [ $i -lt $kills ]; do
	i=$((i + 1))
	load_signal CONT
	start
	usleep "$(random_us $((seed + i)))"
	kill -KILL $pid
	wait $pid 2>/dev/null
	load_signal STOP
	if [ -e k.dat ]; then
		files=$((files + 1))
		marked=$(sed -n 's/.*hist-snapshot: raw_syscalls:sys_enter#0 seq=\([0-9]*\).*/\1/p' \
			$tracefs/instances/kill/trace | tail -n 1)
		trace-cmd hist report k.dat -e raw_syscalls:sys_enter --format json >k.json 2>said ||
			{ wrong=$((wrong + 1)) && cat said; }
		last=$(sed -n 's/.*"last_seq": *\([0-9]*\).*/\1/p' k.json | head -n 1)
		# the mark follows its snapshot, so the file may have one more
		if [ "$last" != "$marked" ] && [ "$last" != $((${marked:--1} + 1)) ]; then
			wrong=$((wrong + 1))
			echo "# marks up to $marked, snapshots up to $last"
		fi
		grep -q '"unfinished": true' k.json || { wrong=$((wrong + 1)) && echo "# finished?"; }
		trace-cmd report k.dat >/dev/null 2>said || { wrong=$((wrong + 1)) && cat said; }
	fi
	trace-cmd hist cleanup >/dev/null || wrong=$((wrong + 1))
done
load_stop
is "every file that kill -9 leaves opens in both tools with all written snapshots" $wrong 0
ok "at least one of ten kills leaves a file ($files of $kills)" [ $files -ge $((kills / 10)) ]
rmdir $tracefs/instances/kill
is "cleanup restores tracefs after the kills" "$(tree_state)" "$before"
ok "the kills leave no temporary file next to the recording" sh -c '! ls k.dat.*'
done_testing
