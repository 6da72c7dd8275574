#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# slowest.sh BUILD [SECONDS LIMIT]: what took longest in the tests of BUILD, of which it has tests.xml
# and tests.log: the ten slowest tests, and the ten slowest guest scripts inside them.  With the SECONDS that a whole `make check`
# took, and the LIMIT that it should not pass: what to do when it did.
#
# It only tells: on a busy machine all times are longer, and that is no fault.

set -u
export LC_ALL=C
build=$1 seconds=${2-0} limit=${3-0}

# TIME NAME of each test, longest first
tests()
{
	sed -n 's/.*<testcase name="\([^"]*\)".* time="\([0-9.]*\)".*/\2 \1/p' "$build/tests.xml" | sort -rn
}

echo 'The slowest tests, in seconds:'
tests | head -n 10
scripts=$(awk '/^[0-9]+\/[0-9]+ Test: / { test = $3 }
	test ~ /^vm-/ && /^# [0-9a-z-]+: [0-9.]+ s$/ { print $3, test, $2 }' \
	"$build/tests.log" | sed 's/:$//' | sort -rn | head -n 10)
[ -z "$scripts" ] || printf 'The slowest guest scripts, in seconds:\n%s\n' "$scripts"
echo "All tests: $(tests | awk '{ n += $1 } END { printf "%d", n }') s, one after the other"
[ "$seconds" -gt "$limit" ] || exit 0
cat <<END
make check took $seconds s, and should take at most $limit s on two cores that nothing else uses.
If nothing else ran: let it take a sample of the slowest, and check-long the rest, by CHECK_LONG,
by the head of a guest script (see utest/vm/scripts.sh), or by add_long_script() in
utest/CMakeLists.txt.
END
