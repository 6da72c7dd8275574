# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Names of numbers beside those that stock trace-cmd prints for the same events: recorded with
# their histograms, and counted again from the events, whose counts by name must be equal to the
# lines that stock trace-cmd prints.
#
# In check-long: names are in the unit tests, with the texts of both kernels.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
cd /tmp || bail "no /tmp"

before=$(tree_state)
cat >/tmp/names-load.sh <<'END'
ls -lR /sys/kernel/tracing/events/irq >/dev/null 2>&1
for i in 1 2 3 4 5; do usleep 5000; cat /nosuch 2>/dev/null; done
sh -c 'kill -USR1 $$' 2>/dev/null
dd if=/dev/zero of=/dev/null bs=4096 count=50 2>/dev/null
# connections that are refused: addresses that differ if their bytes are read in the other order
for i in 1 2 3; do nc 127.1.2.3 9 </dev/null; done 2>/dev/null
nc 127.0.0.1 9 </dev/null 2>/dev/null
# the serial port interrupts
echo "31-names: interrupts, please" >/dev/ttyS0
END
cat >/tmp/names.awk <<'END'
# "KEY NAME HITS" of the rows of a CSV report, without the rows that have no name.
NR == 1 {
	n = split($0, head, ",")
	for (i = 1; i <= n; i++)
		at[head[i]] = i
	next
}
{
	split($0, f, ",")
	if (f[1] == "row" && f[at["metric"]] == "hitcount" && f[at["key." key "_name"]] != "")
		print f[at["key." key]], f[at["key." key "_name"]], f[at["value"]]
}
END

ifconfig lo 127.0.0.1 up || bail "no network"
ok "events and their histograms are recorded" trace-cmd-hist record -q -i 0 --events -o names.dat \
	-e irq:softirq_entry -k vec -e sched:sched_switch -k prev_state \
	-e kmem:kmalloc -k gfp_flags -e irq:irq_handler_entry -k irq \
	-e raw_syscalls:sys_exit -k ret -f 'ret < 0' -e signal:signal_generate -k sig \
	-e sock:inet_sock_set_state -k daddr -e fib:fib_table_lookup -k dst -- \
	sh /tmp/names-load.sh

# Without plugins, stock trace-cmd prints by the print fmt.
trace-cmd report -N names.dat >stock.txt 2>/dev/null

# check EVENT KEY PATTERN: what replay counts by name is what stock trace-cmd prints; a name is the
# end of PATTERN in its line.  The histogram has names of the same numbers.
check()
{
	trace-cmd-hist replay -q -e "$1" -k "$2" -i 0 -o replay.dat names.dat ||
		not_ok "replay of $1"
	trace-cmd-hist report --format csv replay.dat >replay.csv
	awk -v key="$2" -f names.awk replay.csv >replay.names
	# a pattern with ".*" in front takes busybox half a minute
	grep -F " ${1#*:}: " stock.txt | grep -oe "$3" | sed 's/.*[= ]//' | sort | uniq -c |
		awk '{ print $2, $1 }' >stock.names
	awk '{ n[$2] += $3 } END { for (i in n) print i, n[i] }' replay.names | sort >ours.names
	is "$1: the hits by name are those that stock trace-cmd prints" "$(cat ours.names)" \
		"$(sort stock.names)"
	ok "$1: there are names" [ -s ours.names ]
	trace-cmd-hist report --format csv -e "$1" names.dat | awk -v key="$2" -f names.awk |
		cut -d' ' -f1,2 | sort >recorded.names
	cut -d' ' -f1,2 replay.names | sort >replayed.names
	ok "$1: there are recorded names" [ -s recorded.names ]
	is "$1: recorded names are those of the events" \
		"$(grep -vxFf replayed.names recorded.names)" ""
}

check irq:softirq_entry vec 'action=[^]]*'
check sched:sched_switch prev_state 'prev_state=[^ ]*'
check irq:irq_handler_entry irq ' name=[^ ]*'
check kmem:kmalloc gfp_flags 'gfp_flags=[^ ]*'
check sock:inet_sock_set_state daddr ' daddr=[0-9.]*'
check fib:fib_table_lookup dst ' -> [0-9.]*'

# Addresses: each connection changes the state of its socket twice.
trace-cmd-hist report --view table -e inet_sock_set_state names.dat >named
is "an address is shown without its number" "$(sed -n 's/^{ daddr: \(127.1.2.3\) *} hitcount: *\([0-9]*\).*/\1 \2/p' named)" \
	"127.1.2.3 6"
trace-cmd-hist record -q -i 0 -o filter.dat -e sock:inet_sock_set_state -k daddr,newstate \
	-f 'daddr == 127.1.2.3' -- sh /tmp/names-load.sh
trace-cmd-hist replay -q -i 0 -o replay.dat -e sock:inet_sock_set_state -k daddr,newstate \
	-f 'daddr == 127.1.2.3' names.dat
