# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# --function and --function-latency. dd makes a known number of system calls, which the events of
# system calls count beside the functions that they call. Every engine counts the same numbers.
#
# Modules, returns, stacks, presets, refusals and kills are in check-long.
#
# On 6.1 in check-long: 58-tracers.sh and the unit tests of the expansion are the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/functions
cd /tmp/functions || bail "no directory"

before=$(tree_state)
# record OPTION...: its messages are in said, and its report is in rows
record()
{
	trace-cmd hist record -q -i 0 -o f.dat "$@" 2>said && trace-cmd hist report --view table f.dat >rows
}
# sum START [REGEX [REGEX]]: the hits of the histograms that begin with START, in rows that match
sum()
{
	awk -v start="$1" -v one="${2-}" -v two="${3-}" '
		/^# event histogram: / { on = index($4, start) == 1 }
		on && /^\{/ && $0 ~ one && $0 ~ two { sub(/.*hitcount: */, ""); n += $1 }
		END { print n + 0 }' rows
}
cat >load.sh <<'END'
dd if=/dev/zero of=/dev/null bs=64 count=300 2>/dev/null
END

for engine in kernel user; do
	set -- -k common_pid.execname -f 'function == vfs_read && common_pid != 1'
	# no kernel before 6.3 compares a function in a filter
	case $engine/$(uname -r) in
	kernel/6.1.*) set -- ;;
	esac
	ok "$engine: the calls of functions are counted beside system calls" \
		record --engine $engine -e syscalls:sys_enter_read -k common_pid.execname \
		--function 'vfs_read,ksys_writ*' -k function,common_pid.execname "$@" -- sh load.sh
	calls=$(sum syscalls:sys_enter_read ' dd ')
	is "$engine: vfs_read is called once for each read of dd" \
		"$((calls >= 300)) $(sum function: '{ function.* vfs_read' ' dd ')" "1 $calls"
	ok "$engine: a pattern counts the functions that match" \
		[ "$(sum function: ' ksys_write' ' dd ')" -ge 300 ]
	[ $# = 0 ] || is "$engine: a filter selects a function by name" \
		"$(sum function: '{ common_pid: dd ')" "$calls"
	like "$engine: the key is called function in CSV" \
		"$(trace-cmd hist report --format csv f.dat)" ',key\.function,'
done
ok "the key is called function in JSON" sh -c "trace-cmd hist report --format json f.dat |
	grep -q '\"name\": \"function\", \"modifier\": \"sym\"'"

# function_graph in an instance came after 6.1, where it runs at the top level and alone.
engines=kernel
case $(uname -r) in
6.1.*) graph=top ;;
*) graph=instance engines="kernel user" ;;
esac
for engine in $engines; do
	ok "$engine: times of functions are counted" record --engine $engine \
		-e syscalls:sys_enter_read -k common_pid.execname \
		--function-latency 'vfs_read,ksys_read' -k function,lat.log2,common_pid.execname -v lat \
		-- sh load.sh
	calls=$(sum syscalls:sys_enter_read ' dd ')
	is "$engine: each call has one time, also a call inside another function" \
		"$((calls >= 300)) $(sum function_latency: ' vfs_read' ' dd ') $(
		sum function_latency: ' ksys_read' ' dd ')" "1 $calls $calls"
	is "$engine: the calling function takes longer than the function that it calls" \
		"$(awk '/ dd / { for (i = 1; i < NF; i++) if ($i == "lat_ns:" && $(i - 1) ~ /^[0-9]+$/)
				t[/ vfs_read/] += $(i + 1) } END { print (t[1] > 0 && t[0] > t[1]) }' rows)" 1
done

# A function of a module: the disk counts its reads itself, and the module queues each of them once.
cat >reads.sh <<'END'
dd if=/dev/nullb0 of=/dev/null bs=4096 count=200 iflag=direct 2>/dev/null
END
reads() { awk '{ print $1 }' /sys/block/nullb0/stat; }
# counted PATTERN OPTION...
counted()
{
	local pattern=$1

	shift
	first=$(reads)
	record "$@" --function "$pattern" -k function -- sh reads.sh
	is "$*: $pattern counts each read of the disk" \
		"$(($(reads) - first >= 200)) $(sum function:) $(grep -c '^{ function: .* null_queue_rq \[null_blk\] }' rows)" \
		"1 $(($(reads) - first)) 1"
}
counted null_blk:null_queue_rq --engine kernel
is "tracefs is as before after the recordings of each engine" "$(tree_state)" "$before"
[ -n "${CHECK_LONG-}" ] || done_testing
counted 'null_*:null_queue_r[q]' --engine kernel
counted null_blk:null_queue_rq --engine user
counted null_blk:null_queue_rq --engine kernel --target shell:exec:sh
first=$(reads)
record --function-latency null_blk:null_queue_rq:usecs -- sh reads.sh
is "the times of a function of a module are counted" "$(sum function_latency:)" $(($(reads) - first))
first=$(reads)
record --engine user --function 'null_*' -f 'function == null_blk:null_queue_rq' -- sh reads.sh
is "a filter selects a function of a module" "$(sum function:)" $(($(reads) - first))
first=$(reads)
record --kprobe null_blk:null_queue_rq -k common_type -- sh reads.sh
is "a kprobe has the same name of a function" "$(sum tch_kprobe:)" $(($(reads) - first))
trace-cmd record -q -p function -l null_queue_rq -o stock.dat sh reads.sh >said 2>&1
trace-cmd hist replay -q --function null_blk:null_queue_rq -o f.dat stock.dat 2>said
trace-cmd hist report --view table f.dat >rows
is "replay counts a function of a module as the stock program shows it" "$(sum function:)" \
	"$(trace-cmd report stock.dat 2>/dev/null | grep -c 'function: *null_queue_rq')"

