# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Only some tasks: -F, -c, -P, --cgroup and --exclude-self.  The programs know how often each of their tasks calls
# getppid() (110), and bare_calls makes no system call that it does not count.
#
# make check takes the kernel's engine, of -P the target with a shell, which finds the family itself, and of
# --cgroup the first recording.  The recorder itself and instances of the user's are in check-long.
#
# On 6.1 in check-long: it has the same lists of tasks as 6.12.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/tasks
cd /tmp/tasks || bail "no directory"
mkfifo go

record() { trace-cmd hist record -q -i 0 -o t.dat "$@"; }
said() { "$@" 2>&1 >/dev/null | head -n 1; }
# The rows of the last recording: "id:110=1000 id:231=1".
rows()
{
	trace-cmd hist report --view table t.dat | sed -n 's/^{ *\([^}]*[^} ]\) *} hitcount: *\([0-9]*\).*/\1=\2/p' |
		sed 's/:  */:/g; s/ *, */,/g' | sort | xargs
}
# Their number, and the sum of their hits.
tasks() { rows | tr ' ' '\n' | awk -F= 'NF { n++; sum += $2 } END { print n + 0, sum + 0 }'; }
enter() { record -e raw_syscalls:sys_enter -k "$@"; }
# The tracers of functions have lists of tasks of their own. The function has several names.
getppid=$(grep -m 1 'sys_getppid$' $tracefs/available_filter_functions)
traced() { record --engine user --function "$getppid" -k common_pid "$@"; }
# A family that waits; $pid is its first task.
family()
{
	rm -f ready
	task_calls 1000 go >ready &
	pid=$!
	wait_until [ -s ready ] || bail "no family"
}
# shellcheck disable=SC2016 # expanded by the inner shell
release='echo >go; while [ -d "/proc/$0" ]; do usleep 10000; done'

before=$(tree_state)
enter id -F -- bare_calls
is "-F counts each system call of the command, and none of the process before its exec" \
	"$? $(rows)" "0 id:110=1000 id:231=1"
record -e raw_syscalls:sys_exit -k id -F -c -- bare_calls
is "-F counts from the return of the exec" "$? $(rows)" "0 id:110=1000 id:59=1"
# shellcheck disable=SC2016 # expanded by the inner shell
record -e task:task_rename -k oldcomm,newcomm -f 'oldcomm ~ "trace-cmd*"' -- \
	sh -c 'cat /proc/$PPID/comm >recorder'
is "the process of the command has a name of its own before its exec, and the recorder keeps its name" \
	"$(rows) $(cat recorder)" "oldcomm:trace-cmd-exec,newcomm:sh=1 trace-cmd-hist"
enter common_pid -f 'id == 110' -F -- task_calls 1000
is "-F counts the first task of the command, and not its threads and children" "$(tasks)" "1 1000"
enter common_pid -f 'id == 110' -F -c -- task_calls 1000
is "-F -c counts the threads and children of the command too" "$(tasks)" "5 5000"
enter common_pid -f 'id == 110' -F -c --engine user -- task_calls 1000
is "-F -c counts the same with the user-space engine" "$(tasks)" "5 5000"
if [ -n "${CHECK_LONG-}" ]; then
	traced -F -- task_calls 1000
	is "-F counts the functions of the first task that the tracer writes" "$(tasks)" "1 1000"
fi
traced -F -c -- task_calls 1000
is "-F -c counts the functions of the threads and children that the tracer writes" "$(tasks)" "5 5000"
record --engine user --function-latency "$getppid" -k common_pid -F -c -- task_calls 1000
is "-F -c counts the times of the functions of the threads and children" "$(tasks)" "5 5000"
record --events -e raw_syscalls:sys_enter -k id -F -- bare_calls
is "--events records the events of the same tasks" \
	"$? $(rows) $(trace-cmd report t.dat 2>/dev/null | grep -c 'sys_enter: *NR ')" \
	"0 id:110=1000 id:231=1 1001"
family
enter common_pid -f 'id == 110' -P $pid -- sh -c "$release" $pid
is "-P counts one task" "$(tasks)" "1 1000"
family
enter common_pid -f 'id == 110' -P $pid -c -- sh -c "$release" $pid
is "-P -c counts the threads and children that the task has, and those that it makes" \
	"$(tasks)" "5 5000"
