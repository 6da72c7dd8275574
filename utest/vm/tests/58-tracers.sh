# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# --tracer. Debian's cloud kernels lack timerlat, osnoise and hwlat, and say which option they need;
# its kernels with PREEMPT_RT have them (utest/vm/tracers.sh). There rtla runs inside the recording
# with the same period and CPUs: each bucket of each CPU has what rtla counted, and the rest are the
# cycles before and after rtla.
#
# On 6.1 in check-long: 6.12 lacks the same tracers.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/tracers
cd /tmp/tracers || bail "no directory"

# The files that all instances share.
settings()
{
	tree_files $tracefs tracing_thresh osnoise/period_us osnoise/runtime_us osnoise/cpus \
		osnoise/timerlat_period_us osnoise/options hwlat_detector/mode hwlat_detector/width \
		hwlat_detector/window
	tree_state
}
before=$(settings)
record() { trace-cmd hist record -q "$@" 2>said; }
refused()
{
	local what=$1 words=$2

	shift 2
	record -o x.dat "$@" -- true && not_ok "$what is refused" "it was not" && return
	like "$what is refused with the reason" "$(cat said)" "$words"
}

refused "an unknown tracer" '--tracer nix: ' --tracer nix
refused "hist triggers for a tracer" 'hist triggers cannot count' --engine kernel --tracer function
case $(uname -r) in
*-rt-amd64) ;;
*)
	for name in timerlat osnoise hwlat; do
		option=$(echo $name | tr a-z A-Z)_TRACER
		refused "$name without the tracer" "does not have this tracer \\(CONFIG_$option\\)" \
			--tracer $name
		refused "the preset $name" "no ${name}_tracer \\(CONFIG_$option\\)" --preset $name
		like "list names the option of $name" "$(trace-cmd hist list -v)" \
			"^no +${name}_tracer .*CONFIG_$option"
	done
	# hits FILE START: the hits of dd in the histogram whose name begins so
	hits()
	{
		trace-cmd hist report -e "$(trace-cmd hist report --list "$1" | cut -d ' ' -f 1 |
			grep "^$2")" "$1" | sed -n '/ dd /s/.*hitcount: *\([0-9]*\).*/\1/p'
	}
	tracers="function function_graph"
	case $(uname -r) in
	6.1.*)
		tracers=function
		refused "an event beside function_graph of the top level" \
			'in which no other events can be counted' --tracer function_graph:vfs_read \
			-e sched:sched_switch -k next_comm
		;;
	esac
	for name in $tracers; do
		ok "the tracer $name is recorded" record -i 0 -o f.dat --tracer $name:vfs_read \
			-k function,common_pid.execname -e syscalls:sys_enter_read -k common_pid.execname \
			-- dd if=/dev/zero of=/dev/null bs=64 count=300
		calls=$(hits f.dat syscalls:sys_enter_read)
		is "$name: vfs_read is called once for each read of dd" \
			"$((calls >= 300)) $(hits f.dat function)" "1 $calls"
	done
	is "nothing changed" "$(settings)" "$before"
	done_testing
	;;
esac

refused "an unknown option" 'with one of: period, cpus' --tracer timerlat:perod=1
refused "a time without a meaning" 'must be a number of microseconds' --tracer timerlat:period=x
refused "a task" 'measures CPUs, not tasks' --tracer timerlat -P 1
refused "a value that the kernel rejects" 'osnoise/timerlat_period_us: the kernel rejects the value 5' \
	--tracer timerlat:period=5

# now: milliseconds since boot
now() { sed 's/\.\(..\) .*/\10/' /proc/uptime; }
# counts FILE KEY...: the rows of the last snapshot as "KEY... HITCOUNT", without the names of numbers
counts()
{
	local file=$1

	shift
	trace-cmd hist report --snapshot all --format csv "$file" | awk -F, -v keys="$*" '
		/^kind,/ { for (i = 1; i <= NF; i++) column[$i] = i; n = split(keys, key, " "); next }
		$column["metric"] == "hitcount" && $column["histogram"] ~ /#0$|[a-z]$/ {
			if ($column["seq"] != seq) { seq = $column["seq"]; delete rows; order = 0 }
			text = ""
			for (i = 1; i <= n; i++) text = text $column["key." key[i]] " "
			rows[++order] = text $column["value"]
		}
		END { for (i = 1; i <= order; i++) print rows[i] }'
}
# compare OURS THEIRS MORE: prints "same" if each row of THEIRS, "CPU CONTEXT BUCKET COUNT", is at
# most that of OURS, and OURS has at most MORE more for each CPU and context, of many
compare()
{
	awk -v more="$3" 'NR == FNR { ours[$1 " " $2 " " $3] = $4; sum[$1 " " $2] += $4; next }
		{ total++; theirs[$1 " " $2] += $4
		  if (ours[$1 " " $2 " " $3] < $4) print "too few:", $0, "ours", ours[$1 " " $2 " " $3] }
		END { for (i in sum) { n++
			if (sum[i] - theirs[i] > more || theirs[i] < 20) print i, sum[i], theirs[i], more }
		  print n && total ? "same" : "nothing" }' "$1" "$2"
}

