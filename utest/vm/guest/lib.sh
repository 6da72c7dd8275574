# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# For the test scripts in the guest: a small TAP library and what most tests
# need. A script starts with `. /tests/lib.sh` and ends with `done_testing`.
#
# Every check prints exactly one `ok` or `not ok` line; what explains a failure
# follows as comment lines. The shell is busybox ash.

tracefs=/sys/kernel/tracing
export tracefs
. /tests/settings

tap_count=0
tap_failed=0

# Any text as comment lines, control characters made visible.
tap_comment()
{
	cat -v | sed 's/^/# /'
}

# pass DESC
pass()
{
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1"
}

# not_ok DESC [WHY]
not_ok()
{
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $1"
	[ -z "${2-}" ] || printf '%s\n' "$2" | tap_comment
}

# ok DESC CMD...: CMD ends with status 0. Its output is shown if it does not.
# CMD runs in this shell, so a function may set variables.
ok()
{
	local desc=$1 status=0

	shift
	"$@" >/tmp/tap.out 2>&1 || status=$?
	if [ $status = 0 ]; then
		pass "$desc"
	else
		not_ok "$desc" "status $status of: $*
$(cat /tmp/tap.out)"
	fi
}

# is DESC GOT EXPECTED
is()
{
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		not_ok "$1" "     got: $2
expected: $3"
	fi
}

# like DESC GOT ERE: a line of GOT matches
like()
{
	if printf '%s\n' "$2" | grep -Eq -e "$3"; then
		pass "$1"
	else
		not_ok "$1" "     got: $2
no match: $3"
	fi
}

# bail WHY: this script cannot go on.
bail()
{
	echo "Bail out! $*"
	exit 1
}

# Ends the script: status 0 if all was well.
done_testing()
{
	echo "1..$tap_count"
	[ $tap_failed = 0 ]
	exit
}

# wait_until CMD...: poll until CMD succeeds; status 1 after a minute, which is for a busy machine.
wait_until()
{
	local end

	end=$(($(date +%s) + 60))
	until "$@" >/dev/null 2>&1; do
		[ "$(date +%s)" -lt $end ] || return 1
		usleep 20000
	done
}

# snapshots FILE: how many it has, also while it is written.
snapshots()
{
	trace-cmd hist report "$1" --format json | sed -n 's/.*"snapshots": *\([0-9]*\).*/\1/p' | head -n 1
}

# has_snapshots FILE N: at least, for wait_until
has_snapshots()
{
	[ "$(snapshots "$1" 2>/dev/null)" -ge "$2" ] 2>/dev/null
}

# tree_state: all that a recording may leave behind, as lines that are the same
# as long as nothing was left: triggers, filters and enabled events of the top
# level and of each instance, dynamic events, and the switches. Not the buffer's
# size: the kernel itself grows the buffer at its first use.
tree_state()
{
	local dir list

	list=$(mktemp)

	(
	cd $tracefs || exit
	for dir in . instances/*; do
		[ -d "$dir" ] || continue
		echo "instance: $dir"
		# One grep for all files: a process for each takes seconds.  So does a pipe to it, which
		# switches tasks for each line.  A trigger of any kind enables its event, if only
		# softly, and set_event lists it then.  The names of the filters come from a list: find
		# would look at everything next to them.
		{
			sed "s|:|/|; s|^|$dir/events/|; s|\$|/trigger|" "$dir/set_event"
			sed "s|:|/|; s|^|$dir/events/|; s|\$|/filter|" available_events
			echo "$dir"/events/*/filter
			find "$dir/events/ftrace" -name trigger -o -name filter
		} >"$list"
		xargs grep -H -v -e '^#' -e '^none$' <"$list" | sort
		tree_files "$dir" set_event set_event_pid set_event_notrace_pid \
			set_ftrace_pid set_ftrace_filter tracing_on trace_clock \
			current_tracer trace_options
	done
	tree_files . synthetic_events dynamic_events kprobe_events uprobe_events
	)
	rm -f "$list"
}

# tree_files DIR NAME...: contents of the files that exist, with their names.
tree_files()
{
	local dir=$1 name files=

	shift
	for name; do
		files="$files $dir/$name"
	done
	# shellcheck disable=SC2086 # many
	grep -s -H '' $files
}

load_pids=

# leads_group PID: it has done its setsid, so that its group can be killed.
leads_group()
{
	[ "$(cut -d ' ' -f 5 "/proc/$1/stat")" = "$1" ]
}

# load_start [CPU]...: keep the CPUs (0 and 1) busy with system calls, forks and
# execs until load_stop.
load_start()
{
	local cpu

	[ $# -gt 0 ] || set -- 0 1
	for cpu; do
		setsid taskset "$(printf %x $((1 << cpu)))" sh -c \
			'while :; do dd if=/dev/zero of=/dev/null bs=64 count=500 2>/dev/null; done' &
		load_pids="$load_pids $!"
		wait_until leads_group $! || bail "load_start: no load on CPU $cpu"
	done
}

# load_signal SIGNAL: STOP for a time in which nobody looks at the load, then CONT.
load_signal()
{
	local pid

	for pid in $load_pids; do
		kill "-$1" "-$pid"
	done
}

load_stop()
{
	local pid

	for pid in $load_pids; do
		kill -KILL "-$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	load_pids=
}
