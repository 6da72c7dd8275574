#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tls.sh BIN [LISTENER...]: who gets in at `trace-cmd hist listen -p PORT --key FILE`, and
# who does not?  TAP.  LISTENER: another program with these options, as the static helper.
#
# No tracefs is needed: who got in is told so, or that there is none.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# -ge 1 ] || die "usage: tls.sh BIN [LISTENER...]"
hist=$(readlink -f "$1")/trace-cmd-hist
shift
[ $# -gt 0 ] || set -- "$hist" listen
work=$(mktemp -d)
listener=
trap '[ -z "$listener" ] || kill "$listener" 2>/dev/null; wait; rm -rf "$work"' EXIT
cd "$work" || exit 2
unset TRACE_CMD_HIST_KEY

# What a command prints and its status, on a line.
run()
{
	local out

	out=$("$@" 2>&1)
	echo "${out//$'\n'/ | }: status $?"
}

# --- keys ---

like "listen --new-key makes a key" \
	"$(run "$hist" listen --new-key key)" '^key: new key; copy it .*status 0$'
is "only the owner can read the new key" "$(stat -c %a key)" 600
is "the new key has 32 bytes" "$(grep -Ec '^[0-9a-f]{64}$' key) $(wc -l <key)" "1 1"
like "listen --new-key does not overwrite a key" \
	"$(run "$hist" listen --new-key key)" 'File exists.*status 2$'
"$hist" listen --new-key other >/dev/null
is "two new keys differ" "$(cmp -s key other; echo $?)" 1

# bad_key DESC ERE TEXT [MODE]
bad_key()
{
	rm -f bad
	(umask 077 && printf %b "$3" >bad)
	chmod "${4:-600}" bad
	like "the host refuses $1" \
		"$(run "$hist" connect --key bad 127.0.0.1:1)" "^trace-cmd hist: error: --key bad: $2.*status 2\$"
	like "the listener refuses $1" \
		"$(run "$hist" listen -p 0 --key bad)" "^trace-cmd hist: error: --key bad: $2.*status 2\$"
}
bad_key "a key of 15 bytes" "the key is too short: it has fewer than 32 digits.*create a key" "$(printf %030d 0)\n"
bad_key "a key of 33 bytes" "not a key: a key has an even number of digits" "$(printf %066d 0)\n"
bad_key "a key with an odd number of digits" \
	"not a key: a key has an even number of digits" "$(printf %033d 0)\n"
bad_key "a key with a digit that is not hexadecimal" \
	"not a key: a key consists only of hexadecimal digits" "$(printf %031d 0)x\n"
bad_key "an empty key file" "the key is too short" ''
bad_key "a key file of 100 digits" "the file is too large for a key" "$(printf %0100d 0)\n"
bad_key "a key file that the group can read" "other users can read or write the file" "$(printf %064d 0)\n" 640
bad_key "a key file that others can write" "other users can read or write the file" "$(printf %064d 0)\n" 602
like "connect refuses a directory as a key file" \
	"$(run "$hist" connect --key . 127.0.0.1:1)" 'not a regular file.*status 2$'
like "connect refuses a missing key file" \
	"$(run "$hist" connect --key none 127.0.0.1:1)" 'No such file or directory.*status 2$'
like "listen refuses a port without a key" "$(run "$hist" listen -p 0)" \
	'^trace-cmd hist: error: -p 0: needs a key \| hint: create a key with --new-key FILE, .*status 2$'
like "connect refuses to start without a key" \
	"$(run "$hist" connect 127.0.0.1:1)" 'error: connect: the listener requires a key \| hint: add --key FILE.*status 2$'
like "listen refuses the port 65536" \
	"$(run "$hist" listen -p 65536 --key key)" '-p 65536: must be a port.*status 2$'
like "listen refuses a host name for --bind" \
	"$(run "$hist" listen -p 0 --key key --bind localhost)" \
	'localhost: must be a numeric address.*status 2$'
like "listen refuses --bind without a port" \
	"$(run "$hist" listen --stdio --bind ::1)" '--bind: needs -p PORT.*status 2$'

# --- a listener ---

# start [OPTION...]: sets $listener and $port
start()
{
	coproc LISTEN { exec "${program[@]}" -p 0 --key key "$@" 2>errors; }
	listener=$LISTEN_PID
	exec 5<&"${LISTEN[0]}"
	read -r -t 20 line <&5
	port=${line##*:}
	# what it says later, in order
	cat <&5 >log &
}
stop()
{
	kill -TERM "$listener"
	wait "$listener"
	stopped=$?
	listener=
}
program=("$@")
start
is "the listener binds to 127.0.0.1 by default" "${line%:*}" "listening on 127.0.0.1"
like "the listener prints a free port" "$port" '^[1-9][0-9]*$'
/usr/bin/python3 "$here/tls_clients.py" "$hist" "$port" "$listener" >clients 2>&1
status=$?
sed '/^ok\|^not ok/!s/^/# /' clients | awk -v n=$count '/^(not )?ok/ { sub(/ok [0-9]+/, "ok " ++n) } { print }'
count=$((count + $(grep -c '^\(not \)\{0,1\}ok' clients)))
[ $status = 0 ] || failed=$((failed + 1))
stop
is "SIGTERM ends the listener with status 0" "$stopped" 0
like "the log of the listener has the refused keys" "$(cat log)" 'refused: the keys differ'
is "no log contains the key" "$(cat log errors clients | grep -c "$(cut -c 1-16 key)")" 0

start --bind ::1
is "the listener binds to an IPv6 address" "${line%:*}" "listening on [::1]"
like "a host with the key gets in over IPv6" \
	"$(printf '#trace-cmd-hist 1 1\n\n' | "$hist" connect --key key "[::1]:$port" 2>&1)" \
	'^trace-cmd-hist:'
stop

done_testing
