#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# diff.sh BIN: trace-cmd hist diff on made-up recordings, as a CI job would use it.
# TAP on stdout.  BIN holds trace-cmd-hist and diff_make.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: diff.sh BIN"
bin=$(readlink -f "$1")
need_files "$bin/trace-cmd-hist"
[ -x "$bin/diff_make" ] || die "$bin/diff_make: missing"

work_enter

# diff STATUS DESC ARGS...: output in $out, and with @ for each newline in $lines; errors in $err
diff()
{
	local expected=$1 desc=$2 status

	shift 2
	"$bin/trace-cmd-hist" diff "$@" >out 2>err
	status=$?
	out=$(<out)
	lines=${out//$'\n'/@}
	err=$(<err)
	is "diff exits with $expected for $desc" "$status" "$expected"
}

make()
{
	"$bin/diff_make" "$@" || die "diff_make $*"
}

for i in 1 2 3 4 5; do
	make "mean$i.dat" mean $i
	make "slow$i.dat" mean 1$i slow=1.4
	make "again$i.dat" mean 2$i
	make "kmalloc$i.dat" kmalloc $i
	make "more$i.dat" kmalloc 1$i more=1.3 boot=1 renamed=1
done
make lat.dat latency 1
make lat-again.dat latency 2
make lat-slow.dat latency 3 slow=5

# --- verdicts ---

diff 0 "equal runs" --threshold 10 mean?.dat -- again?.dat
like "the verdict of equal runs is pass" "$out" '^verdict: pass$'
like "all three keys of equal runs pass" "$out" '^  3 keys: 3 pass$'
is "diff of equal runs prints nothing on stderr" "$err" ""

diff 1 "slower runs" mean?.dat -- slow?.dat
like "the verdict of slower runs names the regressed key and its trimmed mean" "$out" \
	'^verdict: regressed: latency:sys_enter..sys_exit, sys_read, trimmed mean 49\.[0-9] us -> 68\.[0-9] us, \+3[67]\.[0-9] % \(threshold 5 %\)$'
like "slower runs regress in one key only" "$out" '^  3 keys: 1 regressed, 2 pass$'
is "five runs per side are not divided into parts" "$(grep -c 'in .* parts' <<<"$out")" 0

diff 0 "faster runs" slow?.dat -- mean?.dat
like "the verdict of faster runs is improved" "$out" '^verdict: improved: .*sys_read'
diff 1 "faster runs with --worse both" --worse both slow?.dat -- mean?.dat
diff 1 "faster runs with --worse lower" --worse lower slow?.dat -- mean?.dat
diff 0 "slower runs with --worse none" --worse none mean?.dat -- slow?.dat
diff 0 "slower runs within a threshold of 80 %" --threshold 80 mean?.dat -- slow?.dat

diff 1 "one slower run per side" mean1.dat slow1.dat
like "a note warns of the weaker test with one file per side" \
	"$out" '^note: BASE or NEW is a single file: time intervals within it are compared, so the variation between runs is not known$'
like "the report shows the parts of a single run" \
	"$out" '^  base: 1 run in [0-9]+ parts, 30 s, 10992 hits$'
make short.dat mean 1 snapshots=12
diff 4 "a run with too few intervals for parts" short.dat mean1.dat
like "a run with too few intervals for parts is inconclusive" "$out" '^verdict: inconclusive'
diff 4 "a run with too few intervals for parts and --strict" --strict short.dat mean1.dat
make one.dat mean 1 snapshots=1
diff 3 "a file with one snapshot" one.dat mean1.dat
like "the error names the file that has fewer than two snapshots" \
	"$lines" '@  one.dat: fewer than two intact snapshots@  hint: record longer, or with a shorter interval \(-i\)@'

# Log2 buckets cannot tell 5 %.
diff 4 "log2 buckets without a sum and --strict" --strict lat.dat lat-again.dat
like "the hint for log2 buckets asks for finer buckets or the sum" \
	"$out" '^  hint: record with smaller buckets, or record the sum of the samples$'
diff 1 "log2 buckets with times five times as long" lat.dat lat-slow.dat
like "the verdict for log2 buckets gives the change as a range" "$out" \
	'^verdict: regressed: .* sys_read, trimmed mean .* \+1[0-9.]+ % \.\. \+8[0-9.]+ % '

# Sums and buckets leave nothing open, so that nobody is sent for the sum that is there.
diff 4 "noise larger than the threshold and --strict" \
	--strict --threshold 0.1 mean?.dat -- again?.dat
like "the hint for noise asks for more runs" \
	"$lines" '@  [^@:]*, trimmed mean: the change exceeds the threshold, but is not significant \(p = [0-9.]+\)@  hint: record more runs@'
is "the hint for noise does not ask for the sum" "$(grep -c 'the sum' <<<"$out")" 0

# Nine sleeps of ten hits become eight times as long: one run a side cannot know why.
make sleeps.dat mean 1 events=1
make longer.dat mean 2 events=1 slow=8
diff 4 "one run of 40 sleeps per side" sleeps.dat longer.dat
like "a run of 40 sleeps has too few hits to compare" "$out" 'no key has at least 100 hits on both sides'
diff 4 "one run with one interval per side" --min-hits 1 --skip 28 mean1.dat slow1.dat
like "a run with one interval has too few replicates to test" "$lines" 'too few samples to test@  hint: record several runs of each side, or more snapshots@'

# --- noise ---

# Runs scatter by 12 %, and in some a tenth of the times is 100 times as long.
for i in 1 2 3 4 5; do
	make "noisy$i.dat" mean $i cv=0.12 held=0.1
	make "still$i.dat" mean 2$i cv=0.12 held=0.1
	make "double$i.dat" mean 1$i cv=0.12 held=0.1 slow=2
	make "third$i.dat" mean 3$i cv=0.05 slow=1.3
	make "calm$i.dat" mean 4$i cv=0.05
done
diff 1 "times twice as long among noise" --threshold 20 noisy?.dat -- double?.dat
like "diff finds times twice as long among noise" \
	"$out" '^verdict: regressed: latency:sys_enter..sys_exit, sys_read, trimmed mean '
like "noise adds no regression to the one of times twice as long" "$out" '^  3 keys: 1 regressed, '
diff 1 "times 30 % longer at a scatter of 5 %" calm?.dat -- third?.dat
like "diff finds times 30 % longer at a scatter of 5 %" \
	"$out" '^verdict: regressed: latency:sys_enter..sys_exit, sys_read, trimmed mean '
like "a scatter of 5 % adds no regression to the one of times 30 % longer" \
	"$out" '^  3 keys: 1 regressed, '
"$bin/trace-cmd-hist" diff --threshold 20 noisy?.dat -- still?.dat >out
ok "noise alone is not a regression" [ $? != 1 ]
diff 1 "one new run against five base runs" --threshold 20 noisy?.dat -- double1.dat
is "the scatter comes from five base runs, not from parts of one new run" \
	"$(grep -c 'in .* parts' <<<"$out")" 0
diff 4 "two runs per side among noise" --threshold 5 noisy[12].dat -- still[12].dat
like "two runs among noise decide too few of the hits" \
	"$out" '^note: the keys with a conclusive verdict account for only [0-9.]+ % of the hits \(--min-decided'
diff 0 "two runs among noise with --min-decided 0" --min-decided 0 noisy[12].dat -- still[12].dat

# The largest change is named first, whichever histogram has it.
for i in 1 2 3; do
	make "both$i.dat" mean 5$i slow=1.4 write=3
	make "triple$i.dat" kmalloc 6$i more=9
done
diff 1 "several changes in two histograms" \
	mean[123].dat kmalloc[123].dat -- both[123].dat triple[123].dat
like "the verdict lists changes of all histograms, the largest first" "$out" \
	'^verdict: regressed: kmem:kmalloc, kfree_rcu, [^;]*; [^;]*; latency:[^;]*, sys_write, [^;]*; [1-9] more$'

# --- keys ---

diff 1 "a key with a higher rate" kmalloc?.dat -- more?.dat
like "the verdict names the key with the higher rate" \
	"$out" '^verdict: regressed: kmem:kmalloc, kfree_rcu, hitcount/s [34][0-9]+ -> 5[0-9]+'
like "keys of two boots are matched by name, not by address" "$out" \
	'^  6 keys: 1 regressed, 3 pass, 1 added, 1 removed, 1 renamed$'
like "a key renamed by the compiler shows its old name" \
	"$out" '^      renamed, was do_open.isra.0$'
is "keys of kernel modules keep the module name" \
	"$(grep -Ec '^  only_(base|new) \[mod\]( |$)' <<<"$out")" 2
diff 1 "a higher rate with --top 1" --top 1 kmalloc?.dat -- more?.dat
is "diff --top 1 shows one key" \
	"$(grep -Ec '^  (kfree_rcu|seq_open|alloc_inode)( |$)' <<<"$out")" 1
like "diff --top 1 counts the keys not shown" "$out" '5 not shown$'
for format in markdown junit ktap; do
	diff 1 "a higher rate with --top 5 --format $format" --top 5 --format $format kmalloc?.dat -- more?.dat
	like "diff --format $format --top 5 says that one key is not shown" "$out" '(^|[^0-9])1 more key is not shown'
done
diff 4 "keys with few hits" --min-hits 200000 kmalloc?.dat -- more?.dat
like "keys with few hits are counted and not judged" "$out" '^  6 keys: 6 with too few hits'
like "a note compares the share of decided hits with --min-decided" "$lines" \
	'@note: the keys with a conclusive verdict account for only 0 % of the hits \(--min-decided 50\)@hint: record more or longer runs@'
like "the inconclusive verdict gives the share of decided hits" \
	"$out" '^verdict: inconclusive \(the keys with a conclusive verdict account for only 0 % of the hits\)'
diff 0 "keys with few hits and --min-decided 0" \
	--min-decided 0 --min-hits 200000 kmalloc?.dat -- more?.dat
like "keys with few hits pass with --min-decided 0" "$out" '^verdict: pass$'

make stack1.dat stack 1
make stack2.dat stack 2 boot=1
make stack3.dat stack 3
diff 0 "stacks of two boots" -e kfree#0 stack1.dat stack2.dat
like "stacks of two boots are compared by their frames" "$out" '^  leaf0 <- do_it .* pass$'
diff 3 "addresses of two boots" -e kfree#1 stack1.dat stack2.dat
like "the error for addresses of two boots recommends .sym" "$lines" 'addresses, which change with each boot@  hint: record the key with \.sym'
diff 0 "addresses of one boot" stack1.dat stack3.dat

# --- what cannot be compared ---

make bucket.dat mean 1 bucket=10
diff 3 "histograms with different buckets" mean1.dat bucket.dat
like "the error for different buckets shows the keys of both histograms" \
	"$out" 'the keys differ: "keys=id.syscall,lat_us.log2" and "keys=id.syscall,lat_us.buckets=10"'
make size.dat mean 4 size=4096
diff 0 "histograms of different sizes" --threshold 10 mean1.dat size.dat
make clock.dat mean 4 clock=local
diff 3 "recordings with different clocks" mean1.dat clock.dat
make drop.dat mean 4 drop=60
diff 3 "a recording with dropped hits" mean1.dat drop.dat
like "the error for dropped hits recommends a larger size" \
	"$lines" 'dropped 0\.5[0-9]* % of the hits[^@]*@  hint: [^@]* size='
diff 3 "two recordings with dropped hits" mean1.dat -- drop.dat drop.dat
is "a hint for two recordings appears once" "$(grep -c '^  hint: ' <<<"$out")" 1
diff 3 "a recording with dropped hits, and one with one snapshot" mean1.dat -- drop.dat one.dat
like "the hints for two reasons are on one line" "$lines" \
	'@  drop.dat: [^@]*; one.dat: [^@]*@  hint: record fewer distinct keys, [^@]* size=; record longer, '
diff 2 "a recording without histograms" mean1.dat "$here/../data/events.dat"
is "the hint for a recording without histograms is on the next line" "${err#*events.dat: }" \
	"the file has no histograms
hint: use the original file if 'trace-cmd split' created this file"
diff 0 "dropped hits within --max-dropped" --threshold 10 --max-dropped 1 mean1.dat drop.dat
like "the report counts dropped hits within --max-dropped" "$out" '60 hits dropped'
make drop1.dat mean 4 drop=1
diff 0 "a single dropped hit" --threshold 10 --format markdown mean1.dat drop1.dat
like "the report counts a single dropped hit" "$out" '[^0-9]1 hit dropped'
diff 3 "a histogram that is missing on the new side" mean1.dat kmalloc1.dat
diff 1 "slower runs with two runs per side" mean1.dat mean2.dat -- slow1.dat slow2.dat
make clear.dat mean 4 clear=12
diff 0 "a histogram cleared between snapshots" --threshold 10 mean1.dat clear.dat
like "the report shows that the histogram was cleared" "$out" 'cleared by another program during the recording'
make lose.dat mean 4 lose=12
diff 0 "a recording with a missing snapshot" --threshold 10 mean1.dat lose.dat
make host.dat mean 4 host=other
diff 0 "recordings of different machines" --threshold 10 mean1.dat host.dat
like "a note warns of different machines" "$out" '^note: BASE and NEW are from different machines or kernels, which may cause differences$'

# --- budgets and thresholds ---

diff 0 "a maximum within its budget" --threshold 10 --max 100ms mean?.dat -- again?.dat
diff 1 "a maximum above its budget" --worse none --max 100us mean?.dat -- again?.dat
like "the verdict shows the maximum that exceeds its budget" \
	"$out" '^verdict: regressed: .*, max .* budget 100 us'
diff 1 "a share of hits above the limit of --exceed" \
	--worse none --exceed 64us:1 mean?.dat -- again?.dat
diff 0 "a share of hits within the limit of --exceed" \
	--worse none --exceed 2ms:1 mean?.dat -- again?.dat
# sys_read has 60 hits, up to 128 us; sys_write 30, up to the bucket from 129 to 256 us.
make rare.dat latency 11 events=2
budget() { diff "$@" --worse none rare.dat rare.dat; }
budget 0 "keys with few hits and without budgets" --strict
like "keys with few hits and without budgets are counted" "$out" ' with too few hits$'
budget 1 "keys with few hits above their budget" --max 128us
like "a key with few hits above its budget counts as regressed" \
	"$out" '^  2 keys: 1 regressed, 1 with too few hits$'
budget 4 "keys with few hits and a budget inside a bucket" --max 200us --strict
like "a budget inside a bucket is inconclusive" \
	"$out" '^verdict: inconclusive .*, sys_write, max 129\.\.256 us'
budget 4 "too few hits to tell a share of --exceed" --exceed 512us:0.001
like "of keys with few hits, only their sum leaves the share open" \
	"$out" '^  2 keys: 2 with too few hits$'
like "the verdict names the sum" "$out" '^verdict: inconclusive .*, all keys, above 512 us 0 % -> 0 %, budget 0\.001 %$'
budget 0 "keys with few hits within the limit of --exceed" --exceed 512us:5
budget 4 "keys with few hits, --exceed and --min-hits 1" --exceed 512us:0.001 --min-hits 1 --strict
budget 1 "keys with few hits above the limit of --exceed" --exceed 64us:1

# A limit that was asked for and not judged is never 0, on the command line or in a file.
# limit STATUS DESC FILES OPTION=VALUE...: as options, and as settings of [*]; both say the same
limit()
{
	local expected=$1 desc=$2 files=$3 options=() at option settings='[*]\nworse = none\n'

	shift 3
	for option; do
		options+=("--${option%%=*}" "${option#*=}")
		settings+="${option%%=*} = ${option#*=}\n"
	done
	# shellcheck disable=SC2086 # a list of files
	diff "$expected" "$desc, on the command line" --worse none "${options[@]}" $files
	at=$out
	printf '%b' "$settings" >metric
	# shellcheck disable=SC2086 # a list of files
	diff "$expected" "$desc, in a file" --thresholds metric $files
	is "the limits of the command line and the file print the same: $desc" "$out" "$at"
}
# one read of 7.96 ms, in the bucket from 4097 to 8192 us; its row keeps the maximum
make top.dat mean 41 top=7960
limit 1 "a kept maximum above the limit in its bucket" "mean1.dat top.dat" max=5ms
like "the kept maximum is shown as it is" \
	"$out" '^verdict: regressed: .*, sys_read, max .* -> 7\.96 ms, budget 5 ms$'
limit 0 "a kept maximum within the limit in its bucket" "mean1.dat top.dat" max=7.96ms
limit 1 "a kept maximum just above the limit" "mean1.dat top.dat" max=7.959ms
limit 1 "a share that a kept maximum exceeds" "mean1.dat top.dat" exceed=5ms:0.01
limit 0 "a share in a bucket whose kept maximum is below the limit" "mean1.dat top.dat" \
	exceed=8ms:0.16
limit 4 "the same bucket without a kept maximum" "top.dat mean1.dat" max=800us
limit 4 "a share in a bucket without a kept maximum" "top.dat mean1.dat" exceed=600us:0.1
diff 4 "a limit inside a bucket with --min-decided 0" --min-decided 0 --worse none --max 800us top.dat mean1.dat
diff 4 "a limit inside a bucket beside keys that pass" --threshold 10 --max 800us mean?.dat -- again?.dat
# what happened before the comparison is only an upper limit of the row
diff 0 "a kept maximum from a warm-up" --worse none --skip 5 --max 5ms mean1.dat top.dat
for i in 1 2 3 4 5; do
	make "tops$i.dat" mean 5$i top=$((i < 4 ? 21000 + i : 100))
done
limit 1 "three of five runs with a maximum above the limit" "mean?.dat -- tops?.dat" max=20ms
like "the maximum is that of all runs" "$out" '^verdict: regressed: .* -> 21 ms, budget 20 ms'
# without an axis, the kept maximum is all there is
make row.dat row 1 top=7960
limit 1 "a kept maximum without an axis" "row.dat row.dat" max=5ms
limit 0 "a kept maximum without an axis, within the limit" "row.dat row.dat" max=8ms
limit 4 "a share without an axis" "row.dat row.dat" exceed=5ms:50
# what was not seen may be above the limit
limit 4 "a limit, and a hit that was dropped" "mean1.dat drop1.dat" max=100ms
like "the reason counts the dropped hit" "$out" ', max: 1 hit of NEW was dropped or lost, and may exceed the budget$'
limit 1 "a limit that is exceeded, and a hit that was dropped" "mean1.dat drop1.dat" max=100us
limit 0 "a limit, and a hit of BASE that was dropped" "drop1.dat mean1.dat" max=100ms
limit 0 "a share that one dropped hit cannot exceed" "mean1.dat drop1.dat" exceed=2ms:1
limit 4 "a share that one dropped hit may exceed" "mean1.dat drop1.dat" exceed=2ms:0.16
limit 0 "the same share without a dropped hit" "mean1.dat mean4.dat" exceed=2ms:0.16
limit 4 "a limit, and a histogram that was cleared" "mean1.dat clear.dat" max=100ms
make stop.dat mean 4 stop=12
limit 4 "a limit, and a histogram that was paused" "mean1.dat stop.dat" max=100ms
limit 4 "a limit, and a NEW file without the histogram" \
	"-e sys_enter..sys_exit mean1.dat -- mean2.dat kmalloc1.dat" max=100ms
like "the reason counts the files without the histogram" "$out" 'only 1 of 2 NEW files contain this histogram'
make idle.dat mean 7 bucket=10 events=0
make busy.dat mean 8 bucket=10
diff 4 "a limit of a load that did not run, beside one that did" --threshold 50 --max 5ms \
	busy.dat kmalloc1.dat kmalloc2.dat -- idle.dat kmalloc3.dat kmalloc4.dat
like "the verdict says which load did not run" \
	"$out" '^verdict: inconclusive (.*): latency:sys_enter..sys_exit: .*no hits in NEW'
# settings STATUS DESC LINES FILES...: with these lines of a file
settings()
{
	local expected=$1 desc=$2

	printf '%b' "$3" >metric
	shift 3
	diff "$expected" "$desc" --thresholds metric "$@"
}
settings 4 "a limit of a key that does not exist, beside keys that pass" \
	'[*]\nthreshold = 10\n[latency:* sys_open]\nmax = 1\n' mean?.dat -- again?.dat
like "the verdict says that the limit was not judged" \
	"$out" '^verdict: inconclusive \(a budget or a metric could not be judged\)$'
settings 4 "a limit of a histogram that does not exist" \
	'[*]\nthreshold = 10\n[a:b]\nexceed = 1 : 1\n' mean?.dat -- again?.dat
settings 0 "a limit of a histogram that -e leaves out" \
	'[*]\nthreshold = 10\n[a:b]\nexceed = 1 : 1\n' -e sys_enter..sys_exit mean?.dat -- again?.dat
settings 0 "a limit that a later section replaces" \
	'[*]\nthreshold = 10\nmax = 1us\n[latency:*]\nmax = 100ms\n' mean?.dat -- again?.dat
settings 0 "a limit that a later section removes" \
	'[*]\nthreshold = 10\nmax = 1us\n[latency:*]\nmax = none\n' mean?.dat -- again?.dat
settings 4 "a limit of a histogram without an axis, beside one that fits" \
	'[latency:*]\nmax = 100ms\n[kmem:*]\nmax = 5ms\n' --worse none \
	mean1.dat kmalloc1.dat -- mean2.dat kmalloc2.dat
like "a note names the limit without an axis" "$out" \
	'^note: metric:4: max: the budget has no effect, because no histogram has an axis$'
settings 4 "a metric that no key has, beside keys that pass" \
	'[*]\nthreshold = 10\nworse.p98 = higher\n' mean?.dat -- again?.dat
settings 1 "a limit that was not judged, beside a regression" \
	'[latency:* sys_open]\nmax = 1\n' mean?.dat -- slow?.dat
settings 4 "a limit of a key with few hits" \
	'[*]\nworse = none\n[latency:* sys_read]\nexceed = 512us : 0.001\n' rare.dat rare.dat

diff 2 "a budget for histograms without an axis" --max 5ms kmalloc1.dat kmalloc2.dat
like "the error for --max names the missing axis" \
	"$err" '^trace-cmd hist: error: --max: the budget has no effect, because no histogram has an axis$'

cat >thresholds <<'END'
# reads may be slow
[*]
threshold = 10 %
[latency:* sys_read]
threshold.*mean = 60 %
worse.p* = none
END
diff 0 "slower reads within a threshold for their key" \
	--thresholds thresholds mean?.dat -- slow?.dat
echo '[latency:sys_ent* sys_read]' >>thresholds
diff 0 "a section of thresholds that fits by its pattern" \
	--thresholds thresholds mean?.dat -- slow?.dat
is "a section of thresholds fits if its pattern matches" "$(grep -c 'matches no' <<<"$out")" 0
printf '[latency:nothing]\nthreshold = 1\n' >>thresholds
diff 0 "a section of thresholds that fits no key" --thresholds thresholds mean?.dat -- slow?.dat
like "a note names the section of thresholds that fits no key" \
	"$out" '^note: thresholds:8: no histogram or key matches \[latency:nothing\]$'
echo 'treshold = 1' >>thresholds
diff 2 "a mistyped setting of thresholds" --thresholds thresholds mean?.dat -- slow?.dat
is "the error for a mistyped setting names its line and suggests a name" "$err" \
	'trace-cmd hist: error: thresholds:10: unknown setting "treshold"
hint: did you mean "threshold"?'

# --- a gate of single metrics ---

for i in 1 2 3 4 5; do
	make "fine$i.dat" mean $i bucket=10
	make "fine-again$i.dat" mean 2$i bucket=10
	make "fine-slow$i.dat" mean 1$i bucket=10 slow=1.4
	make "log$i.dat" mean 3$i
done
# only STATUS DESC METRIC FILES...: nothing but METRIC is judged, with a threshold of 20 %
only()
{
	local expected=$1 desc=$2

	# before the general setting of its section, which must not override it
	printf '[*]\nworse.%s = higher\nworse = none\nthreshold.%s = 20 %%\n' "$3" "$3" >metric
	shift 3
	diff "$expected" "$desc" --strict --thresholds metric "$@"
}
only 1 "a gate of p99 only, and reads 40 % slower" p99 fine?.dat -- fine-slow?.dat
like "a gate of p99 only regresses by p99" "$out" \
	'^verdict: regressed: latency:sys_enter..sys_exit, sys_read, p99 160\.\.169 us -> 220\.\.229 us, '
is "a gate of p99 only does not judge the trimmed mean" \
	"$(grep -Ec '^    trimmed mean .* -$' <<<"$out")" "$(grep -c '^    trimmed mean' <<<"$out")"
only 0 "a gate of p99 only, and equal runs" p99 fine?.dat -- fine-again?.dat
is "a gate of p99 only judges the p99 of each key" \
	"$(grep -Ec '^    p99 .* pass$' <<<"$out")" 3
only 4 "a gate of p99 only, and log2 buckets" p99 log?.dat -- log?.dat
like "the hint for p99 in log2 buckets asks only for smaller buckets" \
	"$lines" ', p99: [^@]* may be from -50 % to \+98 % because of the wide buckets@  hint: record with smaller buckets@'
only 1 "a gate of p90 only, and reads 40 % slower" p90 fine?.dat -- fine-slow?.dat
only 1 "a gate of p9* only, and reads 40 % slower" 'p9*' fine?.dat -- fine-slow?.dat
only 1 "a gate of the trimmed mean only, and reads 40 % slower" '*mean' fine?.dat -- fine-slow?.dat
is "a gate of the trimmed mean only does not judge p99" "$(grep -Ec '^    p99 .* -$' <<<"$out")" \
	"$(grep -c '^    p99' <<<"$out")"
only 0 "a gate of hitcount/s of an axis" hitcount/s fine?.dat -- fine-slow?.dat
is "a gate of hitcount/s of an axis judges the rate of each key" \
	"$(grep -Ec '^    hitcount/s .* pass$' <<<"$out")" 3
only 1 "a gate of hitcount/s without an axis" hitcount/s kmalloc?.dat -- more?.dat
like "a gate of hitcount/s without an axis finds the higher rate" \
	"$out" '^verdict: regressed: kmem:kmalloc, kfree_rcu, hitcount/s '
# --metric is the same as a file with these three settings
diff 1 "--metric p99, and reads 40 % slower" --strict --metric p99 --threshold 20 fine?.dat -- fine-slow?.dat
with_option=$out
printf '[*]\nworse = none\nworse.p99 = higher\n' >metric
diff 1 "the settings of --metric in a file" --strict --thresholds metric --threshold 20 \
	fine?.dat -- fine-slow?.dat
is "--metric p99 prints what the settings print" "$with_option" "$out"
diff 0 "--metric p99 --worse lower, and reads 40 % slower" --metric p99 --worse lower \
	fine?.dat -- fine-slow?.dat
diff 4 "--metric p98 without --percentiles" --metric p98 fine?.dat -- fine-slow?.dat
like "a note says that --metric matches nothing" "$out" '^note: --metric p98: no metric has this name$'
diff 1 "--metric p98 with --percentiles" --metric p98 --percentiles 98 fine?.dat -- fine-slow?.dat
diff 2 "--metric with --thresholds" --metric p99 --thresholds metric fine?.dat -- fine-slow?.dat
is "the error for --metric with --thresholds says where to set the metric" "$err" \
	"trace-cmd hist: error: --metric: cannot be combined with --thresholds
hint: set worse.METRIC in the file"
for word in '' ' ' p99=5; do
	diff 2 "--metric '$word'" --metric "$word" fine?.dat -- fine-slow?.dat
done
# what judges nothing does not pass
only 4 "a gate of p99 without an axis" p99 kmalloc?.dat -- kmalloc?.dat
like "the verdict says that no setting names a metric of the histogram" "$out" \
	'^verdict: inconclusive .*: kmem:kmalloc: no metric to judge: none of the worse.METRIC settings matches a metric of this histogram$'
only 4 "a gate of a metric that does not exist" p98 fine?.dat -- fine-slow?.dat
like "a note names the setting whose metric does not exist" \
	"$out" '^note: metric:2: no metric matches worse.p98$'
only 4 "a gate of max, which is not a metric of changes" max fine?.dat -- fine-slow?.dat
only 4 "a gate of p99.9 without --percentiles" p99.9 fine?.dat -- fine-again?.dat
only 4 "a gate of p99 and keys with few hits" p99 --min-hits 1000000 fine?.dat -- fine-slow?.dat
diff 0 "a gate of p99 that no longer decides alone" --threshold 20 fine?.dat -- fine-again?.dat
printf '[*]\nworse = none\n[latency:other]\nworse = higher\n' >metric
diff 4 "a gate of another histogram" --thresholds metric fine?.dat -- fine-slow?.dat
like "the verdict says that nothing was judged" \
	"$out" '^verdict: inconclusive .*: nothing was judged: none of the settings and budgets applies$'
printf '[*]\nworse = none\n[latency:* sys_open]\nmax = 1\n' >metric
diff 4 "a budget of a key that does not exist" --thresholds metric fine?.dat -- fine-slow?.dat
like "a note names the section whose key does not exist" \
	"$out" '^note: metric:3: no histogram or key matches \[latency:\* sys_open\]$'
printf '[*]\nmax = 5ms\n' >metric
diff 2 "a budget of a file for histograms without an axis" --thresholds metric kmalloc?.dat -- more?.dat
is "the error for a budget of a file names its line" "$err" \
	'trace-cmd hist: error: metric:2: max: the budget has no effect, because no histogram has an axis'
diff 4 "a budget, and a load that did not run" --worse none --max 5ms fine1.dat idle.dat
like "the verdict of a budget without samples says so" \
	"$out" '^verdict: inconclusive .*: no hits in NEW$'
diff 4 "a budget, and two loads that did not run" --worse none --max 5ms idle.dat idle.dat
diff 0 "--worse none without a budget" --worse none mean?.dat -- slow?.dat
like "a note says that nothing was judged" \
	"$out" '^note: nothing was judged: --worse is none, and no budget is set$'
diff 4 "only a histogram that base does not contain" -e kmalloc mean1.dat -- mean2.dat kmalloc1.dat

# --- options and files ---

diff 2 "no files"
diff 2 "files of one side only" mean1.dat
diff 2 "no files after --" mean1.dat --
diff 2 "three files without --" mean1.dat mean2.dat mean3.dat
like "the error for three files recommends --" "$err" '^hint: put -- before the first NEW file$'
diff 2 "an option after --" mean1.dat -- mean2.dat --strict
is "the error for an option after -- names the option and its place" "$err" \
	'trace-cmd hist: error: --strict: no such file, and options are not allowed after "--"
hint: put options before "--"'
cp again1.dat ./-dash.dat
diff 0 "a file after -- whose name begins with a dash" --threshold 10 mean1.dat -- -dash.dat
diff 2 "a missing file" mean1.dat none.dat
is "the error names the missing file" \
	"$err" "trace-cmd hist: error: none.dat: No such file or directory"
diff 2 "an event without a histogram" -e kmaloc kmalloc1.dat kmalloc2.dat
like "the error names the event that has no histogram" "$err" '^trace-cmd hist: error: -e kmaloc: no such histogram$'
like "a hint names the command that lists the histograms" "$err" "^hint: run 'trace-cmd hist report --list'\$"
diff 2 "a mistyped event" -e kmem:kmaloc kmalloc1.dat kmalloc2.dat
like "a hint suggests the event of a histogram" "$err" '^hint: did you mean "kmem:kmalloc.*"\?$'
for bad in "--threshold x" "--confidence 100" "--worse up" "--max 5min" "--exceed 1ms" \
	"--min-hits -1" "--min-decided 101" "--skip x" "--top -1" "--format xml" "--percentiles 101" "--nothing"; do
	# shellcheck disable=SC2086 # two words
	diff 2 "the bad option $bad" $bad mean1.dat mean2.dat
done
diff 0 "equal runs with --skip 5" --threshold 10 --skip 5 mean1.dat again1.dat
like "diff --skip leaves out the first seconds" "$out" '^  base: 1 run in [0-9]+ parts, 25 s'
diff 0 "equal runs with --percentiles 75,99.9" \
	--threshold 10 --percentiles 75,99.9 mean?.dat -- again?.dat
like "diff --percentiles selects the percentiles" "$out" '^    p99.9 '
diff 1 "slower runs with -o" -o result mean?.dat -- slow?.dat
is "diff -o writes nothing to stdout" "$out" ""
like "the file of diff -o has the verdict" "$(<result)" '^verdict: regressed'
diff 2 "an output file in a missing folder" -o none/result mean?.dat -- slow?.dat
for format in json markdown junit ktap; do
	diff 1 "slower runs with --format $format" --format $format mean?.dat -- slow?.dat
	like "the $format output names the regressed key" "$out" 'sys.*read'
done

# --- the examples of README and --help: a load that is twice as slow fails ---

mkdir example
"$bin/trace-cmd-hist" diff --help >help
for i in 1 2 3 4 5; do
	make "example/twice$i.dat" mean 6$i slow=2 write=2
	cp "mean$i.dat" "example/old.$i.dat"
done
cd example || exit 2
examples=$(cat "$here/../../README.md" ../help | grep -o 'trace-cmd hist diff .*old\.\*\.dat -- new\.\*\.dat' | sort -u)
is "README and --help have two examples of several runs" "$(wc -l <<<"$examples")" 2
while read -r example; do
	for load in twice1 again0; do
		for i in 1 2 3 4 5; do
			[ $load = twice1 ] && cp "twice$i.dat" "new.$i.dat" || cp "../again$i.dat" "new.$i.dat"
		done
		bash -c "trace-cmd() { '$bin/trace-cmd-hist' \"\${@:2}\"; }; $example" >/dev/null
		is "the example '$example' with a load that is ${load%?}" $? "${load#?????}"
	done
done <<<"$examples"
cd ..

# --- Documentation/ci/hist-gate.sh: a failed load is not a regression ---

# A recorder that has its recordings from here, or whose command fails.
mkdir -p path base
cat >path/trace-cmd <<END
#!/bin/sh
shift
[ "\$1" = diff ] && exec "$bin/trace-cmd-hist" "\$@"
echo "\$*" >>"$work/recorded"
while [ "\$1" != -o ]; do shift; done
out=\$2
while [ "\$1" != -- ]; do shift; done
shift
"\$@" && cp "\$RECORDED\$(expr "\$out" : '.*run-\([0-9]\)').dat" "\$out"
END
chmod +x path/trace-cmd
for i in 1 2 3 4 5; do
	cp "mean$i.dat" "base/run-$i.dat"
done
# gate STATUS DESC RECORDED COMMAND...
gate()
{
	local expected=$1 desc=$2 recorded=$3 status

	shift 3
	out=$(PATH=$work/path:$PATH RECORDED=$recorded DIFF="${DIFF:---threshold 20}" OUT=new \
		sh "$here/../../Documentation/ci/hist-gate.sh" base "$@" 2>&1)
	status=$?
	is "the CI gate exits with $expected for $desc" "$status" "$expected"
}
gate 0 "an equal load" again true
is "the CI gate records only the command and its children" \
	"$(sort -u recorded | sed 's/ -o .*//' | sort -u)" \
	"record -q --preset syscall-latency -F -c -i 200ms"
gate 1 "a slower load" slow true
gate 5 "a load that exits with 1" again sh -c 'exit 1'
like "the CI gate reports the run whose load failed" \
	"$out" '^hist-gate.sh: run 1: the load or its recording failed: status 1$'
is "the CI gate compares nothing after a failed load" "$(grep -c verdict <<<"$out")" 0
DIFF='--min-hits 200000' gate 4 "a load with too few decided hits" again true

# The step of the workflow: its own run line, with a script that only exits.
mkdir -p job/Documentation/ci
step=$(sed -n 's/^ *run: \(.*hist-gate.*\)/\1/p' "$here/../../Documentation/ci/hist-gate.yml")
for status in 0 1 2 3 4 5; do
	printf '#!/bin/sh\nexit %s\n' $status >job/Documentation/ci/hist-gate.sh
	chmod +x job/Documentation/ci/hist-gate.sh
	case $status in
	3|4) expected="0 warning" ;;
	*) expected="$status " ;;
	esac
	out=$(cd job && bash -ec "$step" 2>&1)
	is "the CI workflow judges status $status of the gate" \
		"$? $(grep -o '^::warning::' <<<"$out" | tr -d :)" "$expected"
done

# At 80 columns nothing is wider, but for sentences and triggers.
COLUMNS=80 diff 1 "slower runs at 80 columns" mean?.dat -- slow?.dat
is "the table fits in 80 columns" "$(sed -n '/metric /,/^$/p' out | awk 'length > 80')" ""
is "output to a file has no colours" "$(grep -c $'\033' out)" 0

done_testing
