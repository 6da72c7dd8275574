#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install.sh: `make install` into a folder of its own, from a build of its own (the
# prefix is compiled in), what is there then, and that `make uninstall` takes all
# of it away.  Prints TAP.

set -u
cd "$(dirname "$(readlink -f "$0")")/.." || exit 2
dest=$(mktemp -d)
work=$(mktemp -d)
trap 'rm -rf "$dest" "$work"' EXIT
count=0 failed=0

ok()
{
	local desc=$1

	shift
	count=$((count + 1))
	if "$@" >"$dest.said" 2>&1; then
		echo "ok $count - $desc"
	else
		echo "not ok $count - $desc"
		sed 's/^/# /' "$dest.said"
		failed=$((failed + 1))
	fi
	rm -f "$dest.said"
}

# ctest may run beside us, with jobs of its own: MAKEFLAGS would confuse this one.
quietly_make()
{
	env -u MAKEFLAGS make --no-print-directory BUILD="$work/build" DESTDIR="$dest" \
		prefix=/opt/hist "$@"
}

root=$dest/opt/hist
ok "make install" quietly_make install
ok "the program" test -x "$root/bin/trace-cmd-hist"
ok "the dispatcher leads to it" test "$(readlink "$root/bin/trace-cmd")" = trace-cmd-hist
ok "it runs" sh -c "'$root/bin/trace-cmd' hist | grep -q 'record'"
for page in man1/trace-cmd-hist.1 man1/trace-cmd-hist-record.1 man1/trace-cmd-hist-report.1 \
	man1/trace-cmd-hist-cleanup.1 man5/trace-cmd-hist.dat.5 \
	man5/trace-cmd-hist-recipe.5; do
	ok "man page $page" grep -q '^\.SH' "$root/share/man/$page"
done
for name in trace-cmd trace-cmd-hist; do
	ok "completion of $name" bash -n "$root/share/bash-completion/completions/$name"
done
# from where it is installed, as a build tree may be gone by then
ok "the recipes of presets" sh -c "'$root/bin/trace-cmd-hist' list --presets |
	grep -q '$root/share/trace-cmd-hist/recipes/wakeup-latency.recipe'"
# what the tutorial leads to
doc=$root/share/doc/trace-cmd-hist
for link in $(grep -o '](\([^)#:]*\))' Documentation/tutorial.md | sed 's/^](//; s/)$//' | sort -u); do
	ok "the tutorial leads to $link" test -e "$doc/$link"
done
ok "make uninstall" quietly_make uninstall
ok "takes all of it away" test -z "$(find "$dest" ! -type d)"
echo "1..$count"
[ $failed = 0 ]
