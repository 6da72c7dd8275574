// SPDX-License-Identifier: GPL-2.0
/*
 * port_mbedtls.c - the libc functions that mbedTLS needs, for the static helper
 *
 * calloc() ends the process if memory is short, because mbedTLS 2.28 does not check every
 * allocation and would use uninitialized bytes as a checksum. The process is the relay
 * of one connection; the others continue.
 */
#ifdef NOLIBC

#include "helper/port/port.h"

#include "helper/port/port_mbedtls.h"

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
