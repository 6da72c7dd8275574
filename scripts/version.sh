#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# version.sh: print the version, which is that of project() in CMakeLists.txt.

set -eu
top=$(dirname "$(readlink -f "$0")")/..
version=$(sed -n 's/^project(.* VERSION \([0-9.]*\) .*/\1/p' "$top/CMakeLists.txt")
[ -n "$version" ] || { echo "version.sh: CMakeLists.txt: project() has no version" >&2; exit 2; }
echo "$version"
