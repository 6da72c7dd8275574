// SPDX-License-Identifier: LGPL-2.1
/*
 * tracedat_bytes.c - read and write integers in the byte order of a file
 *
 * The functions use single bytes, so they work with any host byte order and any alignment of @p.
 * Compilers merge the bytes into one load or store.
 */
#include "lib/tracedat/tracedat.h"

static uint64_t get(bool big_endian, const void *p, unsigned int size)
{
	const unsigned char *bytes = p;
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < size; i++)
		v = v << 8 | bytes[big_endian ? i : size - 1 - i];
	return v;
}

static void put(bool big_endian, void *p, unsigned int size, uint64_t v)
{
	unsigned char *bytes = p;
	unsigned int i;

	for (i = 0; i < size; i++, v >>= 8)
		bytes[big_endian ? size - 1 - i : i] = v;
}

uint16_t tracedat_u16(bool big_endian, const void *p)
{
	return get(big_endian, p, 2);
}

uint32_t tracedat_u32(bool big_endian, const void *p)
{
	return get(big_endian, p, 4);
}

uint64_t tracedat_u64(bool big_endian, const void *p)
{
	return get(big_endian, p, 8);
}

void tracedat_put_u16(bool big_endian, void *p, uint16_t v)
{
	put(big_endian, p, 2, v);
}

void tracedat_put_u32(bool big_endian, void *p, uint32_t v)
{
	put(big_endian, p, 4, v);
}

void tracedat_put_u64(bool big_endian, void *p, uint64_t v)
{
	put(big_endian, p, 8, v);
}
