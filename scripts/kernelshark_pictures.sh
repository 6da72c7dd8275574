#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernelshark_pictures.sh BUILD: make the pictures of trace-cmd-hist-kernelshark(1) again
#
# The tests `panel`, `expression`, `machines` and `scaled` take them in the real KernelShark
# (utest/kernelshark/run.sh --pictures) while they check what they show.  Those that the
# page names go to Documentation/pictures: all of them, or where a test fails or they take
# not all of them, none.

set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

[ $# = 1 ] || die "usage: kernelshark_pictures.sh BUILD"
build=$(readlink -f "$1")
top=$here/..
page=$top/Documentation/trace-cmd-hist-kernelshark.1.txt
work_make

for name in panel expression machines scaled; do
	if ! CHECK_LONG=1 "$top/utest/kernelshark/run.sh" --pictures "$work" "$build" $name >"$work/tap"; then
		grep -v '^ok' "$work/tap" >&2
		echo "kernelshark_pictures.sh: the test $name fails: the pictures are unchanged" >&2
		exit 1
	fi
done
names=$(sed -n 's|^image::pictures/\([^[]*\)\[.*|\1|p' "$page")
[ -n "$names" ] || { echo "kernelshark_pictures.sh: $page has no pictures" >&2; exit 1; }
for name in $names; do
	[ -s "$work/$name" ] || { echo "kernelshark_pictures.sh: $name: the tests do not create it" >&2; exit 1; }
done
for name in $names; do
	cp "$work/$name" "$top/Documentation/pictures/"
	echo "Documentation/pictures/$name"
done
