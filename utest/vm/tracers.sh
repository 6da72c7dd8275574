#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tracers.sh KERNEL BIN: the tracers timerlat, osnoise and hwlat in KERNEL, which must have them,
# such as 6.12-rt, with rtla of Debian to compare with.  TAP.

set -eu

kernel=$1 bin=$2
here=$(dirname "$(readlink -f "$0")")
rtla=$("$here/../../scripts/package.sh" rtla)
# a real-time kernel with its threads of highest priority is slow if it is emulated
"$here/vm.sh" run --kernel "$kernel" --bin "$bin" --add "$rtla/usr/bin/rtla:/usr/bin/rtla" \
	--time-limit 600 --script-limit 300 -- "$here/tests/58-tracers.sh"
