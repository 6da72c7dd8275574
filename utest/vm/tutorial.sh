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
# OpenSSH's server is not installed here, as its package starts one
sshd=$("$here/../../scripts/package.sh" openssh-server)/usr/sbin/sshd
exec "$here/vm.sh" run --kernel "$kernel" --bin "$bin" --module null_blk --module ext4 \
	--add "$here/../../Documentation/tutorial.md:/tutorial.md" \
	--add /usr/lib/locale/C.utf8:/usr/lib/locale/C.utf8 \
	--add /usr/bin/ssh:/usr/bin/ssh --add /usr/bin/ssh-keygen:/usr/bin/ssh-keygen \
	--add /usr/bin/setpriv:/usr/bin/setpriv --add "$sshd:/usr/sbin/sshd" \
	--time-limit 1000 --script-limit 900 "$@" -- "$here/guest/tutorial.sh"
