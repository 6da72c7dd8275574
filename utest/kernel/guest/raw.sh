# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck source-path=SCRIPTDIR source=lib.sh
# shellcheck disable=SC2016 # $ are of the triggers' language
#
# One load, recorded twice at the same time: by the text and by hist_raw.  Only the task
# that makes the load is counted, so both count the same, and their reports must be equal,
# with histograms of each kind.

. /tests/lib.sh
cd /tmp || exit 1

# What is counted: no fork, but for an exec in the end.  It stops itself, to be let go on
# when it is counted.
cat >load.sh <<'END'
kill -STOP $$
i=0
while [ $i -lt 300 ]; do
	read -r _ </proc/uptime
	[ $((i % 5)) = 0 ] && read -r _ </proc/self/status
	[ $((i % 7)) = 0 ] && : >/tmp/load.$((i % 3))
	echo "task $i" >/proc/self/comm
	i=$((i + 1))
done
# once more, where something is done in between
[ ! -e /tmp/twice ] || [ -n "$again" ] || again=1 exec sh /tmp/load.sh
exec /bin/busybox true
END

# The totals, in whatever order: rows of equal hits come as they were met first.
normal() { sed '1,/"recorded"/d; /"\(snapshots\|first_seq\|last_seq\|seq\|missed\|instance\|[a-z_]*_ns\)":/d; s/,$//' "$1" | sort; }

# stopped PID: until it has stopped
stopped()
{
	until grep -q '^State:.T' "/proc/$1/status"; do
		[ -d "/proc/$1" ] || return
		usleep 5000
	done
}

# attached EVENT N: until so many recorders have set their triggers
attached()
{
	local n=0

	until [ "$(cat $tracefs/instances/*/events/"$1"/trigger 2>/dev/null | grep -c '^hist:')" = "$2" ]; do
		n=$((n + 1))
		[ $n -lt 300 ] || return
		usleep 20000
	done
}

# snapshots: until both have written some more
snapshots()
{
	local file size n

	for file in text.dat raw.dat text.dat raw.dat; do
		size=$(stat -c %s $file) n=0
		until [ "$(stat -c %s $file)" != "$size" ]; do
			n=$((n + 1))
			[ $n -lt 300 ] || return
			usleep 20000
		done
	done
}

