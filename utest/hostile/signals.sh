#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# signals.sh BIN: every verb ends within a second of a signal, whatever it is doing.  TAP on stdout.
#
# A verb waits for a reader that does not read, or computes what takes very long.  Each state is known before the signal is sent: nothing here waits for a time to pass.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: signals.sh BIN"
# list and top read this machine's tracefs
[ "$(id -u)" = 0 ] || exec sudo "$0" "$@"
bin=$(readlink -f "$1")
hist=$bin/trace-cmd-hist
need_files "$hist"
data=$here/../data/events
work_enter

# end.py STATE SIGNAL COMMAND...: run COMMAND until it is in STATE, send SIGNAL, and print how it ended
#
#   pipe   it sleeps, and its standard output is a pipe that is full
#   cpu    it has computed for a fifth of a second
#   other  its first thread sleeps, and a second one computes
#
# A second of a busy machine may be long: the limit is a second of the command's own time, and
# no more than ten by the clock.
cat >end.py <<'END'
import fcntl, os, resource, select, signal, subprocess, sys, time

state, number = sys.argv[1], getattr(signal, sys.argv[2])
read, write = os.pipe()
fcntl.fcntl(write, 1031, 4096)  # F_SETPIPE_SZ
child = subprocess.Popen(sys.argv[3:], stdin=subprocess.DEVNULL,
                         stdout=write if state == "pipe" else subprocess.DEVNULL,
                         stderr=open("said", "wb"))


def stat():
    with open(f"/proc/{child.pid}/stat") as f:
        return f.read().rpartition(")")[2].split()


def used():
    fields = stat()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def there():
    if state == "cpu":
        return used() >= 0.2
    if state == "other":
        return len(os.listdir(f"/proc/{child.pid}/task")) == 2 and stat()[0] == "S"
    return not select.select([], [write], [], 0)[1] and stat()[0] == "S"


limit = time.monotonic() + 60
while not there():
    if child.poll() is not None:
        sys.exit(f"ended before, with {child.returncode}: " + open("said").read())
    if time.monotonic() > limit:
        child.kill()
        sys.exit("never came into the state")
    time.sleep(0.002)
before = used()
child.send_signal(number)
try:
    status = child.wait(10)
except subprocess.TimeoutExpired:
    child.kill()
    child.wait()
    sys.exit("goes on")
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
more = usage.ru_utime + usage.ru_stime - before
if more > 1:
    sys.exit(f"goes on for {more} s")
print("ended")
END
/usr/bin/trace-cmd convert -i "$data/several.dat" -o six.dat --file-version 6 >/dev/null 2>&1 || die "convert"
/usr/bin/python3 "$here/../scripts/lib/events_make.py" six.dat long.dat long:24 || die "events_make.py"
"$hist" replay -q -e sched:sched_switch -k common_timestamp -i 10ms -o many.dat long.dat || die "replay"
"$hist" replay -q -e raw_syscalls:sys_enter -k id,common_pid -i 10ms -o base.dat long.dat || die "replay"
cp base.dat new.dat
# CPU 1 has more pages, which the caller's thread gets, but all except the first are empty
/usr/bin/python3 - long.dat uneven.dat <<'END' || die "uneven.dat"
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
at = data.index(b"flyrecord\0") + 10
sizes = struct.unpack_from("<4Q", data, at)
assert sizes[3] > sizes[1] > 1 << 20
for page in range(sizes[2] + 4096, sizes[2] + sizes[3], 4096):
    struct.pack_into("<Q", data, page + 8, 0)
open(sys.argv[2], "wb").write(data)
END

# ends STATE DESC COMMAND...: on SIGTERM and on SIGINT, and leaves no file
ends()
{
	local state=$1 desc=$2 signal files

	shift 2
	files=$(ls)
	for signal in SIGTERM SIGINT; do
		is "$desc ends within a second of $signal" \
			"$(/usr/bin/python3 end.py "$state" "$signal" "$@" 2>&1)" ended
	done
	is "$desc leaves no file after a signal" \
		"$(ls | grep -v '^said$')" "$(grep -v '^said$' <<<"$files")"
}

mkfifo fifo
for verb in report diff\ many.dat 'replay -e sched:sched_switch -k next_pid'; do
	# shellcheck disable=SC2086
	timeout 60 "$hist" $verb fifo >/dev/null 2>said
	is "${verb%% *} refuses a FIFO and does not wait for its writer" \
		"$? $(grep -c 'fifo: not a regular file' said)" "2 1"
done

all=(-e sched:sched_switch -k common_timestamp)
ends pipe "report that waits for its reader" "$hist" report --snapshot all many.dat
ends pipe "report --format json that waits for its reader" \
	"$hist" report --format json --intervals many.dat
ends pipe "diff that waits for its reader" \
	"$hist" diff --format json --min-decided 0 base.dat new.dat
ends pipe "replay that waits for the reader of its report" \
	"$hist" replay -q "${all[@]}" -i 1ms "$data/several.dat"
ends pipe "list that waits for its reader" "$hist" list -v '*:*'
ends pipe "top that waits for its reader" \
	"$hist" top --engine user -b -i 10ms -e sched:sched_switch -k next_comm

ends cpu "report that computes all snapshots" \
	"$hist" report --snapshot all --format json -o out.json many.dat
for threads in 1 2; do
	ends cpu "replay with --threads $threads that takes many snapshots" \
		"$hist" replay -q --threads $threads "${all[@]}" -i 1ns -o out.dat long.dat
done
hists=()
for i in {1..500}; do
	hists+=(-e sched:sched_switch -k next_pid,next_comm -v prev_prio,next_prio -f "prev_pid != 1000$i")
done
ends other "replay with one thread that waits for the other" \
	"$hist" replay -q --threads 2 "${hists[@]}" -o out.dat uneven.dat
ends cpu "replay that counts in the order of time" "$hist" replay -q -o out.dat -i 1us \
	--latency sched:sched_waking:pid..sched:sched_switch:next_pid:nsecs -k lat_ns long.dat
done_testing
