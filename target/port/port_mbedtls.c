// SPDX-License-Identifier: GPL-2.0
/*
 * port_mbedtls.c - what mbedTLS wants of a libc, in the static helper
 *
 * Where memory is short, the process ends: mbedTLS 2.28 goes on after some failed
 * allocations, and would take bytes that were never written for a checksum.  It is
 * the relay of one connection that ends, nothing else.
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

/* In nolibc they are static functions of each file. */
int port_mbedtls_memcmp(const void *a, const void *b, size_t len)
{
	return memcmp(a, b, len);
}

int port_mbedtls_strcmp(const char *a, const char *b)
{
	return strcmp(a, b);
}

#endif
