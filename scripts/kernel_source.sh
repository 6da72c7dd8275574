#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernel_source.sh VERSION: print a directory with the source of one Debian kernel.
#
# VERSION is 6.12 or 6.1.  Each script that needs a part of the source takes it from this
# directory, and none writes there.  The file .debian-version has the version of Debian's package.
# What is in the cache stays in use: delete it for a newer one.

set -eu

me=kernel_source.sh
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

[ $# = 1 ] || die "usage: kernel_source.sh VERSION"
case $1 in
6.12 | 6.1) ;;
*) die "$1: no such kernel: use 6.12 or 6.1" ;;
esac
set -o pipefail
cache_enter
# those of older versions of this script
rm -rf "tree-$1".*
cache_make "linux-source-$1" fetch "linux-source-$1"
echo "$cache/linux-source-$1"
