# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# The verdicts of KUnit, which ran while the kernel booted.

dmesg | sed -n 's/^\[[^]]*\] *//; s/^<[0-9]*>//; s/^ *    \(not ok\|ok\) [0-9]* *\(.*\)/\1 kunit: \2/p' | sh /tests/say.sh
