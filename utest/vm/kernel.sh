#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernel.sh [--update] VERSION: print a directory with one Debian kernel.
#
# The directory holds: vmlinuz, config, release (one line, what
# `uname -r` prints), lib/modules/RELEASE with modules.dep. VERSION is 6.12 or
# 6.1; 6.12-rt or 6.1-rt for the kernel with PREEMPT_RT, which has the tracers
# timerlat, osnoise and hwlat that cloud kernels lack; or sid or experimental,
# for the newest cloud kernel of that suite, which is looked up with package
# lists of its own. So are 6.12 and 6.1 if the sources of this machine do not
# have them: in trixie and bookworm. The packages are
# downloaded with apt-get and unpacked into the cache; they are never installed.
# What is in the cache stays in use: --update asks apt for a newer one.

set -eu

# shellcheck source-path=SCRIPTDIR source=../../scripts/apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/apt_cache.sh"

# The packages that $1 is made of: itself, and since 7.0 others that it depends on.
parts_of()
{
	local release=${1#linux-image-}

	echo "$1"
	apt-cache show --no-all-versions "$1" | tr ',' '\n' |
		sed -n "s/.* \(linux-\(base\|binary\|modules\)-$release\) .*/\1/p" | sort -u
}

# The newest kernel package of line $1, or nothing if apt knows none.  A meta package depends
# on it: in Debian 12 one for each line, in Debian 13 the only one is of 6.12.
newest_package()
{
	local line=${1%-rt} release flavour=cloud

	release="${line//./\\.}\\."
	case $1 in
	sid | experimental) release='[0-9]' ;;
	*-rt) flavour=rt ;;
	esac
	apt-cache show --no-all-versions linux-image-6.12-$flavour-amd64 \
		linux-image-$flavour-amd64 2>/dev/null |
		sed -n "s/^Depends:.* \(linux-image-${release}[^ ,]*\).*/\1/p" | head -n 1
}

fetch()
{
	local package=$1 release part

	for part in $(parts_of "$package"); do
		apt_unpack "$part"
	done
	# Modules: /usr/lib since trixie. Image and configuration: with the modules since 7.0.
	if [ -d usr/lib/modules ]; then
		mkdir -p lib
		mv usr/lib/modules lib/
	fi
	release=$(echo lib/modules/*)
	release=${release#lib/modules/}
	for part in vmlinuz config; do
		if [ -e "lib/modules/$release/$part" ]; then
			mv "lib/modules/$release/$part" $part
		else
			mv "boot/$part-$release" $part
		fi
	done
	echo "$release" >release
	rm -rf boot usr
	# an ordinary user may have no /sbin in PATH
	PATH=$PATH:/sbin depmod -b . "$release" || die "$package: depmod failed"
}

# package_in SUITE: the newest package of VERSION in lists of this suite that are new.
package_in()
{
	cache_lock "apt-$1"
	use_suite "$1"
	apt_get update >&2 || die "$1: apt-get update failed"
	cache_unlock
	package=$(newest_package "$version")
}

update=
if [ "${1-}" = --update ]; then
	update=1
	shift
fi
[ $# = 1 ] || die "usage: kernel.sh [--update] 6.12|6.12-rt|6.1|6.1-rt|sid|experimental"
version=$1
case $version in
6.12 | 6.12-rt | 6.1 | 6.1-rt | sid | experimental) ;;
*) die "$version: no such kernel: use 6.12, 6.12-rt, 6.1, 6.1-rt, sid or experimental" ;;
esac

cache_enter
package=$(readlink "$version" || true)
if [ -n "$update" ] || ! cache_whole "$package"; then
	case $version in
	sid | experimental) package_in "$version" ;;
	*)
		package=$(newest_package "$version")
		if [ -z "$package" ] || [ -n "$update" ]; then
			apt_refresh
			package=$(newest_package "$version")
		fi
		case $package$version in
		6.12 | 6.12-rt) package_in trixie ;;
		6.1 | 6.1-rt) package_in bookworm ;;
		esac
		;;
	esac
	[ -n "$package" ] || die "linux-image-$version: apt does not know this kernel"
	cache_make "$package" fetch "$package"
	ln -sfnT "$package" "$version"
fi
echo "$cache/$package"
