#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# mbedtls_source.sh: print a directory with the source of Debian's mbedTLS.
#
# It is the source package, as Debian signed and patched it, fetched by apt-get from
# the places that apt knows for packages; apt's own configuration is not changed.
# The directory has include/ and library/.

set -eu

me=mbedtls_source.sh
# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/apt_cache.sh"

# The same as the lists of packages, but for sources, and with state of its own.
source_lists()
{
	mkdir -p apt/lists/partial apt/cache/archives/partial
	# shellcheck disable=SC2016 # names that apt-get replaces
	apt-get indextargets --format '$(CREATED_BY) $(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' |
		sed -n 's|^Packages Debian |deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] |p' |
		sort -u >apt/sources.list
	[ -s apt/sources.list ] || die "apt knows no repository of Debian"
}

apt_source()
{
	apt-get -q=2 -o APT::Sandbox::User="$(id -un)" -o Dir::Etc::SourceList="$PWD/apt/sources.list" \
		-o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$PWD/apt/lists" \
		-o Dir::Cache="$PWD/apt/cache" "$@" >&2
}

fetch()
{
	rm -rf mbedtls.part
	mkdir mbedtls.part
	cd mbedtls.part
	echo "$me: downloading the source package mbedtls" >&2
	source_lists
	apt_source update || die "mbedtls: apt-get update failed"
	apt_source source mbedtls || die "mbedtls: apt-get source failed"
	mv mbedtls-*/include mbedtls-*/library . || die "mbedtls: the package is not as expected"
	rm -rf apt mbedtls-* mbedtls_*
	apt_keep mbedtls mbedtls
}

[ $# = 0 ] || die "usage: mbedtls_source.sh"
cache_enter lock-mbedtls
[ -e mbedtls/library/ssl_srv.c ] || fetch
echo "$cache/mbedtls"
