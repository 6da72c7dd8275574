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
ok "the checker agrees with Linux 6.12 on the commands of its documentation" check doc
tail -n 1 "$dir/said"
ok "the kernel's documentation yields at least 40 commands" at_least + 40 doc
ok "the checker agrees with Linux 6.12 on the commands of its selftests" check tests
tail -n 1 "$dir/said"
ok "the kernel's selftests yield at least 60 good commands" at_least + 60 tests
ok "the kernel's selftests yield at least 10 bad commands" at_least '-^' 10 tests
# Ours is at the one of several sort keys that is wrong; the kernel points to sort=.
ok "the checker marks 25 of 27 errors at the place that the selftests mark" \
	grep -q '[^0-9]25 of 27 errors at the marked place' "$dir/said"
ok "the checker agrees with Linux 6.12 on the examples of the manual page" check page
tail -n 1 "$dir/said"
ok "the manual page yields at least 15 examples" at_least + 15 page
ok "the checker agrees with Linux 6.12 on the project's own commands" check language
tail -n 1 "$dir/said"
echo "1..$count"
exit $failed
