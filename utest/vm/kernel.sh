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
meta=$(meta_package "$version") || exit

cache_enter
package=$(readlink "$version" || true)
if [ -n "$update" ] || ! cache_whole "$package"; then
	package=$(newest_package "$meta")
	if [ -z "$package" ] || [ -n "$update" ]; then
		apt_refresh
		package=$(newest_package "$meta")
	fi
	[ -n "$package" ] ||
		die "$meta: apt does not know this package: are Debian 12's security updates in its sources?"
	cache_make "$package" fetch "$package"
	ln -sfnT "$package" "$version"
fi
echo "$cache/$package"
