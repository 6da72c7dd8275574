#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# run.sh [--sum] SECONDS [DIR]: build the fuzzers in DIR (build/fuzz) and run each for
# that long, or with --sum all of them together.  Prints TAP.
# run.sh --kept [DIR]: run each on the corpus only, which is the same each time.
#
# They begin with the corpus in this folder.  What they find in addition is kept in
# DIR/found/ for the next time, except with --sum.  An input that breaks one is kept
# in DIR, and its name printed; run the fuzzer with it to see it again, and keep it with
# corpus.sh add when it no longer breaks the fuzzer.

set -u
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/lib.sh"

top=$(readlink -f "$here/../..")
sum=
kept=
case ${1-} in
--sum) sum=1 && shift ;;
--kept) kept=1 && shift && set -- 0 "$@" ;;
esac
seconds=${1-}
case $seconds in '' | *[!0-9]*) die "usage: run.sh {[--sum] SECONDS | --kept} [DIR]" ;; esac
mkdir -p "${2:-$top/build/fuzz}" || exit 2
dir=$(readlink -f "${2:-$top/build/fuzz}")
command -v clang >/dev/null || die "clang: missing: run scripts/deps.sh fuzz"

names=()
for source in "$here"/fuzz_*.c; do
	name=${source##*/fuzz_}
	names+=("${name%.c}")
done
echo "1..${#names[@]}"
[ -z "$sum" ] || seconds=$((seconds / ${#names[@]}))
# of 0 seconds libFuzzer makes no end
[ "$seconds" -gt 0 ] || seconds=1
limit=-max_total_time=$seconds
[ -z "$kept" ] || limit=-runs=0

# build: with what it says in $dir/build.log
build()
{
	cmake -S "$top" -B "$dir" -DFUZZ=ON -DCMAKE_C_COMPILER=clang &&
		make -C "$dir" -j"$(nproc)" fuzzers
}
if ! build >"$dir/build.log" 2>&1; then
	tail -n 40 "$dir/build.log" >&2
	die "the fuzzers cannot be built: see $dir/build.log"
fi

# files that a fuzzer writes are not left behind
export TMPDIR=$dir/tmp
mkdir -p "$TMPDIR" || exit 2
count=0
failed=0
for name in "${names[@]}"; do
	count=$((count + 1))
	# libFuzzer writes what is new into the first directory
	found=$dir/found/$name
	[ -z "$sum$kept" ] || found=$dir/scratch/$name
	mkdir -p "$found"
	corpus=$dir/corpus/$name
	rm -rf "$corpus"
	"$here/corpus.sh" unpack "$name" "$corpus" || die "fuzz_$name has no corpus"
	# -timeout: an input that takes longer counts as a hang
	"$dir/bin/fuzz_$name" "$limit" -max_len=40960 -timeout=25 \
		-rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$dir/$name-" \
		"$found" "$corpus" >"$dir/$name.log" 2>&1
	status=$?
	inputs=$(sed -n 's/.*number_of_executed_units: *//p' "$dir/$name.log")
	# with --kept, each input of the corpus has been run
	[ -z "$kept" ] || [ "${inputs:-0}" -ge "$(find "$corpus" -type f | wc -l)" ] || status=1
	if [ $status = 0 ]; then
		echo "ok $count - fuzz_$name: $inputs inputs"
	else
		tail -n 30 "$dir/$name.log" | sed 's/^/# /'
		echo "not ok $count - fuzz_$name"
		failed=1
	fi
	rm -rf "$dir/scratch"
done
rm -rf "$TMPDIR"
exit $failed
