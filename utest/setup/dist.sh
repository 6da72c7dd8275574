#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# dist.sh: what is in the tarball of `make dist`.  TAP on stdout.
#
# With CHECK_LONG=1 it is also made twice and has to be the same, and it is built, and its unit tests are run,
# with a PATH without git.

set -u
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

cd "$here/../.." || exit 2
if [ ! -e .git ]; then
	echo "1..0 # SKIP not a git repository"
	exit 0
fi
work_make
git()
{
	command git -c safe.directory='*' "$@"
}

name=trace-cmd-hist-$(scripts/version.sh)
ok "dist.sh succeeds" scripts/dist.sh "$work/a"
if [ -n "${CHECK_LONG-}" ]; then
	sleep 1 # another second, should a time of today be in it
	ok "dist.sh succeeds a second time" env TZ=Asia/Tokyo bash -c "umask 077; scripts/dist.sh '$work/b'"
	ok "both tarballs have the same bytes" cmp "$work/a/$name.tar.xz" "$work/b/$name.tar.xz"
fi
ok "the tarball can be unpacked" tar -C "$work" -xf "$work/a/$name.tar.xz"
git ls-tree -r HEAD | sed 's/^\([0-9]*\) [^\t]*\t/\1 /' | sort >"$work/listed"
(cd "$work/$name" && find . ! -type d -printf '%y %m %P\n') | sed 's/^f 755/100755/; s/^f 644/100644/; s/^l 777/120000/' |
	sort >"$work/unpacked"
ok "the tarball has the files of HEAD with their modes, and no others" diff "$work/listed" "$work/unpacked"

# The programs of this machine except git.
mkdir "$work/bin"
ln -s /usr/bin/* "$work/bin/" 2>/dev/null
rm -f "$work/bin"/git*
ok "each file of the tarball names its licence" env PATH="$work/bin" "$work/$name/utest/setup/licences.py" \
	"$work/$name"
is "the tarball knows its version without git" "$(PATH=$work/bin "$work/$name/scripts/version.sh")" \
	"${name##*-}"
if [ -n "${CHECK_LONG-}" ]; then
	ok "the tarball builds and passes its unit tests without git" env -u MAKEFLAGS -u MAKELEVEL \
		PATH="$work/bin" make -C "$work/$name" check-unit
	ok "make dist outside a git repository fails with a message" sh -c \
		"! PATH='$work/bin' '$work/$name/scripts/dist.sh' '$work/c' 2>'$work/said' &&
			grep -q 'not a git repository' '$work/said'"
fi
done_testing
