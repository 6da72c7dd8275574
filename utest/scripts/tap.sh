# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# tap.sh: the assertions of the scripts beside it, which source it.  TAP on stdout.
#
# It sources scripts/lib.sh, which has what other scripts share, too.
# (vm/tap.sh joins the output of guests; vm/guest/lib.sh is for busybox.)

# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
. "${BASH_SOURCE[0]%/*}/../../scripts/lib.sh"

count=0
failed=0

# is DESC GOT EXPECTED
is()
{
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count - $1"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count - $1"
	printf '     got: %s\nexpected: %s\n' "$2" "$3" | cat -v | sed 's/^/# /'
}

# like DESC GOT REGEX
like()
{
	is "$1" "$(grep -Eq -e "$3" <<<"$2" || printf '%s\nno match: %s' "$2" "$3")" ""
}

# wait_for COMMAND...: until it succeeds, for wait_limit seconds
wait_limit=120
wait_for()
{
	local deadline=$((SECONDS + wait_limit))

	until "$@"; do
		[ $SECONDS -lt $deadline ] || return 1
		sleep 0.05
	done
}

# A port of TCP that nobody listens at.
free_port()
{
	/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# report_formats HIST [NAME]: the formats that the help of report lists, without NAME; a line each
report_formats()
{
	"$1" report --help=all | sed -n 's/^ *--format \([a-z|]*\).*/\1/p' | tr '|' '\n' |
		grep -vx "${2:-}"
}

# ok DESC COMMAND...: it succeeds; in this shell, so that it may set variables.  If not, the
# first and the last lines of its output are shown.
ok()
{
	local desc=$1 said status=0

	shift
	said=$(mktemp)
	"$@" >"$said" 2>&1 || status=$?
	count=$((count + 1))
	if [ $status = 0 ]; then
		echo "ok $count - $desc"
	else
		failed=$((failed + 1))
		echo "not ok $count - $desc"
		awk '{ line[NR] = $0 } END { for (i = 1; i <= NR; i++) if (i <= 20 || i > NR - 20) print line[i] }' \
			"$said" | cat -v | sed 's/^/# /'
	fi
	rm -f "$said"
}

# done_testing: the plan; the status is the script's.
done_testing()
{
	echo "1..$count"
	[ $failed = 0 ]
}
