#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# target_helper.sh ARCH DIR [tls]: build DIR/trace-cmd-hist-target, static, for one machine;
# with tls one that also listens on a TCP port, with mbedTLS in it.
#
# ARCH: armv5, armv7, arm64, mips, mipsel, riscv64 or x86_64. The sources in helper/ with the
# kernel's nolibc and without any other libc; the compiler is Debian's (deps.sh cross).

set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

case $#${3-} in 2 | 3tls) ;; *) die "usage: target_helper.sh ARCH DIR [tls]" ;; esac
top=$(dirname "$here")
flags=()
case $1 in
armv5) prefix=arm-linux-gnueabi- flags=(-march=armv5te -marm) ;;
armv7) prefix=arm-linux-gnueabihf- flags=(-march=armv7-a+fp) ;;
arm64) prefix=aarch64-linux-gnu- ;;
mips) prefix=mips-linux-gnu- ;;
mipsel) prefix=mipsel-linux-gnu- ;;
riscv64) prefix=riscv64-linux-gnu- ;;
x86_64) prefix=x86_64-linux-gnu- ;;
*) die "$1: no such machine: use armv5, armv7, arm64, mips, mipsel, riscv64 or x86_64" ;;
esac
group=cross-$1
# The compiler of the machine that we build on, as everything else here is for it.
[ "$1" != x86_64 ] || group=build
"$top/scripts/deps.sh" "$group"
nolibc=$("$top/scripts/kernel_source.sh" 6.12)/tools/include/nolibc
version=$("$top/scripts/version.sh")

sources=("$top/helper/port/port_nolibc.c")
for name in $(make -s --no-print-directory -C "$top/helper" sources); do
	sources+=("$top/helper/$name")
done
mkdir -p "$2"
out=$2/trace-cmd-hist-target
tls=()
if [ "${3-}" = tls ]; then
	"$top/scripts/deps.sh" helper-tls
	headers=$("$top/scripts/mbedtls_build.sh" "$out.a" "${prefix}gcc" "${flags[@]}")
	tls=(-DTARGET_TLS -DMBEDTLS_CONFIG_FILE='"helper/port/mbedtls/tls_config.h"'
		-isystem "$headers")
	for name in wire/{key,net_address} tcp/{tls,relay,listener} port/port_mbedtls; do
		tls+=("$top/helper/$name.c")
	done
	tls+=("$out.a")
fi
# The headers of nolibc come before those of any libc.  With the built-in of that name,
# the compiler would make the body of calloc() a call of calloc().
"${prefix}gcc" "${flags[@]}" -std=gnu11 -Os -Wall -Wextra -Werror \
	-fno-builtin-malloc -fno-builtin-calloc -fno-asynchronous-unwind-tables -fno-ident \
	-fno-stack-protector -fno-pie -ffunction-sections -fdata-sections \
	-I"$top" -DNOLIBC= -DVERSION="\"$version\"" -isystem "$nolibc" \
	-static -no-pie -nostdlib -s -Wl,--gc-sections -Wl,--build-id=none \
	-o "$out.part" "${sources[@]}" "${tls[@]}" -lgcc
rm -f "$out.a"
mv "$out.part" "$out"
echo "$out: $(stat -c %s "$out") bytes"
