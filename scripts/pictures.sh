#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pictures.sh BIN: make Documentation/tutorial.md's outputs and pictures again
#
# Runs every command of the tutorial in a virtual machine (utest/vm/tutorial.sh)
# and puts what it said in the place of what the page shows, and what it drew into
# Documentation/pictures.  Nothing of either is made by hand.  After a change of the
# commands, run it, read the page, and commit both.

set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

[ $# = 1 ] || die "usage: pictures.sh BIN"
top=$here/..
page=$top/Documentation/tutorial.md
work_make

# Checks that compare with the old page may fail: it is what is made new here.  A
# command that fails is told, and then nothing is changed.
"$top/utest/vm/tutorial.sh" 6.12 "$1" --out "$work/out" >"$work/tap" || true
if ! grep -q '^1\.\.' "$work/tap" || grep '^not ok' "$work/tap" | grep -Eqv '(what it says first|the status it shows)$'; then
	cat "$work/tap" >&2
	echo "pictures.sh: a command failed: the page is as it was" >&2
	exit 1
fi

awk -v dir="$work/out/tutorial" '
	function said() {
		if (!waiting)
			return
		waiting = 0
		file = sprintf("%s/%02d.out", dir, n)
		while ((getline line <file) > 0)
			print line
		close(file)
	}
	/^```/ { said(); inside = $0 == "```console"; skipping = 0; print; next }
	!inside { print; next }
	/^\$ / { said(); n++; waiting = 1; skipping = 0; print; next }
	waiting && !skipping && /^> / { print; next }
	{ skipping = 1 }
' "$page" >"$work/page"
cp "$work/page" "$page"
cp "$work"/out/tutorial/*.svg "$top/Documentation/pictures/"
