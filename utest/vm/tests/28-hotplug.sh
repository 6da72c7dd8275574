# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash disable=SC2016,SC2086 # expanded by awk; words of options
#
# A CPU that is offline when a recording begins, comes online, runs a part of the load, and goes
# offline again. The load counts itself: each way of recording has all of it, by CPU.
#
# In check-long: vm/boots.sh runs it in make check, with a CPU that is offline since the boot.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

cpu1=/sys/devices/system/cpu/cpu1
small='exec:trace-cmd-hist-target --stdio'
shell=shell:exec:sh
[ -w $cpu1/online ] || bail "no second CPU that can go offline"
before=$(tree_state)

# rename N: renames its task N times to a name that the filters know
cat >rename <<'END'
i=0
while [ $i -lt "$1" ]; do
	printf came >/proc/$$/comm
	i=$((i + 1))
done
END
# 100 on the CPU that comes, 20 on the other one while that is gone
cat >load <<END
echo 1 >$cpu1/online
taskset 2 sh rename 100
echo 0 >$cpu1/online
sh rename 20
END
echo 0 >$cpu1/online || bail "cannot take CPU 1 offline"

filter='newcomm == "came"'
# record FILE OPTION...: its exit status, and what it said in said
record()
{
	local out=$1

	shift
	trace-cmd hist record -i 200ms -o "$out" "$@" sh load >said 2>&1
	echo $?
}
# rows FILE: "CPU HITS" of each row
rows()
{
	trace-cmd hist report --format csv "$1" |
		awk -F, '$1 == "row" { printf "%s%s %s", n++ ? "; " : "", $(NF - 2), $NF }'
}
hits() { trace-cmd hist report --format csv "$1" | awk -F, '$1 == "snapshot" && $(NF - 1) == "hits" { print $NF }'; }
# events FILE: renames that stock trace-cmd shows, "CPU N" of each CPU
events()
{
	command trace-cmd report "$1" 2>/dev/null | grep -v episode- | grep 'task_rename:.*newcomm=came' |
		sed 's/.*\[0*\([01]\)\].*/\1/' | sort | uniq -c | awk '{ printf "%s%s %s", n++ ? "; " : "", $2, $1 }'
}
# captured FILE: the CPU of the first rename in the captured episodes, by stock trace-cmd.  How many
# later ones the ring buffer had when it was read is chance.
captured()
{
	command trace-cmd report "$1" 2>/dev/null | grep 'episode-.*task_rename:.*newcomm=came' |
		sed 's/.*\[0*\([01]\)\].*/\1/' | head -n 1
}
# said: what the user must know; of 120 matches of a threshold one is captured
said()
{
	grep -v -e '^user-space engine: ' -e '^trace-cmd hist: note: task:task_rename: 120 matches of .*, 1 captured$' \
		-e '^trace-cmd hist: warning: task:task_rename: [0-9]* match.* not captured, because record was' said
}

# recorded WHAT FILE OPTION...: WHAT is recorded, and nothing is said that the user must know
recorded()
{
	local what=$1

	shift
	is "$what records while a CPU comes and goes" "$(record "$@") $(said)" "0 "
}
ours="task:task_rename -k common_cpu -f"
came='task:task_rename:pid[newcomm == "came"]'

# a thread of each CPU; pages for --events and --threshold come from them
recorded "--engine user" a.dat --engine user -e $ours "$filter" --events --threshold "$filter" --worst 1
is "--engine user counts all of the load" "$(rows a.dat)" "1 100; 0 20"
is "--engine user --events has all of the load" "$(events a.dat)" "0 20; 1 100"
is "--engine user --threshold captures the CPU that came" "$(captured a.dat)" 1
# one thread of all CPUs
recorded "--engine user with a latency" a.dat --engine user --latency "$came..$came" -k common_cpu
is "--engine user counts all latencies of the load" "$(rows a.dat)" "1 99; 0 19"
recorded "--threshold" a.dat --engine kernel -e $ours "$filter" --events --threshold "$filter" --worst 1
is "--engine kernel counts all of the load" "$(rows a.dat)" "1 100; 0 20"
is "--events beside --threshold has all of the load" "$(events a.dat)" "0 20; 1 100"
is "--threshold captures the CPU that came" "$(captured a.dat)" 1
recorded "--events" a.dat --engine kernel -e $ours "$filter" --events
is "--events has all of the load" "$(events a.dat)" "0 20; 1 100"
# a target
recorded "--target of a helper" a.dat --target "$small" -e $ours "$filter" --events --threshold "$filter" --worst 1
is "--target of a helper counts all of the load" "$(rows a.dat)" "1 100; 0 20"
is "--target of a helper has all of the load with --events" "$(events a.dat)" "0 20; 1 100"
is "--target of a helper captures the CPU that came" "$(captured a.dat)" 1
recorded "--target of a shell" a.dat --target $shell --engine user -e $ours "$filter" --events \
	--threshold "$filter" --worst 1
is "--target of a shell counts all of the load" "$(rows a.dat)" "1 100; 0 20"
is "--target of a shell has all of the load with --events" "$(events a.dat)" "0 20; 1 100"
is "--target of a shell captures the CPU that came" "$(captured a.dat)" 1
if [ -n "${CHECK_LONG-}" ]; then
	recorded "--function" a.dat --function comm_write
	is "--function counts all calls of the load" "$(hits a.dat)" "120"
	recorded "--function-latency" a.dat --function-latency comm_write
	is "--function-latency counts all calls of the load" "$(hits a.dat)" "120"
	recorded "--target of a shell with hist triggers" a.dat --target $shell -e $ours "$filter" \
		--threshold "$filter" --worst 1
	is "--target of a shell captures the CPU that came with hist triggers" "$(captured a.dat)" 1

	trace-cmd hist top -b -i 200ms --engine user -e $ours "$filter" >top.txt 2>said &
	pid=$!
	wait_until grep -q '^hits ' top.txt
	sh load
	ok "top shows all of the load" wait_until grep -q '^hits 120 ' top.txt
	kill -INT $pid
	wait $pid
	is "top ends with status 0, and says nothing" "$? $(said)" "0 "
fi

# Nobody else reads the ring buffer between two snapshots that are an hour apart.
mkdir $tracefs/instances/mine
echo 0 >$tracefs/instances/mine/buffer_percent
trace-cmd hist record -i 3600 -B mine -o mine.dat --engine user -e $ours "$filter" >said 2>&1 &
pid=$!
wait_until [ -s mine.dat ]
echo 1 >$cpu1/online
is_read() { [ "$(sed -n 's/^read events: //p' $tracefs/instances/mine/per_cpu/cpu1/stats)" -ge "$1" ]; }
taskset 2 sh rename 100
ok "the CPU that came is read before the next snapshot" wait_until is_read 100
kill -INT $pid
wait $pid
is "a recording in an instance of the user counts the CPU that came" "$? $(said) $(rows mine.dat)" "0  1 100"
rmdir $tracefs/instances/mine
echo 1 >$cpu1/online
is "the test leaves nothing in tracefs" "$(tree_state)" "$before"
done_testing
