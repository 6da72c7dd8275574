#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# language.sh DIR: put the cases of the trigger language into DIR, for expr_check:
# doc and tests, of the kernel's own documentation and selftests, page, the
# examples of our manual page, language, ours, and odd, those changed at random
# (LANGUAGE_SEED, else always the same).

set -eu

here=$(dirname "$(readlink -f "$0")")
dir=$1
source=$("$here/../../scripts/kernel_source.sh" 6.12)
mkdir -p "$dir"
/usr/bin/python3 "$here/../scripts/lib/kernel_cases.py" doc "$source/Documentation/trace/histogram.rst" \
	>"$dir/doc.cases"
find "$source/tools/testing/selftests/ftrace/test.d/trigger" -name '*.tc' | sort |
	xargs /usr/bin/python3 "$here/../scripts/lib/kernel_cases.py" tests >"$dir/tests.cases"
/usr/bin/python3 "$here/../scripts/lib/kernel_cases.py" page \
	"$here/../../Documentation/trace-cmd-hist-expression.7.txt" >"$dir/page.cases"
cp "$here/../data/language.cases" "$dir/language.cases"
/usr/bin/python3 "$here/../scripts/lib/kernel_cases.py" odd "${LANGUAGE_SEED:-1}" "${LANGUAGE_ODD:-60}" \
	"$dir/language.cases" "$dir/doc.cases" >"$dir/odd.cases"
