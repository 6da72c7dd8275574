#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# package.sh NAME [SUITE]: print a directory with the files of a Debian package, unpacked
#
# For programs that tests need and that must not be installed, since the package
# starts a service where it is (openssh-server, prometheus).  The libraries they
# need are those of the machine: install them with deps.sh.

set -eu
# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/apt_cache.sh"

[ $# = 1 ] || [ $# = 2 ] || die "usage: package.sh NAME [SUITE]"
case $1 in
'' | *[!a-z0-9.+-]*) die "$1: not the name of a package" ;;
esac
cache_enter
[ $# = 1 ] || use_suite "$2"
cache_make "package-${2:+$2-}$1" apt_unpack "$1"
echo "$cache/package-${2:+$2-}$1"
