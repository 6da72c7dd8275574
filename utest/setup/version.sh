#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# version.sh BIN: does everything have the version of CMakeLists.txt, and does trace-cmd-hist
# --version name the libraries?  TAP on stdout.
#
# pkg-config tells the versions of the headers.  A copy of a library under another version shows
# that the second version is that of the library in use.

set -u
export LC_ALL=C
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# = 1 ] || die "usage: version.sh BIN"
bin=$(readlink -f "$1")
hist=$bin/trace-cmd-hist
cd "$here/../.." || exit 2
work_make

version=$(scripts/version.sh)
like "CMakeLists.txt has a version of three numbers" "$version" '^[0-9]+\.[0-9]+\.[0-9]+$'
said=$("$hist" --version)
is "trace-cmd-hist --version begins with the version" "$(head -n 1 <<<"$said")" "trace-cmd-hist $version"
is "trace-cmd hist --version prints the same" "$("$bin/trace-cmd" hist --version)" "$said"
is "the target helper has the same version" "$("$bin/trace-cmd-hist-target" --version)" \
	"trace-cmd-hist-target $version"

# what the program was built with, in that order
is "--version names the engines and the libraries" "$(sed '1d; s/:.*//' <<<"$said" | tr '\n' ' ')" \
	"engines libtraceevent libtracefs libelf zstd zlib mbedtls ncurses "
# compiled_with NAME: its version according to --version
compiled_with()
{
	sed -n "s/^$1: compiled with \([0-9.]*\), running with [0-9][0-9.]*\$/\1/p" <<<"$said"
}
for pair in libtraceevent:libtraceevent libtracefs:libtracefs libelf:libelf zstd:libzstd zlib:zlib \
	ncurses:ncursesw; do
	name=${pair%:*}
	is "--version has the compiled version of $name" "$(compiled_with "$name")" \
		"$(pkg-config --modversion "${pair#*:}")"
done
header=$(echo 'MBEDTLS_VERSION_STRING' | cc -include mbedtls/version.h -E -P - | tail -n 1 | tr -d '"')
is "--version has the compiled version of mbedtls" "$(compiled_with mbedtls)" "$header"

library=$(ldd "$hist" | sed -n 's/.*libtraceevent\.so\.1 => \([^ ]*\) .*/\1/p')
cp -L "$library" "$work/libtraceevent.so.1.99.7"
ln -s libtraceevent.so.1.99.7 "$work/libtraceevent.so.1"
is "--version has the version of the libtraceevent in use" \
	"$(LD_LIBRARY_PATH=$work "$hist" --version | sed -n 's/^libtraceevent: //p')" \
	"compiled with $(compiled_with libtraceevent), running with 1.99.7"

# What repeats the version and the date of the release.  A file that another tool reads cannot take
# them from CMakeLists.txt and CHANGELOG.md.
heading=$(grep -E -m1 '^## [0-9]' CHANGELOG.md)
like "the newest release in CHANGELOG.md has the version and a date" "$heading" \
	"^## $version, [0-9]{4}-[0-9]{2}-[0-9]{2}\$"
released="$version ${heading#*, }"
# is_release DESC VERSION DATE: both are those of the release
is_release()
{
	is "$1" "$2 $(date -d "$3" +%F)" "$released"
}
if [ -e debian/changelog ]; then
	is_release "debian/changelog begins with the version and its date" \
		"$(sed -n '1s/^[^(]*(\([^)]*\)).*/\1/p' debian/changelog)" \
		"$(sed -n '/^ -- /{s/.*>  \(.*\) [0-9:]* [-+0-9]*$/\1/p; q}' debian/changelog)"
fi
for file in packaging/rpm/*.spec; do
	[ -e "$file" ] || continue
	is "$file has the version" "$(sed -n 's/^Version: *//p' "$file")" "$version"
	entry=$(sed -n '/^%changelog/{n; p; q}' "$file")
	is_release "the changelog of $file begins with the version and its date" \
		"$(sed -n 's/.* - \([0-9.]*\)-[0-9]*$/\1/p' <<<"$entry")" "$(cut -d ' ' -f 2-5 <<<"$entry")"
done
for file in packaging/openembedded/*/*/*.bb; do
	[ ! -e "$file" ] || like "$file has the version" "$file" "_$version\\.bb\$"
done

# The commit that set the version.  A repository above an unpacked tarball is another project's, and
# a commit without a parent may only be where a shallow history begins.
commit=
[ ! -e .git ] || read -r commit date parent < <(git -c safe.directory='*' log -1 --date=short \
	--format='%h %ad %p' -S" VERSION $version " -- CMakeLists.txt 2>/dev/null)
if [ -n "$commit" ] && [ -n "$parent" ]; then
	is_release "$commit, which set the version, has the date of the release" "$version" "$date"
	like "CHANGELOG.md of $commit begins with the version" \
		"$(git -c safe.directory='*' show "$commit:CHANGELOG.md" | grep -m1 '^## ')" "^## $version( |,|\$)"
fi
done_testing
