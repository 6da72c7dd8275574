#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# plugin.sh DIR: stock `trace-cmd report` with our plugin of libtraceevent, which is
# in DIR, and without it.  TAP on stdout.
#
# data/marks.dat was made by `trace-cmd hist record --events` on Linux 6.12: 24
# marks, one text of a program, and one mark that a program forged and that lacks a
# number.  marks_make.py makes files of machines of either byte order, with texts
# that are nearly marks.

set -u
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

[ $# = 1 ] || die "usage: plugin.sh DIR"
plugins=$(readlink -f "$1")
plugin=$plugins/plugin_hist_snapshot.so
data=$here/../data/marks.dat
stock=/usr/bin/trace-cmd
need_files "$plugin" "$data" $stock

work_make
mkdir "$work/home"
export HOME=$work/home
unset TRACEEVENT_PLUGIN_DIR

# -N is no plugins at all, as ours may be installed here, too.  So sched_switch,
# which has a plugin of libtraceevent's own, is left out.
without()
{
	$stock report -N "$1" 2>&1 | grep -av ' sched_switch: '
}

with()
{
	TRACEEVENT_PLUGIN_DIR=$plugins $stock report "$1" 2>&1 | grep -av ' sched_switch: '
}

# same DESC GOT EXPECTED, which are long: what differs is shown
same()
{
	ok "$1" diff -a <(echo "$2") <(echo "$3")
}

# What the plugin is to make of a whole mark, said in another way than it does.
readable()
{
	sed -E 's/tracing_mark_write: hist-snapshot: ([^ ]*)#([0-9]+) seq=([0-9]+) hits=([0-9]+) entries=([0-9]+) dropped=([0-9]+)$/histogram \1#\2 snapshot \3: \4 hits, \5 entries, \6 dropped/
		s/^(.*histogram [^ ]*)#0 snapshot/\1 snapshot/
		s/ 1 entries, / 1 entry, /; s/: 1 hits/: 1 hit/; s/, 0 dropped$/, none dropped/'
}

is "the plugin exports only the symbols that libtraceevent looks up" \
	"$(nm -D --defined-only "$plugin" | cut -d ' ' -f 3 | sort | tr '\n' ' ')" \
	"tep_plugin_loader tep_plugin_unloader "

# A recording of ours.
is "a recording has a marker for each histogram and snapshot" \
	"$(with "$data" | grep -c ' histogram [^ ]* snapshot [0-5]: .* dropped$')" 24
like "the plugin prints the numbers of the last snapshot" "$(with "$data")" \
	' 14\.674085: print: +histogram sched:sched_switch#2 snapshot 5: 142 hits, 63 entries, none dropped$'
like "the plugin leaves the text of a program unchanged" "$(with "$data")" \
	'print: +tracing_mark_write: hello from a program$'
like "the plugin leaves a marker without its end unchanged" "$(with "$data")" \
	'print: +tracing_mark_write: hist-snapshot: sched:sched_switch#0 seq=1 hits=9 entries=9$'
same "the plugin changes the markers and no other line" \
	"$(with "$data")" "$(without "$data" | readable)"

# Where libtraceevent looks besides: the user's own folder.  Twice is no harm.
mkdir -p "$HOME/.local/lib/traceevent/plugins"
cp "$plugin" "$HOME/.local/lib/traceevent/plugins/"
same "libtraceevent loads the plugin from the user's folder" \
	"$($stock report "$data" 2>&1 | grep -v ' sched_switch: ')" "$(without "$data" | readable)"
same "a plugin in two folders changes nothing else" \
	"$(with "$data")" "$(without "$data" | readable)"
is "stock report -N switches the plugin off" "$(without "$data" | grep -c ' snapshot [0-9]')" 0
rm -r "$HOME/.local"

# Texts that are marks, and texts that are not.
marks=$("$here/lib/marks_make.py" --expected)
for order in little big; do
	for long in 4 8; do
		name="$order-endian file with a long of $long bytes"
		file=$work/$order$long.dat
		"$here/lib/marks_make.py" "$file" $order $long || die "marks_make.py failed"
		without "$file" >"$work/without"
		with "$file" >"$work/with"
		is "the report of a $name has all texts" "$(grep -ac 'print:' "$work/without")" \
			"$(($(wc -l <<<"$marks") + 59))"
		is "the plugin translates all markers of a $name" \
			"$(diff -a "$work/without" "$work/with" | sed -n 's/^> .*print: *//p')" "$marks"
		is "the plugin changes only the markers of a $name" \
			"$(diff -a "$work/without" "$work/with" | grep -ac '^<')" "$(wc -l <<<"$marks")"
	done
done

# In memory that is watched; what the stock program leaks is not ours.
ok "valgrind finds no error in the plugin" env TRACEEVENT_PLUGIN_DIR="$plugins" valgrind -q \
	--error-exitcode=99 --leak-check=no $stock report "$work/big8.dat"

done_testing
