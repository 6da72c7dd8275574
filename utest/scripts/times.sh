#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# times.sh BIN: recordings whose options move their times: of guests, of clocks that count ticks,
# with dates.  Each event's time as stock trace-cmd and libtracecmd have it.  TAP on stdout.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: times.sh BIN"
bin=$(readlink -f "$1")
hist=$bin/trace-cmd-hist
data=$here/../data/events/several.dat
stock=/usr/bin/trace-cmd
work_enter

"$stock" convert -i "$data" -o six.dat --file-version 6 >log 2>&1 || die "$(cat log)"
"$bin/events_dump" six.dat | grep -v lost | awk '{ print $(NF - 2) }' | sort -n >stamps
first=$(head -n 1 stamps) last=$(tail -n 1 stamps)
[ -n "$first" ] || die "six.dat has no events"

# make FILE KIND NAME...: six.dat as another kind of file, with options
make()
{
	local file=$1 kind=$2 order=little options

	shift 2
	[[ $kind = big* ]] && order=big
	mapfile -t options < <(/usr/bin/python3 "$here/lib/times_make.py" $order "$first" "$last" "$@")
	[ ${#options[@]} = $# ] || die "times_make.py: $*"
	/usr/bin/python3 "$here/lib/events_make.py" six.dat "$file" "$kind" "${options[@]}" || die "$*"
}

# moved WHAT NAME...: ERE is what events_compare says of how many times it moved
moved()
{
	local said what=$1 ere=$2 kind

	shift 2
	for kind in little8 big8 little4; do
		make made.dat $kind "$@"
		said=$("$bin/events_compare" made.dat 2>&1)
		like "the reader has the times of libtracecmd for $what ($kind)" "$said" "$ere"
	done
	make little.dat little8 "$@"
	make zlib.dat zlib "$@"
	"$bin/events_dump" little.dat >expected
	"$bin/events_dump" zlib.dat >got
	ok "a file of version 7 with zlib has the same times for $what" cmp expected got
}

moved "a date" '1140 events, .* all times moved$' date
moved "a negative offset" ' all times moved$' offset
moved "a clock of ticks" ' all times moved$' tsc
moved "a guest with one measurement" ' formats, times moved$' one id
moved "a guest with two measurements" ' formats, times moved$' two id
moved "a guest with many measurements" ' formats, times moved$' many id
moved "a guest with lines between measurements" ' formats, times moved$' lines
moved "a guest of trace-cmd 2.9" ' formats, times moved$' old
moved "a guest with measurements of one CPU" ' formats, times moved$' few
moved "all options of times together" ' all times moved$' date offset tsc lines id guest

# libtracecmd reads beyond the samples of one that has none.
"$bin/events_dump" six.dat >expected
make made.dat little8 none
"$bin/events_dump" made.dat >got
ok "a guest without measurements keeps the recorded times" cmp expected got

# The text that people see, to the nanosecond.
make all.dat little8 offset tsc lines id
is "stock trace-cmd prints the times of the reader" \
	"$("$bin/events_dump" all.dat | awk '!/lost/ { printf "%d.%09d\n", $(NF - 2) / 1000000000,
		$(NF - 2) % 1000000000 }' | sort)" \
	"$("$stock" report -t -R -i all.dat 2>/dev/null | sed -nE 's/^.* ([0-9]+\.[0-9]{9}): .*$/\1/p' | sort)"

# Replay counts by them: each time a key.
make guest.dat little8 many id tsc
"$stock" report -t -R -i guest.dat 2>/dev/null |
	sed -nE 's/^.* ([0-9]+)\.([0-9]{9}): sched_switch: .*$/\1\2/p' | sort -n >expected
[ -s expected ] || die "stock trace-cmd prints no sched_switch"
times_of()
{
	"$hist" replay -q -o times.dat "$@" -e sched:sched_switch -R \
		'hist:keys=common_timestamp:size=4096' || die "replay failed"
	"$hist" report --format json times.dat | /usr/bin/python3 -c '
import json, sys
h = json.load(sys.stdin)["histograms"][0]
print("\n".join(str(n) for n in sorted(int(r["key"]["common_timestamp"]) for r in h["snapshots"][-1]["rows"])))
print(h["clock"], h["target"]["host"], h["snapshots"][-1]["time_ns"], file=sys.stderr)' >got 2>facts
}
times_of guest.dat
ok "replay uses the times that stock trace-cmd prints" cmp expected got
is "the snapshot has the time of the last event, and the clock is tsc2nsec" \
	"$(cut -d ' ' -f 1,3 facts)" "tsc2nsec $(tail -n 1 expected)"
times_of -i 1ms guest.dat
ok "replay with intervals uses the times that stock trace-cmd prints" cmp expected got
make date.dat little8 date
"$hist" replay -q -e sched:sched_switch -k common_cpu -o wall.dat date.dat || die "replay failed"
is "snapshots have the time of day if the recording has a date" \
	"$(cp wall.dat wall2.dat; "$hist" report wall.dat wall2.dat 2>&1 >/dev/null)" ""
"$hist" replay -q -e sched:sched_switch -k common_cpu -o none.dat "$data" || die "replay failed"
like "report warns if a recording has no date" \
	"$("$hist" report wall.dat none.dat 2>&1 >/dev/null)" \
	'^trace-cmd hist: warning: none.dat: the times of this file cannot be aligned with those of the other files, '
like "replay reports that a recording was made in a guest" \
	"$("$hist" replay -e sched:sched_switch -k common_cpu guest.dat 2>&1 >/dev/null)" \
	'^trace-cmd hist: note: guest.dat: recorded in a guest; the times in this buffer are times of the host$'

# A host and its guest.
make host.dat little8 guest
for files in "host.dat guest.dat" "guest.dat host.dat"; do
	# shellcheck disable=SC2086
	said=$("$hist" replay -e sched:sched_switch -k common_cpu $files 2>&1)
	is "replay refuses the files $files" $? 2
	like "replay of $files names the guest and the host" "$said" \
		'^trace-cmd hist: error: guest.dat: recorded in the guest "deb\\x1bian" of the machine that recorded host.dat, but replay counts the events of only one kernel$'
done
like "replay refuses two unrelated recordings" \
	"$("$hist" replay -e sched:sched_switch -k common_cpu host.dat six.dat 2>&1)" \
	'^trace-cmd hist: error: six.dat: replay accepts only one file, because files of different kernels cannot share a histogram$'
like "replay refuses a second file that is not a recording" \
	"$("$hist" replay -e sched:sched_switch -k common_cpu host.dat log 2>&1)" \
	'^trace-cmd hist: error: log: replay accepts only one file, but host.dat was also given$'

# What is damaged.
for name in cut far bad; do
	make made.dat little8 $name
	like "damaged options of kind $name are refused in version 6" \
		"$("$bin/events_dump" --walk made.dat 2>&1)" 'the options section is damaged or truncated$'
	make made.dat zlib $name
	like "damaged options of kind $name are refused in version 7" \
		"$("$bin/events_dump" --walk made.dat 2>&1)" 'made.dat: .*damaged'
done

done_testing
