# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Both CPUs busy, snapshots every 50 ms: what the intervals add up to is
# compared with the totals on the host.
#
# In check-long: 20-record.sh and 80-presets.sh are the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)
load_start
trace-cmd hist record -o "$OUT/conserve.dat" -i 50ms \
	-e raw_syscalls:sys_enter -k common_pid,id -k id.syscall \
	-e kmem:kmalloc -k call_site.sym,bytes_req.log2 -v bytes_req,bytes_alloc \
	-e sched:sched_switch -k common_cpu,next_comm &
pid=$!
ok "a recording under load has the snapshots of more than ten intervals" \
	wait_until has_snapshots "$OUT/conserve.dat" 12
kill -INT $pid
wait $pid
is "a recording under load succeeds" $? 0
load_stop
is "a recording under load leaves nothing in tracefs" "$(tree_state)" "$before"

# Our own triggers allocate: what they did is left out of the report, and nothing of the command.
ok "a recording of events that the set-up itself causes succeeds" \
	trace-cmd hist record -q -i 0 -o "$OUT/set-up.dat" \
	--preset kmalloc-bytes -e raw_syscalls:sys_enter -k common_pid,id -- sh -c 'echo $$ >pid; kill -0 $$; kill -0 $$'
like "report shows how many hits of the set-up are left out" \
	"$(trace-cmd hist report "$OUT/set-up.dat" -e kmem:kmalloc#0)" \
	'^# set-up: [1-9][0-9]{3,} hits before snapshot 0 are left out$'
# kill(2) is 62
like "report counts both kill() calls of a short command" \
	"$(trace-cmd hist report --view table "$OUT/set-up.dat" -e sys_enter)" \
	"^. common_pid: +$(cat pid), id: +62 . hitcount: +2 "
trace-cmd hist report --view table "$OUT/set-up.dat" -e sys_enter >whole
trace-cmd hist report "$OUT/set-up.dat" -e sys_enter --between 0,1 | grep -v '^# set-up: ' >between
grep -v '^# set-up: ' whole >shown
ok "report shows the same rows as --between with the first and the last snapshot" cmp shown between

# Somebody clears the histogram: said, and never counted twice.
mkdir $tracefs/instances/cleared
trigger=$tracefs/instances/cleared/events/raw_syscalls/sys_enter/trigger
ok "a recording succeeds if its histogram is cleared meanwhile" \
	trace-cmd hist record -B cleared -o r.dat -i 100ms \
	-e raw_syscalls:sys_enter -k id -- sh -c "
		for i in 1 2 3 4 5 6 7 8 9; do ls / >/dev/null; done; usleep 250000
		echo hist:keys=id:clear >>$trigger; usleep 250000"
like "report shows that the histogram was cleared" \
	"$(trace-cmd hist report r.dat --intervals)" 'clear|reset'
rmdir $tracefs/instances/cleared

# Somebody removes the trigger: an error, and a file with what there was.
mkdir $tracefs/instances/removed
trigger=$tracefs/instances/removed/events/raw_syscalls/sys_enter/trigger
trace-cmd hist record -B removed -o m.dat -i 100ms -d 20 -e raw_syscalls:sys_enter -k id 2>said &
pid=$!
ok "a recording in the user's instance writes the first snapshot" wait_until [ -s m.dat ]
echo '!hist:keys=id' >>"$trigger"
wait $pid
is "a recording ends with status 2 if another program removes the trigger" $? 2
like "the error message reports that the trigger was removed" "$(cat said)" 'another program removed the trigger'
like "the file keeps the hits from before the trigger was removed" \
	"$(trace-cmd hist report m.dat 2>&1)" 'Hits: [1-9]'
rmdir $tracefs/instances/removed
is "the test leaves nothing in tracefs" "$(tree_state)" "$before"
done_testing
