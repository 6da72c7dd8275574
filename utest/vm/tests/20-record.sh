# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# `trace-cmd hist record` from end to end: what it writes to the kernel, what it
# says, its exit status. What is in the files is compared on the host.
#
# On 6.1 in check-long: 30-kinds.sh and 65-chains.sh are the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

record() { trace-cmd hist record "$@"; }
status() { "$@" >/tmp/said 2>&1; echo $?; }

before=$(tree_state)

# --dry-run prints what is written, and writes nothing.
is "--dry-run prints the trigger of -k, -v, -s and -f" "$(record --dry-run \
	-e kmem:kmalloc -k call_site.sym,bytes_req.log2 -v bytes_alloc \
	-s bytes_alloc.descending,hitcount -f 'bytes_req > 64')" \
	"kmem:kmalloc hist:keys=call_site.sym,bytes_req.log2:vals=bytes_alloc:sort=bytes_alloc.descending,hitcount if bytes_req > 64"
is "--dry-run prints the trigger of -R unchanged" \
	"$(record --dry-run -e sched:sched_switch -R 'hist:key=next_pid:val=hitcount:size=512')" \
	"sched:sched_switch hist:key=next_pid:val=hitcount:size=512"
is "a trigger with a timestamp as its key gets the clock of -C" \
	"$(record --dry-run -e sched:sched_switch -k common_timestamp.usecs -C boot)" \
	"sched:sched_switch hist:keys=common_timestamp.usecs:clock=boot"
is "--dry-run prints several histograms of several events in order" \
	"$(record --dry-run -e sched:sched_switch -k next_comm -k next_pid -e sched_waking -k pid)" \
	"sched:sched_switch hist:keys=next_comm
sched:sched_switch hist:keys=next_pid
sched:sched_waking hist:keys=pid"

is "--dry-run refuses an unknown clock" "$(record --dry-run -C sundial -e kmem:kmalloc -k ptr 2>&1 |
	cut -d : -f 3,4 | head -n 1)" " -C sundial: unknown trace clock"
is "--dry-run refuses the first part of a clock's name" \
	"$(record --dry-run -C mon -e kmem:kmalloc -k ptr 2>&1 |
	cut -d : -f 3,4 | head -n 1)" " -C mon: unknown trace clock"
is "--dry-run accepts the clock that is in use" \
	"$(record --dry-run -C local -e kmem:kmalloc -k ptr 2>&1)" \
	"kmem:kmalloc hist:keys=ptr"
is "--dry-run refuses an output file in a missing directory" \
	"$(record --dry-run -o /no/x.dat -e kmem:kmalloc -k ptr 2>&1)" \
	"trace-cmd hist: error: /no/x.dat: No such file or directory"
is "--dry-run refuses a directory as the output file" \
	"$(record --dry-run -o /tmp -e kmem:kmalloc -k ptr 2>&1)" \
	"trace-cmd hist: error: /tmp: not a regular file"
# The summary is for terminals.
printf 'exit 0\n' >steps
# shellcheck disable=SC2016 # expanded by the inner shell
ok "recording to a file name with control characters succeeds on a terminal" \
	sh -c 'pty_drive -l log trace-cmd hist record -i 0 \
	-o "$(printf "a\033[31mb.dat")" -e kmem:kmalloc -k ptr true <steps'
like "the summary escapes the control characters of the file name" "$(tr -d '\r' <log)" \
	'a\\x1b\[31mb.dat: 2 snapshots; see .trace-cmd hist report a\\x1b\[31mb.dat'

# What the kernel has received, seen while the command runs.
# shellcheck disable=SC2016 # expanded by the inner shells
seen='cat '$tracefs'/instances/*/events/kmem/kmalloc/trigger >/tmp/triggers; cat '$tracefs'/instances/*/trace_clock >/tmp/clock'
is "record exits with the exit status of the command" "$(status trace-cmd hist record -o a.dat \
	-e kmem:kmalloc -R 'hist:keys=bytes_req.buckets=100:vals=bytes_alloc:size=256' -k call_site.sym-offset \
	-- sh -c "$seen; exit 7")" 7
is "record prints nothing if stderr is not a terminal" "$(cat /tmp/said)" ""
like "the kernel has the trigger of -R while the command runs" "$(cat /tmp/triggers)" \
	'^hist:keys=bytes_req.buckets=100:vals=hitcount,bytes_alloc:sort=hitcount:size=256 \[active\]$'
