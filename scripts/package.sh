#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# package.sh NAME: print a directory with the files of a Debian package, unpacked
#
# For programs that tests need and that must not be installed, since the package
# starts a service where it is (openssh-server, prometheus).  The libraries they
# need are those of the machine: install them with deps.sh.

set -eu
# shellcheck source-path=SCRIPTDIR source=apt_cache.sh
. "$(dirname "$(readlink -f "$0")")/apt_cache.sh"

[ $# = 1 ] || die "usage: package.sh NAME"
case $1 in
'' | *[!a-z0-9.+-]*) die "$1: not the name of a package" ;;
esac
cache_enter
cache_make "package-$1" apt_unpack "$1"
echo "$cache/package-$1"
