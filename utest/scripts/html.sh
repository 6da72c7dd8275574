#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# html.sh BINDIR [PICTURES]: reports as html and svg. The page is loaded in headless
# Chromium and compared with the JSON report (html_browser.py); charts are valid XML
# that is the same each time. One file is real, one has names that want to be more
# than text. PICTURES: a folder for screenshots. Prints TAP; status 1 when a test failed.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || [ $# = 2 ] || die "usage: html.sh BINDIR [PICTURES]"
[ -x "$1/trace-cmd" ] || die "$1/trace-cmd: missing: build first"
for tool in chromium chromedriver xmllint python3; do
	command -v $tool >/dev/null || die "$tool: missing: run scripts/deps.sh"
done
bin=$(readlink -f "$1")
pictures=${2-}
work_make

report() { "$bin/trace-cmd" hist report "$@"; }

# An unfinished file is reported with a note on stderr, which is not looked at here.
make_report() { report --format "$1" -o "$2" "${@:3}" 2>/dev/null; }

ok "hostile_make writes a recording with hostile names" "$bin/hostile_make" "$work/hostile.dat"
cp "$here/../data/recorded.dat" "$work/recorded.dat"
for file in recorded hostile; do
	dat=$work/$file.dat
	ok "report writes $file.dat as html" make_report html "$work/$file.html" "$dat"
	ok "report writes $file.dat as json" make_report json "$work/$file.json" "$dat"
	ok "the html of $file.dat is the same each time" eval \
		"make_report html '$work/again.html' '$dat' && cmp '$work/$file.html' '$work/again.html'"
	mkdir -p "$work/pictures/$file"
	/usr/bin/python3 "$here/lib/html_browser.py" "$work/$file.html" "$work/$file.json" \
		"$work/pictures/$file" >"$work/browser" 2>&1
	status=$?
	ok "the html of $file.dat passes all checks in Chromium" test $status = 0
	# its lines with our numbers
	grep -E '^(not )?ok|^#' "$work/browser" | sed -E "s/^(not ok|ok) [0-9]+ - /# \1: /"
	[ $status = 0 ] || sed 's/^/# /' "$work/browser"
done
ok "the html of recorded.dat loads nothing from elsewhere" eval \
	"! grep -Eo '(src|href|url)[=(][\"'\'']?[a-z]+:[^ >]*' '$work/recorded.html'"
[ -z "$pictures" ] || cp -r "$work/pictures/." "$pictures"

# Charts: valid XML, with what assistive programs read, the same each time.
for view in bars heatmap percentiles; do
	for pick in recorded:kmem:kmalloc#0 recorded:sched:sched_switch#1 'hostile:test:<script>'; do
		dat=$work/${pick%%:*}.dat event=${pick#*:}
		[ "$view/$event" != percentiles/sched:sched_switch#1 ] || continue
		ok "report draws $view of $event as svg" \
			make_report svg "$work/a.svg" --view $view -e "$event" "$dat"
		ok "the svg $view of $event is valid XML" xmllint --noout --nonet "$work/a.svg"
		ok "the svg $view of $event has a title and a description" eval "xmllint --xpath \
			'count(/*[local-name()=\"svg\"]/*[local-name()=\"title\" or local-name()=\"desc\"])' \
			'$work/a.svg' | grep -qx 2"
		ok "the svg $view of $event is the same each time" \
			eval "make_report svg '$work/b.svg' --view $view -e '$event' '$dat' &&
			cmp '$work/a.svg' '$work/b.svg'"
	done
done

# Byte by byte, but for the style. Made by this program and looked at.
for view in bars heatmap percentiles; do
	make_report svg "$work/a.svg" --view $view -e kmem:kmalloc#0 "$work/recorded.dat"
	ok "the svg $view equals its golden file" eval \
		"sed '/^<style>/,/^<\/style>/d' '$work/a.svg' | diff '$here/../data/charts/$view.svg' -"
done

# "19,350" of the bars are the counts of the JSON report.
make_report svg "$work/a.svg" -e kmem:kmalloc#2 "$work/recorded.dat"
make_report json "$work/a.json" -e kmem:kmalloc#2 "$work/recorded.dat"
cat >"$work/bars.py" <<-'EOT'
	import json, sys, xml.etree.ElementTree as ET
	rows = json.load(open(sys.argv[2]))["histograms"][0]["snapshots"][-1]["rows"]
	want = sorted(str(r["value"]["hitcount"]) for r in rows)
	got = sorted(t.text.split()[0].replace(",", "") for t in ET.parse(sys.argv[1]).iter(
	    "{http://www.w3.org/2000/svg}text") if t.get("class") == "number")
	assert got == want, (got, want)
EOT
ok "the bars show the counts of the JSON report" \
	/usr/bin/python3 "$work/bars.py" "$work/a.svg" "$work/a.json"

# What a chart cannot show is refused, with what to do.
refused() { ! report --format svg "${@:2}" >"$work/out" 2>"$work/err" && grep -q -- "$1" "$work/err"; }
ok "svg output refuses several histograms and names -e" refused '-e EVENT' "$work/recorded.dat"
ok "svg output refuses percentiles of stacks" refused 'percentiles' --view percentiles \
	-e sched:sched_switch#1 "$work/recorded.dat"
ok "svg output refuses bars of several snapshots and names --between" \
	refused '--between' --snapshot all -e kmem:kmalloc#0 \
	"$work/recorded.dat"
ok "svg output refuses --top for a heatmap over an axis and time" \
	refused '--top' --view heatmap --top 3 \
	-e kmem:kmalloc#0 "$work/recorded.dat"

# Loss is said in both.
for word in 'hits were dropped' 'due but not taken' 'interrupted'; do
	ok "the html of hostile.dat shows: $word" grep -q "$word" "$work/hostile.html"
	report --format svg --view heatmap "$work/hostile.dat" >"$work/a.svg" 2>/dev/null
	ok "the svg of hostile.dat shows: $word" grep -q "$word" "$work/a.svg"
done

done_testing