for file in filter replay; do
	is "a filter compares with an address ($file)" "$(trace-cmd-hist report --view table $file.dat |
		sed -n 's/^{ daddr: \([0-9.]*\) *, newstate: \(TCP_[A-Z_]*\) .*hitcount: *\([0-9]*\).*/\1 \2 \3/p' | sort | xargs)" \
		"127.1.2.3 TCP_CLOSE 3 127.1.2.3 TCP_SYN_SENT 3"
done
trace-cmd-hist replay -q -i 0 -o replay.dat \
	--latency 'sock:inet_sock_set_state:skaddr[newstate == 2]..sock:inet_sock_set_state:skaddr[newstate == 7]' \
	-k daddr names.dat
is "a latency shows the addresses of its events" "$(trace-cmd-hist report --view table replay.dat |
	sed -n 's/^{ daddr: \([0-9.]*\) *} hitcount: *\([0-9]*\).*/\1 \2/p' | sort | xargs)" \
	"127.0.0.1 1 127.1.2.3 3"
is "--raw-names shows the numbers of addresses" "$(trace-cmd-hist report --view table --raw-names -e inet_sock_set_state \
	names.dat | grep -c '^{ daddr: *[0-9]* }')" 2

# A latency carries the numbers of its events, whose names stock trace-cmd prints.
grep -F ' softirq_entry: ' stock.txt | grep -o 'vec=[^]]*' |
	sed 's/vec=\([0-9]*\) \[action=/\1 /' | sort -u >stock.names
latency="--latency irq:softirq_entry:vec,common_cpu..irq:softirq_exit:vec,common_cpu -k vec"
# carried HOW: latency.dat has only names of stock.names, and the one of the timer
carried()
{
	trace-cmd-hist report --format csv latency.dat | awk -v key=vec -f names.awk |
		cut -d' ' -f1,2 | sort -u >ours.names
	is "$1: softirqs of a latency have the names that stock trace-cmd prints" \
		"$(grep -vxFf stock.names ours.names; grep -cx '1 TIMER' ours.names)" 1
}
# shellcheck disable=SC2086 # options
trace-cmd-hist record -q -i 0 --events -o events.dat $latency -- sh /tmp/names-load.sh
cp events.dat latency.dat
carried record
# shellcheck disable=SC2086 # options
trace-cmd-hist replay -q -i 0 -o latency.dat $latency events.dat
carried replay
# a number that the trigger of START keeps
trace-cmd-hist replay -q -i 0 -o latency.dat \
	--latency 'sched:sched_switch:prev_pid..sched:sched_switch:next_pid' -k start_prev_state names.dat
ok "a state that START keeps has its name" sh -c "trace-cmd-hist report --format csv latency.dat |
	awk -v key=start_prev_state -f names.awk | grep -q '^1 S '"

trace-cmd-hist report --format csv -e sys_exit names.dat | awk -v key=ret -f names.awk >errors
ok "a file that does not exist is ENOENT" grep -q '^-2 ENOENT ' errors
trace-cmd-hist report --format csv -e signal_generate names.dat | awk -v key=sig -f names.awk >signals
ok "signal 10 is SIGUSR1" grep -q '^10 SIGUSR1 ' signals

trace-cmd-hist report -e softirq_entry names.dat >named
trace-cmd-hist report -e softirq_entry --raw-names names.dat >raw
ok "the table shows names" grep -Eq '\{ vec: [A-Z_]+ +\[[0-9]+\]|\{ vec: [A-Z_]+ \[[0-9]+\]' named
ok "--raw-names shows numbers" grep -Eq '\{ vec: +[0-9]+ \}' raw
is "--raw-names shows no name" "$(grep -c '{ vec: .*[A-Z]' raw)" 0
trace-cmd-hist report --format openmetrics names.dat -e softirq_entry >metrics
ok "openmetrics has a label with the name" grep -q 'vec_name="[A-Z_]*",vec="[0-9]*"' metrics
ok "html has the name" sh -c 'trace-cmd-hist report --format html names.dat -e softirq_entry |
	grep -Eq "(TIMER|RCU|SCHED) \[[0-9]\]"'
trace-cmd-hist diff --min-hits 0 names.dat names.dat >difference 2>&1
ok "diff shows names" grep -Eq '^  (TIMER|RCU|SCHED) ' difference
trace-cmd-hist diff --min-hits 0 --raw-names names.dat names.dat >difference 2>&1
ok "diff --raw-names shows numbers" grep -Eq '^  (1|7|9) ' difference
trace-cmd-hist top -b -n 2 -i 200ms -e irq:softirq_entry -k vec >top.txt 2>&1
ok "top shows names" grep -Eq '^ *(TIMER|RCU|SCHED) \[' top.txt
trace-cmd-hist top -b -n 2 -i 200ms --raw-names -e irq:softirq_entry -k vec >top.txt 2>&1
is "top --raw-names shows numbers" "$(grep -c 'TIMER\|RCU\|SCHED' top.txt)" 0
is "recordings with names leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
