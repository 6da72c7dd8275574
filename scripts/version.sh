#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# version.sh: print the version, which is that of project() in CMakeLists.txt.

set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

top=$here/..
version=$(sed -n 's/^project(.* VERSION \([0-9.]*\) .*/\1/p' "$top/CMakeLists.txt")
[ -n "$version" ] || die "CMakeLists.txt: project() has no version"
echo "$version"