begin=$(now)
ok "timerlat is recorded while rtla runs" record -o t.dat -i 0 --tracer timerlat:period=20ms \
	-k common_cpu,context,timer_latency.buckets=100000 -v timer_latency -- \
	sh -c 'rtla timerlat hist -p 20000 -d 3s -b 100 -E 20000 --no-summary >rtla'
end=$(now)
awk '/^Index/ { for (i = 2; i <= NF; i++) { split($i, p, "-"); cpu[i] = p[2] + 0; irq[i] = p[1] == "IRQ" } }
	/^[0-9]/ { for (i = 2; i <= NF; i++) if ($i) print cpu[i], irq[i] ? "irq" : "thread", $1, $i }' \
	rtla >theirs
counts t.dat common_cpu context_name timer_latency.ge | awk '{ $3 /= 1000; print }' >ours
is "each bucket of each CPU has what rtla counts" "$(compare ours theirs $(((end - begin - 3000) / 20 + 2)))" same
like "the table names the contexts and has units" "$(trace-cmd hist report --view table t.dat)" \
	'common_cpu: +1, context: thread .*timer_latency: '

# On a target with a shell, the files that all instances share are set and restored there.
begin=$(now)
ok "timerlat is recorded on a target" record -o t.dat -i 0 --target shell:exec:sh \
	--tracer timerlat:period=20ms:cpus=1 -k common_cpu,context -- sleep 3
most=$((($(now) - begin) / 20 + 2))
is "both contexts have an entry for each 20 ms of at least 3 s, and only on the given CPU" \
	"$(counts t.dat common_cpu context_name | awk -v most=$most \
	'{ print $1, $2, ($3 >= 120 && $3 <= most ? "right" : $3 " of " most) }' | sort | xargs)" \
	"1 irq right 1 thread right"

# Two instances share the tracer: each entry of the other is one of the recording, too.
mkdir $tracefs/instances/other
begin=$(now)
ok "osnoise is recorded beside another instance" record -o o.dat -i 0 \
	--tracer osnoise:period=40ms:runtime=10ms:threshold=1us -k common_cpu,noise -- sh -c "
		cd $tracefs/instances/other
		echo osnoise >current_tracer
		sleep 2
		echo 0 >tracing_on"
end=$(now)
is "the other instance keeps its tracer" "$(cat $tracefs/instances/other/current_tracer)" osnoise
# TASK [CPU] FLAGS TIME: RUNTIME NOISE ...
sed -n 's/^[^#]* \[\([0-9]*\)\] [^:]*: *[0-9]* *\([0-9]*\) .*/\1 \2/p' \
	$tracefs/instances/other/trace |
	awk '{ n[$1 + 0 " noise " $2]++ } END { for (i in n) print i, n[i] }' >theirs
refused "a change below another program" 'another program runs a tracer in instance other' \
	--tracer osnoise:period=50ms
refused "a tracer that excludes another one" 'another program uses the "osnoise" tracer in instance other' \
	--tracer timerlat
rmdir $tracefs/instances/other
counts o.dat common_cpu noise | awk '{ print $1, "noise", $2, $3 }' >ours
is "each noise of each CPU is what the other instance has" "$(compare ours theirs $(((end - begin - 2000) / 40 + 2)))" same

ok "hwlat is recorded" record -o h.dat -d 2 -i 0 \
	--tracer hwlat:threshold=1:width=100ms:window=200ms:mode=per-cpu -k seqnum
counts h.dat seqnum >ours
is "each sample of hwlat is counted once" \
	"$(awk '{ once += $2 == 1; if ($1 > most) most = $1 } END { print (most > 0), (once == most) }' ours)" "1 1"
[ -z "${CHECK_LONG-}" ] || ok "the preset hwlat" record -o p.dat -d 1 --preset hwlat:5us
# Episodes: stock trace-cmd reads the same entries.
# same_entries FILE FIELD: how many episodes there are, and how many of them end at the time and on the
# CPU of an event in their buffer whose FIELD is their latency
same_entries()
{
	command trace-cmd report -R -t "$1" 2>/dev/null |
		sed -n "s/^episode-\([0-9]*\): .* \[\([0-9]*\)\] *\([0-9]*\)\.\([0-9]*\): .* $2=\([0-9]*\).*/\1 \2 \3\4 \5/p" >entries
	trace-cmd hist report --worst --format csv "$1" | awk -F, '
		FNR == 1 && NR > 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		NR == FNR { split($0, f, " "); seen[f[1] " " f[2] + 0 " " f[3] " " f[4]]++; next }
		!($at["episode"] in done) {
			done[$at["episode"]]
			n++
			good += ($at["episode"] " " $at["cpu"] " " $at["end_ns"] " " $at["latency_ns"]) in seen
		}
		END { print n + 0, good + 0 }' entries -
}
ok "timerlat is recorded with a threshold" record -o w.dat -i 200ms --preset timerlat:20ms \
	--threshold 1us --worst 3 -- sleep 2
