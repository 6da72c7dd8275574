# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# What recorded the files here, with the stock trace-cmd 3.1.6 on Debian's 6.12 kernel:
#
#	utest/vm/vm.sh run --module null_blk --out DIR -- utest/data/events/record.sh
#
# The symbols are a part of the kernel's own, so that the files stay small.

# shellcheck source-path=SCRIPTDIR/../../vm/guest source=lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

trace=/usr/bin/trace-cmd
{
	awk 'NR % 997 == 1 && $2 != "A" && $2 != "a"' /proc/kallsyms
	grep -E ' (_end|_etext|_stext|schedule|__schedule|kmalloc_trace|vfs_write|vfs_read)$' /proc/kallsyms
	grep 'null_blk\]' /proc/kallsyms
} | sort -u >kallsyms
ok "few symbols" test "$(wc -l <kallsyms)" -gt 100
mount --bind kallsyms /proc/kallsyms || bail "no bind mount"

# v7, zstd; two buffers, one with stacks behind its events.
ok "several.dat" $trace record -q -o several.dat -C mono -e sched:sched_switch \
	-e sched:sched_waking -e raw_syscalls:sys_enter -B inner -T -e kmem:kmalloc \
	sh -c 'for i in 1 2 3 4 5 6; do cat /proc/self/stat; done >/dev/null; sleep 0.1
		taskset 1 dd if=/dev/zero of=/dev/null bs=64 count=60
		taskset 2 dd if=/dev/zero of=/dev/null bs=64 count=60' 2>&1

# v6 as it was recorded, with an instance; uncompressed by its nature.
ok "six.dat" $trace record -q -o six.dat --file-version 6 -e sched:sched_switch \
	-B inner -e sched:sched_waking sh -c 'sleep 0.1; cat /proc/version' 2>&1

# Events are lost: the recorder sleeps, and the buffer has a few pages.
ok "lost.dat" $trace record -q -o lost.dat -b 16 -s 400000 -e raw_syscalls:sys_enter \
	-e raw_syscalls:sys_exit \
	sh -c 'for i in 1 2 3; do
		taskset 1 dd if=/dev/zero of=/dev/null bs=64 count=1200; sleep 0.5; done' 2>&1
like "events were lost" "$($trace report -i lost.dat 2>&1)" 'EVENTS DROPPED|MISSED EVENTS'

# The function graph tracer, whose events have a format of ftrace's own.
ok "graph.dat" $trace record -q -o graph.dat -p function_graph -l vfs_write -l vfs_read \
	-e sched:sched_process_exit sh -c 'taskset 1 dd if=/dev/zero of=/dev/null bs=64 count=30' 2>&1

umount /proc/kallsyms
for file in several six lost graph; do
	cp $file.dat "$OUT/"
done
done_testing
