# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# What cannot work is refused in one line, with status 2, before anything is
# written to the kernel.
#
# On 6.1 in check-long: what is refused is refused before the kernel has a say.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)

# refused DESC REGEX COMMAND...
refused()
{
	local desc=$1 regex=$2 status=0

	shift 2
	"$@" >out 2>said </dev/null || status=$?
	is "$desc is refused with status 2" $status 2
	like "the message about $desc names the problem" \
		"$(tr '\n' ' ' <said)" "^trace-cmd hist: error: $regex"
	# a hint, and a caret below a bad expression, are the only further lines
	is "the message about $desc is one line, with a caret and a hint at most" \
		"$(sed 1d said | grep -vcE '^(  |hint: )')" 0
}
record="trace-cmd hist record -o x.dat"

refused "an unknown event" 'sched:sched_swich: no such event hint: did you mean "sched_switch"\?' \
	$record -e sched:sched_swich -k next_comm
refused "an unknown event system" 'shed:sched_switch: no such event system hint: did you mean "sched"\?' \
	$record -e shed:sched_switch -k next_comm
refused "an event name with a path" '../sched:x: not an event name hint: use SYS:EVENT' $record -e ../sched:x -k pid
refused "an unknown field" 'kmem:kmalloc: no field "bytes_rq" .*hint: did you mean "bytes_req"\?' \
	$record -e kmem:kmalloc -k bytes_rq
like "a caret marks the unknown field" "$(cat said)" '^ *\^~~~~~~~$'
refused "an unknown modifier" '.*log3' $record -e kmem:kmalloc -k bytes_req.log3
refused "a modifier that does not fit its field" \
	'.*execname' $record -e kmem:kmalloc -k bytes_req.execname
refused "two keys with .log2=K without the kernel patches" \
	'this kernel counts \.log2=K with several triggers, which can divide only one key .*hint: use \.log2' \
	$record -e kmem:kmalloc -k bytes_req.log2=2,bytes_alloc.log2=3
refused "--read raw without hist_raw in the kernel" \
	'--read raw: kmem:kmalloc: this kernel does not have hist_raw hint: leave out --read' \
	$record -e kmem:kmalloc -k bytes_req --read raw -d 1
refused "--read raw --dry-run without hist_raw" \
	'--read raw: kmem:kmalloc: this kernel does not have hist_raw hint: leave out --read' \
	$record -e kmem:kmalloc -k bytes_req --read raw --dry-run
refused "an unknown value of --read" \
	'--read binary: unknown value hint: use one of: auto, text, raw' $record -e kmem:kmalloc -k bytes_req --read binary
refused "a histogram with four keys" \
	'the kernel accepts at most 3 keys' \
	$record -e kmem:kmalloc -k call_site,bytes_req,bytes_alloc,ptr
refused "a string as a value" '.*next_comm' $record -e sched:sched_switch -k next_pid -v next_comm
refused "a trigger of -R without keys" '.*keys' $record -e kmem:kmalloc -R 'hist:vals=bytes_req'
refused "an event without a histogram" '-e kmem:kmalloc: the histogram needs keys hint: add -k KEYS' $record -e kmem:kmalloc
refused "a recording without an event" 'no event to count hint: add -e SYS:EVENT' $record
refused "a key before the first event" '-k pid: needs an event hint: put -e SYS:EVENT before -k' $record -k pid -e kmem:kmalloc
refused "an invalid interval" '-i 5x: must be a time hint: use seconds, or a number with' $record -i 5x -e kmem:kmalloc -k ptr
refused "an invalid PID" '-P x: must be a list of process IDs hint: use -P PID\[,PID\.\.\.\]' $record -P x -e kmem:kmalloc -k ptr
refused "an invalid instance name" '-B a/b: not a valid instance name' $record -B a/b -e kmem:kmalloc -k ptr
refused "an unknown clock" '-C sundial: unknown trace clock hint: use one of: .*mono' $record -C sundial -e kmem:kmalloc -k ptr
refused "an unknown option" "--nonsense: unknown option hint: run 'trace-cmd hist record --help=all'" $record --nonsense
refused "a filter on an unknown field" \
	'.*(refuses|nosuch).*' $record -e kmem:kmalloc -k ptr -f 'nosuch == 1'
refused "a filter of -R on an unknown field" '.*(refuses|nosuch).*' \
	$record -e kmem:kmalloc -R 'hist:keys=ptr if nosuch == 1'
