# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# Recording over TCP with a key. The target is this same kernel, so the same must
# be counted as by a local recording, and nothing may be left behind, whoever is
# killed. Who gets in at all is for utest/remote/tls.sh.
#
# On 6.12 alone: the protocol sees no kernel.

# shellcheck source-path=SCRIPTDIR source=../guest/lib.sh
. /tests/lib.sh
mkdir -p /tmp/tcp
cd /tmp/tcp || bail "no /tmp"
ip link set lo up 2>/dev/null || ifconfig lo 127.0.0.1 up || bail "no loopback"

# load N: renames a task N times to a name that the filter knows.
cat >load <<'END'
i=0
while [ $i -lt "$1" ]; do
	printf tcp-load >/proc/$$/comm
	i=$((i + 1))
done
END
record()
{
	trace-cmd hist record -q -i 100ms -e task:task_rename -f 'newcomm == "tcp-load"' \
		-k newcomm -v oom_score_adj "$@"
}
# A recording that does not end by itself: sets $recorder, a process of its own.
record_on()
{
	trace-cmd hist record -q -i 100ms -e task:task_rename -f 'newcomm == "tcp-load"' \
		-k newcomm -d 60 -o on.dat --target "$url" --key key >said 2>&1 &
	recorder=$!
}
status() { "$@" >said 2>&1; echo $?; }
hits() { trace-cmd hist report "$1" --format json | sed -n 's/.*"hits": *\([0-9]*\).*/\1/p' | tail -n 1; }
rows() { trace-cmd hist report "$1" --format json | tr -d ' \n' | sed 's/.*"rows"://' | sed 's/"time[^,}]*//g'; }
unchanged() { [ "$(tree_state)" = "$before" ]; }
# PID's children
children() { cat "/proc/$1/task/$1/children"; }

# start COMMAND...: sets $listener and $url
start()
{
	# the shell in the background empties it too late for wait_until
	: >log
	"$@" -p 0 --key key >log 2>errors &
	listener=$!
	wait_until grep -q listening log || bail "no listener: $(cat log errors)"
	url=tcp://127.0.0.1:$(sed -n '1s/.*://p' log)
}
stop()
{
	kill -TERM $listener
	wait $listener
}

before=$(tree_state)
trace-cmd hist listen --new-key key >/dev/null || bail "no key"
trace-cmd hist listen --new-key other >/dev/null
is "a local recording exits with status 0" "$(status record -o local.dat sh load 300)" 0
is "the local recording counts all 300 renames" "$(hits local.dat)" 300

for program in 'trace-cmd hist listen' trace-cmd-hist-target; do
	# shellcheck disable=SC2086 # words
	start $program
	is "record over TCP to $program exits with status 0" \
		"$(status record -o tcp.dat --target "$url" --key key sh load 300)" 0
	is "record over TCP to $program prints nothing" "$(cat said)" ""
	is "record over TCP to $program counts all 300 renames" "$(hits tcp.dat)" 300
	is "record over TCP to $program has the rows of the local recording" \
		"$(rows tcp.dat)" "$(rows local.dat)"
	ok "record over TCP to $program leaves tracefs unchanged" unchanged
	stop
	is "$program exits with status 0 after SIGTERM" $? 0
done

start trace-cmd hist listen
is "record accepts the key file of TRACE_CMD_HIST_KEY" \
	"$(TRACE_CMD_HIST_KEY=key status record -o tcp.dat --target "$url" \
	sh load 20)" 0
is "record with TRACE_CMD_HIST_KEY counts all 20 renames" "$(hits tcp.dat)" 20
is "record with a wrong key exits with status 2" \
	"$(status record -o no.dat --target "$url" --key other sh load 20)" 2
like "record with a wrong key reports that the keys differ" \
	"$(cat said)" '^trace-cmd hist: error: 127.0.0.1: .*the keys differ'
is "record without a key exits with status 2" \
	"$(status record -o no.dat --target "$url" sh load 20)" 2
like "record without a key names the option for a key" "$(cat said)" ': the listener requires a key'
is "record over TCP accepts three targets at once" \
	"$(status record -o m.dat -d 1 --target "$url" --target "$url" \
	--target "$url" --key key)" 0
is "list over TCP prints the same as a local list" \
	"$(trace-cmd hist list --target "$url" --key key sched:sched_switch)" \
	"$(trace-cmd hist list sched:sched_switch)"
ok "accepted and refused keys leave tracefs unchanged" unchanged

# --- what the process that faces the network can do ---

record_on
recording() { [ -n "$(find $tracefs/instances -mindepth 1 -maxdepth 1)" ]; }
ok "a recording over TCP creates an instance" wait_until recording
is "the listener has two processes for one connection" "$(children $listener | wc -w)" 2
# shellcheck disable=SC2046 # words
set -- $(children $listener)
relay=$1 server=$2
uid() { sed -n 's/^Uid:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$1/status"; }
is "the relay runs as user nobody" "$(uid "$relay")" 65534
is "the server process runs as root" "$(uid "$server")" 0
is "the relay has no supplementary groups" \
	"$(sed -n 's/^Groups:[ 	]*//p' "/proc/$relay/status" | tr -d ' ')" ""
is "the relay has no effective capability" \
	"$(sed -n 's/^CapEff:[ 	]*//p' "/proc/$relay/status")" 0000000000000000
is "the relay runs with no_new_privs" \
	"$(sed -n 's/^NoNewPrivs:[ 	]*//p' "/proc/$relay/status")" 1
is "the relay has four open file descriptors" \
	"$(find "/proc/$relay/fd" -mindepth 1 | sed 's|.*/||' | sort | xargs)" "0 1 2 3"
like "the relay is limited to four file descriptors" \
	"$(grep '^Max open files' "/proc/$relay/limits")" '^Max open files +4 +4 '
like "the relay is limited to zero processes" \
	"$(grep '^Max processes' "/proc/$relay/limits")" '^Max processes +0 +0 '
like "the relay is limited to an empty core file" \
	"$(grep '^Max core' "/proc/$relay/limits")" ' +0 +0 '

# --- whoever is killed ---

kill -KILL $recorder
wait $recorder 2>/dev/null
ok "tracefs is restored after a kill of the host" wait_until unchanged

# ended DESC PID...: a recording is under way, PID is killed
ended()
{
	local desc=$1 which=$2

	record_on
	wait_until recording || not_ok "a recording begins before $desc" "$(cat said)"
	# shellcheck disable=SC2046 # words
	set -- $(children $listener)
	case $which in
	relay) kill -KILL "$1" ;;
	server) kill -TERM "$2" ;;
	connect) kill -KILL "$(children $recorder | cut -d ' ' -f 1)" ;;
	listener) kill -KILL $listener ;;
	esac
	wait $recorder
	is "record exits with status 2 after $desc" $? 2
	like "record prints an error about the target after $desc" \
		"$(cat said)" '^trace-cmd hist: error: 127.0.0.1: '
	ok "tracefs is restored after $desc" wait_until unchanged
}
ended "a kill of the relay" relay
ended "SIGTERM to the server process" server
ended "a kill of the host's connection process" connect
ended "a kill of the listener" listener
wait $listener 2>/dev/null
ok "no process of the listener runs after a kill of the listener" \
	wait_until sh -c '! pidof trace-cmd trace-cmd-hist'

done_testing
