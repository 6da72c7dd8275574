# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # run.sh, which sources this file, sets the variables
#
# instructions.sh: rows of whole programs, by their instructions, and beside other programs.
#
# callgrind counts the same in each run, whatever else the machine does.

hist=$bin/trace-cmd-hist

# What a number of samples costs in two formats: 60 snapshots of 16,384 entries, of which 5 % change.
formats_of_output()
{
	local base=$work/short_series.dat n started ours

	"$bin/bench-report" calls "$base" 1 60 || die "cannot write $base"
	started=$(callgrind "$hist" --version)
	row 'start-up, 1000 instructions' $((started / 1000)) none "$(ratio "$started" 1000000)" less exact none -
	n=$("$hist" report "$base" --intervals --format openmetrics --max-series 200000 --time-offset 1 |
		grep -vc '^#')
	ours=$(callgrind "$hist" report "$base" --intervals --format openmetrics --max-series 200000 \
		--time-offset 1)
	at_most 580 '' 'report --intervals in OpenMetrics, instructions a sample' $((ours / n)) none
	n=$("$hist" report "$base" --intervals --format json | grep -o '"key":' | wc -l)
	ours=$(callgrind "$hist" report "$base" --intervals --format json)
	# A row has 150 bytes, and each snapshot of 16,384 entries is decoded for 819 of them.
	at_most 4200 '' 'report --intervals in JSON, instructions a row' $((ours / n)) none
	rm "$base"
}

# A scrape of 500 keys with 20 buckets each, as native histograms and as text with 33 bounds.  Its
# instructions are those of a report of 10,000 rows, 5,000 for each.
pages_of_metrics()
{
	local form native text n

	read -r -a native < <("$bin/bench-metrics" protobuf)
	read -r -a text < <("$bin/bench-metrics" openmetrics)
	times 0.05 'a scrape of 500 keys as native histograms, bytes' "${native[0]}" 'as text' "${text[0]}" exact
	times 0.05 '  time series' "${native[1]}" 'as text' "${text[1]}" exact
	for form in protobuf openmetrics; do
		n=$((($(callgrind "$bin/bench-metrics" $form 3) - $(callgrind "$bin/bench-metrics" $form 1)) / 2))
		at_most $([ $form = protobuf ] && echo 53000 || echo 67000) '' \
			"  1000 instructions of the recorder, $form" $((n / 1000)) none
	done
}

# made FILE IN KIND: events_make.py, or the end
made()
{
	/usr/bin/python3 "$here/../scripts/lib/events_make.py" "$work/$2" "$work/$1" "$3" ||
		die "the events cannot be made"
}

# per_event NAME EVENTS COMMAND...: instructions for each of the EVENTS that NAME-2.dat has more
# than NAME-1.dat, so that neither the start of the program nor the file's counts
per_event()
{
	local name=$1 events=$2 counts=() i

	shift 2
	for i in 2 1; do
		counts+=("$(callgrind "$@" "$work/$name-$i.dat")") || exit
	done
	echo $(((counts[0] - counts[1]) / events))
}

# more_hits NAME EVENT: how many of this event NAME-2.dat has more than NAME-1.dat
more_hits()
{
	local hits=() i

	for i in 2 1; do
		hits+=("$("$hist" replay --threads 1 -e "$2" -k common_type "$work/$1-$i.dat" |
			sed -n 's/^ *Hits: //p')")
	done
	echo $((hits[0] - hits[1]))
}

