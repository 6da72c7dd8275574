#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tls_helper.sh BIN [ARCH...]: build the static helper with TLS for each machine, and see who
# gets in at it.  TAP.  BIN has the host's program.
#
# User-mode emulation runs it. One of them, big-endian and with 32 bits, gets all of tls.sh.

set -u
export LC_ALL=C.UTF-8
# shellcheck source-path=SCRIPTDIR source=../scripts/tap.sh
. "$(dirname "$(readlink -f "$0")")/../scripts/tap.sh"

[ $# -ge 1 ] || die "usage: tls_helper.sh BIN [ARCH...]"
bin=$(readlink -f "$1")
hist=$bin/trace-cmd-hist
shift
# without CHECK_LONG=1 the one that gets all of tls.sh
if [ $# = 0 ]; then
	set -- mips
	[ -z "${CHECK_LONG-}" ] || set -- armv5 armv7 arm64 mips mipsel riscv64 x86_64
fi
most=mips
work=$(mktemp -d)
listener=
trap '[ -z "$listener" ] || kill "$listener" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 2
emulator()
{
	case $1 in
	armv5 | armv7) echo qemu-arm-static ;;
	arm64) echo qemu-aarch64-static ;;
	mips) echo qemu-mips-static ;;
	mipsel) echo qemu-mipsel-static ;;
	riscv64) echo qemu-riscv64-static ;;
	esac
}
host() { printf '#trace-cmd-hist 1 1\n\n' | "$hist" connect --key "$1" "127.0.0.1:$port" 2>&1; }

"$here/../../scripts/deps.sh" cross || exit 2
# What they say of downloads, on a new machine, is not a warning of a compiler.
"$here/../../scripts/kernel_source.sh" 6.12 >/dev/null && "$here/../../scripts/mbedtls_source.sh" >/dev/null || exit 2
"$hist" listen --new-key key >/dev/null
"$hist" listen --new-key other >/dev/null
for arch; do
	"$here/../../scripts/target_helper.sh" "$arch" "$work/$arch" tls >built 2>&1
	is "$arch: the target helper with TLS builds without a warning" \
		"$? $(grep -v ' bytes$' built)" "0 "
	program=("$work/$arch/trace-cmd-hist-target")
	is "$arch: the target helper with TLS has at most 1 MB" \
		"$(($(stat -c %s "${program[0]}") <= 1000000))" 1
	is "$arch: the target helper with TLS is static" \
		"$(readelf -l "${program[0]}" | grep -c -e INTERP -e DYNAMIC)" 0
	# shellcheck disable=SC2046 # none, or a word
	set -- $(emulator "$arch")
	program=("$@" "${program[@]}")
	coproc LISTEN { exec "${program[@]}" -p 0 --key key; }
	listener=$LISTEN_PID
	read -r -t 20 line <&"${LISTEN[0]}"
	port=${line##*:}
	like "$arch: a host with the key gets in" "$(host key)" '^trace-cmd-hist:'
	like "$arch: a host with another key is refused" "$(host other)" 'the keys differ'
	"${program[@]}" --new-key "$arch.key"
	is "$arch: the target helper makes keys" "$(stat -c '%a %s' "$arch.key")" "600 65"
	kill "$listener"
	wait "$listener"
	is "$arch: SIGTERM ends the target helper with status 0" $? 0
	listener=
	if [ "$arch" = $most ]; then
		"$here/tls.sh" "$bin" "${program[@]}" >all
		is "$arch: the target helper passes all tests of tls.sh" \
			"$? $(grep '^not ok' all)" "0 "
	fi
done
done_testing
