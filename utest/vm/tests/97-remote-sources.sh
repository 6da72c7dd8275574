# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Functions, tracers and the worst of a latency on a target with a helper, and on one with a bare
# shell. The target is this same kernel, so dd's system calls are counted beside its functions.
#
# In check-long: 92 to 95 are the sample.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir /tmp/sources
cd /tmp/sources || bail "no directory"

# record OPTION...: its messages are in said, and its report is in rows
record()
{
	trace-cmd hist record -q -i 0 -o f.dat "$@" 2>said && trace-cmd hist report --view table f.dat >rows
}
# sum START [REGEX]: the hits of the histograms that begin with START, in rows that match
sum()
{
	awk -v start="$1" -v one="${2-}" '
		/^# event histogram: / { on = index($4, start) == 1 }
		on && /^\{/ && $0 ~ one { sub(/.*hitcount: */, ""); n += $1 }
		END { print n + 0 }' rows
}
refused()
{
	local what=$1 words=$2

	shift 2
	record "$@" -- true && not_ok "$what is refused" "it was not" && return
	like "$what is refused with the reason" "$(cat said)" "$words"
}
cat >load.sh <<'END'
dd if=/dev/zero of=/dev/null bs=64 count=300 2>/dev/null
END
# counted WHAT START OPTION...: dd calls the function once for each read
counted()
{
	local what=$1 start=$2 calls

	shift 2
	record -e syscalls:sys_enter_read -k common_pid.execname "$@" -- sh load.sh
	calls=$(sum syscalls: ' dd ')
	is "$what: each call of a function is counted" \
		"$((calls >= 300)) $(sum "$start" ' dd ') $(cat said)" "1 $calls "
}

# The worst of each task: its sleep, in nanoseconds, the task itself, and a time in the recording.
worst()
{
	trace-cmd hist report --format ndjson f.dat | sed -nE 's/^.*"kind":"worst".*"time_ns":([0-9]*),"wall.*"from_time_ns":([0-9]*),.*"worst":\{"value":([0-9]*),"exact":true,"time_ns":([0-9]*),"cpu":[01],"key":\{"common_pid":\{"comm":"sleep","pid":([0-9]*)\}\},"saved":\{"common_pid":([0-9]*)\}\}.*/\1 \2 \3 \4 \5 \6/p' |
		awk '{ print $3, $5, ($5 == $6), ($2 < $4 && $4 <= $1) }' | sort
}
# The same from the rows: each task sleeps once.
sleeps()
{
	sed -n 's/^{ common_pid: sleep *\[ *\([0-9]*\)\].*lat_ns: *\([0-9]*\).*/\2 \1 1 1/p' rows | sort
}
helper='exec:trace-cmd-hist-target --stdio'
set -- "$helper" shell:exec:sh
[ -z "${CHECK_LONG-}" ] || set -- "$@" 'exec:trace-cmd-hist listen --stdio'
before=$(tree_state)
for url; do
	counted "--function, $url" function: --target "$url" --function vfs_read -k common_pid.execname
	record --target "$url" --function-latency hrtimer_nanosleep -k common_pid.execname -v lat -- \
		sh -c 'sleep 1 & sleep 0.3; wait'
	is "--function-latency, $url: the worst of each task is its sleep" "$(worst)" "$(sleeps)"
	is "--function-latency, $url: two tasks slept" "$(sleeps | awk '{ print ($1 >= 300000000) }' | xargs)" "1 1"
done
# Through a shell, the host reads the ring buffers.
shell='--engine user --target shell:exec:sh'
counted "--tracer function, a shell" function: --target shell:exec:sh --tracer function:vfs_read \
	-k common_pid.execname
case $(uname -r) in
6.1.*) ;; # function_graph is alone there
*)
	# shellcheck disable=SC2086
	counted "--engine user --function-latency, a shell" function_latency: $shell \
		--function-latency vfs_read -k common_pid.execname
	;;
esac
record --target shell:exec:sh --function vfs_read -k common_pid.execname -- sh load.sh
is "hist triggers count the functions of a target by default, so no event crosses the network" \
	"$(($(sum function: ' dd ') >= 300)) $(trace-cmd hist report f.dat | grep -c '^# engine: kernel')" "1 1"
refused "--engine user with a helper" 'use --target shell:URL' --target "$helper" --engine user \
	--function vfs_read
refused "--tracer with a helper" '^trace-cmd hist: error: --tracer: the target helper does not send' \
	--target "$helper" --tracer function:vfs_read
is "the recordings leave tracefs unchanged" "$(tree_state)" "$before"
done_testing
