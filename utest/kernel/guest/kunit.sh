# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# shellcheck source-path=SCRIPTDIR source=lib.sh
#
# The verdicts of KUnit, which ran while the kernel booted.

. /tests/lib.sh
dmesg | sed -n 's/^\[[^]]*\] *//; s/^<[0-9]*>//; s/^ *    \(not ok\|ok\) [0-9]* *\(.*\)/\1 kunit: \2/p' >/tmp/kunit
sh /tests/say.sh </tmp/kunit
ok "kunit: the kernel runs the tests of tracing_map at boot" \
	grep -q ' kunit: tracing_map' /tmp/kunit
