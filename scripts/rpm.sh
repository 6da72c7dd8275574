#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rpm.sh DIR: build the RPM packages of HEAD into DIR, and check them with rpmlint.
#
# On Debian, rpm does not know the packages of dpkg: what the spec file requires is not checked there,
# and scripts/deps.sh deb rpm installs it.

set -eu -o pipefail
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

top=$(dirname "$here")
[ $# = 1 ] || die "usage: rpm.sh DIR"
options=()
if command -v dpkg >/dev/null; then
	"$top/scripts/deps.sh" --explain deb rpm || exit
	options=(--nodeps)
fi
mkdir -p "$1"
dir=$(readlink -f "$1")
rm -rf "${dir:?}"/*
"$top/scripts/dist.sh" "$dir/SOURCES" >/dev/null
# not the home directory's macros, and the same result for the same commit
HOME=$dir SOURCE_DATE_EPOCH=$(git -c safe.directory='*' -C "$top" log -1 --format=%ct) \
	env -u MAKEFLAGS -u MAKELEVEL rpmbuild -ba "${options[@]}" --define "_topdir $dir" \
	--define "use_source_date_epoch_as_buildtime 1" --define "_buildhost localhost" \
	"$top/packaging/rpm/trace-cmd-hist.spec" >"$dir/build.log" 2>&1 || {
	tail -n 40 "$dir/build.log" >&2
	die "rpmbuild failed: see $dir/build.log"
}
rm -rf "$dir/BUILD" "$dir/BUILDROOT"
env PATH=/usr/bin:/bin rpmlint -r "$top/packaging/rpm/trace-cmd-hist.rpmlintrc" "$dir"/RPMS/*/*.rpm \
	"$dir"/SRPMS/*.rpm "$top/packaging/rpm/trace-cmd-hist.spec" >"$dir/rpmlint.log" 2>&1 || true
cat "$dir/rpmlint.log"
grep -q ' 0 errors, 0 warnings' "$dir/rpmlint.log" || die "rpmlint has errors or warnings"
ls "$dir"/RPMS/*/*.rpm "$dir"/SRPMS/*.rpm
