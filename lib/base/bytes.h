/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * bytes.h - integers in the byte order of a file, at any address; and eight bytes at a time
 */
#ifndef LIB_BASE_BYTES_H
#define LIB_BASE_BYTES_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t bytes_u16(bool big_endian, const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return big_endian ? be16toh(v) : le16toh(v);
}

static inline uint32_t bytes_u32(bool big_endian, const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return big_endian ? be32toh(v) : le32toh(v);
}

static inline uint64_t bytes_u64(bool big_endian, const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return big_endian ? be64toh(v) : le64toh(v);
}

static inline void bytes_put_u16(bool big_endian, void *p, uint16_t v)
{
	v = big_endian ? htobe16(v) : htole16(v);
	memcpy(p, &v, sizeof(v));
}

static inline void bytes_put_u32(bool big_endian, void *p, uint32_t v)
{
	v = big_endian ? htobe32(v) : htole32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void bytes_put_u64(bool big_endian, void *p, uint64_t v)
{
	v = big_endian ? htobe64(v) : htole64(v);
	memcpy(p, &v, sizeof(v));
}

/* The byte @b in each byte of a word, and the highest bit of each byte. */
#define BYTES_EACH(b) (UINT64_C(0x0101010101010101) * (b))
#define BYTES_TOPS BYTES_EACH(0x80)

/*
 * bytes_find_below - 0 if no byte of @word is below @b, which is 1 to 0x80
 * Otherwise the lowest bit that is set is in the lowest such byte; higher bytes may be wrong.
 */
static inline uint64_t bytes_find_below(uint64_t word, unsigned int b)
{
	return (word - BYTES_EACH(b)) & ~word & BYTES_TOPS;
}

#endif