# Somebody clears both histograms: they begin anew.
clear_both()
{
	local trigger

	snapshots
	for trigger in "$tracefs"/instances/*/events/"$1"/trigger; do
		case $(cat "$trigger") in hist:*) echo "hist:keys=bytes_req:clear" >>"$trigger" ;; esac
	done
	snapshots
}

# both EVENT TRIGGERS OPTIONS...: text.dat and raw.dat of the same load; 0 if both came to an end
both()
{
	local event=$1 n=$2 load text raw status

	shift 2
	rm -f text.dat raw.dat twice
	[ -z "$between" ] || : >twice
	sh load.sh &
	load=$!
	stopped $load
	trap '' INT
	trace-cmd hist record -q -i "${interval:-50ms}" -o text.dat --read text -e "$event" "$@" -P $load >text.err 2>&1 &
	text=$!
	trace-cmd hist record -q -i "${interval:-50ms}" -o raw.dat --read "${how:-raw}" -e "$event" "$@" -P $load >raw.err 2>&1 &
	raw=$!
	attached "$event" $((2 * n))
	kill -CONT $load
	if [ -n "$between" ]; then
		stopped $load
		$between "$event"
		kill -CONT $load
	fi
	wait $load
	ls -l /proc/$raw/fd >raw.files
	kill -INT $text $raw
	wait $text
	status=$?
	wait $raw && [ $status = 0 ]
}

# same WHAT EVENT TRIGGERS OPTIONS...
same()
{
	local what=$1

	shift
	both "$@" || {
		say "not ok both recorders of $what end with status 0"
		cat text.err raw.err | sed 's/^/# /' | sh /tests/say.sh
		return
	}
	# all that was counted: the load may begin before the first snapshot
	trace-cmd hist report text.dat --at 9999999999 --format json >text.json
	trace-cmd hist report raw.dat --at 9999999999 --format json >raw.json
	normal text.json >text.normal
	normal raw.json >raw.normal
	if ! grep -q "${reads:-hist_raw}\$" raw.files; then
		say "not ok record --read ${how:-raw} of $what reads ${reads:-hist_raw} to the end"
		sed 's/^/# /' raw.files | sh /tests/say.sh
	elif [ "$(grep -c '"key":' text.normal)" -ge "${rows:-2}" ] && cmp -s text.normal raw.normal; then
		say "ok record --read ${how:-raw} and --read text give the same report of $what"
	else
		say "not ok record --read ${how:-raw} and --read text give the same report of $what"
		diff -U1 text.normal raw.normal | head -n 30 | sed 's/^/# /' | sh /tests/say.sh
	fi
}

trace-cmd hist list -v >list.out
ok "list -v shows that snapshots are read from hist_raw" \
	grep -x "snapshots *binary (hist_raw)" list.out
same "numbers and sums" kmem/kmalloc 1 -k bytes_req,bytes_alloc -v bytes_alloc
same "symbols" kmem/kmalloc 1 -k call_site.sym -v bytes_req
same "symbols with offsets" kmem/kmalloc 1 -k call_site.sym-offset,bytes_req
same "powers of two" kmem/kmalloc 1 -k bytes_req.log2 -v bytes_alloc
same "buckets" kmem/kmalloc 1 -k bytes_req.buckets=100
rows=1 same "numbers below zero" kmem/kmalloc 1 -k node
rows=1 same "numbers below zero in powers of two" kmem/kmalloc 1 -k node.log2
rows=1 same "numbers below zero in buckets" kmem/kmalloc 1 -k node.buckets=4
same "hexadecimal numbers" kmem/kmalloc 2 -k ptr.hex -R 'hist:keys=ptr.hex:vals=bytes_req.hex'
rows=1 same "stacks" kmem/kmalloc 1 -k $stack
same "stacks between other keys" kmem/kmalloc 1 -k bytes_req,$stack,call_site.sym
rows=1 same "tasks by number" kmem/kmalloc 1 -k common_pid.execname
same "names of tasks" task/task_rename 1 -k oldcomm,newcomm
same "tasks and processors" sched/sched_switch 1 -k prev_comm,next_pid,common_cpu
same "percentages and bars" kmem/kmalloc 1 \
	-R 'hist:keys=bytes_req:vals=hitcount,bytes_alloc.percent,bytes_req.graph'
! grep -q nohitcount $tracefs/README ||
	same "a histogram without hitcount" \
		kmem/kmalloc 1 -R 'hist:keys=bytes_req:vals=bytes_alloc,hitcount.percent:nohitcount'
same "a histogram with an expression among its values" kmem/kmalloc 1 \
	-R 'hist:keys=bytes_req:vals=bytes_alloc-bytes_req,bytes_req'
same "a histogram with a filter" kmem/kmalloc 1 -k bytes_req -f 'bytes_req > 30'
same "a histogram that is full" task/task_rename 1 -R 'hist:keys=newcomm:size=128'
same "two histograms of one event" kmem/kmalloc 2 -k bytes_req -k call_site.sym -v bytes_alloc
rows=1 same "a name in the event's own data" sched/sched_process_exec 1 -k filename
how=auto reads=/hist same "fields that save() keeps" kmem/kmalloc 1 \
	-R 'hist:keys=bytes_alloc:most=bytes_req:onmax($most).save(call_site)'
between=clear_both same "a histogram that is cleared" kmem/kmalloc 1 -k bytes_req
ok "the report shows that the histogram was cleared" grep -q reset raw.json
[ ! -d $tracefs/events/raw_syscalls ] ||
	same "system calls" raw_syscalls/sys_enter 1 -k common_pid.execname,id.syscall
