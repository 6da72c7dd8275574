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

[ $# = 1 ] || die "usage: completion.sh BINDIR"
[ -x "$1/trace-cmd" ] || die "$1/trace-cmd: missing: build first"
bin=$(readlink -f "$1")
ours=$here/../../completion/trace-cmd-hist.bash
data=$here/../data
stock=/usr/share/bash-completion/completions/trace-cmd.bash
[ -r $stock ] || die "$stock: missing: run scripts/deps.sh"
work_enter
PATH=$bin:/usr/bin:/bin

# A tracefs to read events from, and files to be found.
mkdir -p tracing/instances/web tracing/instances/db tracing/events/kmem/kmalloc files/directory
printf '%s\n' sched:sched_switch sched:sched_waking kmem:kmalloc kmem:kfree >tracing/available_events
echo '[local] global mono' >tracing/trace_clock
echo 'blk function function_graph hwlat nop' >tracing/available_tracers
cat >tracing/events/kmem/kmalloc/format <<'END'
name: kmalloc
ID: 42
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:unsigned long call_site;	offset:8;	size:8;	signed:0;
	field:size_t bytes_req;	offset:16;	size:8;	signed:0;
	field:size_t bytes_alloc;	offset:24;	size:8;	signed:0;

print fmt: "call_site=%lx", REC->call_site
END
touch files/one.dat files/two.dat
# Three histograms and events; one histogram with an axis; a damaged file, and one that is no recording.
cp "$data/shark.dat" shark.dat
cp "$data/pairs.dat" pairs.dat
head -c 2000 shark.dat >cut.dat
head -c 4000 /dev/zero >zero.dat

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
	"$(offer "trace-cmd hist report --format ")" "$(report_formats "$bin/trace-cmd-hist" | sort | paste -sd " ")"
is "hist top --view offers views" "$(offer "trace-cmd hist top --view ")" "bars heatmap summary table"
is "hist top --attach offers events" "$(offer "trace-cmd hist top --attach kmem:km")" kmalloc
is "hist top offers no files" "$(offer "trace-cmd hist top o")" ""
is "hist report --top offers nothing" "$(offer "trace-cmd hist report --top o")" ""

# Values that are in a file: the histograms, columns and metrics, and the recorded events.
cd "$work" || exit 2
hists="raw_syscalls:sys_enter sched:sched_stat_runtime sched:sched_switch"
is "hist report -e offers the histograms of the file" \
	"$(offer "trace-cmd hist report shark.dat -e ")" "$hists"
is "hist report -e offers the histograms of the file of -i" \
	"$(offer "trace-cmd-hist report -i shark.dat -e ")" "$hists"
is "hist report -e completes the end of a name after its colon" \
	"$(offer "trace-cmd hist report shark.dat -e sched:sched_sw")" sched_switch
is "hist report -e completes an event without its system" \
	"$(offer "trace-cmd hist report shark.dat -e sys_")" sys_enter
is "hist report -e offers the histograms of several files" \
	"$(offer "trace-cmd hist report shark.dat pairs.dat -e " | tr ' ' '\n' | sort -u | wc -l)" \
	"$({ trace-cmd hist report --list shark.dat; trace-cmd hist report --list pairs.dat; } |
		grep -v '^#' | cut -d ' ' -f 1 | sort -u | wc -l)"
is "hist diff -e offers the histograms of its files" \
	"$(offer "trace-cmd hist diff shark.dat shark.dat -e raw")" raw_syscalls:sys_enter
is "hist report -e finds the file after the cursor" "$(
	COMP_WORDS=(trace-cmd hist report -e '' shark.dat) COMP_CWORD=4
	COMP_LINE="trace-cmd hist report -e  shark.dat" COMP_POINT=25 COMPREPLY=()
	_trace_cmd_hist trace-cmd '' -e
	printf '%s\n' "${COMPREPLY[@]}" | sort | xargs)" "$hists"
cp shark.dat trace.dat
is "hist report -e offers the histograms of trace.dat without a file" \
	"$(offer "trace-cmd hist report -e ")" "$hists"
is "hist report --sort offers the columns of trace.dat without a file" \
	"$(offer "trace-cmd hist report --sort ")" "common_pid hitcount id next_comm runtime"
rm trace.dat
is "hist report -e offers nothing without a file" "$(offer "trace-cmd hist report -e ")" ""
for file in cut.dat zero.dat nothing.dat files; do
	is "hist report -e offers nothing for $file" "$(offer "trace-cmd hist report $file -e ")" ""
	is "hist diff --metric offers nothing for $file" \
		"$(offer "trace-cmd hist diff $file $file --metric ")" ""
	is "hist replay -e offers nothing for $file" "$(offer "trace-cmd hist replay $file -e ")" ""
	is "the program prints nothing about $file" \
		"$(trace-cmd hist complete-word -i $file EVENT '' 2>&1)" ""
done
is "a file that is damaged does not hide the others" \
	"$(offer "trace-cmd hist report cut.dat shark.dat zero.dat -e ")" "$hists"

is "hist report --sort offers the columns of the histograms" \
	"$(offer "trace-cmd hist report shark.dat --sort ")" "common_pid hitcount id next_comm runtime"
is "hist report --sort offers only the columns of the events of -e" \
	"$(offer "trace-cmd hist report -e sched_switch shark.dat --sort ")" "hitcount next_comm"
