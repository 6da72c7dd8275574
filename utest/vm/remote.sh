#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# remote.sh KERNEL BIN [OPTION...]: the guest tests of a host and its targets, in one
# boot of KERNEL.  TAP on stdout.  OPTIONs are more of vm.sh.
#
# The guest gets the static helper, and what a network takes: OpenSSH, network
# namespaces, delay and loss.  OpenSSH's server is not installed here, as its
# package starts one.

set -eu
# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
. "$(dirname "$(readlink -f "$0")")/../../scripts/lib.sh"

kernel=$1 bin=$2
shift 2
scripts=$here/../../scripts
work_make

"$scripts/target_helper.sh" x86_64 "$work/helper" >&2
sshd=$("$scripts/package.sh" openssh-server)/usr/sbin/sshd
adds=()
for program in /usr/bin/setpriv /usr/bin/script /usr/bin/ssh /usr/bin/ssh-keygen /usr/bin/ip /usr/sbin/tc; do
	[ -x $program ] || die "$program: missing: run scripts/deps.sh vm"
	adds+=(--add "$program:$program")
done
guests=$("$here/scripts.sh" "$kernel" "$here"/tests/9[2-9]*.sh)
# shellcheck disable=SC2086
"$here/vm.sh" run --kernel "$kernel" --bin "$bin" "${adds[@]}" \
	--add "$sshd:/usr/sbin/sshd" --add "$work/helper:/helper" \
	--module veth --module sch_netem --time-limit 1000 --script-limit 400 "$@" \
	-- $guests