# Returns: each of these tasks waits in the function at the same time.
cat >sleepers.sh <<'END'
for i in $(seq 60); do sleep 1 & done
wait
END
record --kprobe 'hrtimer_nanosleep%return ret=$retval:s32' -k common_pid.execname \
	--kprobe 'a=hrtimer_nanosleep' --kprobe 'b=hrtimer_nanosleep%return' \
	--latency a:common_pid..b:common_pid -k common_pid.execname -- sh sleepers.sh
is "60 returns of a function that sleeps are not missed" "$(sum tch_kprobe:hrtimer ' sleep ')" 60
is "--latency uses the probes of the recording" "$(sum latency:a ' sleep ')" 60

# Tasks that read from pipes, and wait for each other in the function.
cat >pipes.sh <<'END'
for i in $(seq 20); do
	dd if=/dev/zero bs=64 count=200 2>/dev/null | dd of=/dev/null bs=64 2>/dev/null &
done
wait
END
record -e syscalls:sys_enter_read -k common_pid.execname \
	--kprobe 'returned=ksys_read%return' -k common_pid.execname \
	--function-latency ksys_read -k common_pid.execname -- sh pipes.sh
calls=$(sum syscalls: ' dd ')
is "no return and no time of a busy function is missed while 40 tasks call it" \
	"$((calls >= 8000)) $(sum tch_kprobe: ' dd ') $(sum function_latency: ' dd ')" \
	"1 $calls $calls"
is "nothing is told about missed returns" "$(cat said)" ""
cat >asleep.sh <<'END'
for i in $(seq 110); do sleep 1000 & done
until [ "$(cat /proc/[0-9]*/wchan 2>/dev/null | grep -o hrtimer_nanosleep | wc -l)" -ge 110 ]; do
	usleep 10000
done
END
record --engine kernel --function-latency hrtimer_nanosleep -k common_pid.execname -- sh asleep.sh
killall sleep
like "calls without a time are told" "$(cat said)" \
	'function_latency:hrtimer_nanosleep: 11[0-9] of [0-9]+ calls were not timed'

# The cheapest way that this kernel has: a tracer, if functions are all that is counted.
latencies=user
[ $graph = instance ] || latencies=kernel
for preset in vfscount/user funclatency:vfs_read/$latencies; do
	record --preset "${preset%/*}" -- sh load.sh
	is "--preset ${preset%/*} counts the calls of the function with the cheapest engine" \
		"$(($(sum function) >= 300)) $(trace-cmd hist report --format json f.dat |
		sed -n 's/.*"engine": "\([a-z]*\)".*/\1/p' | uniq) $(cat said)" "1 ${preset#*/} "
done

# The frames of a probe do not hide the caller.
record --function vfs_read -k stacktrace -- sh load.sh
is "the stack of a call begins with its caller" "$(trace-cmd hist report --format folded f.dat |
	awk '/ftrace|fprobe|kprobe|trampoline/ { bad++ } /[; ]ksys_read(\+0x[0-9a-f]*)? [0-9]+$/ { n += $NF }
	END { print (n >= 300), bad + 0 }')" "1 0"

# Recordings of the stock program, of both tracers.
for tracer in function function_graph; do
	trace-cmd record -q -p $tracer -l 'vfs_*' -o stock.dat sh load.sh >said 2>&1
	trace-cmd report stock.dat 2>/dev/null >stock.txt
	trace-cmd hist replay -q --function 'vfs_*' -o f.dat stock.dat 2>said
	is "replay counts each function of the tracer $tracer as the stock program shows it" \
		"$(trace-cmd hist report --view table f.dat |
		sed -nE 's/^\{ function: \[[0-9a-f]+\] ([a-z0-9_.]+) .*hitcount: *([0-9]+).*/\1 \2/p' | sort)" \
		"$(sed -nE 's/.* (function: +|funcgraph_entry:.*\|  *)(vfs_[a-z0-9_.]+).*/\2/p' stock.txt | sort | uniq -c |
		awk '{ print $2, $1 }')"
done
ok "the recordings have the calls of dd" [ "$(grep -c 'dd-.*entry.*vfs_read' stock.txt)" -ge 300 ]
trace-cmd hist replay -q --function-latency vfs_read -k common_pid.execname -o f.dat stock.dat 2>said
trace-cmd hist report --view table f.dat >rows
is "replay has a time for each call of dd" "$(sum function_latency: ' dd ')" \
	"$(grep -c 'dd-.*entry:.*vfs_read()' stock.txt)"