# 6.1 does not have it; on 6.12 the kinds record it.
grep -q nohitcount $tracefs/README || refused "nohitcount on a kernel without nohitcount" \
	'this kernel does not support nohitcount' \
	$record -e kmem:kmalloc -R 'hist:keys=ptr:nohitcount'
refused "the event ftrace:function" \
	"ftrace:function: events of the ftrace system cannot have hist triggers, except ftrace:print hint: use --function FUNCTION to count the calls to a function" \
	$record -e sched:sched_switch -k next_comm -e ftrace:function -k ip
refused "the event ftrace:user_stack" \
	"ftrace:user_stack: events of the ftrace system cannot have hist triggers, except ftrace:print hint: choose an event from 'trace-cmd hist list'" \
	$record -e ftrace:user_stack -k caller
# shellcheck disable=SC2016 # the kernel's argument
{
	refused "a wrong modifier of a probe's value" \
		'".buckets" cannot be used with a value' \
		$record --dry-run --kprobe 'vfs_read n=$arg3' -R 'hist:keys=n:vals=hitcount.buckets=8'
	refused "a key that the probe does not have" 'tch_kprobe:vfs_read: no field "m"' \
		$record --dry-run --kprobe 'vfs_read n=$arg3' -k m
	refused "a string of a probe as a value" '"s" is a string, but a value must be a number' \
		$record --dry-run --kprobe 'vfs_read n=$arg3 s=+0($arg2):ustring' -k n -v s
	ok "a correct probe passes --dry-run" \
		$record --dry-run --kprobe 'vfs_read n=$arg3 s=+0($arg2):ustring' \
		-k n.log2,s -f 'n > -1'
}
refused "a read-only directory for the undo log" \
	'/run/trace-cmd-hist: Read-only file system hint: set TRACE_CMD_HIST_STATE' \
	unshare -m sh -c "mount -t tmpfs -o ro none /run; exec $record --dry-run -e kmem:kmalloc -k ptr"
refused "a read-only tracefs" 'tracefs: instances: Read-only file system' \
	unshare -m sh -c "mount -o remount,bind,ro $tracefs; exec $record --dry-run -e kmem:kmalloc -k ptr"
is "the refused commands change nothing in tracefs" "$(tree_state)" "$before"
ok "the refused commands create no output file" [ ! -e x.dat ]

mkdir ro && mount -t tmpfs none ro && mount -o remount,ro ro
refused "an output file on a read-only file system" 'ro/x.dat: Read-only file system' \
	trace-cmd hist record -o ro/x.dat -e kmem:kmalloc -k ptr
umount ro
refused "an output file in a missing directory" 'no/x.dat: No such file' \
	trace-cmd hist record -o no/x.dat -e kmem:kmalloc -k ptr
refused "a directory as the output file" 'ro: not a regular file' \
	trace-cmd hist record -o ro -e kmem:kmalloc -k ptr
is "the commands with a refused output file change nothing in tracefs" "$(tree_state)" "$before"

# Not root: tracefs is closed to others, and the answer says what to do.
mkdir -m 777 open
refused "a recording by a user who is not root" \
	'.*(root|ermi).*' /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups \
	trace-cmd hist record -o open/x.dat -e kmem:kmalloc -k ptr

# No tracefs at all, and none that could be mounted.
refused "a recording without tracefs" \
	'.*tracefs.*' unshare -m sh -c "umount -l $tracefs; umount -l /sys/kernel/debug;
	mount -t tmpfs none /sys/kernel; exec trace-cmd hist record -o x.dat -e kmem:kmalloc -k ptr"

# A file cut at many places, and with flipped bytes: never a crash, status 0 or 2.
ok "a recording of kmem:kmalloc for the truncation test succeeds" \
	trace-cmd hist record -o g.dat -i 20ms -e kmem:kmalloc -k call_site.sym -- usleep 300000
size=$(stat -c %s g.dat)
bad=0 cut=0
while [ $cut -lt "$size" ]; do
	head -c $cut g.dat >cut.dat
	status=0
	trace-cmd hist report cut.dat >out 2>said || status=$?
	[ $status = 2 ] || { [ $status = 0 ] && [ -s out ]; } || bad=$((bad + 1))
	[ "$(wc -l <said)" -le 1 ] || bad=$((bad + 1))
	cut=$((cut + 211))
done
is "report reads or refuses a truncated file with at most one message" $bad 0
refused "an empty file" '/dev/null' trace-cmd hist report /dev/null
refused "a missing file" 'nosuch.dat: ' trace-cmd hist report nosuch.dat
refused "a text file" '.*not a trace.dat' trace-cmd hist report /tests/lib.sh
done_testing