like "the kernel has the trigger of -k while the command runs" "$(cat /tmp/triggers)" \
	'^hist:keys=call_site.sym-offset:vals=hitcount:sort=hitcount:size=2048 \[active\]$'
like "the default clock is mono" "$(cat /tmp/clock)" '\[mono\]'
is "a short command is recorded with two snapshots, before and after the command" \
	"$(snapshots a.dat)" 2
is "record exits with 128 + SIGNAL if a signal kills the command" \
	"$(status trace-cmd hist record -o a.dat -e kmem:kmalloc -k ptr -- sh -c 'kill -TERM $$')" 143
is "the recordings of commands leave nothing in tracefs" "$(tree_state)" "$before"

# Ends: duration, Ctrl-C, a signal to us that the command gets as well.
is "-d ends a recording with status 0" \
	"$(status trace-cmd hist record -o d.dat -i 100ms -d 1 -e sched:sched_switch -k next_comm)" 0
# a busy machine makes some of them late, but not if it does not move the clock
least=2
[ "$VM_ACCEL" != steady ] || least=10
ok "a recording of 1 s with snapshots every 100 ms has $least to 12 snapshots" \
	test "$(snapshots d.dat)" -ge $least -a "$(snapshots d.dat)" -le 12
trace-cmd hist record -o d.dat -i 10ms -e sched:sched_switch -k next_comm &
pid=$!
ok "-i makes a snapshot again and again" wait_until has_snapshots d.dat 12
kill -INT $pid
wait $pid
is "a command that ignores the SIGTERM of -d is killed" "$(status trace-cmd hist record -o t.dat \
	-d 200ms -e sched:sched_switch -k next_comm -- sh -c 'trap "" TERM; echo $$ >/tmp/deaf; while :; do usleep 50000; done')" 137
is "record reports that it killed the command" \
	"$(cat /tmp/said)" 'trace-cmd hist: warning: sh: still running 5 s after SIGTERM, so record sends SIGKILL'
ok "the killed command no longer runs" test ! -e "/proc/$(cat deaf)"
like "report reads the recording of a killed command" "$(trace-cmd hist report t.dat 2>&1)" "Hits"
trace-cmd hist record -o t.dat -e sched:sched_switch -k next_comm -- \
	sh -c 'trap "" INT; echo $$ >/tmp/deaf; exec sleep 1000' 2>said &
pid=$!
rm deaf
wait_until [ -s deaf ]
kill -INT $pid
wait $pid
is "record exits with 0 and reports a command that ignores SIGINT and still runs" "$? $(cat said)" \
	"0 trace-cmd hist: warning: sh: still running as process $(cat deaf), and no longer recorded"
ok "the command that ignores SIGINT still runs" kill -KILL "$(cat deaf)"
trace-cmd hist record -o i.dat -i 50ms -e sched:sched_switch -k next_comm &
pid=$!
ok "the output file has its name once the first snapshot is written" wait_until [ -s i.dat ]
kill -INT $pid
wait $pid
is "SIGINT ends a recording with status 0" $? 0
like "report reads a recording that SIGINT ended" "$(trace-cmd hist report i.dat 2>&1)" "Hits"
ok "report does not call a recording interrupted if SIGINT ended it" \
	sh -c '! trace-cmd hist report i.dat 2>&1 | grep -i interrupted'
is "-i 0 takes one snapshot at the start and one at the end" \
	"$(record -i 0 -o z.dat -e sched:sched_switch -k next_comm -- usleep 300000; snapshots z.dat)" 2

# A PID filter: only that task is counted.
record -o p.dat -e raw_syscalls:sys_enter -k common_pid -P $$ -- sh -c 'ls / >/dev/null; kill -0 '$$
mkfifo /tmp/go
sh -c 'read x </tmp/go; exec ls / >/dev/null' &
pid=$!
record -o p.dat -e raw_syscalls:sys_enter -k common_pid -P $pid -- sh -c 'echo >/tmp/go; ls / >/dev/null; usleep 300000'
wait $pid
is "-P counts only the events of the given task" "$(trace-cmd hist report p.dat --format json |
	sed -n 's/.*"common_pid": *\([0-9]*\).*/\1/p' | sort -u)" "$pid"

# The time of day stands beside that of the trace clock, whichever it is.
for clock in mono local; do
	earliest=$(date +%s)
	record -q -i 0 -C $clock -o wall.dat -e sched:sched_switch -k next_comm -- usleep 10000
	latest=$(date +%s)
	wall=$(trace-cmd hist report wall.dat --format csv | awk -F, '$1 == "snapshot" { print substr($7, 1, 10); exit }')
	ok "snapshots on the clock $clock have the wall-clock time" \
		test "$earliest" -le "$wall" -a "$wall" -le "$latest"
