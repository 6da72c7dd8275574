/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tls_config.h - the parts of mbedTLS 2.28 in the static helper
 *
 * They are exactly what tls.c uses: the TLS 1.2 server with ECDHE-PSK, X25519,
 * ChaCha20-Poly1305 and SHA-256. All other code is left out to reduce the attack
 * surface.
 */
#ifndef HELPER_PORT_MBEDTLS_TLS_CONFIG_H
#define HELPER_PORT_MBEDTLS_TLS_CONFIG_H

#define MBEDTLS_HAVE_ASM

/* port_mbedtls.c allocates the memory. */
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_PLATFORM_NO_STD_FUNCTIONS
#define MBEDTLS_PLATFORM_CALLOC_MACRO port_mbedtls_calloc
#define MBEDTLS_PLATFORM_FREE_MACRO port_mbedtls_free

#define MBEDTLS_SSL_TLS_C
#define MBEDTLS_SSL_SRV_C
#define MBEDTLS_SSL_PROTO_TLS1_2
#define MBEDTLS_SSL_EXTENDED_MASTER_SECRET
#define MBEDTLS_SSL_ENCRYPT_THEN_MAC
/* Send an alert to a client with a different key. */
#define MBEDTLS_SSL_ALL_ALERT_MESSAGES
#define MBEDTLS_KEY_EXCHANGE_ECDHE_PSK_ENABLED

#define MBEDTLS_BIGNUM_C
#define MBEDTLS_ECP_C
#define MBEDTLS_ECP_DP_CURVE25519_ENABLED
#define MBEDTLS_ECP_NO_INTERNAL_RNG
#define MBEDTLS_ECDH_C
#define MBEDTLS_CHACHA20_C
#define MBEDTLS_POLY1305_C
#define MBEDTLS_CHACHAPOLY_C
#define MBEDTLS_CIPHER_C
#define MBEDTLS_MD_C
#define MBEDTLS_SHA256_C

#include "helper/port/port_mbedtls.h"

/* Refuses inconsistent options. */
#include "mbedtls/check_config.h"

#endif
