# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# In the guest: what counting here costs, beside a hist trigger.  A comment "# live BARE HERE
# KERNEL READER EVENTS OTHERS": CPU time of a system call without tracing, counted by
# `record --engine user`, and by the kernel; the readers' time for an event; all events that
# were counted, and how many of them are not the measured task's.  A comment "# idle MANY FEW": CPU
# time in a second of a recorder that reads 64 or 4 histograms each 100 ms while nothing happens.
# With QEMU's -icount shift=0 a nanosecond is an instruction.

# shellcheck source-path=SCRIPTDIR source=../vm/guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"
calls=200000

# measure ENGINE: sets $pid and $ns, of the task and of one of its calls
measure()
{
	ok "$1: recorded" trace-cmd-hist record --engine "$1" -e raw_syscalls:sys_enter \
		-k common_pid,id -o "$1.dat" -- sh -c "exec bench-calls $calls >out"
	cp tap.out "$1.said"
	read -r pid ns <out
}

bench-calls $calls >out
read -r pid bare <out
measure kernel
kernel=$ns
measure user
reader=$(sed -n 's/.*user-space engine: .*, \([0-9]*\) ns per event.*/\1/p' user.said)
events=$(sed -n 's/.*user-space engine: \([0-9]*\) events.*/\1/p' user.said)
is "user: no event was lost" "$(grep -c 'lost, so the counts' user.said)" 0
its=$(trace-cmd-hist report user.dat --format csv |
	awk -F, -v pid="$pid" '$1 == "row" && $10 == pid { n += $13 } END { print n }')
ok "user: all calls were counted" [ "$its" -ge $calls ]

mkdir -p /cg
mount -t cgroup2 none /cg
mkdir /cg/idle || bail "no control groups"

# idle N: sets $idle; two recordings, the longer one less the shorter, so that only ticks count
idle()
{
	local n=$1 event seconds begin less=0

	set --
	for event in "$tracefs"/events/syscalls/sys_enter_[f-s]*_*; do
		[ $# -ge $((4 * n)) ] || set -- "$@" -e "syscalls:${event##*/}" -k common_pid
	done
	is "idle: number of events" $(($# / 4)) "$n"
	for seconds in 2 7; do
		begin=$(sed -n 's/^usage_usec //p' /cg/idle/cpu.stat)
		# shellcheck disable=SC2016
		ok "idle: $seconds s recorded" sh -c 'echo $$ >/cg/idle/cgroup.procs && exec "$@"' - \
			trace-cmd-hist record -q --engine user -i 100ms -d ${seconds}s -o x.dat "$@"
		idle=$(($(sed -n 's/^usage_usec //p' /cg/idle/cpu.stat) - begin - less))
		less=$idle
	done
	idle=$((idle * 1000 / 5))
}
idle 64
many=$idle
idle 4
echo "# idle $many $idle"
echo "# live $bare $ns $kernel $reader $events $((events - its))"
done_testing