family
traced -P $pid -c -- sh -c "$release" $pid
is "-P -c counts the functions of the whole family that the tracer writes" "$(tasks)" "5 5000"
if [ -n "${CHECK_LONG-}" ]; then
	family
	trace-cmd hist record -q --target exec:'trace-cmd-hist listen --stdio' -i 0 -o t.dat \
		-e raw_syscalls:sys_enter -k common_pid -f 'id == 110' -P $pid -c -- sh -c "$release" $pid
	is "-P -c finds the family on a target with a helper" "$(tasks)" "5 5000"
fi
family
trace-cmd hist record -q --target shell:exec:sh -i 0 -o t.dat \
	-e raw_syscalls:sys_enter -k common_pid -f 'id == 110' -P $pid -c -- sh -c "$release" $pid
is "-P -c finds the family on a target with a shell" "$(tasks)" "5 5000"

# A latency whose END happens in an interrupt above any task. The disk completes a read after 1 ms by
# a timer, and issues it in the task that reads. Another task reads 40 blocks, at least 20 of them
# during the recording.
mkdir -p /sys/kernel/config
mount -t configfs configfs /sys/kernel/config 2>/dev/null
disk=/sys/kernel/config/nullb/timed
mkdir $disk || bail "no test disk"
for setting in irqmode=2 completion_nsec=1000000 size=64 power=1; do
	echo ${setting#*=} >$disk/${setting%=*}
done
# its name is that of the directory, and before 6.3 that of its number
name=timed
[ -e /sys/block/timed ] || name=nullb$(cat $disk/index)
wait_until [ -b /dev/"$name" ] || bail "no test disk"
echo none >/sys/block/"$name"/queue/scheduler
mkfifo half
dd="dd if=/dev/$name of=/dev/null bs=4096 iflag=direct"
# timed OPTION... -- COMMAND...: sets $seen to the latencies, and the reads that the disk has counted
timed()
{
	local before other

	before=$(awk '{ print $1 }' /sys/block/"$name"/stat)
	sh -c "read x <go; $dd count=20 skip=9000; echo >half; $dd count=20 skip=9020" 2>/dev/null &
	other=$!
	record --latency block:block_rq_issue:dev,sector..block:block_rq_complete:dev,sector:nsecs \
		-k lat.log2 "$@" 2>said
	wait $other
	seen="$(trace-cmd hist report t.dat | awk '/Hits:/ { print $2 }')"
	seen="$seen $(awk -v before="$before" '{ print $1 - before }' /sys/block/"$name"/stat)"
}
mkfifo listed
for engine in kernel user; do
	timed --engine $engine -F -- sh -c "echo >go; read x <half; exec $dd count=40 2>/dev/null"
	is "-F counts the latencies of the command, whose END is in an interrupt, $engine" "$seen" "40 80"
	[ -n "${CHECK_LONG-}" ] || break
	timed --engine $engine -F -c -- sh -c "exec 2>/dev/null; echo >go; read x <half
		$dd count=40 & $dd count=50 skip=1000 & wait"
	is "-F -c counts the latencies of the children, whose END is in an interrupt, $engine" "$seen" "90 130"
	sh -c "read x <listed; exec $dd count=40 2>/dev/null" &
	pid=$!
	timed --engine $engine -P $pid -- sh -c "echo >go; read x <half; echo >listed
		while [ -e /proc/$pid/fd/0 ]; do usleep 5000; done"
	is "-P counts the latencies of its task, whose END is in an interrupt, $engine" "$seen" "40 80"
done

# The command as without -F.
record -e raw_syscalls:sys_enter -k id -F -- sh -c 'exit 7'
is "-F passes on the exit status of the command" $? 7
printf '#!/no/such/shell\n' >broken
chmod 755 broken
is "-F reports a command that cannot be executed" \
	"$(said record -e raw_syscalls:sys_enter -k id -F -- ./broken)" \
	"trace-cmd hist: error: ./broken: No such file or directory"
is "-F gives the command its signals" \
	"$(record -e raw_syscalls:sys_enter -k id -F -d 300ms -- sleep 100; echo $?)" 143
is "--dry-run prints the tasks" "$(record --dry-run -e raw_syscalls:sys_enter -k id -P 1,2 -F -c -- true)" \
	"options/event-fork 1
set_event_pid 1 2 true
raw_syscalls:sys_enter hist:keys=id"
is "--dry-run prints the tasks of the tracer" \
	"$(traced --dry-run -P 1 -c)" "options/event-fork 1
set_event_pid 1
options/function-fork 1
set_ftrace_pid 1
set_ftrace_filter $getppid
current_tracer function
ftrace:function hist:keys=common_pid"
is "-c needs tasks" "$(said record -c -e raw_syscalls:sys_enter -k id -- true)" \
	"trace-cmd hist: error: -c: needs -P or -F"
is "-F needs a command" "$(said record -F -e raw_syscalls:sys_enter -k id)" \
	"trace-cmd hist: error: -F: needs a command"
is "-F is refused with --target" \
	"$(said record -F --target shell:exec:sh -e raw_syscalls:sys_enter -k id -- true)" \
	"trace-cmd hist: error: -F: cannot be combined with --target, because the command runs on the host"

# A cgroup with a sub-group; the command of a recording is in neither.
mkdir cg
mount -t cgroup2 none cg || bail "no cgroup2"
mkdir cg/g cg/g/sub cg/other
# move GROUP: the processes of all families
move()
{
	for p in $(pidof task_calls); do
		echo "$p" >"cg/$1/cgroup.procs"
	done
}
grouped() { enter common_pid -f 'id == 110' --cgroup "$@"; }
# shellcheck disable=SC2016 # expanded by the inner shell
listed='until grep -qx "$0" '$tracefs'/instances/$TRACE_CMD_HIST_INSTANCE/$1; do usleep 1000; done; '
# shellcheck disable=SC2016
unlisted=$(echo "$listed" | sed 's/until/while/')
family
move g/sub
grouped "$PWD/cg/g" -- sh -c "bare_calls; $release" $pid
is "--cgroup counts the tasks of a sub-group and what they fork, and no others" "$(tasks)" "5 5000"
if [ -z "${CHECK_LONG-}" ]; then
	wait
	rmdir $disk cg/g/sub cg/g cg/other
	umount cg
	is "the recordings leave nothing" "$(tree_state)" "$before"
	done_testing
fi
# on_target URL GROUP
on_target()
{
	family
	move g
	trace-cmd hist record -q --target "$1" -i 0 -o t.dat -e raw_syscalls:sys_enter \
		-k common_pid -f 'id == 110' --cgroup "$2" -- sh -c "bare_calls; $release" $pid
	is "--cgroup $2 names a group of the target $1" "$(tasks)" "5 5000"
}
on_target exec:'trace-cmd-hist listen --stdio' g
on_target shell:exec:sh /g/

# The example of trace-cmd-hist-targets(7), with another end: a container is a family in a cgroup.
# shellcheck disable=SC2016 # expanded by the script
echo 'echo $container' >docker
chmod 755 docker
sed -n '/^ # pid=.*docker/,/^--/s/^ #* *//p' /targets.txt >page
is "the page has an example of a container" "$(wc -l <page)" 3
family
move g
sed 's/ -d 10 / -q -i 0 -o t.dat /; $s/$/ -- sh -c "$load" $pid/' page >example
load="bare_calls; $release" container=$pid PATH=$PWD:$PATH sh example 2>said
is "the example of a container counts the system calls of its tasks, and of no others" "$? $(
	trace-cmd hist report --view table t.dat | sed -n '/sys_getppid /s/.*hitcount: *\([0-9]*\).*/\1/p' |
	awk '{ sum += $1 } END { print sum + 0 }')" "0 5000"
