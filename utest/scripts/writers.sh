#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# writers.sh BIN: do all formats of `trace-cmd hist report` have the numbers that an
# independent reader finds in the file?  TAP on stdout.
#
# format/writers.py tells how.  100 files, always the same; 10,000 with CHECK_LONG=1, of
# which all but the first 200 are other files each time.  BIN holds trace-cmd-hist and series_make.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: writers.sh BIN"
bin=$(readlink -f "$1")
need_files "$bin/trace-cmd-hist" "$bin/series_make"
work_make

# check NAME FIRST COUNT: in the background; what it says is in the file NAME
check()
{
	/usr/bin/python3 -B "$here/../format/writers.py" "$bin/trace-cmd-hist" "$bin/series_make" \
		"$2" "$3" >"$work/$1" 2>&1 &
}

# pass PID NAME
pass()
{
	wait "$1"
	local status=$?

	cat "$work/$2"
	return $status
}

# two FIRST COUNT: half of the files on each of two cores
two()
{
	local half=$(($2 / 2)) one other

	check one "$1" $half
	one=$!
	check other $(($1 + half)) $half
	other=$!
	ok "all formats have the numbers of $half files from seed $1 on" pass $one one
	ok "all formats have the numbers of $half files from seed $(($1 + half)) on" \
		pass $other other
}

if [ -z "${CHECK_LONG-}" ]; then
	two 1 100
else
	two 1 200
	first=$((RANDOM * 32768 * 32768 + RANDOM * 32768 + RANDOM + 1000))
	two $first 9800
fi
done_testing
