#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# dist.sh DIR: make DIR/trace-cmd-hist-VERSION.tar.xz of HEAD, and print its name.
#
# The same commit gives the same bytes: git archive takes the times from the commit.  Changes that
# are not committed take no part.

set -eu -o pipefail
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

top=$(dirname "$here")
[ $# = 1 ] || die "usage: dist.sh DIR"
# a git repository above an unpacked tarball is another project's
[ -e "$top/.git" ] || die "$top: not a git repository"
name=trace-cmd-hist-$("$top/scripts/version.sh")
mkdir -p "$1"
out=$1/$name.tar.xz
git -c safe.directory='*' -c core.autocrlf=false -c tar.umask=0022 -C "$top" archive --format=tar \
	--prefix="$name/" HEAD | xz -T1 -6 >"$out.part"
mv "$out.part" "$out"
echo "$out"
