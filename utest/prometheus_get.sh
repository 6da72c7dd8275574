#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# prometheus_get.sh: print a directory with Debian's prometheus and promtool.
#
# Installing the package would start a server on this machine, now and at each
# boot. So it is downloaded with apt-get and unpacked into the cache, as the
# kernels of vm/kernel.sh are. Programs that are installed already are taken.
#
# Invariant: the directory in the cache was put there by one rename when it was
# complete, so a killed run leaves only *.part behind.

set -eu

die()
{
	echo "prometheus_get.sh: $*" >&2
	exit 2
}

refresh()
{
	local sudo=
	if [ "$(id -u)" != 0 ]; then
		sudo=$(command -v sudo) ||
			die "apt's package lists are too old: run apt-get update as root"
	fi
	echo "prometheus_get.sh: apt-get update" >&2
	$sudo apt-get -q=2 update >&2 || true
}

# Into the current directory. As root, apt would drop to a user that cannot write there.
download()
{
	apt-get -q=2 -o APT::Sandbox::User="$(id -un)" download prometheus >&2
}

installed=$(command -v prometheus) && command -v promtool >/dev/null && {
	dirname "$installed"
	exit 0
}

cache=${TRACE_CMD_HIST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/trace-cmd-hist}
mkdir -p "$cache" || die "$cache: cannot make the cache directory"
cd "$cache"

# Taken by the second of two runs until the first has finished its download.
exec 9>prometheus.lock
flock 9
if [ ! -x prometheus/usr/bin/promtool ]; then
	rm -rf prometheus.part
	mkdir prometheus.part
	cd prometheus.part
	echo "prometheus_get.sh: downloading prometheus" >&2
	download || { refresh && download; } || die "prometheus: apt-get download failed"
	dpkg-deb -x ./*.deb . || die "prometheus: dpkg-deb cannot unpack it"
	rm -f ./*.deb
	cd ..
	rm -rf prometheus
	mv -T prometheus.part prometheus
fi
echo "$PWD/prometheus/usr/bin"
