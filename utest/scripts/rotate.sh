#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rotate.sh BIN: reports of the files of `record --rotate`, with the user-space engine on this
# machine.  TAP on stdout.
#
# The tests wait for files and not for times: a slow machine makes them slower.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: rotate.sh BIN"
# tracefs is for root
[ "$(id -u)" = 0 ] || exec sudo "$0" "$@"
hist=$(readlink -f "$1")/trace-cmd-hist
need_files "$hist"
mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing || die "no tracefs: run as root"
work_enter
python=/usr/bin/python3
getppid=$($python - <<'END'
import platform
print({"x86_64": 110, "aarch64": 173, "riscv64": 173}.get(platform.machine(), 64))
END
)

# --- more files than descriptors ---

"$hist" record --engine user -q -e sched:sched_switch -k next_comm -i 2ms --rotate 2ms -o m.dat &
pid=$!
ok "record --rotate writes 150 files" wait_for test -e m.00150.dat
kill -INT $pid
wait $pid

# same DESC VERB...: with 24 descriptors as with more than there are files
same()
{
	local desc=$1

	shift
	(ulimit -n 4000 && "$hist" "$@" >many.out 2>many.err)
	echo $? >>many.err
	(ulimit -n 24 && "$hist" "$@" >few.out 2>few.err)
	echo $? >>few.err
	ok "$desc needs no descriptor for each file" cmp many.out few.out
	is "$desc has the status and the messages that it has with all descriptors" \
		"$(cat few.err)" "$(cat many.err)"
}

same "report" report m.*.dat
same "report in reverse order" report $(printf '%s\n' m.*.dat | sort -r)
same "report --list" report --list m.*.dat
same "report --intervals" report --intervals --format ndjson m.*.dat
same "report --format openmetrics" report --format openmetrics m.*.dat
same "report --worst" report --worst m.*.dat
same "diff" diff m.000[0-6]*.dat -- m.000[7-9]*.dat m.001*.dat
# files that do not belong together
mkdir apart
for file in m.0000[1-9].dat m.0001*.dat m.0002*.dat; do
	"$hist" report --list "$file" >/dev/null 2>&1 && cp "$file" "apart/$file" &&
		cp "$file" "apart/copy.$file"
done
same "report of recordings and their copies" report --format csv apart/*.dat

# --- counters do not fall ---

# It waits for the next file, for which the oldest is removed, and for the next report.
cat >calls.py <<'END'
import glob, os, time
open("pid", "w").write(str(os.getpid()))
def moment():
    return [max(glob.glob("k.[0-9]*.dat"), default=""), os.stat("reports").st_size]
for _ in range(12):
    for _ in range(500):
        os.getppid()
    before, deadline = moment(), time.monotonic() + 60
    while any(a == b for a, b in zip(moment(), before)) and time.monotonic() < deadline:
        time.sleep(0.01)
END
# All samples of counters, again and again, until the recording is complete.
cat >watch.py <<'END'
import glob, re, subprocess, sys, time
hist, recorder = sys.argv[1], sys.argv[2:]
run = subprocess.Popen(recorder)
seen, falls, reports, done = {}, set(), 0, False
while not done:
    done = run.poll() is not None
    files = sorted(glob.glob("k.[0-9]*.dat"))
    if not files:
        time.sleep(0.01)
        continue
    got = subprocess.run([hist, "report", "--format", "openmetrics", *files], capture_output=True)
    if got.returncode:
        continue  # a file was removed before it was opened
    open("reports", "a").write(".")
    reports += 1
    counters, now = set(), {}
    for line in got.stdout.decode().splitlines():
        kind = re.match(r"# TYPE (\S+) (\S+)", line)
        if kind and kind[2] in ("counter", "histogram"):
            counters.add(kind[1])
        sample = re.match(r"((\w+?)(?:_bucket|_count|_sum|_total)?\{.*\}) (\S+) \S+$", line)
        if sample and sample[2] in counters:
            now[sample[1]] = float(sample[3])
    falls |= {k for k, v in seen.items() if not now.get(k, -1) >= v}
    seen.update(now)
pid = open("pid").read()
calls = [v for k, v in seen.items() if f'common_pid="{pid}"' in k and "hitcount_total" in k]
print(run.returncode, reports > 12, len(seen) > 5, sorted(falls)[:3], calls, len(glob.glob("k.[0-9]*.dat")))
END
: >reports
is "counters never fall while record --keep removes files, and the last sample has all calls" \
	"$($python watch.py "$hist" "$hist" record --engine user -q -i 50ms --rotate 200ms --keep 2 -o k.dat \
		-e raw_syscalls:sys_enter -k common_pid -f "id == $getppid" -- $python calls.py 2>&1)" \
	"0 True True [] [6000.0] 2"
"$hist" report --format openmetrics k.*.dat >k.om
rm -f "$(printf '%s\n' k.*.dat | head -n 1)"
"$hist" report --format openmetrics k.*.dat >k.om.later
is "the last file alone has the same counters" "$(diff k.om k.om.later)" ""

# --- a recording that is started again ---

"$hist" record --engine user -q -i 20ms --rotate 40ms -d 0.5 -o k.dat -e raw_syscalls:sys_enter -k id \
	-f "id == $getppid" -- $python -c 'import os
for _ in range(70):
    os.getppid()'
"$hist" report --format openmetrics k.*.dat >k.om
is "counters of a recording that is started again have the same labels, and begin at 0" \
	"$(sed -n 's/^\(trace_cmd_hist_hits_total{.*}\) \([0-9]*\) .*/\1 \2/p' k.om | sed 's/host="[^"]*",//' |
		awk '{ print $1, ($2 >= 70 && $2 < 500) }')" \
	'trace_cmd_hist_hits_total{histogram="raw_syscalls:sys_enter"} 1'
is "all recordings are in --list" "$("$hist" report --list k.*.dat | grep -c 'raw_syscalls:sys_enter ')" 2
done_testing
