# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# In the guest: see reread.c.

# shellcheck source-path=SCRIPTDIR source=../vm/guest/lib.sh
. /tests/lib.sh
for entries in 2048 16384 131072; do
	ok "$entries entries" bench-reread $entries
	sed 's/^/# reread /' /tmp/tap.out
done
done_testing
