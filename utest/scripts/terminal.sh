#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# terminal.sh BIN: does `trace-cmd hist report` draw what the terminal can show?
# TAP on stdout. BIN holds trace-cmd-hist and pty_drive.

set -u
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: terminal.sh BIN"
bin=$(readlink -f "$1")
recorded=$here/../data/recorded.dat
need_files "$bin/trace-cmd-hist" "$bin/pty_drive" "$recorded"

work_enter

# What is drawn with, and how wide the longest line with a bar or a row of a map is.
look()
{
	grep -q $'\e\[' "$1" && printf 'colours '
	grep -q '█' "$1" && printf 'blocks '
	grep -q '|#' "$1" && printf 'ascii '
	tr -d '\r' <"$1" | sed 's/\x1b\[[0-9;]*m//g' | grep '|' | LC_ALL=C.UTF-8 wc -L
}

# on COLUMNS VIEW VARIABLE=VALUE... [--color WHEN]: in a terminal that wide
on()
{
	local columns=$1 view=$2 settings=()

	shift 2
	while [ $# -gt 0 ] && [ "$1" != --color ]; do
		settings+=("$1")
		shift
	done
	printf 'expect %s\nexit 0\n' "$([ "$view" = bars ] && echo Totals: || echo "'0 s")" |
		env -u NO_COLOR -u COLUMNS "${settings[@]}" "$bin/pty_drive" -r 200 -c "$columns" -l log \
			"$bin/trace-cmd-hist" report -e "$event" --view "$view" "$@" "$recorded" ||
		echo "pty_drive failed"
	look log
}

utf8="TERM=xterm-256color LC_ALL=C.UTF-8"
event=$("$bin/trace-cmd-hist" report --list "$recorded" | grep -m 1 'log2' | cut -d ' ' -f 1)
[ -n "$event" ] || die "no histogram with buckets in $recorded"

# shellcheck disable=SC2086 # settings are words
{
is "a terminal of 100 columns gets colours, blocks and full width" \
	"$(on 100 bars $utf8)" "colours blocks 100"
is "a terminal of 60 columns gets colours, blocks and full width" \
	"$(on 60 bars $utf8)" "colours blocks 60"
is "a terminal of 200 columns gets colours, blocks and full width" \
	"$(on 200 bars $utf8)" "colours blocks 200"
is "NO_COLOR switches colours off" "$(on 100 bars $utf8 NO_COLOR=1)" "blocks 100"
is "an empty NO_COLOR leaves colours on" "$(on 100 bars $utf8 NO_COLOR=)" "colours blocks 100"
is "TERM=dumb selects ASCII without colours" "$(on 100 bars LC_ALL=C.UTF-8 TERM=dumb)" "ascii 100"
is "a locale that is not UTF-8 selects ASCII" \
	"$(on 100 bars LC_ALL=C TERM=xterm --color never)" "ascii 100"
is "--color never switches colours off" "$(on 100 bars $utf8 --color never)" "blocks 100"
is "--color always overrides NO_COLOR" \
	"$(on 100 bars $utf8 NO_COLOR=1 --color always)" "colours blocks 100"
is "NO_COLOR switches colours of a heatmap off" \
	"$(on 100 heatmap $utf8 NO_COLOR=1 | cut -d ' ' -f 1)" blocks
is "a heatmap has colours" "$(on 100 heatmap $utf8 | cut -d ' ' -f 1)" colours
}

# piped VARIABLE=VALUE...: into a file
piped()
{
	env -u NO_COLOR -u COLUMNS TERM=xterm-256color LC_ALL=C.UTF-8 "$@" >out
	look out
}
report=("$bin/trace-cmd-hist" report -e "$event" --view bars "$recorded")
is "a report to a file has no colours and 80 columns" "$(piped "${report[@]}")" "blocks 80"
is "COLUMNS sets the width of a report to a file" "$(piped COLUMNS=120 "${report[@]}")" "blocks 120"
is "--color always writes colours to a file" \
	"$(piped "${report[@]}" --color always)" "colours blocks 80"

done_testing
