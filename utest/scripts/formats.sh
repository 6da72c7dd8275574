#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# formats.sh BIN: the data formats of `trace-cmd hist report`. TAP on stdout.
#
# Golden outputs of small files; all formats tell the same as the JSON, which is one
# of its schema. BIN holds trace-cmd-hist and series_make. With GOLDEN=write the
# golden outputs are written anew: look at what changed.
#
# In make check the formats and options of a file take turns; with CHECK_LONG=1 each has all.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: formats.sh BIN"
bin=$(readlink -f "$1")
program=$bin/trace-cmd-hist
golden=$here/../data/formats-golden
recorded=$here/../data/recorded.dat
schema=$here/../../Documentation/trace-cmd-hist.schema.json
# Debian's, which has the modules
python=/usr/bin/python3
need_files "$program" "$bin/series_make" "$recorded" "$schema"

work_enter

report()
{
	"$program" report "$@"
}

# golden NAME OPTION...: the output is that of the file NAME
is_golden()
{
	local name=$1

	shift
	report "$@" >out 2>/dev/null
	[ "${GOLDEN:-}" != write ] || cp out "$golden/$name"
	diff -u "$golden/$name" out
}

# refused STATUS WORDS OPTION...: nothing is written, and the one error has the words
refused()
{
	local status=$1 words=$2

	shift 2
	report "$@" >out 2>err
	[ $? = "$status" ] && [ ! -s out ] && [ "$(grep -c "^trace-cmd hist: error: " err)" = 1 ] && grep -qF -- "$words" err && return
	cat err
	head -n 3 out
	return 1
}

agree()
{
	"$python" -B "$here/lib/formats.py" "$program" "$@"
}

# valid OPTION...: of the schema
valid()
{
	report --format json "$@" >doc.json 2>/dev/null
	"$python" -B "$here/lib/json_schema.py" "$schema" valid doc.json
}

refuses()
{
	report --format json --snapshot all "$recorded" >doc.json &&
		"$python" -B "$here/lib/json_schema.py" "$schema" refuses doc.json
}

"$bin/series_make" tiny tiny.dat || die "series_make tiny"
"$bin/series_make" many many.dat zstd little || die "series_make many"

for format in csv ndjson folded openmetrics; do
	all=(--snapshot all)
	[ $format != folded ] || all=(--intervals)
	[ $format != openmetrics ] || all+=(--time-offset 1700000000.25)
	ok "$format output of the documented example equals its golden file" \
		is_golden tiny.$format --format $format "${all[@]}" tiny.dat
	ok "$format output of a kernel's buckets equals its golden file" \
		is_golden buckets.$format --format $format \
		-e 'kmem:kmalloc#2' "$recorded"
	top=(--top 3)
	[ $format != openmetrics ] || top=()
	ok "$format output of stacks equals its golden file" \
		is_golden stacks.$format --format $format -e 'sched_switch#1' \
		"${top[@]}" "$recorded"
	# of this they are 900 KB
	[ $format = openmetrics ] || ok "$format output of odd names and saved values equals its golden file" \
		is_golden odd.$format --format $format \
		-e 'test:files#0' --snapshot 33 "${top[@]}" many.dat
done

turn=0
for file in many.dat "$recorded"; do
	for options in "" "--snapshot all" "--intervals" "--top 3"; do
		for format in csv ndjson; do
			turn=$((turn + 1))
			[ -n "${CHECK_LONG-}" ] || [ $((turn % 4)) -lt 2 ] || continue
			# shellcheck disable=SC2086 # options
			ok "$format output has the numbers of the JSON: $(basename "$file") $options" \
				agree $format "$file" $options
		done
	done
done
ok "openmetrics has the numbers of the JSON from the first to the last snapshot" \
	agree openmetrics "$recorded"
for seq in 0 1 2 3; do
	ok "openmetrics has the numbers of the JSON at snapshot $seq" \
		agree openmetrics "$recorded" --snapshot $seq
done
# after it they are cleared, and counters go on
for seq in 0 22; do
	ok "openmetrics has the numbers of the JSON with odd names at snapshot $seq" \
		agree openmetrics many.dat \
		--snapshot $seq --max-series=100000
done

# says ERE OPTION...: a line of the report of many.dat matches
says()
{
	local words=$1

	shift
	report "$@" many.dat >out 2>/dev/null
	grep -aEq "$words" out && return
	head -n 20 out
	return 1
}

