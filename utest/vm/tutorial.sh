#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tutorial.sh KERNEL BIN [OPTION...]: run every command of Documentation/tutorial.md in a
# virtual machine (guest/tutorial.sh).  TAP on stdout.  OPTIONs are more of vm.sh; with
# --out DIR, what the commands said and drew is in DIR/tutorial.

set -eu

kernel=$1 bin=$2
shift 2
here=$(dirname "$(readlink -f "$0")")
exec "$here/vm.sh" run --kernel "$kernel" --bin "$bin" --module null_blk --module ext4 \
	--add "$here/../../Documentation/tutorial.md:/tutorial.md" \
	--add /usr/lib/locale/C.utf8:/usr/lib/locale/C.utf8 \
	--time-limit 600 --script-limit 540 "$@" -- "$here/guest/tutorial.sh"
