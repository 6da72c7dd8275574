#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# demo-record.sh FILE: some load, and a recording of it; what `make demo` shows.

# shellcheck disable=SC2016 # expanded by the recorded shell
exec trace-cmd hist record -q -o "$1" -i 500ms \
	-e raw_syscalls:sys_enter -k id.syscall -s hitcount.descending \
	-e kmem:kmalloc -k bytes_req.log2 -v bytes_req \
	-e sched:sched_switch -k next_comm -s hitcount.descending \
	-- sh -c '
		end=$(($(date +%s) + 4))
		while [ "$(date +%s)" -lt $end ]; do
			ls -lR /proc/self /sys/kernel/tracing/events/sched >/dev/null 2>&1
			dd if=/dev/zero of=/dev/null bs=4k count=2000 2>/dev/null
			find /sys/class | sort >/dev/null
		done'
