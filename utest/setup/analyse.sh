#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# analyse.sh: clang-tidy finds nothing in the C sources.  TAP on stdout.
#
# .clang-tidy says what it looks for, and why not for more.  A finding that is wrong gets a comment
# NOLINT with the name of the check and the reason.  The last tests are on a file with mistakes.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

top=$(readlink -f "$here/../..")
command -v clang-tidy >/dev/null || die "clang-tidy: missing: run scripts/deps.sh fuzz"
work_make

# sources: those of the compilation database, without what the build has generated
sources()
{
	sed -n 's/^ *"file": "\(.*\.c\)",*$/\1/p' "$work/compile_commands.json" | grep "^$top/" | sort -u
}

# findings FILE...: a line for each
findings()
{
	printf '%s\0' "$@" | xargs -0 -P "$(nproc)" -n 4 clang-tidy --quiet -p "$work" 2>"$work/said" |
		grep -E ': (warning|error): ' | sort -u
}

if ! cmake -S "$top" -B "$work" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DKERNELSHARK=OFF >"$work/log" 2>&1; then
	cat "$work/log" >&2
	die "cmake failed"
fi
mapfile -t files < <(sources)
is "all C sources of lib/, and most of the others, are analysed" \
	"$(comm -13 <(sources) <(find "$top/lib" "$top/tracecmd" -name '*.c' | sort))" ""
is "clang-tidy finds nothing" "$(findings "${files[@]}" | sed "s|^$top/||")" ""

# The settings apply to the folder of the file.
mkdir "$work/made"
cp "$top/.clang-tidy" "$work/made/"
cat >"$work/made/mistakes.c" <<'END'
#include <stdlib.h>
#include <string.h>
#include <string.h>

char *leak(int n);
int after_free(void);

char *leak(int n)
{
	char *p = malloc(10);

	if (n > 5)
		return NULL;
	return p;
}

int after_free(void)
{
	char *p = calloc(1, 10);
	int ret;

	if (!p)
		return -1;
	free(p);
	ret = p[0];
	return ret;
}
END
cat >"$work/compile_commands.json" <<END
[{ "directory": "$work/made", "file": "$work/made/mistakes.c", "command": "cc -c mistakes.c" }]
END
found=$(findings "$work/made/mistakes.c")
like "a leak is found" "$found" ':13:.*clang-analyzer-unix.Malloc'
like "a use after free() is found" "$found" ':25:.*clang-analyzer-unix.Malloc'
like "a header that is included twice is found" "$found" ':3:.*readability-duplicate-include'
done_testing
