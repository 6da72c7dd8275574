#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# check_deb.sh [--suite SUITE] [--roots DIR] LOGS: do the Debian packages of HEAD build, install, work
# and leave nothing?
#
# In one bare Debian (bare_root.sh) an ordinary user runs scripts/deps.sh deb and make deb in the
# unpacked tarball of make dist.  A second build, at another path, in another time zone and with
# another umask, must give the same bytes.  All three packages are installed there.  In a second bare
# Debian, which has only the stock trace-cmd, utest/setup/deb_root.sh tests the packages.
#
# The output of each step goes into the directory LOGS, too.  Exit status 0 only if every step passes.
# The roots take 4 GB in TMPDIR, by default /var/tmp, and are deleted on every way out.  With --roots
# they stay in DIR, and those that are in DIR are used.

set -eu
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

script=$(readlink -f "$0")
scripts=${script%/*}
usage="usage: check_deb.sh [--suite SUITE] [--roots DIR] LOGS"
suite=bookworm roots=
while [ $# -gt 1 ]; do
	case $1 in
	--suite) suite=$2 ;;
	--roots) roots=$2 ;;
	*) die "$usage" ;;
	esac
	shift 2
done
[ $# = 1 ] || die "$usage"
logs=$1
"$scripts/deps.sh" root
if [ "$(id -u)" != 0 ]; then
	exec sudo env ${TMPDIR:+TMPDIR="$TMPDIR"} ${APT_CONFIG:+APT_CONFIG="$APT_CONFIG"} ${http_proxy:+http_proxy="$http_proxy"} \
		${https_proxy:+https_proxy="$https_proxy"} "$script" --suite "$suite" --roots "$roots" "$logs"
fi

child=
work=$(mktemp -d "${TMPDIR:-/var/tmp}/check-deb.XXXXXX")
roots=${roots:-$work}
cleanup()
{
	trap '' INT TERM HUP
	[ -z "$child" ] || { kill -TERM "$child" 2>/dev/null; wait "$child"; } || true
	rm -rf --one-file-system "$work"
	chown -R --reference="$scripts" "$logs"
}
rm -rf "$logs"
mkdir -p "$logs" "$roots"
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
		echo "check-deb: $suite: $name: failed with status $status after $((SECONDS - start)) s: see $logs/$name.log"
		exit 1
	fi
	verdict+="check-deb: $suite: $name: passed in $((SECONDS - start)) s"$'\n'
}

make_root()
{
	[ -x "$1/usr/bin/dpkg" ] || "$scripts/bare_root.sh" make "$suite" "$1" "" "${@:2}"
}

run()
{
	"$scripts/bare_root.sh" run "$@"
}

# The same bytes, whatever the user, the path, the time zone, the umask and the language are.
# shellcheck disable=SC2016 # expanded in the root
build_again()
{
	run --user "$1" bash -c 'rm -rf again && mkdir -p again/path && cp -r trace-cmd-hist-*/ again/path/ &&
		cd again/path/trace-cmd-hist-*/ && rm -rf build && umask 027 && chmod -R o-rwx . &&
		TZ=Asia/Tokyo LANG=C.UTF-8 scripts/deb.sh ../../debs && cd .. && cd ..' &&
	run --user "$1" bash -c 'for deb in trace-cmd-hist-*/build/deb/*.deb; do
			cmp "$deb" "again/debs/${deb##*/}" && echo "${deb##*/}: the same bytes" || exit; done'
}

# The panel, where the libraries of Qt are anyway.
# shellcheck disable=SC2016 # expanded in the root
install_all='apt-get -q=2 -y --no-install-recommends install ./trace-cmd-hist-[0-9]*/build/deb/*.deb </dev/null &&
	panel=$(dpkg -L trace-cmd-hist-kernelshark | grep plugin-hist_panel.so) &&
	test -f "$panel" && ! ldd "$panel" | grep "not found" && test -x /usr/bin/kernelshark-hist &&
	grep -F "$panel" /usr/bin/kernelshark-hist &&
	apt-get -q=2 -y purge trace-cmd-hist trace-cmd-hist-kernelshark trace-cmd-hist-target </dev/null'

verdict=
tarball=$("$scripts/dist.sh" "$work")
name=$(basename "$tarball" .tar.xz)
build=$roots/$suite-build stock=$roots/$suite-stock
step build-root make_root "$build" make xz-utils
rm -rf "$build/home/user/"*
cp "$tarball" "$build/home/user/"
step unpack run --user "$build" tar -xf "$name.tar.xz"
step deps run --user "$build" "$name/scripts/deps.sh" deb
step build run --user "$build" make -C "$name" deb
step reproducible build_again "$build"
step panel run "$build" bash -c "cd /home/user && $install_all"
step stock-root make_root "$stock" trace-cmd
rm -rf "$stock/home/user/"*
cp -r "$build/home/user/$name/build/deb" "$stock/home/user/debs"
tar -C "$stock/home/user" -xf "$tarball"
step install run "$stock" "/home/user/$name/utest/setup/deb_root.sh" /home/user/debs
mkdir -p "$logs/debs"
cp "$build/home/user/$name/build/deb/"* "$logs/debs/"
printf '%s' "$verdict"
