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

die()
{
	echo "html.sh: $*" >&2
	exit 2
}

[ $# = 1 ] || [ $# = 2 ] || die "usage: html.sh BINDIR [PICTURES]"
[ -x "$1/trace-cmd" ] || die "$1/trace-cmd: missing: build first"
for tool in chromium chromedriver xmllint python3; do
	command -v $tool >/dev/null || die "$tool: missing: run scripts/deps.sh"
done
bin=$(readlink -f "$1")
pictures=${2-}
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

report() { "$bin/trace-cmd" hist report "$@"; }

# An unfinished file is reported with a note on stderr, which is not looked at here.
make_report() { report --format "$1" -o "$2" "${@:3}" 2>/dev/null; }

ok "a hostile file" "$bin/hostile_make" "$work/hostile.dat"
cp "$here/../data/recorded.dat" "$work/recorded.dat"
for file in recorded hostile; do
	dat=$work/$file.dat
	ok "$file: html" make_report html "$work/$file.html" "$dat"
	ok "$file: json" make_report json "$work/$file.json" "$dat"
	ok "$file: html is the same each time" eval \
		"make_report html '$work/again.html' '$dat' && cmp '$work/$file.html' '$work/again.html'"
	mkdir -p "$work/pictures/$file"
	python3 "$here/lib/html_browser.py" "$work/$file.html" "$work/$file.json" \
		"$work/pictures/$file" >"$work/browser" 2>&1
	status=$?
	ok "$file: in Chromium" test $status = 0
	# its lines with our numbers
	grep -E '^(not )?ok|^#' "$work/browser" | sed -E "s/^(not ok|ok) [0-9]+ - /# \1: /"
	[ $status = 0 ] || sed 's/^/# /' "$work/browser"
done
ok "nothing is fetched from elsewhere" eval \
	"! grep -Eo '(src|href|url)[=(][\"'\'']?[a-z]+:[^ >]*' '$work/recorded.html'"
[ -z "$pictures" ] || cp -r "$work/pictures/." "$pictures"

# Charts: valid XML, with what assistive programs read, the same each time.
for view in bars heatmap percentiles; do
	for pick in recorded:kmem:kmalloc#0 recorded:sched:sched_switch#1 'hostile:test:<script>'; do
		dat=$work/${pick%%:*}.dat event=${pick#*:}
		[ "$view/$event" != percentiles/sched:sched_switch#1 ] || continue
		ok "svg: $view of $event" make_report svg "$work/a.svg" --view $view -e "$event" "$dat"
		ok "is valid XML" xmllint --noout --nonet "$work/a.svg"
		ok "has title and description" eval "xmllint --xpath \
			'count(/*[local-name()=\"svg\"]/*[local-name()=\"title\" or local-name()=\"desc\"])' \
			'$work/a.svg' | grep -qx 2"
		ok "is the same each time" eval "make_report svg '$work/b.svg' --view $view -e '$event' '$dat' &&
			cmp '$work/a.svg' '$work/b.svg'"
	done
done

# Byte by byte, but for the style. Made by this program and looked at.
for view in bars heatmap percentiles; do
	make_report svg "$work/a.svg" --view $view -e kmem:kmalloc#0 "$work/recorded.dat"
	ok "$view as it was looked at" eval \
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
ok "the bars have the counts" python3 "$work/bars.py" "$work/a.svg" "$work/a.json"

# What a chart cannot show is refused, with what to do.
refused() { ! report --format svg "${@:2}" >"$work/out" 2>"$work/err" && grep -q -- "$1" "$work/err"; }
ok "several histograms: refused, naming -e" refused '-e EVENT' "$work/recorded.dat"
ok "percentiles of stacks: refused" refused 'percentiles' --view percentiles \
	-e sched:sched_switch#1 "$work/recorded.dat"
ok "several snapshots as bars: refused" refused '--between' --snapshot all -e kmem:kmalloc#0 \
	"$work/recorded.dat"
ok "--top over an axis and time: refused" refused '--top' --view heatmap --top 3 \
	-e kmem:kmalloc#0 "$work/recorded.dat"

# Loss is said in both.
for word in 'hits were dropped' 'due and not taken' 'interrupted'; do
	ok "html says: $word" grep -q "$word" "$work/hostile.html"
	report --format svg --view heatmap "$work/hostile.dat" >"$work/a.svg" 2>/dev/null
	ok "svg says: $word" grep -q "$word" "$work/a.svg"
done

done_testing
