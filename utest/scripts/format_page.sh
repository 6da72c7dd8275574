#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# format_page.sh BIN: is trace-cmd-hist.dat(5) true?  TAP on stdout.
#
# read_dat.py was written from this page.  It must read from files of all kinds,
# whole and damaged, what `trace-cmd hist report` reads; and the bytes that the
# page shows must be those of the file.  What a report shows by default must be the
# difference of the first and the last snapshot that read_dat.py reads.  BIN holds trace-cmd-hist and series_make.
#
# make check has each compression and each byte order, but not each pair, and fewer files.  With CHECK_LONG=1
# there are all, and each file is damaged at more places.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: format_page.sh BIN"
bin=$(readlink -f "$1")
page=$here/../../Documentation/trace-cmd-hist.dat.5.txt
recorded=$here/../data/recorded.dat
events=$here/../data/events.dat
need_files "$bin/trace-cmd-hist" "$bin/series_make" "$page" "$recorded" "$events"
[ -x /usr/bin/python3 ] || die "no /usr/bin/python3"

work_enter

# check DESC CHECK FILE [SNAPSHOTS]
check()
{
	local desc=$1

	shift
	ok "$desc" /usr/bin/python3 -B "$here/../format/compare.py" "$bin/trace-cmd-hist" "$page" "$@"
}

make()
{
	"$bin/series_make" "$@" || die "series_make $* failed"
}

make tiny tiny.dat
check "the bytes of the example on the page are those of the file" example tiny.dat
check "read_dat.py and report agree on the example" same tiny.dat 2
pairs='none-little none-big zlib-little zstd-big'
[ -z "${CHECK_LONG-}" ] || pairs="$pairs zlib-big zstd-little"
for pair in $pairs; do
	make many $pair.dat ${pair%-*} ${pair#*-}
	check "read_dat.py and report agree on a ${pair#*-}-endian file with ${pair%-*} compression" \
		same $pair.dat 108
done
make renumber renumber.dat zstd big
check "read_dat.py and report agree on renumbered entries and strings" same renumber.dat 108
check "read_dat.py and report agree on differences of snapshots" differences none-little.dat 105
check "read_dat.py and report agree on differences of renumbered entries" \
	differences renumber.dat 105
cp "$events" attached.dat
make attach attached.dat
check "read_dat.py and report agree on a file with events" same attached.dat 108
check "read_dat.py and report agree on a recording of a real kernel" same "$recorded" 24
# span FILE [killed]
span()
{
	local desc

	desc="the report spans the first to the last snapshot of $(basename "$1")${2:+, $2}"
	ok "$desc" /usr/bin/python3 -B "$here/../format/spans.py" "$bin/trace-cmd-hist" "$@"
}

for file in tiny.dat none-little.dat zstd-big.dat "$recorded" "$here/../data/marks.dat"; do
	[ -z "${CHECK_LONG-}" ] && [ "$file" = "$recorded" ] || span "$file"
	[ -z "${CHECK_LONG-}" ] && [ "$file" != "$recorded" ] || span "$file" killed
done
damaged=(none-big.dat "$recorded")
orders=big
[ -z "${CHECK_LONG-}" ] || damaged+=(attached.dat) orders='little big'
for file in "${damaged[@]}"; do
	check "read_dat.py and report agree on a cut $(basename "$file")" cuts "$file"
	check "read_dat.py and report agree on $(basename "$file") with a changed byte" \
		flips "$file"
done
for order in $orders; do
	check "read_dat.py and report agree on a $order-endian file with sections of a newer format" \
		newer none-$order.dat
done
done_testing
