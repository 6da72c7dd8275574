#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# shellcheck disable=SC1090,SC1091 # what is sourced is made here
# shellcheck disable=SC2016,SC2034,SC2317 # the completion calls and reads these
#
# completion.sh BINDIR: what is offered for a line, by us and by the stock
# completion behind us. BINDIR has our trace-cmd. Prints TAP; status 1 when a test
# failed.
#
# Lines are broken into words as readline does it, and bash's completion function
# is called as bash would.

set -u
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$(readlink -f "$0")")/tap.sh"

die()
{
	echo "completion.sh: $*" >&2
	exit 2
}

[ $# = 1 ] || die "usage: completion.sh BINDIR"
[ -x "$1/trace-cmd" ] || die "$1/trace-cmd: missing: build first"
bin=$(readlink -f "$1")
ours=$(dirname "$(readlink -f "$0")")/../../completion/trace-cmd-hist.bash
stock=/usr/share/bash-completion/completions/trace-cmd.bash
[ -r $stock ] || die "$stock: missing: run scripts/deps.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
PATH=$bin:/usr/bin:/bin

# A tracefs to read events from, and files to be found.
mkdir -p tracing/instances/web tracing/instances/db files/directory
printf '%s\n' sched:sched_switch sched:sched_waking kmem:kmalloc kmem:kfree >tracing/available_events
echo '[local] global mono' >tracing/trace_clock
touch files/one.dat files/two.dat

# The words of COMP_LINE: blanks part them, and : and = are words.
break_line()
{
	local rest=$COMP_LINE

	COMP_WORDS=()
	while [[ $rest =~ ^[[:space:]]*(\'[^\']*\'?|[:=]+|[^[:space:]:=\']+)(.*)$ ]]; do
		COMP_WORDS+=("${BASH_REMATCH[1]}")
		rest=${BASH_REMATCH[2]}
	done
	[[ $COMP_LINE != *[[:space:]] ]] || COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
}

# offer LINE [FUNCTION]: what is offered at its end, sorted, in one line
offer()
{
	local COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS COMP_CWORD COMPREPLY=()

	break_line
	"${2:-_trace_cmd_hist}" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" \
		"${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
	printf '%s\n' "${COMPREPLY[@]}" | sort | xargs
}

# A part of bash-completion that the stock completion wants: cur, prev and words.
_get_comp_words_by_ref()
{
	words=("${COMP_WORDS[@]}")
	cur=${COMP_WORDS[COMP_CWORD]}
	prev=${COMP_WORDS[COMP_CWORD - 1]}
}

# The stock one alone, before ours is read.
. $stock
stock_verbs=$(offer "trace-cmd re" _trace_cmd_complete)
stock_options=$(offer "trace-cmd report --" _trace_cmd_complete)
stock_files=$(cd files && offer "trace-cmd restore o" _trace_cmd_complete)
complete -r trace-cmd

. "$ours"
_trace_cmd_hist_tracing_dir()
{
	echo "$work/tracing"
}
cd files || exit 2

is "the completion serves trace-cmd and trace-cmd-hist" \
	"$(complete -p trace-cmd trace-cmd-hist | xargs)" \
	"complete -F _trace_cmd_hist trace-cmd complete -F _trace_cmd_hist trace-cmd-hist"
is "the stock verbs are offered" "$(offer "trace-cmd re")" "$stock_verbs"
is "the stock verbs include record" "${stock_verbs:0:6}" record
is "hist is offered among the stock verbs" "$(offer "trace-cmd his")" hist
is "the stock options are offered" "$(offer "trace-cmd report --")" "$stock_options"
is "the stock options include --cpu" "$([[ $stock_options == *--cpu* ]] && echo some)" some
is "files are offered after a stock verb that takes files" \
	"$(offer "trace-cmd restore o")" "$stock_files"

verbs="cleanup connect diff help list listen record replay report top"
is "trace-cmd hist offers its verbs" "$(offer "trace-cmd hist ")" "$verbs"
is "trace-cmd-hist offers its verbs" "$(offer "trace-cmd-hist ")" "$verbs"
is "a path to trace-cmd-hist offers its verbs" "$(offer "$bin/trace-cmd-hist ")" "$verbs"
is "trace-cmd hist completes the beginning of a verb" "$(offer "trace-cmd hist repo")" report
is "trace-cmd-hist completes the beginning of a verb" "$(offer "trace-cmd-hist rec")" record
is "the old form hist FILE offers files" "$(offer "trace-cmd hist o")" one.dat
is "the old form hist -i FILE offers files" "$(offer "trace-cmd hist -i t")" two.dat
is "trace-cmd-hist offers no files in place of a verb" "$(offer "trace-cmd-hist o")" ""
is "trace-cmd hist offers its options before a verb" \
	"$(offer "trace-cmd hist --")" "--help --version"
is "hist help offers verbs" "$(offer "trace-cmd hist help re")" "record replay report"

is "hist cleanup offers all its options" "$(offer "trace-cmd hist cleanup -")" \
	"--dry-run --help --key --quiet --target -h -n -q"
is "trace-cmd-hist cleanup offers its long options" \
	"$(offer "trace-cmd-hist cleanup --")" "--dry-run --help --key --quiet --target"
is "hist cleanup completes --d to --dry-run" "$(offer "trace-cmd hist cleanup --d")" --dry-run
is "hist cleanup offers files" "$(offer "trace-cmd hist cleanup o")" one.dat

# Every long option that the help of a verb has, and no other.
for verb in list record report; do
	is "hist $verb offers the long options of its help and no other" \
		"$(offer "trace-cmd hist $verb --")" \
		"$(trace-cmd hist $verb --help=all | grep -oE '^ +(-.[, ] *)?--[a-z-]+' |
			grep -oE -- '--[a-z-]+' | sort | xargs)"
done
is "hist record offers the options -B, -C and -k" "$(offer "trace-cmd hist record -" | tr ' ' '\n' |
	grep -c -x -e -B -e -C -e -k)" 3
is "hist report completes --form to --format" "$(offer "trace-cmd hist report --form")" --format
is "hist record completes --dry to --dry-run" "$(offer "trace-cmd hist record --dry")" --dry-run

is "hist record -e offers events" \
	"$(offer "trace-cmd hist record -e sch")" "sched:sched_switch sched:sched_waking"
is "hist record -e offers events after the colon of a system" \
	"$(offer "trace-cmd hist record -e sched:sched_s")" sched_switch
is "hist record -e offers all events of a system" \
	"$(offer "trace-cmd-hist record -e kmem:")" "kfree kmalloc"
is "the second -e of hist record offers events" \
	"$(offer "trace-cmd hist record -e sched:sched_switch -k next_pid -e kmem:kf")" kfree
is "hist record -e offers events after a quoted word with blanks" \
	"$(offer "trace-cmd hist record -R 'hist:keys=pid if x > 1' -e kmem:km")" kmalloc
is "hist record -C offers clocks" "$(offer "trace-cmd hist record -C ")" "global local mono"
is "hist record -B offers instances" "$(offer "trace-cmd hist record -B ")" "db web"
is "hist record --preset offers presets by name" \
	"$(offer "trace-cmd hist record --preset block-l")" block-latency
is "hist top --preset offers presets by the names of other tools" \
	"$(offer "trace-cmd-hist top --preset biol")" biolatency
is "hist list --presets offers presets" "$(offer "trace-cmd hist list --presets softi")" softirqs
is "hist record -o offers files" "$(offer "trace-cmd hist record -o o")" one.dat
is "hist diff offers files" "$(offer "trace-cmd hist diff one.dat t")" two.dat
is "hist diff offers files after --" "$(offer "trace-cmd hist diff one.dat -- t")" two.dat
is "hist diff --worse offers its values" \
	"$(offer "trace-cmd hist diff --worse ")" "both higher lower none"
is "hist record -i offers nothing" "$(offer "trace-cmd hist record -i o")" ""
is "hist record offers options after the argument of an option" \
	"$(offer "trace-cmd hist record -o one.dat --eve")" --events
is "hist record offers commands to run" \
	"$(offer "trace-cmd hist record -e a:b trace-cmd-h")" "trace-cmd-hist trace-cmd-hist-target"
is "hist record offers commands after --" \
	"$(offer "trace-cmd hist record -- trace-cmd-h")" "trace-cmd-hist trace-cmd-hist-target"
is "hist record offers no options after --" "$(offer "trace-cmd hist record -- make --dry")" ""

is "hist list offers events of a system" "$(offer "trace-cmd hist list sched:sched_s")" sched_switch
is "hist list offers systems with their events" \
	"$(offer "trace-cmd hist list km")" "kmem kmem:kfree kmem:kmalloc"
is "hist list offers events after another argument" \
	"$(offer "trace-cmd hist list kmem -v sched:sched_w")" sched_waking
is "hist list --format offers formats" "$(offer "trace-cmd hist list --format j")" json

is "hist report -i offers files" "$(offer "trace-cmd hist report -i o")" one.dat
is "hist report offers files and folders" \
	"$(offer "trace-cmd hist report ")" "directory one.dat two.dat"
is "hist report --view offers views" "$(offer "trace-cmd hist report --view b")" bars
is "hist report --format offers all formats" \
	"$(offer "trace-cmd hist report --format ")" "csv folded html json ndjson openmetrics svg text"
is "hist top --view offers views" "$(offer "trace-cmd hist top --view ")" "bars heatmap table"
is "hist top --attach offers events" "$(offer "trace-cmd hist top --attach kmem:km")" kmalloc
is "hist top offers no files" "$(offer "trace-cmd hist top o")" ""
is "hist report --top offers nothing" "$(offer "trace-cmd hist report --top o")" ""

# As installed: ours is read first, by the name trace-cmd, and finds the stock one.
# A second copy of ours is in between.
share=$work/share
mkdir -p "$share"/{1,2}/bash-completion/completions
cp "$ours" "$share/1/bash-completion/completions/trace-cmd"
cp "$ours" "$share/2/bash-completion/completions/trace-cmd"
ln -s trace-cmd "$share/1/bash-completion/completions/trace-cmd-hist"
# found FILE...: the function for the rest after reading the files
found()
{
	XDG_DATA_DIRS="$share/1:$share/2:/usr/share" timeout 20 bash -c \
		'for f; do . "$f"; done
		 echo "$_trace_cmd_hist_stock_function $(complete -p trace-cmd)"' - "$@" 2>&1
}
here=$share/1/bash-completion/completions
is "the installed completion finds the stock completion" "$(found "$here/trace-cmd")" \
	"_trace_cmd_complete complete -F _trace_cmd_hist trace-cmd"
is "the completion keeps the stock completion if read twice" \
	"$(found "$here/trace-cmd" "$here/trace-cmd-hist")" \
	"_trace_cmd_complete complete -F _trace_cmd_hist trace-cmd"
is "the completion keeps a stock completion that was read before" \
	"$(found $stock "$here/trace-cmd")" \
	"_trace_cmd_complete complete -F _trace_cmd_hist trace-cmd"
is "files are offered if the stock completion is missing" \
	"$(XDG_DATA_DIRS=/nonexistent bash -c '. "$1"; COMP_WORDS=(trace-cmd restore o)
		COMP_CWORD=2 COMP_LINE="trace-cmd restore o" COMP_POINT=19
		_trace_cmd_hist trace-cmd o restore; echo "${COMPREPLY[*]}"' - "$ours" 2>&1)" one.dat

done_testing
