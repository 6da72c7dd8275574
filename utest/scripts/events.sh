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
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: events.sh BIN"
bin=$(readlink -f "$1")
data=$here/../data/events
stock=/usr/bin/trace-cmd
need_files "$bin/events_dump" "$bin/events_compare" "$data/several.dat" $stock

work_enter

# same FILE WHAT: libtracecmd has the same
same()
{
	local said status=0

	said=$("$bin/events_compare" "$1" 2>&1) || status=$?
	is "the reader and libtracecmd agree on $2" "$status" 0
	[ $status = 0 ] || tail -n 5 <<<"$said" | sed 's/^/# /'
	like "the reader finds the expected counts in $2" "$said" "$3"
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
		/usr/bin/python3 "$here/lib/events_make.py" "$name-6.dat" made.dat $kind || die "$kind: not made"
		same made.dat "$name.dat of kind $kind" "$2"
	done
	is "the far file of $name.dat is larger than 5 GB" \
		"$(($(stat -c %s made.dat) > (5 << 30)))" 1
	/usr/bin/python3 "$here/lib/events_make.py" "$name-6.dat" zlib.dat zlib || die "zlib: not made"
	"$bin/events_dump" "$data/$name.dat" >expected || die "events_dump: no events"
	"$bin/events_dump" zlib.dat >got
	ok "the reader gets the same events from $name.dat with zlib" cmp expected got
}

expect several '2 buffers, 1140 events, 0 gaps, 1140 comms, [0-9]+ addresses, 22 formats$'
expect lost '1 buffers, 7897 events, 12 gaps, 7897 comms, [0-9]+ addresses, 20 formats$'
expect graph '1 buffers, 128 events, 0 gaps, 128 comms, [0-9]+ addresses, 19 formats$'
same "$data/six.dat" "six.dat" '2 buffers, 30 events, 0 gaps, 30 comms, [0-9]+ addresses, 20 formats$'
for board in mips armv5; do
	xz -dc "$data/$board.dat.xz" >board.dat || die "$board.dat.xz"
	same board.dat "$board.dat of a 32-bit machine" \
		'1 buffers, [0-9]{4} events, 0 gaps, [0-9]{4} comms, [0-9]+ addresses, [0-9]+ formats$'
done
like "the machine of mips.dat is big-endian with a long of 4 bytes" \
	"$(xz -dc "$data/mips.dat.xz" >board.dat
	"$bin/events_dump" --machine board.dat)" ' big endian, long 4,'
for file in events keys marks shark; do
	same "$here/../data/$file.dat" "$file.dat" '[1-9][0-9]* events'
done

# Long enough that not every chunk is noted for seeking.
/usr/bin/python3 "$here/lib/events_make.py" several-6.dat long.dat long:44 || die "long: not made"
/usr/bin/python3 "$here/lib/events_make.py" long.dat packed.dat zlib || die "zlib: not made"
for file in long packed; do
	like "seeking in $file.dat finds the right pages" "$("$bin/events_dump" --seek $file.dat)" \
		'^1[0-9]{2} seeks, 0 wrong$'
done
"$bin/events_dump" long.dat >expected
"$bin/events_dump" packed.dat >got
ok "packed.dat has the same events as long.dat" cmp expected got
is "packed.dat has as many events as long.dat" "$("$bin/events_dump" --walk packed.dat)" \
	"$("$bin/events_dump" --walk long.dat)"

# And the text that people see.
is "lost.dat has as many events as lines in the stock report" \
	"$($stock report -N -i "$data/lost.dat" 2>/dev/null | grep -c 'sys_e')" \
	"$("$bin/events_dump" "$data/lost.dat" | grep -cv lost)"
is "lost.dat has as many lost events as the stock report" \
	"$($stock report -N -i "$data/lost.dat" 2>/dev/null |
		sed -n 's/.*\[\([0-9]*\) EVENTS DROPPED\].*/\1/p' | awk '{ n += $1 } END { print n }')" \
	"$("$bin/events_dump" "$data/lost.dat" | awk '$(NF - 1) == "lost" && $NF > 0 { n += $NF } END { print n }')"

# Made up: machines of all kinds, with texts in their events.
for order in little big; do
	for size in 4 8; do
		/usr/bin/python3 "$here/lib/marks_make.py" made.dat $order $size || die "marks_make.py failed"
		same made.dat "a $order-endian file with a long of $size bytes" ' 66 events'
		like "the reader detects a $order-endian machine with a long of $size bytes" \
			"$("$bin/events_dump" --machine made.dat)" \
			"$order endian, long $size,"
	done
done

# What is no such file, or has other things in it.
why()
{
	"$bin/events_dump" --walk "$1" 2>&1
}

is "a file with only histograms has no events" "$(why "$here/../data/recorded.dat")" \
	"0 events, 0 bytes, 0 lost, 0 gaps, 0 damaged"
like "a text file is refused" "$(why "$here/events.sh")" 'not a trace.dat file$'
like "a missing file is refused" "$(why nothing)" 'nothing: No such file or directory$'
mkfifo fifo
like "a fifo is refused" "$(why fifo)" 'fifo: not a regular file$'
sed '1s/tracing6/tracing5/' "$data/six.dat" >five.dat
like "an unknown version of the file format is refused" "$(why five.dat)" 'unknown version of trace.dat .6 and 7 are supported.$'
sed 's/flyrecord/latency  /' "$data/six.dat" >latency.dat
like "the text of a latency tracer is refused in version 6" \
	"$(why latency.dat)" 'text output of a latency tracer'
like "the text of a latency tracer is refused in version 7" "$(
	/usr/bin/python3 - <<-EOT
		data = open("several-7.dat", "rb").read()
		# options of buffers (3) are such of texts (22)
		for size in 62, 67:
		    data = data.replace(b"\3\0" + size.to_bytes(4, "little"),
		                        b"\26\0" + size.to_bytes(4, "little"))
		open("latency.dat", "wb").write(data)
	EOT
	why latency.dat)" 'text output of a latency tracer'
# Some billion formats, each empty, in 40 GB.
/usr/bin/python3 - "$data/six.dat" <<-EOT
	import sys
	data = open(sys.argv[1], "rb").read()
	at = data.index(b"header_event\0") + 13
	at += 8 + int.from_bytes(data[at:at + 8], "little")
	open("zeros.dat", "wb").write(data[:at] + b"\xff" * 4)
EOT
truncate -s 40G zeros.dat
like "a 40 GB file of zeros is refused in time" \
	"$(timeout 20 "$bin/events_dump" --walk zeros.dat 2>&1)" \
	'damaged or truncated$'

# Cut anywhere: an error, or what is left of it.
size=$(stat -c %s several-6.dat)
for percent in 99 90; do
	head -c $((size * percent / 100)) several-6.dat >cut.dat
	like "$percent % of a file is read, and the damage is counted" "$(why cut.dat)" \
		'^[1-9][0-9]* events, .* [1-9][0-9]* damaged$'
done
# The last format of all is longer than its section.
/usr/bin/python3 - <<-EOT
	data = bytearray(open("several-7.dat", "rb").read())
	at = data.rindex(b"name: ")
	data[at - 8:at] = (int.from_bytes(data[at - 8:at], "little") + 300).to_bytes(8, "little")
	open("damaged.dat", "wb").write(data)
EOT
like "a format that extends past its section is refused" "$(why damaged.dat)" \
	'the event formats are damaged$'
head -c $((size * 60 / 100)) several-6.dat >cut.dat
like "a file that is cut before the positions of its pages is refused" \
	"$(why cut.dat)" 'damaged or truncated$'

done_testing
