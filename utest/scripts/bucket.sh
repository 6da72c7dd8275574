#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# bucket.sh BIN: --bucket of `report` and `diff`, and `diff` of recordings with other buckets.  TAP on
# stdout.
#
# A report with --bucket is the one of a recording with these buckets, in each format; and has the
# numbers that a loop over the text of stock trace-cmd counts.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: bucket.sh BIN"
bin=$(readlink -f "$1")
hist=$bin/trace-cmd-hist
need_files "$hist"
data=$here/../data
work_enter

latency="--latency sched:sched_waking:pid..sched:sched_switch:next_pid"
count()
{
	# shellcheck disable=SC2086 # options
	"$hist" replay -q -i 100ms -o "$1.dat" $latency -k "next_comm,$2" -v lat "$data/pairs.dat" ||
		die "replay failed"
}
count exact lat
count fine lat.log2=3
count coarse lat.log2
count tens lat.buckets=10
count hundreds lat.buckets=100

# shown FILE OPTION...: a report without the trigger, and the number of entries, of the recording
shown()
{
	local file=$1

	shift
	"$hist" report "$@" "$file.dat" 2>&1 | sed -E -e 's/hist:keys=next_comm,lat_us[^:]*//g' \
		-e 's/"(total_)?entries": ?[0-9]+//' -e 's/(metric":"entries",).*/\1/' \
		-e 's/(entries,|Entries: |entries">|in )[0-9]+( entries)?//' \
		-e 's/(_entries\{.*\}) [0-9]+/\1/' -e '/<text class="(label|muted)" x="20" y="(54|72)">/d'
}

names=$("$hist" report --help=all | sed -nE 's/^ +--format ([a-z|]+)$/\1/p')
for format in ${names//|/ }; do
	for what in "" --intervals; do
		options=(--format "$format")
		case $format$what in
		folded*) continue ;; # stacks
		svg--intervals) options+=(--view heatmap) ;;
		openmetrics--intervals) options+=(--time-offset 1) ;;
		prometheus--intervals) continue ;;
		esac
		[ -z "$what" ] || options+=("$what")
		shown coarse "${options[@]}" >want
		for file in exact fine; do
			shown $file "${options[@]}" --bucket lat_us.log2 >got
			is "$format $what of $file with --bucket lat_us.log2 is that of a recording with .log2" \
				"$(diff want got | head -n 6)" ""
		done
	done
	[ -s want ] || die "no report as $format"
done
for view in table bars heatmap percentiles; do
	is "--view $view of exact numbers with --bucket lat_us.log2=3 is that of .log2=3" \
		"$(diff <(shown exact --view $view --bucket lat_us.log2=3) <(shown fine --view $view) | head -n 6)" ""
done
is "--bucket lat_us.buckets=100 merges buckets of 10" \
	"$(diff <(shown tens --bucket lat_us.buckets=100) <(shown hundreds) | head -n 6)" ""
is "--between with --bucket is that of a recording with .log2" \
	"$(diff <(shown fine --between 3,12 --bucket lat_us.log2) <(shown coarse --between 3,12) | head -n 6)" ""
ok "the worst latencies stay" grep -q 'worst: ' <(shown fine --bucket lat_us.log2)

# The numbers of stock trace-cmd, in buckets that a loop finds.
"$hist" replay -q -o pids.dat -e sched:sched_switch -k next_pid -v next_prio "$data/pairs.dat" || die "replay failed"
/usr/bin/trace-cmd report -R "$data/pairs.dat" 2>/dev/null |
	sed -nE 's/.*sched_switch: .*next_pid=(0x)?([0-9a-f]+).*/\1\2/p' >pids.txt
