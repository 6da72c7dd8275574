#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# check_fresh.sh [--suite SUITE] LOGS [TARGET...]: what the first user on a new machine gets.
#
# A bare Debian (bare_root.sh), by default bookworm, with make and git, no cache, and an
# ordinary user with sudo: the user clones HEAD, runs `make`, does what its hint says, and
# runs `make TARGET`, by default demo and then check.  Changes
# that are not committed take no part.  The output of each step goes into the directory LOGS,
# too.  Exit status 0 only if every step passes.
#
# The root takes 12 GB in TMPDIR, by default /var/tmp, and is deleted on every way out.

set -eu
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

script=$(readlink -f "$0")
scripts=${script%/*}
suite=bookworm
[ "${1-}" != --suite ] || { suite=${2?} && shift 2; }
[ $# -ge 1 ] || die "usage: check_fresh.sh [--suite SUITE] LOGS [TARGET...]"
logs=$1
shift
[ $# -gt 0 ] || set -- demo check
if [ "$(id -u)" != 0 ]; then
	"$scripts/deps.sh" root
	exec sudo env ${TMPDIR:+TMPDIR="$TMPDIR"} ${APT_CONFIG:+APT_CONFIG="$APT_CONFIG"} ${http_proxy:+http_proxy="$http_proxy"} \
		${https_proxy:+https_proxy="$https_proxy"} "$script" --suite "$suite" "$logs" "$@"
fi
"$scripts/deps.sh" root

child=
work=$(mktemp -d "${TMPDIR:-/var/tmp}/check-fresh.XXXXXX")
cleanup()
{
	trap '' INT TERM HUP
	[ -z "$child" ] || { kill -TERM "$child" 2>/dev/null; wait "$child"; } || true
	rm -rf --one-file-system "$work"
	chown -R --reference="$scripts" "$logs"
}
rm -rf "$logs"
mkdir -p "$logs"
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# step NAME COMMAND...: run it, with its output here and in the log.  In the background, as
# a trap waits for what runs in the foreground.
step()
{
	local name=$1 start=$SECONDS status=0

	shift
	"$@" </dev/null > >(tee "$logs/$name.log") 2>&1 &
	child=$!
	wait "$child" || status=$?
	child=
	if [ $status != 0 ]; then
		echo "check-fresh: $suite: $name: failed with status $status after $((SECONDS - start)) s: see $logs/$name.log"
		exit 1
	fi
	verdict+="check-fresh: $suite: $name: passed in $((SECONDS - start)) s"$'\n'
}

# The message for a machine without packages; the root has none, so its absence is an error.
# shellcheck disable=SC2016 # expanded in the root
bare_make='cd trace-cmd-hist && { ! make >../said 2>&1; } && cat ../said &&
	grep -q "^error: missing packages: .*cmake.*libmbedtls-dev" ../said &&
	hint=$(sed -n "s/^hint: run \"\(scripts\/deps.sh build\)\"\$/\1/p" ../said) && $hint && make'
verdict=
root=$work/root
git -c safe.directory='*' -C "$scripts" bundle create -q "$work/head.bundle" HEAD
step root "$scripts/bare_root.sh" make "$suite" "$root" "" make git
cp "$work/head.bundle" "$root/home/user/"
step clone "$scripts/bare_root.sh" run --user "$root" git -c advice.detachedHead=false clone -q head.bundle trace-cmd-hist
step bare "$scripts/bare_root.sh" run --user "$root" sh -c "$bare_make"
for target; do
	step "$target" "$scripts/bare_root.sh" run --user "$root" make -C trace-cmd-hist "$target"
done
printf '%s' "$verdict"
