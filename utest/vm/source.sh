#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# source.sh VERSION: print a directory with parts of one Debian kernel's source.
#
# The directory holds Documentation/trace/histogram.rst and the selftests of
# triggers, tools/testing/selftests/ftrace/test.d/trigger/**. The package is
# downloaded with apt-get; only these files are kept, in the cache of kernel.sh.
#
# Invariant: a name in the cache that this script prints was put there by one
# rename of a complete directory, so a killed run leaves only *.part behind.

set -eu

die()
{
	echo "source.sh: $*" >&2
	exit 2
}

# Into the current directory. As root, apt would drop to a user that cannot
# write there.
download()
{
	apt-get -q=2 -o APT::Sandbox::User="$(id -un)" download "$1" >&2
}

refresh()
{
	local sudo=
	if [ "$(id -u)" != 0 ]; then
		sudo=$(command -v sudo) ||
			die "apt's package lists are too old: run apt-get update as root"
	fi
	echo "source.sh: apt-get update" >&2
	$sudo apt-get -q=2 update >&2 || true
}

# Unpack package $1 as directory $1, by way of $1.part.
fetch()
{
	local package=$1

	rm -rf "$package.part"
	mkdir "$package.part"
	cd "$package.part"
	echo "source.sh: downloading $package" >&2
	download "$package" || { refresh && download "$package"; } ||
		die "$package: apt-get download failed"
	echo "source.sh: unpacking $package" >&2
	dpkg-deb --fsys-tarfile ./*.deb | tar -xO --wildcards './usr/src/*.tar.xz' |
		xz -dc -T0 |
		tar -x --strip-components=1 --wildcards '*/Documentation/trace/histogram.rst' \
			'*/tools/testing/selftests/ftrace/test.d/trigger/*' ||
		die "$package: cannot be unpacked"
	rm -f ./*.deb
	cd ..
	mv -T "$package.part" "$package"
}

[ $# = 1 ] || die "usage: source.sh VERSION"
case $1 in
6.12 | 6.1) ;;
*) die "$1: no such kernel: use 6.12 or 6.1" ;;
esac

cache=${TRACE_CMD_HIST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/trace-cmd-hist/kernels}
mkdir -p "$cache" || die "$cache: cannot make the cache directory"
cd "$cache"
cache=$PWD

# Taken by the second of two runs until the first has finished its download.
exec 9>lock-source
flock 9
[ -e "linux-source-$1/Documentation/trace/histogram.rst" ] || fetch "linux-source-$1"
echo "$cache/linux-source-$1"
