#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernel_language.sh BIN: the checker and what Linux 6.12 says about its own
# language: every command of Documentation/trace/histogram.rst that this kernel
# takes is accepted, every bad one of its selftests is refused. That the kernel
# does so is tried in vm/tests/25-language.sh; here are formats recorded from it.

set -u

bin=$1
here=$(dirname "$(readlink -f "$0")")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
count=0 failed=0

ok()
{
	local desc=$1

	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok $count - $desc"
	else
		echo "not ok $count - $desc"
		failed=1
		grep -A 5 -e WRONG -e '^expr_check:' "$dir/said" | cat -v | sed 's/^/# /'
	fi
}

# shellcheck disable=SC2317 # called by ok
check()
{
	"$bin/expr_check" -e "$here/../data/formats/6.12" "$dir/$1.cases" >"$dir/said" 2>&1
}

# at_least FLAG N CASES: the extraction has found what is there.
# shellcheck disable=SC2317
at_least()
{
	[ "$(grep -c "^[$1] .*hist:" "$dir/$3.cases")" -ge "$2" ]
}

"$here/../vm/language.sh" "$dir" || { echo "Bail out! no kernel source"; exit 1; }
ok "the documentation: as 6.12 says" check doc
tail -n 1 "$dir/said"
ok "the documentation: 40 commands and more" at_least + 40 doc
ok "the selftests: as 6.12 says" check tests
tail -n 1 "$dir/said"
ok "the selftests: 60 good commands and more" at_least + 60 tests
ok "the selftests: 10 bad commands and more" at_least '-^' 10 tests
# Ours is at the one of several sort keys that is wrong; the kernel points to sort=.
ok "the selftests: the caret where they mark it, but for 2" \
	grep -q '[^0-9]25 of 27 errors at the marked place' "$dir/said"
ok "our manual page: as 6.12 says" check page
tail -n 1 "$dir/said"
ok "our manual page: 15 examples and more" at_least + 15 page
ok "our own: as 6.12 says" check language
tail -n 1 "$dir/said"
echo "1..$count"
exit $failed
