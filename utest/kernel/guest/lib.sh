# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# For the scripts beside it: each thing that is tested is one line "ok WHAT" or
# "not ok WHAT"; the host numbers them.

tracefs=/sys/kernel/tracing
# Linux 6.1 has but the old name.
stack=common_stacktrace
# shellcheck disable=SC2034 # for the scripts beside it
grep -q $stack $tracefs/README || stack=stacktrace

say() { echo "$*" | sh /tests/say.sh; }

# ok WHAT COMMAND...: it succeeds
ok()
{
	local what=$1

	shift
	if "$@" >/tmp/ok.out 2>&1; then
		say "ok $what"
	else
		say "not ok $what"
		tail -n 30 /tmp/ok.out | sed 's/^/# /' | sh /tests/say.sh
	fi
}

# is WHAT GOT EXPECTED
is()
{
	if [ "$2" = "$3" ]; then
		say "ok $1"
	else
		say "not ok $1"
		say "# got $2, expected $3"
	fi
}

put() { echo "$1" >>"$tracefs/$2"; }

# sum HIST: of what its rows have
sum() { sed -n 's/.*hitcount: *\([0-9]*\).*/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }'; }
total() { sed -n "s/^ *$2: //p" "$1"; }