refused()
{
	local what=$1 words=$2

	shift 2
	record "$@" -- true && not_ok "$what is refused" "it was not" && return
	like "$what is refused with the reason" "$(cat said)" "$words"
}
# the system call has the symbols of two ABIs, and the tracer uses one of them
used=$(grep -m 1 'sys_getppid$' $tracefs/available_filter_functions)
other=__x64_sys_getppid
[ "$used" != $other ] || other=__ia32_sys_getppid
refused "another name of a function" "use \"$used\"" --function $other
refused "a module without the function" 'did you mean "vfs_read"' --function null_blk:vfs_read
refused "a function of a module that is not loaded" 'did you mean "null_blk:null_queue_rq"' \
	--function nullblk:null_queue_rq
refused "a near name of a function of a module" 'did you mean "null_blk:null_queue_rq"' \
	--kprobe null_blk:null_queue_r -k common_pid
refused "a second tracer" 'accepts only one --function or --function-latency option' --engine user --function vfs_read \
	--function vfs_write
case $(uname -r) in
6.1.*)
	refused "a large pattern" 'at most 64' --engine kernel --function 'vfs_*,ksys_*,do_*'
	# -q also leaves out the note
	trace-cmd hist record -i 0 -o f.dat --function 'vfs_*,ksys_*,do_*' -e sched:sched_process_exit \
		-k common_pid -- sh load.sh 2>said
	trace-cmd hist report --view table f.dat >rows
	like "many functions are counted by the tracer" "$(cat said)" 'too many functions for kprobes'
	ok "the tracer counts the calls" [ "$(sum function: ' vfs_read')" -ge 300 ]
	;;
*)
	refused "an overlap of patterns" 'would be counted twice' --engine kernel --function 'vfs_r*,*_read'
	;;
esac
if [ $graph = top ]; then
	# busy WORDS WHAT: the top-level instance is in use, and is not touched
	busy() { refused "the tracer of a top level with $2" "$1" --engine user --function-latency vfs_read; }

	cat $tracefs/trace >/dev/null
	echo 1 >$tracefs/events/sched/sched_process_exit/enable
	busy 'another program changed the file set_event of the top-level' "an enabled event"
	is "the event is still enabled" "$(cat $tracefs/set_event)" sched:sched_process_exit
	echo 0 >$tracefs/events/sched/sched_process_exit/enable
	echo >$tracefs/trace
	echo mine >$tracefs/trace_marker
	busy 'the tracer would clear the events in the ring buffer' "an event"
	like "the event is still there" "$(cat $tracefs/trace)" ': mine'
	echo >$tracefs/trace
	echo blk >$tracefs/current_tracer
	busy 'another program changed the file current_tracer' "a tracer"
	is "the tracer is still there" "$(cat $tracefs/current_tracer)" blk
	echo nop >$tracefs/current_tracer
	echo >$tracefs/trace

	# each call has a time: the outer recording counts the system calls
	cat >both.sh <<-'END'
	exec trace-cmd hist record -q -i 0 --engine user -o inner.dat "$@" \
		--function-latency 'vfs_read,ksys_read' -k function,lat.log2,common_pid.execname \
		-- sh load.sh
	END
	record -e syscalls:sys_enter_read -k common_pid.execname -- sh both.sh -F -c
	calls=$(sum syscalls: ' dd ')
	trace-cmd hist report --view table inner.dat >rows
	is "top level: each call of a function has one time" "$((calls >= 300)) $(
		sum function_latency: ' vfs_read' ' dd ') $(sum function_latency: ' ksys_read' ' dd ')" \
		"1 $calls $calls"
	is "top level: -F -c counts no other task" "$(grep '^{' rows | grep -Evc ' (dd|sh) ')" 0
	rm -f k.dat
	trace-cmd hist record -q --engine user -i 20ms -o k.dat --function-latency vfs_read &
	pid=$!
	ok "top level: a recording runs" wait_until [ -s k.dat ]
	kill -KILL $pid
	wait $pid 2>/dev/null
	is "top level: the tracer runs on after a kill" "$(cat $tracefs/current_tracer)" function_graph
	ok "top level: cleanup succeeds after a kill" trace-cmd hist cleanup
	is "top level: cleanup restores the tracer, its filter and the clock" \
		"$(cat $tracefs/current_tracer $tracefs/set_ftrace_filter)
$(sed 's/.*\[\(.*\)\].*/\1/' $tracefs/trace_clock)" "nop
#### all functions enabled ####
local"
fi
is "tracefs is as before after all recordings" "$(tree_state)" "$before"

for engine in kernel user; do
	rm -f k.dat
	trace-cmd hist record -q --engine $engine -i 20ms -o k.dat --function 'vfs_read' &
	pid=$!
	ok "$engine: a recording runs" wait_until [ -s k.dat ]
	kill -KILL $pid
	wait $pid 2>/dev/null
	ok "$engine: cleanup succeeds after a kill" trace-cmd hist cleanup
	is "$engine: cleanup leaves nothing" "$(tree_state)" "$before"
done
done_testing
