/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * hash.h - a seeded hash for untrusted names
 *
 * Task and file names come from programs on the target.  The seed is random for each table, so that
 * an attacker cannot prepare names that collide.  The hash mixes in eight bytes at a time with a
 * 64-bit multiplication, and ends with another one.
 */
#ifndef LIB_BASE_HASH_H
#define LIB_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

#include "lib/base/wide.h"

static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	struct hist_wide m = hist_wide_mul(a ^ 0x9e3779b97f4a7c15u, b | 1);

	return m.low ^ m.high;
}

/*
 * Hash two numbers with one multiplication.  A factor can be 0 only by chance, or if the seed is
 * known.
 */
static inline uint64_t hash_pair(uint64_t a, uint64_t b, uint64_t seed)
{
	struct hist_wide m = hist_wide_mul(a ^ seed, b ^ seed ^ 0x9e3779b97f4a7c15u);

	return m.low ^ m.high;
}

/* memcmp() == 0, without a function call for up to 16 bytes. */
static inline int hash_same_bytes(const char *a, const char *b, size_t len)
{
	uint64_t a1, a2, b1, b2;
	uint32_t c1, c2, d1, d2;

	if (len > 16)
		return !memcmp(a, b, len);
	if (len >= 8) {
		memcpy(&a1, a, 8);
		memcpy(&a2, a + len - 8, 8);
		memcpy(&b1, b, 8);
		memcpy(&b2, b + len - 8, 8);
		return !((a1 ^ b1) | (a2 ^ b2));
	}
	if (len >= 4) {
		memcpy(&c1, a, 4);
		memcpy(&c2, a + len - 4, 4);
		memcpy(&d1, b, 4);
		memcpy(&d2, b + len - 4, 4);
		return !((c1 ^ d1) | (c2 ^ d2));
	}
	return !len || (a[0] == b[0] && a[len / 2] == b[len / 2] && a[len - 1] == b[len - 1]);
}

/* The last 0 to 7 bytes as one number, without a loop; hash_bytes() hashes the length. */
static inline uint64_t hash_tail(const unsigned char *p, size_t len)
{
	uint32_t a, b;

	if (len >= 4) {
		memcpy(&a, p, 4);
		memcpy(&b, p + len - 4, 4);
		return (uint64_t)b << 32 | a;
	}
	return len ? p[0] | p[len / 2] << 8 | p[len - 1] << 16 : 0;
}

static inline uint64_t hash_bytes(uint64_t seed, const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t h = seed ^ len, w;

	while (len >= 8) {
		memcpy(&w, p, 8);
		h = hash_mix(h ^ w, seed);
		p += 8;
		len -= 8;
	}
	return hash_mix(h ^ hash_tail(p, len), seed + 0x2545f4914f6cdd1du);
}

/* The seed depends on the address @fallback if random bytes are not available (early boot). */
static inline uint64_t hash_seed(const void *fallback)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = hash_mix((uintptr_t)fallback, 0x853c49e6748fea9bu);
	return seed | 1;
}

#endif
