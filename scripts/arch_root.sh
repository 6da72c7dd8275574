#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# arch_root.sh ARCH [SUITE]: print a directory with the libraries of another architecture
#
# ARCH is Debian's name.  SUITE is a release of Debian, by default that of this machine.
# apt resolves what the development packages need as if nothing were installed, with state of
# its own, and each package is unpacked.  No part of it runs, so it needs neither root nor an
# emulator.  A cross compiler uses the directory as its sysroot (scripts/arch.cmake).

set -eu
# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/apt_cache.sh"

# What the programs and the unit tests are linked with, and the locale C.UTF-8, whose files have
# the byte order of their machine.
packages="libc6-dev libtraceevent-dev libtracefs-dev libtracecmd-dev libzstd-dev zlib1g-dev
	libelf-dev libncurses-dev libmbedtls-dev libcunit1-dev libjson-c-dev
	libasan8 libubsan1 libc-bin"

[ $# = 1 ] || [ $# = 2 ] || die "usage: arch_root.sh ARCH [SUITE]"
# shellcheck source=/dev/null
this_suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
arch=$1 suite=${2:-$this_suite}

fetch()
{
	local deb

	echo "$me: downloading the libraries of $suite for $arch" >&2
	mkdir -p apt/lists/partial apt/cache/archives/partial
	apt_repositories | sed "s|^|deb [signed-by=$debian_keyring] |; s| $this_suite| $suite|" \
		>apt/sources.list
	[ -s apt/sources.list ] || die "apt knows no repository of Debian"
	: >apt/status
	apt_options=(-o APT::Architecture="$arch" -o APT::Architectures::="$arch"
		-o Dir::Etc::SourceList="$PWD/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
		-o Dir::State="$PWD/apt" -o Dir::State::status="$PWD/apt/status"
		-o Dir::Cache="$PWD/apt/cache")
	# A list that is missing may not be needed: the download says so.
	apt_get update >apt/log 2>&1 || true
	# shellcheck disable=SC2086 # a list of package names
	if ! apt_get -y --no-install-recommends --download-only install $packages >>apt/log 2>&1; then
		cat apt/log >&2
		die "$arch: apt-get download failed: $(grep '^E: ' apt/log | tail -n 1)"
	fi
	# One tree of libraries: older packages have files in /lib, newer ones in /usr/lib.
	mkdir -p usr/lib
	ln -s usr/lib lib
	for deb in apt/cache/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink ||
			die "$deb: cannot be unpacked"
	done
	# Links that stay in the directory.
	find . -type l -lname '/*' -print0 | while read -r -d '' link; do
		ln -sfnr ".$(readlink "$link")" "$link"
	done
	rm -rf apt usr/share/doc usr/share/man usr/share/locale
}

cache_enter
cache_make "root-$arch-$suite" fetch
echo "$cache/root-$arch-$suite"
