#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# demo-record.sh FILE: make some load and record it.  `make demo` shows FILE.

# shellcheck disable=SC2016 # expanded by the recorded shell
exec trace-cmd hist record -q -o "$1" -i 200ms \
	-e kmem:kmalloc -k bytes_req.log2 -v bytes_req \
	--latency sched:sched_waking:pid..sched:sched_switch:next_pid \
	-k lat.log2 -v lat -k next_comm,lat.log2 -v lat \
	-e raw_syscalls:sys_enter -k id.syscall -s hitcount.descending \
	-- sh -c '
		end=$(($(date +%s) + 4))
		while [ "$(date +%s)" -lt $end ]; do
			ls -lR /proc/self /sys/kernel/tracing/events/sched 2>/dev/null | cat >/dev/null &
			dd if=/dev/zero bs=4k count=500 2>/dev/null | cat >/dev/null &
			find /sys/class | sort >/dev/null
			wait
		done'
