/* SPDX-License-Identifier: GPL-2.0 */
/* port_mbedtls.h - the libc functions that mbedTLS needs, for the static helper */
#ifndef HELPER_PORT_PORT_MBEDTLS_H
#define HELPER_PORT_PORT_MBEDTLS_H

#include <stddef.h>

/* Returns zeroed memory. Ends the process if memory is short. */
void *port_mbedtls_calloc(size_t n, size_t size);
void port_mbedtls_free(void *p);

/* Same semantics as in libc. */
int port_mbedtls_memcmp(const void *a, const void *b, size_t len);
int port_mbedtls_strcmp(const char *a, const char *b);

#endif