is "each of the worst latencies of timerlat is that of the entry at its end" "$(same_entries w.dat timer_latency)" "3 3"
like "the episodes name the CPU and the context" "$(trace-cmd hist report --worst w.dat)" \
	'ftrace:timerlat, common_cpu=[01] context=(irq|thread)$'
ok "a latency of timerlat stops the recording" record -o w.dat --preset timerlat:20ms --threshold 1us \
	--on-threshold stop -- sleep 1000
refused "a time for a sum of noises" '"noise" of ftrace:osnoise does not end with the event' \
	--tracer osnoise --threshold 1ms
refused "a time for the longest gap of a window" "use a filter, such as --threshold 'duration >= 50'" \
	--preset hwlat --threshold 50us
ok "a gap of hwlat stops the recording" record -o w.dat --tracer hwlat:threshold=1:mode=per-cpu \
	--threshold 'duration >= 1 || outer_duration >= 1' --on-threshold stop -- sleep 1000
if [ -n "${CHECK_LONG-}" ]; then
	ok "osnoise is recorded with a threshold" record -o w.dat -i 200ms --preset osnoise \
		--threshold 1us --worst 1 -- sleep 3
	is "each of the worst interruptions is that of the event at its end" \
		"$(same_entries w.dat duration | awk '{ print ($1 > 0), ($1 == $2) }')" "1 1"
fi

ok "the preset timerlat" record -o p.dat -d 1 --preset timerlat:10ms
ok "the preset osnoise with the events of its sources" record -o p.dat -d 2 --preset osnoise
ok "the preset counts noise, interrupts and threads" [ "$(trace-cmd hist report --list p.dat |
	grep -c -E '^(ftrace:osnoise#[012]|osnoise:(irq|softirq|thread)_noise)')" = 6 ]
is "the files of all instances are as before" "$(settings)" "$before"

# What stock trace-cmd recorded.  With 6.1-rt, the ring buffer of one CPU or of both remains empty in some
# runs of the stock program, without any program of ours: it then runs again.
stock()
{
	trace-cmd record -q -p timerlat -o s.dat sleep 1 >/dev/null 2>&1
	trace-cmd report -R s.dat 2>/dev/null |
		sed -n 's/^.* \[\([0-9]*\)\] .* timerlat: .*context=\([0-9]*\) .*/\1 \2/p' |
		awk '{ n[$1 + 0 " " $2 ""]++ } END { for (i in n) print i, n[i] }' | sort >theirs
	[ "$(wc -l <theirs)" -ge 2 ]
}
echo 20000 >$tracefs/osnoise/timerlat_period_us
for try in 1 2 3 4 5 6 7 8; do
	stock && break
	echo "try $try: nothing" | tap_comment
done
echo 1000 >$tracefs/osnoise/timerlat_period_us
ok "stock trace-cmd recorded both contexts" [ "$(wc -l <theirs)" -ge 2 ]
ok "replay counts what stock trace-cmd recorded" trace-cmd hist replay -q --tracer timerlat \
	-k common_cpu,context -o r.dat s.dat
is "replay counts each entry of each CPU" "$(counts r.dat common_cpu context | sort)" "$(cat theirs)"
ok "replay counts with the preset" trace-cmd hist replay -q --preset timerlat -o r.dat s.dat
is "the preset counts each entry of each CPU" "$(counts r.dat common_cpu context |
	awk '{ n[$1 " " $2] += $3 } END { for (i in n) print i, n[i] }' | sort)" "$(cat theirs)"
trace-cmd hist replay --preset timerlat:10ms s.dat >said 2>&1
like "replay refuses to change the period" "$(cat said)" 'the options of a recorded tracer cannot be changed'
trace-cmd hist replay --tracer osnoise s.dat >said 2>&1
like "replay refuses another tracer" "$(cat said)" 'has no events of this tracer'

tracers="hwlat:threshold=7:mode=per-cpu:width=10ms"
[ -z "${CHECK_LONG-}" ] ||
	tracers="$tracers timerlat:period=50ms:cpus=0 osnoise:runtime=10ms:period=30ms"
for tracer in $tracers; do
	rm -f k.dat
	trace-cmd hist record -q -i 20ms -o k.dat --tracer $tracer &
	pid=$!
	ok "$tracer: a recording runs" wait_until [ -s k.dat ]
	like "$tracer: the files are changed" "$(settings)" \
		'timerlat_period_us:50000|tracing_thresh:7|osnoise/period_us:30000'
	kill -KILL $pid
	wait $pid 2>/dev/null
	ok "$tracer: cleanup succeeds after a kill" trace-cmd hist cleanup
	is "$tracer: cleanup leaves nothing" "$(settings)" "$before"
done
done_testing
