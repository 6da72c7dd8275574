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

set -eu

me=kernel.sh
# shellcheck source-path=SCRIPTDIR source=../../scripts/apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/apt_cache.sh"

# The newest kernel package of line $1, or nothing if apt knows none.  A meta package depends
# on it: in Debian 12 one for each line, in Debian 13 the only one is of 6.12.
newest_package()
{
	apt-cache show --no-all-versions linux-image-6.12-cloud-amd64 linux-image-cloud-amd64 2>/dev/null |
		sed -n "s/^Depends: \(linux-image-${1//./\\.}\.[^ ,]*\).*/\1/p" | head -n 1
}

fetch()
{
	local package=$1 release

	apt_unpack "$package"
	release=$(echo boot/vmlinuz-*)
	release=${release#boot/vmlinuz-}
	mv "boot/vmlinuz-$release" vmlinuz
	mv "boot/config-$release" config
	echo "$release" >release
	rm -rf boot usr
	# an ordinary user may have no /sbin in PATH
	PATH=$PATH:/sbin depmod -b . "$release" || die "$package: depmod failed"
}

update=
if [ "${1-}" = --update ]; then
	update=1
	shift
fi
[ $# = 1 ] || die "usage: kernel.sh [--update] 6.12|6.1"
version=$1
case $version in
6.12 | 6.1) ;;
*) die "$version: no such kernel: use 6.12 or 6.1" ;;
esac

cache_enter
package=$(readlink "$version" || true)
if [ -n "$update" ] || ! cache_whole "$package"; then
	package=$(newest_package "$version")
	if [ -z "$package" ] || [ -n "$update" ]; then
		apt_refresh
		package=$(newest_package "$version")
	fi
	[ -n "$package" ] ||
		die "linux-image-$version: apt does not know this kernel: are Debian's security updates in its sources?"
	cache_make "$package" fetch "$package"
	ln -sfnT "$package" "$version"
fi
echo "$cache/$package"
