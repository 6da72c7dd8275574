/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * bytes.h - integers in the byte order of a file, at any address
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

#endif