is "hist report --sort offers orders and modifiers after a dot" \
	"$(offer "trace-cmd hist report -e sys_enter shark.dat --sort id.")" \
	"id.ascending id.descending id.syscall"
is "hist report --sort offers a second column" \
	"$(offer "trace-cmd hist report -e sys_enter shark.dat --sort hitcount.descending,co")" \
	hitcount.descending,common_pid
is "hist report --sort=VALUE offers columns too" \
	"$(offer "trace-cmd hist report -e sched_switch shark.dat --sort=ne")" next_comm
is "hist diff --metric offers the metrics of an axis" \
	"$(offer "trace-cmd hist diff shark.dat shark.dat -e sched_stat_runtime --metric ")" \
	"hitcount/s p50 p90 p99 trimmed mean"
is "hist diff --metric offers the percentiles of the line" \
	"$(offer "trace-cmd hist diff --percentiles 75,99.9 shark.dat shark.dat --metric p")" "p75 p99.9"
is "hist diff --metric offers the rate without an axis" \
	"$(offer "trace-cmd hist diff shark.dat shark.dat -e sched_switch --metric ")" hitcount/s
is "every metric that is offered can be judged" "$(for metric in p99 "trimmed mean" hitcount/s; do
	trace-cmd hist diff --metric "$metric" -e sched_stat_runtime shark.dat shark.dat >/dev/null 2>&1
	echo $?; done | sort -u | grep -cx '[23]')" 0

is "hist replay -e offers the events of the file" \
	"$(offer "trace-cmd hist replay shark.dat -e sched:sched_sw")" sched_switch
is "hist replay -k offers the fields of the event of -e in the file" \
	"$(offer "trace-cmd hist replay shark.dat -e sched:sched_switch -k next_")" \
	"next_comm next_pid next_prio"
is "hist replay -k offers the modifiers that fit the field" \
	"$(offer "trace-cmd hist replay shark.dat -e sched:sched_switch -k next_comm,next_pid.l")" \
	"next_comm,next_pid.log2 next_comm,next_pid.log2="
is "hist replay -k offers modifiers of a string only where they fit" \
	"$(offer "trace-cmd hist replay shark.dat -e sched:sched_switch -k next_comm.l")" ""
is "hist replay -k offers nothing without -e" "$(offer "trace-cmd hist replay shark.dat -k ")" ""
is "hist replay -k uses the last -e" \
	"$(offer "trace-cmd hist replay shark.dat -e sched:sched_switch -k prev_pid -e raw_syscalls:sys_enter -k i")" id
is "hist replay -f offers fields in quotes" \
	"$(offer "trace-cmd hist replay shark.dat -e sched:sched_switch -f 'next_pid > 0 && prev_s")" \
	"next_pid > 0 && prev_state"
is "hist replay --tracer offers tracers" \
	"$(offer "trace-cmd hist replay shark.dat --tracer ")" "function function_graph hwlat osnoise timerlat"

# Fields of this machine's events.
is "hist record -k offers the fields of the event of -e" \
	"$(offer "trace-cmd hist record -e kmem:kmalloc -k by")" "bytes_alloc bytes_req"
is "hist record -k offers stacktrace" \
	"$(offer "trace-cmd hist record -e kmem:kmalloc -k stackt")" stacktrace
is "hist record -k offers modifiers after a dot" \
	"$(offer "trace-cmd hist record -e kmem:kmalloc -k call_site.sym")" "call_site.sym call_site.sym-offset"
is "hist record -k goes on after an equal sign" \
	"$(offer "trace-cmd hist record -e kmem:kmalloc -k bytes_req.buckets=10,call_s")" 10,call_site
is "hist record -v offers values" \
	"$(offer "trace-cmd hist record -e kmem:kmalloc -k call_site -v bytes_a")" bytes_alloc
is "hist record -s offers the keys and values of the line" \
	"$(offer "trace-cmd hist record -e kmem:kmalloc -k call_site.sym -v bytes_req -s ")" \
	"bytes_req call_site hitcount"
is "hist record -s offers orders" \
	"$(offer "trace-cmd hist record -e kmem:kmalloc -k call_site -s hitcount.d")" hitcount.descending
is "hist top -k offers the fields of the event of -e" \
	"$(offer "trace-cmd-hist top -e kmem:kmalloc -k call")" call_site
is "hist record -k offers nothing for an event without a format" \
	"$(offer "trace-cmd hist record -e kmem:kfree -k ")" ""

# Closed lists.
is "hist record --on-threshold offers the actions" \
	"$(offer "trace-cmd hist record --on-threshold ")" "capture continue shell,command= signal, stop"
is "hist record --tracer offers the tracers of this kernel" \
	"$(offer "trace-cmd hist record --tracer ")" "function function_graph hwlat"
is "hist record --target offers the forms of a URL" \
	"$(offer "trace-cmd hist record --target ")" "exec: shell: ssh:// tcp://"
is "hist report --snapshot offers all" "$(offer "trace-cmd hist report --snapshot ")" all
is "hist report --color offers its values" "$(offer "trace-cmd hist report --color ")" "always auto never"
is "hist report --view=VALUE offers views" "$(offer "trace-cmd hist report --view=heat")" heatmap
cd files || exit 2

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
