#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# mbedtls_build.sh OUT CC [FLAG...]: build OUT, an archive with the parts of mbedTLS that
# the static helper needs, and print where mbedTLS's headers are.
#
# What is in it says helper/port/mbedtls/tls_config.h; what it gets of a libc is in
# helper/port/mbedtls/ and port_mbedtls.h.

set -eu
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

[ $# -ge 2 ] || die "usage: mbedtls_build.sh OUT CC [FLAG...]"
top=$(dirname "$here")
out=$(readlink -f "$1") cc=$2
shift 2
source=$("$top/scripts/mbedtls_source.sh")

work_make
for name in ssl_tls ssl_srv ssl_msg ssl_ciphersuites bignum ecp ecp_curves ecdh chacha20 poly1305 \
	chachapoly cipher cipher_wrap md sha256 platform_util constant_time; do
	"$cc" "$@" -std=gnu11 -Os -w -ffreestanding -fno-stack-protector -fno-pie \
		-fno-asynchronous-unwind-tables -fno-ident -ffunction-sections -fdata-sections \
		-nostdinc -isystem "$("$cc" -print-file-name=include)" \
		-DMBEDTLS_CONFIG_FILE='"tls_config.h"' -I"$top/helper/port/mbedtls" -I"$top" \
		-I"$source/include" -c -o "$work/$name.o" "$source/library/$name.c"
done
rm -f "$out"
"${cc%gcc}ar" rcs "$out" "$work"/*.o
echo "$source/include"
