#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernel_source.sh VERSION: print a directory with the source of one Debian kernel.
#
# VERSION is 6.12 or 6.1, or mainline: the newest that Debian's sid or experimental has, which
# is looked up with package lists of its own.  Each script that needs a part of the source takes it from this
# directory, and none writes there.  The file .debian-version has the version of Debian's package.
# What is in the cache stays in use: delete it for a newer one.

set -eu

# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/apt_cache.sh"

# The package has one archive, which is never on the disk by itself.
fetch()
{
	apt_download "$1"
	echo "$me: unpacking $1" >&2
	dpkg-deb -f "$1"_*.deb Version >.debian-version
	dpkg-deb --fsys-tarfile "$1"_*.deb | tar -xO --wildcards './usr/src/*.tar.xz' |
		xz -dc -T0 | tar -x --strip-components=1 || die "$1: cannot be unpacked"
	rm "$1"_*.deb
}

# The newest kernel that Debian has a package of, release candidates included.
fetch_mainline()
{
	local package

	use_suite experimental sid
	apt_get update >&2 || die "mainline: apt-get update failed"
	package=$(apt-cache pkgnames linux-source- | grep -E '^linux-source-[0-9]+\.[0-9]+$' | sort -V | tail -n 1)
	[ -n "$package" ] || die "mainline: apt knows no linux-source package of sid or experimental"
	fetch "$package"
}

[ $# = 1 ] || die "usage: kernel_source.sh VERSION"
set -o pipefail
cache_enter
case $1 in
6.12 | 6.1)
	# those of older versions of this script
	rm -rf "tree-$1".*
	cache_make "linux-source-$1" fetch "linux-source-$1"
	;;
mainline) cache_make linux-source-mainline fetch_mainline ;;
*) die "$1: no such kernel: use 6.12, 6.1 or mainline" ;;
esac
echo "$cache/linux-source-$1"