done

# An instance of the user's: taken as it is, left as it was.
mkdir $tracefs/instances/mine
echo boot >$tracefs/instances/mine/trace_clock
echo 'hist:keys=prev_pid' >>$tracefs/instances/mine/events/sched/sched_switch/trigger
mine=$(tree_state)
is "record -B succeeds in an existing instance" \
	"$(status trace-cmd hist record -B mine -o b.dat -i 100ms \
	-e sched:sched_switch -k next_comm -- usleep 300000)" 0
is "-B leaves an existing instance and the user's trigger as before" "$(tree_state)" "$mine"
like "-B keeps the clock of an existing instance" "$(trace-cmd hist report b.dat)" 'boot'
like "snapshot markers are in the ring buffer of the instance" \
	"$(cat $tracefs/instances/mine/trace)" \
	'hist-snapshot: sched:sched_switch#0 seq=1 hits=[1-9]'
record -B mine -C local -o b.dat -e sched:sched_switch -k next_comm -- true
is "the clock that -C sets in an existing instance is restored" "$(tree_state)" "$mine"
record -B mine -o b.dat -e sched:sched_switch \
	-R 'hist:keys=common_timestamp.usecs:size=128:clock=mono' -- true 2>/dev/null
is "the clock that a trigger sets in an existing instance is restored" "$(tree_state)" "$mine"
like "record refuses a trigger that the user has already set" "$(record -B mine -o b.dat \
	-e sched:sched_switch -k prev_pid -- true 2>&1)" 'another program has already set an equal trigger'
is "the trigger that the user has already set stays set" "$(tree_state)" "$mine"
rmdir $tracefs/instances/mine
is "-B creates a missing instance and removes the instance at the end" \
	"$(record -B fresh -o f.dat -e sched:sched_switch -k next_comm -- true; tree_state)" "$before"

# The time of a snapshot, on every clock, is between two marks of the same clock.
for clock in local global mono boot x86-tsc counter; do
	record -B c -C $clock -i 0 -o c.dat -e sched:sched_switch -k next_comm -- sh -c "
		echo 0 >$tracefs/instances/c/trace
		echo before >$tracefs/instances/c/trace_marker
		usleep 30000"
	trace-cmd hist report c.dat --format json --snapshot 1 >c.json
	ok "the recording names the clock $clock" grep -q "\"clock\": \"$clock\"" c.json
	ok "a snapshot on the clock $clock has a time" grep -Eq '"time_(ns|ticks)": [1-9]' c.json
done

# --events: the stock recorder's events and our marks on one time line.
is "a recording with --events succeeds" "$(status trace-cmd hist record --events -o e.dat -i 100ms \
	-e sched:sched_switch -k next_comm -- sh -c 'ls / >/dev/null; usleep 400000')" 0
trace-cmd report e.dat >e.txt 2>/dev/null
ok "stock trace-cmd report shows the events of --events" grep -q 'sched_switch: .*prev_comm=' e.txt
# of another buffer it says the name before each
is "stock trace-cmd report shows the events as those of the top-level instance" \
	"$(grep -c '^trace-cmd-hist-' e.txt)" 0
ok "stock trace-cmd report shows the snapshot markers among the events" \
	grep -q 'hist-snapshot: sched:sched_switch#0 seq=1 ' e.txt
like "trace-cmd hist report shows the histogram of a recording with --events" \
	"$(trace-cmd hist report e.dat)" 'swapper|usleep'
cp e.dat e.txt "$OUT"
trace-cmd hist report e.dat --snapshot all --format json >"$OUT/e.json"
ok "--events leaves no temporary file of events" [ ! -e e.dat.events ]
# An instance that the user has named keeps its name.
is "a recording with --events and -B succeeds" \
	"$(status trace-cmd hist record --events -B mine -o f.dat -i 100ms \
	-e sched:sched_switch -k next_comm -e raw_syscalls:sys_exit -k id \
	-- sh -c 'ls / >/dev/null; usleep 250000')" 0
trace-cmd report -t f.dat >f.txt 2>/dev/null
ok "stock trace-cmd report shows the events under the instance name of -B" \
	grep -q '^mine: .*sched_switch: ' f.txt
cp f.txt "$OUT"
trace-cmd hist report f.dat --snapshot all --format json >"$OUT/f.json"
is "the test leaves nothing in tracefs" "$(tree_state)" "$before"
done_testing
