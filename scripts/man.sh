#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# man.sh SOURCE OUT: make a man page from an asciidoc text.
#
# The footer has the version (CMakeLists.txt) and the date of its release
# (CHANGELOG.md), or "not released" before it.
#
# Any warning is an error.  PATH is the system's: asciidoc is a Python program,
# and a Python of another place does not have its modules.

set -eu
PATH=/usr/bin:/bin
export PATH LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

style=/usr/share/xml/docbook/stylesheet/docbook-xsl/manpages/docbook.xsl

[ $# = 2 ] || die "usage: man.sh SOURCE OUT"
source=$1
out=$2
[ -r "$source" ] || die "$source: cannot be read"
command -v asciidoc >/dev/null || die "no asciidoc: install asciidoc-base"
command -v xsltproc >/dev/null || die "no xsltproc: install xsltproc"
[ -r $style ] || die "$style: missing: install docbook-xsl"

top=$here/..
version=$(sed -n 's/^project(.* VERSION \([0-9.]*\).*/\1/p' "$top/CMakeLists.txt")
[ -n "$version" ] || die "CMakeLists.txt: no version in project()"
release=$(grep -E "^## \[?$version([] ,(]|\$)" "$top/CHANGELOG.md") ||
	die "CHANGELOG.md: no heading '## $version'"
date=$(echo "$release" | grep -Eo '[0-9]{4}-[0-9]{2}-[0-9]{2}') || date="not released"

work_make

asciidoc -b docbook -d manpage -a mansource=trace-cmd-hist -a "manversion=$version" \
	-a "manmanual=trace-cmd hist" -a "revdate=$date" -o "$work/page.xml" "$source" 2>"$work/said" ||
	{ cat "$work/said" >&2; die "$source: asciidoc failed"; }
# The stylesheet takes the file name from the title of the page.  The pages have
# a section AUTHORS of their own, and names of more than 20 letters.
(cd "$work" && mkdir page && xsltproc --nonet --stringparam refentry.meta.get.quietly 1 \
	--stringparam man.authors.section.enabled 0 \
	--param man.th.title.max.length 60 -o page/ $style page.xml) 2>>"$work/said" ||
	{ cat "$work/said" >&2; die "$source: xsltproc failed"; }
# "Note: Writing ..." is no warning.
if grep -v -e '^Note: Writing ' -e '^ *$' "$work/said" >&2; then
	die "$source: made with warnings"
fi
set -- "$work"/page/*
if [ $# != 1 ] || [ ! -s "$1" ]; then
	die "$source: not one page came of it"
fi
# mandoc wants a plain date.
grep -v -e '^\.\\"    Author: ' -e '^\.\\"      Date: ' "$1" | sed '/^\.TH /s/\\-/-/g' >"$out"
