#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# docs.sh BIN: do the man pages and the program say the same?  TAP on stdout.
#
# Every option in the help of a verb is in its man page, and the other way
# round; every verb has a page; every page is made without warnings, and its
# footer has the version and the date of the release.  BIN holds trace-cmd-hist.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: docs.sh BIN"
hist=$(readlink -f "$1")/trace-cmd-hist
top=$here/../..
need_files "$hist"

work_make

# Options from lines that begin with one: "  -q, --quiet  text" gives -q and --quiet.
options()
{
	grep -Eo -- '(^|[ ,*])--?[a-zA-Z][a-z-]*' | tr -d ' ,*' | sort -u | tr '\n' ' '
}

# In the help: an option begins its line, behind at most four blanks.
help_options()
{
	"$hist" "$1" --help=all | sed -nE 's/^ {2,4}(-[^ ]+( ?[^ ]+)*)(  .*)?$/\1/p' | options
}

# In the page: the bold labels of the section OPTIONS, "*-q*, *--quiet*::".
page_options()
{
	sed -n '/^OPTIONS$/,/^[A-Z][A-Z ]*$/{/^\*-.*::$/p}' "$1" | options
}

verbs=$("$hist" help | sed -nE 's/^ {4}([a-z]+)  .*/\1/p')
[ -n "$verbs" ] || die "trace-cmd-hist help lists no commands"

for verb in $verbs; do
	[ "$verb" != help ] || continue
	page=$top/Documentation/trace-cmd-hist-$verb.1.txt
	is "trace-cmd hist $verb has a manual page" "$(test -r "$page" && echo yes)" yes
	[ -r "$page" ] || continue
	is "the page of $verb has the options of its help" \
		"$(page_options "$page")" "$(help_options "$verb")"
	"$hist" "$verb" -h >"$work/help"
	is "$verb -h has at most 40 lines of 80 columns, examples, and the name of the page" \
		"$(awk '{ wide += length > 80 } END { print (NR <= 40), wide + 0 }' "$work/help") $(
			grep -c '^Examples' "$work/help") $(grep -c "^See trace-cmd-hist-$verb(1)" "$work/help")" \
		"1 0 1 1"
	is "$verb --help=all has at most 80 columns" \
		"$("$hist" "$verb" --help=all | awk 'length > 80')" ""
	is "the page of $verb names trace-cmd-hist(1)" \
		"$(grep -c 'trace-cmd-hist(1)' "$page" | sed 's/[1-9][0-9]*/yes/')" yes
done

# A label without a text of its own would get that of the next option.
for source in "$top"/Documentation/*.[1-9].txt; do
	is "$(basename "$source" .txt): each option has its text" "$(awk '
		/::$/ && before ~ /::$/ { print before }
		{ before = $0 }' "$source")" ""
done

# The list of commands in the main page is the one in the help.
is "trace-cmd-hist(1) has the commands of the help" \
	"$(sed -nE '/^COMMANDS$/,/^[A-Z ]+$/s/^\*([a-z]+)\*.*::$/\1/p' "$top/Documentation/trace-cmd-hist.1.txt" |
		sort | tr '\n' ' ')" \
	"$(echo "$verbs" | sort | tr '\n' ' ')"

# The footer of a page: the date, then the program with its version.
footer()
{
	sed -n 's/\\-/-/g; s/\\&//g; s/^\.TH "[^"]*" "[^"]*" \("[^"]*" "[^"]*"\) .*/\1/p' "$1" 2>/dev/null
}

version=$("$hist" --version | sed -n '1s/^trace-cmd-hist \([0-9.]*\).*/\1/p')
heading=$(grep -E "^## \[?$version([] ,(]|\$)" "$top/CHANGELOG.md")
case $heading in
*"not released"*) date="not released" ;;
*) date=$(echo "$heading" | grep -Eo '[0-9]{4}-[0-9]{2}-[0-9]{2}') ;;
esac
is "CHANGELOG.md has a date for version $version, or says that it is not released" \
	"$(echo "$date" | wc -l) ${date:+yes}" "1 yes"

# page SOURCE: make it; the build has done so if its page is the newest of all that it depends on
page()
{
	local man file

	man=$(dirname "$hist")/../man
	for file in "$1" "$top"/scripts/{man,lib}.sh "$man/release"; do
		[ "$man/$name" -nt "$file" ] || break
	done
	if [ "$man/$name" -nt "$file" ]; then
		cp "$man/$name" "$work/$name"
	else
		"$top/scripts/man.sh" "$1" "$work/$name" 2>&1
	fi
}