# Keys that are strings, latencies, and a full table.  It needs short.dat, and wakeups.dat of 100 MB.
latencies()
{
	local one=("$hist" replay -q --threads 1 -o "$work/replayed.dat") # printing is another program
	local waits=(--latency sched:sched_waking:pid..sched:sched_switch:next_pid)
	local calls=(--latency raw_syscalls:sys_enter:common_pid..raw_syscalls:sys_exit:common_pid)
	local events none number i bytes=()

	made wakeups-1.dat short.dat long:10
	made wakeups-2.dat short.dat long:30
	# what counts an event of which there is none walks over all others
	events=$(more_hits wakeups sched:sched_switch)
	none=$(per_event wakeups "$events" "${one[@]}" -e ftrace:print -k ip)
	number=$(($(per_event wakeups "$events" "${one[@]}" -e sched:sched_switch -k next_pid) - none))
	at_most 250 '' 'replay by a name, instructions a hit' \
		$(($(per_event wakeups "$events" "${one[@]}" -e sched:sched_switch -k next_comm) - none)) \
		"a number $number"

	# finer buckets: the same counts, in more rows
	number=$(($(per_event wakeups "$events" "${one[@]}" -e sched:sched_switch -k next_pid.log2) - none))
	times 1.1 'replay with .log2=3, instructions a hit' \
		$(($(per_event wakeups "$events" "${one[@]}" -e sched:sched_switch -k next_pid.log2=3) - none)) \
		.log2 $number exact
	for i in .log2=3 .log2; do
		"${one[@]}" -i 100ms "${waits[@]}" -k "next_comm,lat$i" "$work/wakeups-2.dat" || die "replay failed"
		bytes+=("$(stat -c %s "$work/replayed.dat")")
	done
	without_goal 'file of a latency with .log2=3, bytes' "${bytes[0]}" .log2 "${bytes[1]}" exact

	for i in wakeups-1 wakeups-2 wakeups; do
		"$bin/bench-reshape" thin "$work/$i.dat" 60 || die "the wake-ups cannot be thinned"
	done
	events=$(($("$bin/bench-events" walk wakeups "$work/wakeups-2.dat") -
		$("$bin/bench-events" walk wakeups "$work/wakeups-1.dat")))
	at_most 45 '' 'replay --latency of few events, instructions an event' \
		"$(per_event wakeups "$events" "${one[@]}" "${waits[@]}")" \
		"walk of what is read $(per_event wakeups "$events" "$bin/bench-events" walk wakeups)"

	/usr/bin/trace-cmd convert -i "$here/../data/events/lost.dat" -o "$work/calls_short.dat" \
		--file-version 6 >"$work/log" 2>&1 || die "lost.dat cannot be converted"
	made calls-1.dat calls_short.dat long:5
	made calls-2.dat calls_short.dat long:15
	made calls.dat calls_short.dat long:50
	events=$(($("$bin/bench-events" walk calls "$work/calls-2.dat") -
		$("$bin/bench-events" walk calls "$work/calls-1.dat")))
	at_most 450 '' 'replay --latency of all events, instructions an event' \
		"$(per_event calls "$events" "${one[@]}" "${calls[@]}")" \
		"walk of what is read $(per_event calls "$events" "$bin/bench-events" walk calls)"

	made full.dat short.dat long:50
	"$bin/bench-reshape" spread "$work/full.dat" 38000 || die "the keys cannot be spread"
	"$bin/bench-programs" latency "$bin" "$work" || status=1
	rm "$work"/wakeups*.dat "$work"/calls*.dat "$work/full.dat"
}

# Files of 1,000 and of 4,000 histograms, and one of 200 with 775 snapshots.
many_histograms()
{
	local n words

	for n in 1000 4000; do
		words=$(seq -f '-k pid -f pid!=%g' $n)
		echo "exec $hist replay -q -o $work/$n.new -e sched:sched_waking $words $work/short.dat" |
			tr '\n' ' ' >"$work/replay-$n"
		sh "$work/replay-$n" || die "no file of $n histograms"
		mv "$work/$n.new" "$work/$n.dat"
	done
	made wide_events.dat short.dat long:2
	# shellcheck disable=SC2046 # words
	"$hist" replay -q -o "$work/wide.dat" -i 31.6ms -e raw_syscalls:sys_enter \
		$(seq -f '-k id -f id!=%g' 200) "$work/wide_events.dat" || die "no file of 775 snapshots"
	"$bin/bench-programs" many "$bin" "$work" || status=1
}
