# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
# The sum over all keys is the number of events (../stress.c).

/tests/bin/hist_stress 1000 >/tmp/stress 2>&1 || echo "# status $?" >>/tmp/stress
sed -e 's/^\(not ok\|ok\) /&stress: /' /tmp/stress | sh /tests/say.sh