for source in "$top"/Documentation/*.[1-9].txt; do
	name=$(basename "$source" .txt)
	# what man.sh says is the reason that it failed
	is "$name is made without warnings" "$(page "$source")" ""
	is "the footer of $name has the version and the date of the release" \
		"$(footer "$work/$name")" "\"$date\" \"trace-cmd-hist $version\""
done

# "NAME SUMMARY" and "(ALIAS, ALIAS)" of each recipe, as the page of presets has them.
presets()
{
	local file form

	for file in $(find "$top/recipes" -name '*.recipe'); do
		# without an option of its own, it needs the argument
		form='[:\1]'
		grep -q '^-' "$file" || form=':\1'
		echo "$(basename "$file" .recipe)$(sed -n "s/^argument: \([A-Z]*\).*/$form/p" "$file")" \
			"$(sed -n '1s/^# //p' "$file")"
		sed -n 's/^alias: \([^ ]*\).*/\1/p' "$file" | paste -sd, | sed 's/,/, /g; s/.*/(&)/; /^()$/d'
	done | sort
}
is "trace-cmd-hist-presets(7) has each preset with its summary and its aliases" \
	"$(sed -n '/^THE PRESETS/,/^TOOLS/s/^ \([a-z(].*\|  *(.*\)/\1/p' \
		"$top/Documentation/trace-cmd-hist-presets.7.txt" | sed 's/^ *//; s/  */ /g' | sort)" "$(presets)"

# Metrics that OPENMETRICS names, in its table and its query, are in a report of a recording with
# the preset of the query, or with all kinds of losses.
page=$top/Documentation/trace-cmd-hist-report.1.txt
preset=$(sed -n 's/^\*--preset \([a-z-]*\)\* records a histogram from which this query.*/\1/p' "$page")
"$hist" replay "$top/utest/data/pairs.dat" --preset "$preset" -o "$work/preset.dat" >/dev/null 2>&1
"$(dirname "$hist")/series_make" many "$work/many.dat" zstd little
is "each metric that trace-cmd-hist-report(1) names is in a report" \
	"$(sed -n '/^OPENMETRICS$/,/^SVG AND HTML$/p' "$page" | grep '^ ' | grep -Eo 'trace_[a-z0-9_]+' |
		sort -u >"$work/named"
	for file in preset many; do
		"$hist" report --format openmetrics --max-series 100000 "$work/$file.dat" 2>/dev/null
	done | sed -n 's/^\(trace_[a-z0-9_]*\){.*/\1/p' | sort -u | comm -23 "$work/named" -)" ""
is "the query of trace-cmd-hist-report(1) names a metric" "$(grep -c "^trace_latency_.*_bucket" "$work/named")" 1

# The stylesheet writes paragraph macros after titles, and tables have line breaks.
is "mandoc finds nothing wrong in the pages" "$(cd "$work" && mandoc -Tlint -W warning ./*.[1-9] 2>&1 |
	grep -v -e 'WARNING: skipping paragraph macro: \(sp\|PP\) after S[HS]' \
		-e 'UNSUPP: ignoring macro in table: sp' -e 'WARNING: cannot parse date, .* TH not released')" ""

is "codespell finds no misspelt word in the texts" "$(cd "$top" && codespell -q 3 ./*.md Documentation/*.txt \
	Documentation/*.md recipes scripts completion kernel-patches/README.md 2>&1)" ""

# A tree with another version.
mkdir -p "$work/tree/scripts"
cp "$top"/scripts/{man,lib}.sh "$work/tree/scripts"
sed 's/^\(project(.* VERSION \)[0-9.]*/\198.7.6/' "$top/CMakeLists.txt" >"$work/tree/CMakeLists.txt"
printf '# Changes\n\n## 98.7.60, 2031-01-01\n\n## 98.7.6, 2030-12-31\n\n## 98.7.5, 2029-01-01\n' \
	>"$work/tree/CHANGELOG.md"
"$work/tree/scripts/man.sh" "$top/Documentation/trace-cmd-hist.1.txt" "$work/dated"
is "the footer has the date that CHANGELOG.md has for the version of CMakeLists.txt" \
	"$(footer "$work/dated")" '"2030-12-31" "trace-cmd-hist 98.7.6"'
printf '# Changes\n\n## 98.7.5, 2029-01-01\n' >"$work/tree/CHANGELOG.md"
is "a version without a heading in CHANGELOG.md is an error" \
	"$("$work/tree/scripts/man.sh" "$top/Documentation/trace-cmd-hist.1.txt" "$work/dated" 2>&1; echo $?)" \
	"man.sh: CHANGELOG.md: no heading '## 98.7.6'
2"

# A page that is named is there, ours or the stock's.
while read -r name; do
	section=${name##*(}
	file=$top/Documentation/${name%(*}.${section%)}.txt
	is "the page $name that another page names exists" "$(test -r "$file" && echo yes)" yes
done < <(grep -Eoh 'trace-cmd-hist[a-z.-]*\([157]\)' "$top"/Documentation/*.txt | sort -u)

done_testing
