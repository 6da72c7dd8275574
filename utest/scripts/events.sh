#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# events.sh BIN: the events of recorded files, as our reader and as libtracecmd have them.
# TAP on stdout.
#
# The files in data/events were recorded by stock trace-cmd (record.sh there).  They are
# turned into every kind of file there is: by stock trace-cmd, and what it does not make
# by events_make.py.  Where libtracecmd does not open it, the events of the file that it was
# made of are expected.

set -u
export LC_ALL=C
here=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

die()
{
	echo "events.sh: $*" >&2
	exit 2
}

[ $# = 1 ] || die "usage: events.sh BIN"
bin=$(readlink -f "$1")
data=$here/../data/events
stock=/usr/bin/trace-cmd
for file in "$bin/events_dump" "$bin/events_compare" "$data/several.dat" $stock; do
	[ -e "$file" ] || die "$file: missing"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

# same FILE WHAT: libtracecmd has the same
same()
{
	local said status=0

	said=$("$bin/events_compare" "$1" 2>&1) || status=$?
	is "$2: the same as libtracecmd has" "$status" 0
	[ $status = 0 ] || tail -n 5 <<<"$said" | sed 's/^/# /'
	like "$2: so many" "$said" "$3"
}

# expect NAME ERE: of the kinds that stock trace-cmd and we make of it, too
expect()
{
	local name=$1 kind

	same "$data/$name.dat" "$name.dat" "$2"
	$stock convert -i "$data/$name.dat" -o "$name-7.dat" --compression none >log 2>&1 ||
		die "$name: $(cat log)"
	$stock convert -i "$data/$name.dat" -o "$name-6.dat" --file-version 6 >log 2>&1 ||
		die "$name: $(cat log)"
	same "$name-7.dat" "$name.dat of version 7, not compressed" "$2"
	same "$name-6.dat" "$name.dat of version 6" "$2"
	for kind in big8 big4 little4 far; do
		python3 "$here/lib/events_make.py" "$name-6.dat" made.dat $kind || die "$kind: not made"
		same made.dat "$name.dat of kind $kind" "$2"
	done
	is "that one is larger than 5 GB" "$(($(stat -c %s made.dat) > (5 << 30)))" 1
	python3 "$here/lib/events_make.py" "$name-6.dat" zlib.dat zlib || die "zlib: not made"
	"$bin/events_dump" "$data/$name.dat" >expected || die "events_dump: no events"
	"$bin/events_dump" zlib.dat >got
	ok "$name.dat with zlib: the same events" cmp expected got
}

expect several '2 buffers, 1140 events, 0 gaps, 1140 comms, [0-9]+ addresses, 22 formats$'
expect lost '1 buffers, 7897 events, 12 gaps, 7897 comms, [0-9]+ addresses, 20 formats$'
expect graph '1 buffers, 128 events, 0 gaps, 128 comms, [0-9]+ addresses, 19 formats$'
same "$data/six.dat" "six.dat" '2 buffers, 30 events, 0 gaps, 30 comms, [0-9]+ addresses, 20 formats$'
for board in mips armv5; do
	xz -dc "$data/$board.dat.xz" >board.dat || die "$board.dat.xz"
	same board.dat "$board, a long of 32 bits" \
		'1 buffers, [0-9]{4} events, 0 gaps, [0-9]{4} comms, [0-9]+ addresses, [0-9]+ formats$'
done
like "mips is big-endian" "$(xz -dc "$data/mips.dat.xz" >board.dat
	"$bin/events_dump" --machine board.dat)" ' big endian, long 4,'
for file in events keys marks shark; do
	same "$here/../data/$file.dat" "$file.dat" '[1-9][0-9]* events'
done

# Long enough that not every chunk is noted for seeking.
python3 "$here/lib/events_make.py" several-6.dat long.dat long:44 || die "long: not made"
python3 "$here/lib/events_make.py" long.dat packed.dat zlib || die "zlib: not made"
for file in long packed; do
	like "$file.dat: seeking to pages" "$("$bin/events_dump" --seek $file.dat)" \
		'^1[0-9]{2} seeks, 0 wrong$'
