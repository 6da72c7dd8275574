#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# stock_tools.sh BIN: what the installed trace-cmd and KernelShark's library
# make of our files, and what our reader makes of theirs. TAP on stdout.
#
# BIN holds tracedat_make and kshark_open. The events come from data/events.dat,
# 371 sched_switch events on 2 CPUs, recorded by trace-cmd 3.1.6 on 6.12.

set -u
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/lib.sh"

[ $# = 1 ] || die "usage: stock_tools.sh BIN"
bin=$(readlink -f "$1")
make=$bin/tracedat_make
kshark=$bin/kshark_open
events=$here/../data/events.dat
need_files "$make" "$kshark" "$events"
stock=/usr/bin/trace-cmd
[ -x $stock ] || die "$stock: missing: install trace-cmd"
version=$($stock --version 2>&1 | sed -n 's/^trace-cmd version \([0-9.]*\).*/\1/p')

work_enter

count=0
failed=0

result()
{
	count=$((count + 1))
	echo "$1 $count - $2"
	[ "$1" = ok ] || failed=$((failed + 1))
}

# ok DESC CMD...: CMD ends with status 0
ok()
{
	local desc=$1 status=0

	shift
	"$@" >out 2>err || status=$?
	if [ $status = 0 ]; then
		result ok "$desc"
	else
		result "not ok" "$desc"
		echo "# status $status of: $*"
		tail -n 5 err | sed 's/^/# /'
	fi
}

# is DESC GOT EXPECTED
is()
{
	if [ "$2" = "$3" ]; then
		result ok "$1"
	else
		result "not ok" "$1"
		printf '#      got: %s\n# expected: %s\n' "$2" "$3"
	fi
}

state()
{
	"$make" state "$1" 2>&1
}

# Without the place of the last section.
short_state()
{
	state "$1" | cut -d ' ' -f 1-3
}

last_section()
{
	state "$1" | sed -n 's/^FOUND .* \([0-9]*\)$/\1/p'
}

# What is in the lines of those events that are counted.
counted=sched_switch

# All that stock report prints of the events.
report()
{
	$stock report "$1" 2>/dev/null | grep sched_switch
}

dumps()
{
	local what=$1 file=$2 option

	shift 2
	for option; do
		ok "$what: stock dump $option succeeds" $stock dump "$option" -i "$file"
	done
}

# takes WHAT FILE EVENTS: stock report gives as many events, with status 0
takes()
{
	local what=$1 file=$2 expected=$3

	ok "$what: stock report succeeds" $stock report "$file"
	is "$what: stock report prints $expected events" "$(grep -c "$counted" out)" "$expected"
	is "$what: KernelShark loads $expected events" "$("$kshark" "$file" 2>err)" "1 $expected"
}

# derived WHAT FILE EVENTS: split and convert, and what is left of ours after them
derived()
{
	local what=$1 file=$2 expected=$3 format

	ok "$what: stock split succeeds" $stock split -i "$file" -o part
	mv part.1 part.dat
	ok "$what: stock report succeeds after split" $stock report part.dat
	is "$what: stock split keeps $expected events" "$(grep -c "$counted" out)" "$expected"
	is "$what: stock split drops the histograms" "$(state part.dat)" NONE
	for format in 6 7; do
		ok "$what: stock convert to version $format succeeds" \
			$stock convert -i "$file" -o converted.dat --file-version $format
		takes "$what, converted to $format" converted.dat "$expected"
		if [ $format = 6 ]; then
			is "$what: the reader names version 6 after convert" \
				"$(state converted.dat)" \
				"tracedat_make: converted.dat: version 6 of trace.dat cannot contain histograms (version 7 can)"
		else
			is "$what: stock convert to version 7 leaves a stale option" \
				"$(state converted.dat)" STALE
		fi
	done
}

cut_file()
{
	head -c "$1" "$2" >cut.dat
}

# A file that is cut in the data or in the header of the last section, or before
# it. With half a section header every stock dump fails, whatever the file.
cut_tail()
{
	local what=$1 file=$2 left=$3 expected=$4 last

	last=$(last_section "$file")
	cut_file $((last + 16 + 7)) "$file"
	is "$what cut in the data: $left sections are found" \
		"$(short_state cut.dat)" "FOUND $left cut"
	takes "$what cut in the data" cut.dat "$expected"
	dumps "$what cut in the data" cut.dat --summary --options --sections --validate
	cut_file $((last + 9)) "$file"
	is "$what cut in the header: $left sections are found" \
		"$(short_state cut.dat)" "FOUND $left cut"
	takes "$what cut in the header" cut.dat "$expected"
	cut_file "$last" "$file"
	is "$what cut before the last section: $left whole sections are found" \
		"$(short_state cut.dat)" "FOUND $left whole"
	takes "$what cut before the last section" cut.dat "$expected"
	dumps "$what cut before the last section" cut.dat --summary --options --sections --validate
}

all_dumps="--summary --options --sections --strings --validate --all"

# created COMPRESSION SECTIONS BYTES
created()
{
	local what="$1, $2 sections of $3 bytes"

	ok "$what: a new file is created" "$make" create own.dat "$1" "$2" "$3"
	is "$what: $2 whole sections are found" "$(short_state own.dat)" "FOUND $2 whole"
	takes "$what" own.dat 0
	# shellcheck disable=SC2086 # a list of options
	dumps "$what" own.dat $all_dumps
	derived "$what" own.dat 0
	[ "$2" = 0 ] || cut_tail "$what" own.dat $(($2 - 1)) 0
}

# attached VERB SECTIONS BYTES
attached()
{
	local what="$1, $2 sections of $3 bytes"

	cp "$events" own.dat
	ok "$what: a file with events takes the sections" "$make" "$1" own.dat "$2" "$3"
	is "$what: $2 whole sections are found" "$(short_state own.dat)" "FOUND $2 whole"
	takes "$what" own.dat 371
	is "$what: stock report prints the same events as before" \
		"$(report own.dat)" "$(report "$events")"
	# shellcheck disable=SC2086
	dumps "$what" own.dat $all_dumps
	derived "$what" own.dat 371
	is "$what: adding sections a second time is refused" "$("$make" "$1" own.dat 1 1 2>&1)" \
		"tracedat_make: own.dat: File exists"
	# linked late, the options stand behind: what is cut off takes them along
	if [ "$1" = link ]; then
		cut_tail "$what" own.dat $(($2 - 1)) 371
	else
		cut_file $(($(last_section own.dat) + 16 + 7)) own.dat
		is "$what cut in the data: the missing options are reported" "$(state cut.dat)" \
			"tracedat_make: cut.dat: the options section is missing because the file is truncated"
	fi
}

# What record --events does: a file of stock trace-cmd record -B, whose named buffer becomes
# the top one.  It is data/shark.dat without what we have added, and with the end of
# the options where they were led on to ours; NAME is that of its buffer.
topped()
{
	local what="top, 3 sections of 1000 bytes" name=trace-cmd-hist-173-604b before
	local counted='\[00[01]\] '

	head -c 40184 "${events%/*}/shark.dat" >named.dat
	printf '\0\0\0\0\0\0\0\0' | dd of=named.dat bs=1 seek=40038 conv=notrunc status=none
	is "a recording with a named buffer has no histograms" "$(state named.dat)" NONE
	before=$($stock report named.dat 2>/dev/null | grep -v '^cpus=')
	is "stock report prints the name of a named buffer before each event" \
		"$(grep -c "^$name: " <<<"$before") $(wc -l <<<"$before")" "2527 2527"
	cp named.dat own.dat
	ok "$what: the named buffer becomes the top-level one" "$make" top own.dat 3 1000 $name
	is "$what: 3 whole sections are found" "$(short_state own.dat)" "FOUND 3 whole"
	is "$what: stock report prints the same events without the buffer name" \
		"$($stock report own.dat 2>/dev/null | grep -v '^cpus=')" "${before//$name: /}"
	is "$what: KernelShark loads all events" "$("$kshark" own.dat 2>err)" "1 2527"
	takes "$what" own.dat 2527
	# shellcheck disable=SC2086
	dumps "$what" own.dat $all_dumps
	derived "$what" own.dat 2527
	cut_tail "$what" own.dat 2 2527
	is "$what: another buffer name is refused" \
		"$("$make" top named.dat 1 1 another 2>&1)" \
		"tracedat_make: named.dat: No such file or directory"
}

echo "# trace-cmd $version"
is "the recording of events has no histograms" "$(state "$events")" NONE
takes "the recording of events" "$events" 371
created zstd 0 0
created zstd 5 2000
created none 1 20000000
created none 20000 10
attached attach 3 1000
attached link 3 1000
attached link 200 100000
topped
echo "1..$count"
[ $failed = 0 ]
