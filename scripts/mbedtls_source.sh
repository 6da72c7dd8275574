#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# mbedtls_source.sh: print a directory with the source of Debian's mbedTLS.
#
# It is the source package, as Debian signed and patched it, fetched by apt-get from
# the places that apt knows for packages; apt's own configuration is not changed.
# The directory has include/ and library/.

set -eu

# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/apt_cache.sh"

fetch()
{
	apt_source mbedtls
	mv mbedtls-*/include mbedtls-*/library . || die "mbedtls: the package is not as expected"
	rm -rf mbedtls-* mbedtls_*
}

[ $# = 0 ] || die "usage: mbedtls_source.sh"
cache_enter
cache_make mbedtls fetch
echo "$cache/mbedtls"