tap_comment <said

for engine in kernel user; do
	sh -c "read x <listed; exec 2>/dev/null; $dd count=40 & $dd count=50 skip=1000 & wait" &
	pid=$!
	echo $pid >cg/g/cgroup.procs
	timed --engine $engine --cgroup g -- sh -c "echo >go; read x <half; echo >listed
		while [ -e /proc/$pid/fd/0 ]; do usleep 5000; done"
	is "--cgroup counts the latencies of its tasks, whose END is in an interrupt, $engine" "$seen" "90 130"
done
rmdir $disk
family
grouped g -- sh -c "for p in \$(pidof task_calls); do echo \$p >cg/g/cgroup.procs; done
	$listed $release" $pid set_event_pid
is "--cgroup counts tasks that enter an empty group, with their threads" "$(tasks)" "5 5000"
if [ -n "${CHECK_LONG-}" ]; then
	family
	move g
	grouped g --engine user -- sh -c "$release" $pid
	is "--cgroup counts the same with the user-space engine" "$(tasks)" "5 5000"
fi
family
move g
traced --cgroup g -- sh -c "$release" $pid
is "--cgroup counts the functions of its tasks that the tracer writes" "$(tasks)" "5 5000"
family
move g
traced --cgroup g -- sh -c "for p in \$(pidof task_calls); do echo \$p >cg/other/cgroup.procs; done
	$listed $release" $pid set_ftrace_notrace_pid
