# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# In the guest: what a traced function costs its caller, beside other tools.  A comment
# "# functions BARE COUNT USER KPROBE LATENCY GRAPH KRETPROBE PERF": CPU time of a system call without
# tracing; with its function counted by --function, by --function --engine user and by a kprobe of
# bpftrace; with its time counted by --function-latency, by --function-latency --engine user, by a
# kprobe and a kretprobe of bpftrace and by perf ftrace latency.  With QEMU's -icount shift=0 a
# nanosecond is an instruction.

# shellcheck source-path=SCRIPTDIR source=../vm/guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"
calls=20000
# its symbols __x64_sys_getppid and __ia32_sys_getppid have the same address
function=$(grep -m 1 'sys_getppid$' $tracefs/available_filter_functions)
mount -t debugfs none /sys/kernel/debug 2>/dev/null
cat >load.sh <<END
#!/bin/sh
exec bench-calls $calls >/tmp/out
END
chmod +x load.sh
# bpftrace starts only programs in ELF format
program="$(command -v busybox) sh /tmp/load.sh"
times=

# measure WHAT COMMAND...: adds the time of one call to $times
measure()
{
	local what=$1 ns

	shift
	rm -f out
	ok "$what runs" "$@"
	ns=$(cut -d ' ' -f 2 out)
	times="$times ${ns:-none}"
}
# ours WHAT OPTION...
ours()
{
	local what=$1

	shift
	measure "$what" trace-cmd-hist record -q -o f.dat "$@" -- ./load.sh
	ok "$what: no call is missing" \
		[ "$(trace-cmd-hist report f.dat | sed -n 's/^ *Hits: //p')" -ge $calls ]
}

measure bare ./load.sh
ours count --function $function
ours "count, user" --engine user --function $function
measure kprobe bpftrace -c "$program" -e "kprobe:$function { @[func] = count(); }"
ours latency --function-latency $function
ours "latency, user" --engine user --function-latency $function
measure kretprobe bpftrace -c "$program" -e "kprobe:$function { @begin[tid] = nsecs; }
	kretprobe:$function /@begin[tid]/ { @ns = hist(nsecs - @begin[tid]); delete(@begin[tid]); }"
measure "perf ftrace latency" perf ftrace latency -T $function ./load.sh
echo "# functions$times"
done_testing