[ -s pids.txt ] || die "stock trace-cmd prints no events"
cat >model.py <<'END'
import collections, sys
def log2(n):
    le = 1
    while le < n:
        le *= 2
    return (le // 2 + 1 if le > 1 else 0), le
def log2_2(n):
    ge, le = log2(n)
    if n <= 8:
        return n, n
    width = (le - ge + 1) // 4
    while ge + width <= n:
        ge += width
    return ge, ge + width - 1
def fifty(n):
    ge = 0
    while ge + 50 <= n:
        ge += 50
    return ge, ge + 49
find = {"log2": log2, "log2=2": log2_2, "buckets=50": fifty}[sys.argv[1]]
counts = collections.Counter(find(int(line, 0)) for line in open("pids.txt"))
for (ge, le), n in sorted(counts.items()):
    print(ge, le, n)
END
for bucket in log2 log2=2 buckets=50; do
	is "--bucket next_pid.$bucket has the numbers that stock trace-cmd prints" \
		"$("$hist" report --format json --bucket next_pid.$bucket pids.dat | /usr/bin/python3 -c '
import json, sys
rows = json.load(sys.stdin)["histograms"][0]["snapshots"][0]["rows"]
for key, n in sorted(((r["key"]["next_pid"]["ge"], r["key"]["next_pid"]["le"]), r["value"]["hitcount"]) for r in rows):
    print(*key, n)')" "$(/usr/bin/python3 model.py $bucket)"
done

# refused WORDS COMMAND...: exits with status 2, WORDS in its message, and no output
refused()
{
	local words=$1

	shift
	"$hist" "$@" >out 2>err
	is "$* is refused" "$? $(wc -c <out) $(grep -cF -- "$words" err)" "2 0 1"
}
refused 'the buckets of lat_us.log2 do not fit into those of lat_us.log2=3' report --bucket lat_us.log2=3 coarse.dat
refused 'the buckets of lat_us.log2=3 do not fit' report --bucket lat_us.buckets=10 fine.dat
refused 'next_comm does not have numbers' report --bucket next_comm.log2 fine.dat
refused 'no histogram has the key "lat"' report --bucket lat.log2 fine.dat
refused 'must be FIELD.log2[=K] or FIELD.buckets=N' report --bucket lat_us fine.dat
refused 'hint: did you mean "log2"?' report --bucket lat_us.log3 fine.dat
refused 'the buckets of lat_us.log2 do not fit' diff --bucket lat_us.buckets=10 coarse.dat coarse.dat
refused 'no histogram has the key "lat"' diff --bucket lat.log2 fine.dat fine.dat

# judged FILE FILE [OPTION...]: the result without names of files, triggers and remarks
judged()
{
	local base=$1 new=$2

	shift 2
	"$hist" diff --min-hits 1 --top 0 --format json "$@" "$base.dat" "$new.dat" >out 2>err
	echo "status $?"
	grep -Ev '"(trigger|reason|why|file)|\.dat"' out
}
judged coarse coarse >want
for pair in "fine coarse" "coarse fine" "exact coarse"; do
	# shellcheck disable=SC2086 # two words
	is "diff of $pair compares in the buckets of .log2" "$(diff want <(judged $pair) | head -n 6)" ""
done
is "diff --bucket compares in the buckets of .log2" \
	"$(diff want <(judged fine fine --bucket lat_us.log2) | head -n 6)" ""
is "diff names the common buckets" "$("$hist" diff exact.dat fine.dat |
	grep -c 'different buckets, and were compared with those of lat_us.log2=3')" 2
judged hundreds hundreds >want
is "diff of buckets of 10 and 100 compares in those of 100" "$(diff want <(judged tens hundreds) | head -n 6)" ""
for bucket in log2 log2=3; do
	"$hist" replay -q -i 100ms -o "changed.$bucket.dat" -e sched:sched_switch \
		-R "hist:keys=next_pid.$bucket:p=next_prio:onchange(\$p).save(prev_pid)" "$data/pairs.dat" || die "replay failed"
done
"$hist" diff changed.log2.dat changed.log2=3.dat >out 2>err
is "rows that cannot be merged are incomparable" \
	"$? $(grep -c '^  the recordings have different buckets; .*saved of several rows cannot be merged' out)" "3 1"
"$hist" diff tens.dat coarse.dat >out 2>err
is "recordings without common buckets are incomparable" "$? $(grep -c '^  the keys differ: ' out)" "3 1"
done_testing