done
"$bin/events_dump" long.dat >expected
for file in long packed; do
	"$bin/events_dump" --mapped $file.dat >got
	ok "$file.dat, where it may be mapped: the same events" cmp expected got
done
is "$file.dat: as many events in both" "$("$bin/events_dump" --walk packed.dat)" \
	"$("$bin/events_dump" --walk long.dat)"

# And the text that people see.
is "as many events as lines of the report" \
	"$($stock report -N -i "$data/lost.dat" 2>/dev/null | grep -c 'sys_e')" \
	"$("$bin/events_dump" "$data/lost.dat" | grep -cv lost)"
is "as many were lost" \
	"$($stock report -N -i "$data/lost.dat" 2>/dev/null |
		sed -n 's/.*\[\([0-9]*\) EVENTS DROPPED\].*/\1/p' | awk '{ n += $1 } END { print n }')" \
	"$("$bin/events_dump" "$data/lost.dat" | awk '$(NF - 1) == "lost" && $NF > 0 { n += $NF } END { print n }')"

# Made up: machines of all kinds, with texts in their events.
for order in little big; do
	for size in 4 8; do
		python3 "$here/lib/marks_make.py" made.dat $order $size || die "marks_make.py failed"
		same made.dat "a $order-endian machine with a long of $size" ' 66 events'
		like "it is told" "$("$bin/events_dump" --machine made.dat)" \
			"$order endian, long $size,"
	done
done

# What is no such file, or has other things in it.
why()
{
	"$bin/events_dump" --walk "$1" 2>&1
}

is "histograms alone: no events" "$(why "$here/../data/recorded.dat")" \
	"0 events, 0 bytes, 0 lost, 0 gaps, 0 damaged"
like "a text" "$(why "$here/events.sh")" 'not a trace.dat file$'
like "no file" "$(why nothing)" 'nothing: cannot be opened$'
mkfifo fifo
like "a fifo" "$(why fifo)" 'fifo: not a regular file$'
sed '1s/tracing6/tracing5/' "$data/six.dat" >five.dat
like "a version that is not known" "$(why five.dat)" 'not known: 6 and 7 are$'
sed 's/flyrecord/latency  /' "$data/six.dat" >latency.dat
like "the text of a latency tracer, version 6" "$(why latency.dat)" 'text of a latency tracer'
like "and version 7" "$(
	python3 - <<-EOT
		data = open("several-7.dat", "rb").read()
		# options of buffers (3) are such of texts (22)
		for size in 62, 67:
		    data = data.replace(b"\3\0" + size.to_bytes(4, "little"),
		                        b"\26\0" + size.to_bytes(4, "little"))
		open("latency.dat", "wb").write(data)
	EOT
	why latency.dat)" 'text of a latency tracer'
# Some billion formats, each empty, in 40 GB.
python3 - "$data/six.dat" <<-EOT
	import sys
	data = open(sys.argv[1], "rb").read()
	at = data.index(b"header_event\0") + 13
	at += 8 + int.from_bytes(data[at:at + 8], "little")
	open("zeros.dat", "wb").write(data[:at] + b"\xff" * 4)
EOT
truncate -s 40G zeros.dat
like "a large file of nothing" "$(timeout 20 "$bin/events_dump" --walk zeros.dat 2>&1)" \
	'damaged or cut$'

# Cut anywhere: an error, or what is left of it.
size=$(stat -c %s several-6.dat)
for percent in 99 90; do
	head -c $((size * percent / 100)) several-6.dat >cut.dat
	like "$percent % of a file: what is missing is told" "$(why cut.dat)" \
		'^[1-9][0-9]* events, .* [1-9][0-9]* damaged$'
done
# The last format of all is longer than its section.
python3 - <<-EOT
	data = bytearray(open("several-7.dat", "rb").read())
	at = data.rindex(b"name: ")
	data[at - 8:at] = (int.from_bytes(data[at - 8:at], "little") + 300).to_bytes(8, "little")
	open("damaged.dat", "wb").write(data)
EOT
like "a format that goes on behind its section" "$(why damaged.dat)" \
	'the formats of its events are damaged$'
head -c $((size * 60 / 100)) several-6.dat >cut.dat
like "where pages are is cut off" "$(why cut.dat)" 'damaged or cut$'

done_testing
