#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# shell.sh: do the scripts use scripts/lib.sh, instead of copies of it?  TAP on stdout.
#
# The last tests make a tree with one mistake of each kind, and expect each to be found.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

work_make

# It is installed without the files of the project, and its die() adds a hint.
alone=kernelshark-plugin/kernelshark-hist.in
# busybox runs these in a guest.
guest='/guest/|^utest/vm/tests/'

# files WORDS: those with a line that begins with WORDS, an ERE
files()
{
	find scripts utest kernelshark-plugin completion packaging debian Documentation -type f \
		-exec grep -lEI "^[[:space:]]*($1)" {} + | grep -Ev "$guest" | sort
}

# The scripts that define die() themselves.
defining()
{
	files 'die *\(\)|function die\b' | grep -vxF -e scripts/lib.sh -e $alone
}

# The scripts that call die, and do not source what defines it.
lacking()
{
	files '(.*[|&;{] *)?die "' | grep -vxF $alone | while read -r file; do
		case $(head -n 1 "$file") in '#!'*) ;; *) continue ;; esac
		grep -qE '^\. ".*/(lib|tap|apt_cache)\.sh"$' "$file" || echo "$file"
	done
}

# The scripts that make a directory as work_make() does.
making()
{
	# shellcheck disable=SC2016 # a line of a script
	files 'trap .rm -rf "\$work". EXIT$' | grep -vxF scripts/lib.sh
}

cd "$here/../.." || exit 2
is "only scripts/lib.sh defines die()" "$(defining)" ""
is "each script that calls die() sources what defines it" "$(lacking)" ""
is "only scripts/lib.sh makes a directory that ends with the script" "$(making)" ""

mkdir -p "$work"/{scripts,utest/vm/tests,kernelshark-plugin,completion,packaging,debian,Documentation}
cp scripts/lib.sh "$work/scripts/"
cp $alone "$work/kernelshark-plugin/"
cd "$work" || exit 2
# shellcheck disable=SC2016 # lines of scripts
{
	printf '%s\n' '#!/bin/sh' 'die()' '{' '	exit 2' '}' >utest/copy.sh
	printf '%s\n' '#!/bin/sh' '. "$here/lib.sh"' '[ $# = 1 ] || die "usage"' >utest/good.sh
	printf '%s\n' '#!/bin/sh' '[ $# = 1 ] || die "usage"' >utest/lacks.sh
	printf '%s\n' '# sourced' 'part() { die "no part"; }' >utest/part.sh
	printf '%s\n' '#!/bin/sh' "trap 'rm -rf \"\$work\"' EXIT" >utest/makes.sh
	printf '%s\n' 'die() { exit 1; }' >utest/vm/tests/guest.sh
}
is "a copy of die() is found" "$(defining)" utest/copy.sh
is "a script that lacks lib.sh is found" "$(lacking)" utest/lacks.sh
is "a copy of work_make() is found" "$(making)" utest/makes.sh
done_testing