is "--cgroup does not count functions of tasks that have left the group" "$(tasks)" "0 0"
family
move g
grouped g -- sh -c "for p in \$(pidof task_calls); do echo \$p >cg/other/cgroup.procs; done
	$listed $release" $pid set_event_notrace_pid
is "--cgroup does not count tasks that have left the group" "$(tasks)" "0 0"
family
move g
grouped g -- sh -c "for p in \$(pidof task_calls); do echo \$p >cg/other/cgroup.procs; done; $listed
	for p in \$(pidof task_calls); do echo \$p >cg/g/cgroup.procs; done; $unlisted $release" \
	$pid set_event_notrace_pid
is "--cgroup counts tasks that came back" "$(tasks)" "5 5000"
is "--cgroup refuses a group that does not exist" "$(said grouped nowhere -- true)" \
	"trace-cmd hist: error: --cgroup nowhere: no such cgroup"
is "--cgroup refuses a path that leaves the tree" "$(said grouped g/../../etc -- true)" \
	"trace-cmd hist: error: --cgroup g/../../etc: Invalid argument"
is "--cgroup and -P are refused together" "$(said grouped g -P 1 -- true)" \
	"trace-cmd hist: error: --cgroup g: cannot be combined with -P"

# The recorder itself: what it does for a snapshot each 20 ms is most of this.
# shellcheck disable=SC2016
self='echo $PPID >self; pidof trace-cmd >>self; usleep 500000'
own() { rows | tr ' ' '\n' | sed 's/common_pid://; s/=.*//' | grep -cxF "$(tr ' ' '\n' <self)"; }
trace-cmd hist record -q -i 20ms -o t.dat -e raw_syscalls:sys_enter -k common_pid -- sh -c "$self"
is "the recorder is counted" "$(own)" 1
trace-cmd hist record -q -i 20ms -o t.dat -e raw_syscalls:sys_enter -k common_pid --exclude-self -- sh -c "$self"
is "--exclude-self leaves out the recorder, and not its command" \
	"$(own) $(rows | tr ' ' '\n' | grep -c .)" "0 2"
trace-cmd hist record -q --events -i 20ms -o t.dat -e raw_syscalls:sys_enter -k common_pid --exclude-self \
	-- sh -c "$self"
is "--exclude-self leaves out the stock recorders of --events" "$(wc -w <self) $(own)" "4 0"
printf 'exit 0\n' >steps
pty_drive -l log trace-cmd hist record -i 20ms -o t.dat -e raw_syscalls:sys_enter -k common_pid -- \
	sh -c "$self" <steps
hits=$(tr -d '\r' <log | sed -n 's/.*trace-cmd hist itself caused \([0-9]*\) of [0-9]* hits ([0-9]* %).*/\1/p')
counted=$(rows | tr ' ' '\n' | sed -n "s/common_pid:$(head -n 1 self)=//p")
ok "the summary tells the recorder's share as its row does ($hits, $counted)" \
	test "$hits" -ge "$counted" -a "$hits" -le $((counted + 200))
pty_drive -l log trace-cmd hist record -i 0 -o t.dat -e raw_syscalls:sys_enter -k common_pid -- \
	task_calls 10000 <steps
is "a small share is not told" "$(grep -c 'hist itself caused' log)" 0
rmdir cg/g/sub cg/g cg/other
umount cg
is "the recordings leave nothing" "$(tree_state)" "$before"

# An instance of the user's, and a recorder that is killed while the command is running.
mkdir $tracefs/instances/mine
echo 1 >$tracefs/instances/mine/set_event_pid
mine=$(tree_state)
record -B mine -e raw_syscalls:sys_enter -k id -F -c -- sh -c "cd $tracefs/instances/mine
	[ \$(cat options/event-fork) = 1 ] && grep -qx \$\$ set_event_pid && ! grep -qx 1 set_event_pid"
is "-B sets the tasks and the option in the instance of the user" $? 0
is "the list of tasks and the option of the instance are restored" "$(tree_state)" "$mine"
trace-cmd hist record -q -o t.dat -B mine -e raw_syscalls:sys_enter -k id -F -c -- \
	sh -c 'echo $$ >ready2; exec sleep 1000' &
recorder=$!
wait_until [ -s ready2 ]
kill -KILL $recorder
wait $recorder
kill "$(cat ready2)"
trace-cmd hist cleanup >/dev/null
is "cleanup restores both after a kill" "$(tree_state)" "$mine"
rmdir $tracefs/instances/mine
done_testing
