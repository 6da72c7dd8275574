#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernel_source.sh VERSION: print a directory with parts of one Debian kernel's source.
#
# The directory holds Documentation/trace/histogram.rst, the selftests of
# triggers, tools/testing/selftests/ftrace/test.d/trigger/**, and the kernel's small
# libc, tools/include/nolibc. The package is downloaded with apt-get; only these
# files are kept, in the cache of utest/vm/kernel.sh.
#
# Invariant: a name in the cache that this script prints was put there by one
# rename of a complete directory, so a killed run leaves only *.part behind.

set -eu

me=kernel_source.sh
# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/apt_cache.sh"

# Unpack package $1 as directory $1.
fetch()
{
	local package=$1

	apt_download "$package"
	echo "$me: unpacking $package" >&2
	dpkg-deb --fsys-tarfile ./*.deb | tar -xO --wildcards './usr/src/*.tar.xz' |
		xz -dc -T0 |
		tar -x --strip-components=1 --wildcards '*/Documentation/trace/histogram.rst' \
			'*/tools/testing/selftests/ftrace/test.d/trigger/*' \
			'*/tools/include/nolibc/*' ||
		die "$package: cannot be unpacked"
	apt_keep "$package" "$package"
}

[ $# = 1 ] || die "usage: kernel_source.sh VERSION"
case $1 in
6.12 | 6.1) ;;
*) die "$1: no such kernel: use 6.12 or 6.1" ;;
esac

cache_enter lock-source
[ -e "linux-source-$1/tools/include/nolibc/nolibc.h" ] || fetch "linux-source-$1"
echo "${cache:?}/linux-source-$1"
