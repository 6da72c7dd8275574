#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# run.sh SECONDS: build the fuzzers and run each for that long, from the small
# corpus in this folder.  Prints TAP.  What breaks a target is kept in
# build/fuzz/, and its name printed; run the target with it to see it again.

set -u
export LC_ALL=C

die()
{
	echo "run.sh: $*" >&2
	exit 2
}

seconds=${1-}
case $seconds in '' | *[!0-9]*) die "usage: run.sh SECONDS" ;; esac
top=$(dirname "$(readlink -f "$0")")/../..
cd "$top" || exit 2
command -v clang >/dev/null || die "clang: missing: install clang and libclang-rt-14-dev"
build=build/fuzz
mkdir -p $build || exit 2

flags="-std=gnu11 -g -O1 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Iinclude -Ilib -Itarget -Itracecmd
	-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all"
libs=$(pkg-config --cflags --libs libtraceevent libzstd zlib) || exit 2

# What the build makes of lib/assets.
cmake -DASSETS=lib/assets -DOUT="$build/assets.c" -P scripts/embed.cmake || exit 2

# What each target is made of.
render="utest/text_render.c lib/*.c $build/assets.c"
helper="target/wire.c target/delta.c target/target.c target/words.c target/undo_list.c
	target/undo_change.c target/undo_journal.c"
sources()
{
	case $1 in
	serve) echo "$helper target/serve.c target/confined.c" ;;
	remote) echo "$helper tracecmd/bootstrap.c tracecmd/target_remote.c tracecmd/target_shell.c
		tracecmd/target_clock.c tracecmd/target_path.c tracecmd/duration.c" ;;
	*) echo "$render" ;;
	esac
}

echo 1..5
count=0
failed=0
for name in text file expr serve remote; do
	count=$((count + 1))
	# shellcheck disable=SC2086,SC2046 # lists of options and files
	if ! clang $flags -o $build/fuzz_$name utest/fuzz/fuzz_$name.c $(sources $name) \
			$libs -lm >$build/$name.log 2>&1; then
		sed 's/^/# /' $build/$name.log
		echo "not ok $count - fuzz_$name builds"
		failed=1
		continue
	fi
	mkdir -p $build/found_$name
	# -timeout: an input that takes longer counts as a hang
	if $build/fuzz_$name -max_total_time="$seconds" -max_len=16384 -timeout=10 \
			-rss_limit_mb=2048 -print_final_stats=1 \
			-artifact_prefix=$build/${name}- \
			$build/found_$name utest/fuzz/corpus/$name >$build/$name.log 2>&1; then
		echo "ok $count - fuzz_$name: $(sed -n \
			's/.*number_of_executed_units: *//p' $build/$name.log) inputs"
	else
		tail -30 $build/$name.log | sed 's/^/# /'
		echo "not ok $count - fuzz_$name"
		failed=1
	fi
done
exit $failed
