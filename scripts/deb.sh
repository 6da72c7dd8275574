#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# deb.sh DIR: build the Debian packages of HEAD into DIR, and check them with lintian.
#
# In an unpacked tarball of `make dist`, the files of the tarball are built.

set -eu -o pipefail
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

top=$(dirname "$here")
[ $# = 1 ] || die "usage: deb.sh DIR"
"$top/scripts/deps.sh" --explain deb || exit
mkdir -p "$1"
dir=$(readlink -f "$1")
name=trace-cmd-hist-$("$top/scripts/version.sh")
rm -rf "${dir:?}"/*
if [ -e "$top/.git" ]; then
	tarball=$("$top/scripts/dist.sh" "$dir")
	tar -C "$dir" -xf "$tarball"
	rm "$tarball"
else
	mkdir "$dir/$name"
	tar -C "$top" --exclude='./build*' -c . | tar -C "$dir/$name" -x
fi
cd "$dir/$name"
# the package is built with the flags of Debian, whatever the caller's make has
env -u MAKEFLAGS -u MAKELEVEL -u CFLAGS -u CXXFLAGS -u LDFLAGS \
	DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-parallel=$(nproc)}" \
	dpkg-buildpackage -us -uc >"$dir/build.log" 2>&1 || {
	tail -n 40 "$dir/build.log" >&2
	die "dpkg-buildpackage failed: see $dir/build.log"
}
cd "$dir"
rm -rf "${dir:?}/$name"
lintian --fail-on error,warning ./*.changes || die "lintian has errors or warnings"
for package in *.deb; do
	echo "$dir/$package"
done
