#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# prometheus_get.sh: print a directory with Debian's prometheus and promtool.
#
# Installing the package would start a server on this machine, now and at each boot, so
# scripts/package.sh unpacks it.  Programs that are installed already are taken.

set -eu

if installed=$(command -v prometheus) && command -v promtool >/dev/null; then
	dirname "$installed"
	exit
fi
package=$("$(dirname "$(readlink -f "$0")")/../../scripts/package.sh" prometheus)
echo "$package/usr/bin"
