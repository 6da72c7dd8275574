#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# man.sh SOURCE OUT: make a man page from an asciidoc text.
#
# Any warning is an error.  PATH is the system's: asciidoc is a Python program,
# and a Python of another place does not have its modules.

set -eu
PATH=/usr/bin:/bin
export PATH LC_ALL=C.UTF-8

style=/usr/share/xml/docbook/stylesheet/docbook-xsl/manpages/docbook.xsl

die()
{
	echo "man.sh: $*" >&2
	exit 2
}

[ $# = 2 ] || die "usage: man.sh SOURCE OUT"
source=$1
out=$2
[ -r "$source" ] || die "$source: cannot be read"
command -v asciidoc >/dev/null || die "no asciidoc: install asciidoc-base"
command -v xsltproc >/dev/null || die "no xsltproc: install xsltproc"
[ -r $style ] || die "$style: missing: install docbook-xsl"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

asciidoc -b docbook -d manpage -a mansource=trace-cmd-hist -a "manmanual=trace-cmd hist" \
	-o "$work/page.xml" "$source" 2>"$work/said" ||
	{ cat "$work/said" >&2; die "$source: asciidoc failed"; }
# The stylesheet names the page as its text does.  Our pages name no author, and
# the stylesheet is not to ask for one; no date, so that the same text gives the
# same page; and their names are longer than 20 letters.
(cd "$work" && mkdir page && xsltproc --nonet --stringparam refentry.meta.get.quietly 1 \
	--stringparam man.authors.section.enabled 0 --stringparam man.th.extra1.suppress 1 \
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
grep -v -e '^\.\\"    Author: ' -e '^\.\\"      Date: ' "$1" >"$out"
