#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernel.sh [--update] VERSION: print a directory with one Debian kernel.
#
# The directory holds: vmlinuz, config, release (one line, what
# `uname -r` prints), lib/modules/RELEASE with modules.dep. VERSION is 6.12 or
# 6.1. The package is downloaded with apt-get and unpacked into the cache; it
# is never installed. What is in the cache stays in use: --update asks apt for
# a newer one.
#
# Invariant: a name in the cache that this script prints was put there by one
# rename of a complete directory, so a killed run leaves only *.part behind.

set -eu

me=kernel.sh
# shellcheck source-path=SCRIPTDIR source=../../scripts/apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/apt_cache.sh"

# The Debian package that always depends on the newest kernel of a line.
meta_package()
{
	case $1 in
	6.12) echo linux-image-6.12-cloud-amd64 ;;
	6.1) echo linux-image-cloud-amd64 ;;
	*) die "$1: no such kernel: use 6.12 or 6.1" ;;
	esac
}

# What the meta package depends on now. Nothing when apt does not know.
newest_package()
{
	apt-cache show --no-all-versions "$1" 2>/dev/null |
		sed -n 's/^Depends: \(linux-image-[^ ,]*\).*/\1/p'
}

# Unpack package $1 as directory $1.
fetch()
{
	local package=$1 release

	apt_download "$package"
	dpkg-deb -x ./*.deb . || die "$package: dpkg-deb cannot unpack it"
	release=$(echo boot/vmlinuz-*)
	release=${release#boot/vmlinuz-}
	mv "boot/vmlinuz-$release" vmlinuz
	mv "boot/config-$release" config
	echo "$release" >release
	rm -rf boot usr
	depmod -b . "$release" || die "$package: depmod failed"
	apt_keep "$package" "$package"
}

update=
if [ "${1-}" = --update ]; then
	update=1
	shift
fi
[ $# = 1 ] || die "usage: kernel.sh [--update] 6.12|6.1"
version=$1
meta=$(meta_package "$version") || exit

cache_enter lock
if [ -z "$update" ] && [ -e "$version/release" ]; then
	readlink -f "$version"
	exit 0
fi

package=$(newest_package "$meta")
if [ -z "$package" ] || [ -n "$update" ]; then
	apt_refresh
	package=$(newest_package "$meta")
fi
[ -n "$package" ] ||
	die "$meta: apt does not know this package: are Debian 12's security updates in its sources?"

[ -e "$package/release" ] || fetch "$package"
ln -sfnT "$package" "$version"
echo "$cache/$package"
