# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# In the guest: what it costs that episodes could be captured.  A comment "# capture NONE LATENCY STOP
# CAPTURE STACKS STOCK": the time of a switch between two tasks that nothing watches; with --latency;
# with --threshold too, which is never crossed, and the action stop; with the action capture; with
# --stacks too; and with stock trace-cmd record of the events that a capture has.  With QEMU's
# -icount shift=0 a nanosecond is an instruction.

# shellcheck source-path=SCRIPTDIR source=../vm/guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

load='for i in 1 2 3 4 5; do bench-switches 3000; done >out'
least() { sort -n out | head -n 1; }
latency="--latency sched:sched_waking:pid..sched:sched_switch:next_pid -k next_comm,lat.log2"

sh -c "$load"
none=$(least)
# shellcheck disable=SC2086
{
ok "latency: recorded" trace-cmd-hist record -q -i 0 -o x.dat $latency -- sh -c "$load"
plain=$(least)
ok "stop: recorded" trace-cmd-hist record -q -i 0 -o x.dat $latency --threshold 1h --on-threshold stop -- \
	sh -c "$load"
stop=$(least)
ok "stacks: recorded" trace-cmd-hist record -q -i 0 -o x.dat $latency --threshold 1h --stacks -- sh -c "$load"
stacks=$(least)
ok "capture: recorded" trace-cmd-hist record -q -i 0 -o x.dat $latency --threshold 1h -- sh -c "$load"
capture=$(least)
events=$(trace-cmd-hist record --dry-run -q $latency --threshold 1h | sed -n 's/^\(.*\) enable$/-e \1/p')
ok "the dry run names the events of a capture" test "$(echo "$events" | wc -l)" -gt 10
ok "stock: recorded" trace-cmd record -q -o y.dat -e sched:sched_switch -e sched:sched_waking \
	$events -- sh -c "$load"
}
echo "# capture $none $plain $stop $capture $stacks $(least)"
done_testing
