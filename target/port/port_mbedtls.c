// SPDX-License-Identifier: GPL-2.0
/*
 * port_mbedtls.c - the libc functions that mbedTLS needs, for the static helper
 *
 * The process ends if memory is short. The reason is that mbedTLS 2.28 ignores some
 * failed allocations, and would then use uninitialized bytes as a checksum. Only the
 * relay of one connection ends.
 */
#ifdef NOLIBC

#include "target/port/port.h"

#include "target/port/port_mbedtls.h"

void *port_mbedtls_calloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		exit(1);
	return p;
}

void port_mbedtls_free(void *p)
{
	free(p);
}

/* In nolibc these are static functions of each file. */
int port_mbedtls_memcmp(const void *a, const void *b, size_t len)
{
	return memcmp(a, b, len);
}

int port_mbedtls_strcmp(const char *a, const char *b)
{
	return strcmp(a, b);
}

#endif