# What people read names the hits that no row has, wherever it names the dropped ones.
missed='the probe missed 35000 hits|hits missed by the probe\] 35000'
paused='paused or stopped the counting'
unknown='probe misses unknown|kernel does not count'
for options in "--view table" "--view bars" "--view heatmap" "--view percentiles" "--format folded" \
	"--format html" "--format svg" "--format svg --view heatmap" "--format svg --view percentiles"; do
	# shellcheck disable=SC2086 # options
	{
		ok "$options shows how many hits the probe missed" says "$missed" $options -e 'test:files#0'
		ok "$options shows that another program paused the trigger" says "$paused" $options -e 'test:files#1'
		ok "$options shows that the probe misses are unknown" says "$unknown" $options -e test:calls
	}
done
ok "--list shows how many hits the probe missed" \
	says '^# note: test:files#0: the probe missed 35000 hits' --list
ok "--list shows that another program paused the trigger" \
	says '^# note: test:files#1: another program or trigger paused or stopped the counting' --list

head -c 9000 many.dat >cut.dat
for file in tiny.dat many.dat cut.dat "$recorded"; do
	for options in "" "--snapshot all" "--intervals" "--top 3" "--list" "--percentiles 50,99.9"; do
		case $options-$file in
		--perc*tiny.dat) continue ;; # has no axis
		esac
		turn=$((turn + 1))
		[ -n "${CHECK_LONG-}" ] || [ $((turn % 2)) = 0 ] || continue
		# shellcheck disable=SC2086 # options
		ok "the JSON is valid by its schema: $(basename "$file") $options" \
			valid $options "$file"
	done
done
ok "the schema refuses wrong documents" refuses

ok "openmetrics refuses more time series than --max-series" \
	refused 2 "more than 100 time series" --format openmetrics \
	--max-series 100 "$recorded"
ok "openmetrics refuses snapshots without a time of day" \
	refused 2 "use --time-offset" --format openmetrics \
	--snapshot all "$recorded"
ok "openmetrics refuses --between" \
	refused 2 "use --snapshot all instead of --between" --format openmetrics --between 1,2 "$recorded"
ok "folded output refuses several snapshots" \
	refused 2 "shows only one snapshot" --format folded --snapshot all tiny.dat
ok "--time-offset refuses a number with an exponent" \
	refused 2 "must be a number of seconds" --time-offset 1e9 --format csv tiny.dat
ok "--time-offset is refused with text output" \
	refused 2 "has no effect with --view summary" --time-offset 5 tiny.dat

# Percentiles of intervals: csv, text and JSON have the same.
machine=$here/../data/machine.one.dat pick='sched_waking..sched_switch#0'
for options in "" "--top 2"; do
	for format in "json --view percentiles" "csv --view percentiles" "text --view percentiles"; do
		# shellcheck disable=SC2086 # options
		report --format $format --intervals $options -e "$pick" "$machine" >"over.${format%% *}"
	done
	text=over.text
	[ -z "$options" ] || text=
	# shellcheck disable=SC2086 # a file or none
	like "percentiles of intervals are the same in csv and JSON, and in text ($options)" \
		"$(/usr/bin/python3 -B "$here/lib/percentiles_csv.py" over.json over.csv $text 2>&1)" '^[0-9]+ lines$'
done

# The tiles of a page and the line of a chart have the numbers of --list and of the text.
for file in recorded keys top quiet; do
	dat=$here/../data/$file.dat
	report --list "$dat" 2>/dev/null | awk '!/^#/ { print $2, $5, $6 }' >listed
	report --format html "$dat" 2>/dev/null |
		sed -n 's,^<div><dt>\(Hits\|Entries\|Snapshots\)</dt><dd[^>]*>\([0-9\,]*\).*,\1 \2,p' | tr -d , |
		awk '{ n[$1] = $2 } $1 == "Snapshots" { print n["Snapshots"], n["Hits"], n["Entries"] }' >tiles
	report "$dat" 2>/dev/null | sed -n 's/^ *\(Hits\|Entries\): //p' | paste -d ' ' - - >text
	is "the tiles of $file.dat have the numbers of --list" "$(<tiles)" "$(<listed)"
	is "the text of $file.dat has the numbers of --list" "$(<text)" "$(cut -d ' ' -f 2- listed)"
done
pick='kmem:kmalloc#0'
is "the chart has the entries of the text" \
	"$(report --format svg --view bars -e "$pick" "$recorded" 2>/dev/null | grep -o -m 1 '[0-9,]* hits in [0-9,]* entries' | head -n 1 | tr -d ,)" \
	"$(report -e "$pick" "$recorded" 2>/dev/null | awk '/Hits:/ { h = $2 } /Entries:/ { print h " hits in " $2 " entries" }')"

done_testing
