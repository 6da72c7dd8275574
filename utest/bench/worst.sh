# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2016
#
# In the guest: what it costs that a latency keeps its worst.  A comment "# worst START
# PLAIN WITH": the time of a switch between two tasks with only the START trigger; with a latency
# that keeps nothing; and with one that saves time, CPU and task of the worst and the task before.
# With QEMU's -icount shift=0 a nanosecond is an instruction.

# shellcheck source-path=SCRIPTDIR source=../vm/guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

# measure NAME OPTIONS...: sets $ns, the least of ten runs
measure()
{
	local name=$1

	shift
	ok "$name: recorded" trace-cmd-hist record -q -i 0 -o x.dat "$@" -- \
		sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do bench-switches 5000; done >out'
	ns=$(sort -n out | head -n 1)
}

waits=sched:sched_waking:pid..sched:sched_switch:next_pid
start='hist:keys=pid:bench_ts=common_timestamp.usecs:size=16384:clock=mono'
measure start -e sched:sched_waking -R "$start"
only=$ns
measure plain --latency $waits -R 'hist:keys=next_comm,lat_us.log2:vals=lat_us'
plain=$ns
measure with --latency $waits -k next_comm,lat.log2 -v lat
echo "# worst $only $plain $ns"
done_testing
