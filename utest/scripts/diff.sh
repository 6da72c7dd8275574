#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# diff.sh BIN: trace-cmd hist diff on made-up recordings, as a CI job would use it.
# TAP on stdout.  BIN holds trace-cmd-hist and diff_make.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

die()
{
	echo "diff.sh: $*" >&2
	exit 2
}

[ $# = 1 ] || die "usage: diff.sh BIN"
bin=$(readlink -f "$1")
[ -x "$bin/trace-cmd-hist" ] || die "$bin/trace-cmd-hist: missing"
[ -x "$bin/diff_make" ] || die "$bin/diff_make: missing"

here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

# diff STATUS DESC ARGS...: output in $out, errors in $err
diff()
{
	local expected=$1 desc=$2 status

	shift 2
	"$bin/trace-cmd-hist" diff "$@" >out 2>err
	status=$?
	out=$(<out)
	err=$(<err)
	is "$desc: status" "$status" "$expected"
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
like "equal runs pass" "$out" '^verdict: pass$'
like "all three keys" "$out" '^  3 keys: 3 pass$'
is "nothing on stderr" "$err" ""

diff 1 "slower runs" mean?.dat -- slow?.dat
like "the right key, by its mean" "$out" \
	'^verdict: regressed: latency:sys_enter..sys_exit, sys_read, trimmed mean 49\.[0-9] us -> 68\.[0-9] us, \+3[67]\.[0-9] % \(threshold 5 %\)$'
like "and only that" "$out" '^  3 keys: 1 regressed, 2 pass$'
is "five runs need no parts" "$(grep -c 'in .* parts' <<<"$out")" 0

diff 0 "the other way round" slow?.dat -- mean?.dat
like "it is better" "$out" '^verdict: improved: .*sys_read'
diff 1 "both directions are bad" --worse both slow?.dat -- mean?.dat
diff 1 "less is bad" --worse lower slow?.dat -- mean?.dat
diff 0 "none is bad" --worse none mean?.dat -- slow?.dat
diff 0 "within the threshold" --threshold 80 mean?.dat -- slow?.dat

diff 1 "one file a side" mean1.dat slow1.dat
like "it is said to be weaker" "$out" '^note: with one file on a side .* weaker'
like "its parts are told" "$out" '^  base: 1 run in [0-9]+ parts, 30 s, 10992 hits$'
make short.dat mean 1 snapshots=12
diff 4 "too few intervals for parts" short.dat mean1.dat
like "that is undecided" "$out" '^verdict: inconclusive'
diff 4 "and with --strict a status" --strict short.dat mean1.dat
make one.dat mean 1 snapshots=1
diff 3 "one snapshot" one.dat mean1.dat
like "it is told" "$out" 'one.dat: no two intact snapshots'

# Log2 buckets cannot tell 5 %.
diff 4 "log2 without a sum" --strict lat.dat lat-again.dat
like "a hint what to do" "$out" '^  hint: .*record finer buckets, or the sum'
diff 1 "five times slower is told by log2 too" lat.dat lat-slow.dat
like "by the ends of its buckets" "$out" \
	'^verdict: regressed: .* sys_read, trimmed mean .* \+1[0-9.]+ % \.\. \+8[0-9.]+ % '

# Sums and buckets leave nothing open, so that nobody is sent for the sum that is there.
diff 4 "too much noise" --strict --threshold 0.1 mean?.dat -- again?.dat
like "is told as noise" "$out" '^  hint: .*, trimmed mean: .*chance.*: record more runs'
is "and not as a missing sum" "$(grep -c 'the sum' <<<"$out")" 0

# Nine sleeps of ten hits become eight times as long: one run a side cannot know why.
make sleeps.dat mean 1 events=1
make longer.dat mean 2 events=1 slow=8
diff 4 "40 sleeps in one run a side" sleeps.dat longer.dat
like "have too few hits" "$out" 'no key has 100 hits on both sides'
diff 4 "and one interval" --min-hits 1 --skip 28 mean1.dat slow1.dat
like "nothing to compare it with" "$out" 'too few replicates to test'

# --- noise ---

# Runs scatter by 12 %, and in some a tenth of the times is 100 times as long.
for i in 1 2 3 4 5; do
	make "noisy$i.dat" mean $i cv=0.12 held=0.1
	make "still$i.dat" mean 2$i cv=0.12 held=0.1
	make "double$i.dat" mean 1$i cv=0.12 held=0.1 slow=2
	make "third$i.dat" mean 3$i cv=0.05 slow=1.3
	make "calm$i.dat" mean 4$i cv=0.05
done
diff 1 "twice as slow among noise" --threshold 20 noisy?.dat -- double?.dat
like "it is found" "$out" '^verdict: regressed: latency:sys_enter..sys_exit, sys_read, trimmed mean '
like "and nothing else" "$out" '^  3 keys: 1 regressed, '
diff 1 "30 % at a scatter of 5 %" calm?.dat -- third?.dat
like "it is found" "$out" '^verdict: regressed: latency:sys_enter..sys_exit, sys_read, trimmed mean '
like "and nothing else" "$out" '^  3 keys: 1 regressed, '
"$bin/trace-cmd-hist" diff --threshold 20 noisy?.dat -- still?.dat >out
ok "noise alone does not regress" [ $? != 1 ]
diff 1 "one new run against five" --threshold 20 noisy?.dat -- double1.dat
is "takes the five for its scatter" "$(grep -c 'in .* parts' <<<"$out")" 0
diff 4 "two runs among noise" --threshold 5 noisy[12].dat -- still[12].dat
like "decide too little" "$out" '^note: [0-9.]+ % of the hits are of keys that could be decided'
diff 0 "of which nothing need be decided" --min-decided 0 noisy[12].dat -- still[12].dat

# The largest change is named first, whichever histogram has it.
for i in 1 2 3; do
	make "both$i.dat" mean 5$i slow=1.4 write=3
	make "triple$i.dat" kmalloc 6$i more=9
done
diff 1 "several changes" mean[123].dat kmalloc[123].dat -- both[123].dat triple[123].dat
like "by their size" "$out" \
	'^verdict: regressed: kmem:kmalloc, kfree_rcu, [^;]*; [^;]*; latency:[^;]*, sys_write, [^;]*; [1-9] more$'

# --- keys ---

diff 1 "rates" kmalloc?.dat -- more?.dat
like "the key with more" "$out" '^verdict: regressed: kmem:kmalloc, kfree_rcu, hitcount/s [34][0-9]+ -> 5[0-9]+'
like "same names at other addresses" "$out" \
	'^  6 keys: 1 regressed, 3 pass, 1 new, 1 vanished, 1 renamed$'
like "renamed by the compiler" "$out" '^      renamed: it was do_open.isra.0$'
is "modules belong to the name" "$(grep -Ec '^  only_(base|new) \[mod\]( |$)' <<<"$out")" 2
diff 1 "only the worst" --top 1 kmalloc?.dat -- more?.dat
is "is shown" "$(grep -Ec '^  (kfree_rcu|seq_open|alloc_inode)( |$)' <<<"$out")" 1
like "the others are counted" "$out" '5 not shown$'
diff 4 "keys with few hits" --min-hits 200000 kmalloc?.dat -- more?.dat
like "are counted and not judged" "$out" '^  6 keys: 6 with too few hits'
like "which is told as what it is" "$out" \
	'^note: 0 % of the hits are of keys that could be decided, less than --min-decided 50:'
like "in the verdict too" "$out" '^verdict: inconclusive \(0 % of the hits decided\)'
diff 0 "unless that is enough" --min-decided 0 --min-hits 200000 kmalloc?.dat -- more?.dat
like "then the sum of all keys decides" "$out" '^verdict: pass$'

make stack1.dat stack 1
make stack2.dat stack 2 boot=1
make stack3.dat stack 3
diff 0 "stacks of two boots" -e kfree#0 stack1.dat stack2.dat
like "go by their frames" "$out" '^  leaf0 <- do_it .* pass$'
diff 3 "addresses of two boots" -e kfree#1 stack1.dat stack2.dat
like "cannot be compared" "$out" 'addresses.*record it with \.sym'
diff 0 "addresses of one boot" stack1.dat stack3.dat

# --- what cannot be compared ---

make bucket.dat mean 1 bucket=10
diff 3 "other buckets" mean1.dat bucket.dat
like "told with both" "$out" 'the keys differ: keys=id.syscall,lat_us.log2 and keys=id.syscall,lat_us.buckets=10'
make size.dat mean 4 size=4096
diff 0 "another size is no difference" --threshold 10 mean1.dat size.dat
make clock.dat mean 4 clock=local
diff 3 "other clocks" mean1.dat clock.dat
make drop.dat mean 4 drop=60
diff 3 "drops" mean1.dat drop.dat
like "told with the way out" "$out" 'dropped 0\.5[0-9]* % of the hits.*size='
diff 0 "drops that are allowed" --threshold 10 --max-dropped 1 mean1.dat drop.dat
like "are still told" "$out" '60 hits dropped'
diff 3 "a histogram that new lacks" mean1.dat kmalloc1.dat
diff 1 "a regression goes before that" mean1.dat mean2.dat -- slow1.dat slow2.dat
make clear.dat mean 4 clear=12
diff 0 "cleared in between" --threshold 10 mean1.dat clear.dat
like "is told" "$out" 'cleared by somebody'
make lose.dat mean 4 lose=12
diff 0 "a snapshot missing" --threshold 10 mean1.dat lose.dat
make host.dat mean 4 host=other
diff 0 "another machine" --threshold 10 mean1.dat host.dat
like "is noted" "$out" '^note: base and new are of different machines'

# --- budgets and thresholds ---

diff 0 "a budget that is kept" --threshold 10 --max 100ms mean?.dat -- again?.dat
diff 1 "a budget that is not" --worse none --max 100us mean?.dat -- again?.dat
like "and where" "$out" '^verdict: regressed: .*, max .* budget 100 us'
diff 1 "too many above" --worse none --exceed 64us:1 mean?.dat -- again?.dat
diff 0 "not too many" --worse none --exceed 2ms:1 mean?.dat -- again?.dat
# sys_read has 60 hits, up to 128 us; sys_write 30, up to the bucket from 129 to 256 us.
make rare.dat latency 11 events=2
budget() { diff "$@" --worse none rare.dat rare.dat; }
budget 0 "keys with few hits, without budgets" --strict
like "are counted" "$out" ' with too few hits$'
budget 1 "over a budget of theirs" --max 128us
like "they are shown, and counted once" "$out" '^  2 keys: 1 regressed, 1 with too few hits$'
budget 4 "or where that is open" --max 200us --strict
like "as inconclusive" "$out" '^verdict: inconclusive: .*, sys_write, max 129\.\.256 us'
budget 0 "a share that is kept" --exceed 512us:0.001
like "is not asked of them" "$out" '^  2 keys: 2 with too few hits$'
budget 4 "but with --min-hits" --exceed 512us:0.001 --min-hits 1 --strict
budget 1 "a share that is too large is told" --exceed 64us:1
diff 2 "a budget of time where there is none" --max 5ms kmalloc1.dat kmalloc2.dat
like "is told" "$err" '^trace-cmd hist: diff: --max: no histogram here has an axis'

cat >thresholds <<'END'
# reads may be slow
[*]
threshold = 10 %
[latency:* sys_read]
threshold.*mean = 60 %
worse.p* = none
END
diff 0 "a threshold for one key" --thresholds thresholds mean?.dat -- slow?.dat
echo '[latency:sys_ent* sys_read]' >>thresholds
diff 0 "a section that fits nothing" --thresholds thresholds mean?.dat -- slow?.dat
is "all sections fit" "$(grep -c 'fits no' <<<"$out")" 0
printf '[latency:nothing]\nthreshold = 1\n' >>thresholds
diff 0 "a section that fits nothing" --thresholds thresholds mean?.dat -- slow?.dat
like "is noted" "$out" '^note: thresholds, line 8: \[latency:nothing\] fits no'
echo 'treshold = 1' >>thresholds
diff 2 "a mistyped setting" --thresholds thresholds mean?.dat -- slow?.dat
is "is told with its line" "$err" \
	'trace-cmd hist: thresholds:10: no setting "treshold": did you mean "threshold"?'

# --- options and files ---

diff 2 "no files"
diff 2 "one side" mean1.dat
diff 2 "nothing behind --" mean1.dat --
diff 2 "three files without --" mean1.dat mean2.dat mean3.dat
like "told what to do" "$err" 'put -- between'
diff 2 "no such file" mean1.dat none.dat
is "names the file" "$err" "trace-cmd hist: diff: none.dat: No such file or directory"
diff 2 "no such event" -e kmaloc kmalloc1.dat kmalloc2.dat
like "a near name" "$err" 'no histogram of "kmaloc"'
for bad in "--threshold x" "--confidence 100" "--worse up" "--max 5min" "--exceed 1ms" \
	"--min-hits -1" "--min-decided 101" "--skip x" "--top -1" "--format xml" "--percentiles 101" "--nothing"; do
	# shellcheck disable=SC2086 # two words
	diff 2 "$bad" $bad mean1.dat mean2.dat
done
diff 0 "--skip" --threshold 10 --skip 5 mean1.dat again1.dat
like "leaves time out" "$out" '^  base: 1 run in [0-9]+ parts, 25 s'
diff 0 "--percentiles" --threshold 10 --percentiles 75,99.9 mean?.dat -- again?.dat
like "are those" "$out" '^    p99.9 '
diff 1 "-o" -o result mean?.dat -- slow?.dat
is "leaves stdout alone" "$out" ""
like "and has the verdict" "$(<result)" '^verdict: regressed'
diff 2 "-o into nowhere" -o none/result mean?.dat -- slow?.dat
for format in json markdown junit ktap; do
	diff 1 "--format $format" --format $format mean?.dat -- slow?.dat
	like "$format names the key" "$out" 'sys.*read'
done

# --- Documentation/ci/hist-gate.sh: a failed load is not a regression ---

# A recorder that has its recordings from here, or whose command fails.
mkdir -p path base
cat >path/trace-cmd <<END
#!/bin/sh
shift
[ "\$1" = diff ] && exec "$bin/trace-cmd-hist" "\$@"
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
	is "gate: $desc: status" "$status" "$expected"
}
gate 0 "the same load" again true
gate 1 "a slower load" slow true
gate 5 "a load that fails as a slower one does" again sh -c 'exit 1'
like "is told" "$out" '^hist-gate.sh: run 1: the load or its recording failed: status 1$'
is "and nothing is compared" "$(grep -c verdict <<<"$out")" 0
DIFF='--min-hits 200000' gate 4 "too little that could be decided" again true

# At 80 columns nothing is wider, but for sentences and triggers.
COLUMNS=80 diff 1 "80 columns" mean?.dat -- slow?.dat
is "hold the table" "$(sed -n '/metric /,/^$/p' out | awk 'length > 80')" ""
is "no colour in a file" "$(grep -c $'\033' out)" 0

done_testing
