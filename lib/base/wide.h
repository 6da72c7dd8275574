/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * wide.h - 128-bit numbers, with the same results on every architecture
 *
 * Sums of 64-bit counts and products of two of them need 128 bits, and compilers for 32-bit
 * machines lack __int128.  Products and quotients use __int128 if the compiler has it.
 * The portable versions next to them are always compiled, so that unit tests can compare
 * both.
 *
 * A number is unsigned, or signed in two's complement: addition, subtraction and
 * hist_wide_scale() are the same for both.
 */
#ifndef LIB_BASE_WIDE_H
#define LIB_BASE_WIDE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct hist_wide {
	uint64_t high, low;
};

static inline struct hist_wide hist_wide(uint64_t low)
{
	return (struct hist_wide){ 0, low };
}

static inline struct hist_wide hist_wide_add(struct hist_wide a, struct hist_wide b)
{
	uint64_t low = a.low + b.low;

	return (struct hist_wide){ a.high + b.high + (low < a.low), low };
}

static inline struct hist_wide hist_wide_sub(struct hist_wide a, struct hist_wide b)
{
	return (struct hist_wide){ a.high - b.high - (a.low < b.low), a.low - b.low };
}

/* a < b, both unsigned */
static inline bool hist_wide_is_less(struct hist_wide a, struct hist_wide b)
{
	return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/* a * b in 32-bit halves */
static inline struct hist_wide hist_wide_mul_portable(uint64_t a, uint64_t b)
{
	uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32);
	uint64_t carried = a0 * b1 + (uint32_t)middle;

	return (struct hist_wide){ a1 * b1 + (middle >> 32) + (carried >> 32),
				   carried << 32 | (uint32_t)low };
}

/* n / d and n % d for d > 0, bit by bit for the lower half of the quotient */
static inline struct hist_wide hist_wide_div_portable(struct hist_wide n, uint64_t d,
						      uint64_t *rest)
{
	struct hist_wide q = { n.high / d, 0 };
	uint64_t r = n.high % d, top;
	int i;

	if (!r) {
		q.low = n.low / d;
		r = n.low % d;
	} else {
		for (i = 63; i >= 0; i--) {
			top = r >> 63;
			r = r << 1 | (n.low >> i & 1);
			if (top || r >= d) {
				r -= d;
				q.low |= UINT64_C(1) << i;
			}
		}
	}
	*rest = r;
	return q;
}

#ifdef __SIZEOF_INT128__
static inline struct hist_wide hist_wide_mul(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (struct hist_wide){ (uint64_t)(product >> 64), (uint64_t)product };
}

static inline struct hist_wide hist_wide_div(struct hist_wide n, uint64_t d, uint64_t *rest)
{
	unsigned __int128 whole = (unsigned __int128)n.high << 64 | n.low, q = whole / d;

	*rest = n.low - (uint64_t)q * d;
	return (struct hist_wide){ (uint64_t)(q >> 64), (uint64_t)q };
}
#else
#define hist_wide_mul hist_wide_mul_portable
#define hist_wide_div hist_wide_div_portable
#endif

/* a * b modulo 2^128 */
static inline struct hist_wide hist_wide_scale(struct hist_wide a, uint64_t b)
{
	struct hist_wide product = hist_wide_mul(a.low, b);

	product.high += a.high * b;
	return product;
}

/* The double that is nearest to n / d, for d > 0. */
static inline double hist_wide_real(struct hist_wide n, uint64_t d)
{
	int scale = 1;
	uint64_t q, rest, lost;

	if (!n.high) {
		if (!n.low)
			return 0;
		n = (struct hist_wide){ n.low, 0 };
		scale -= 64;
	}
	for (; !(n.high >> 63); scale--)
		n = hist_wide_add(n, n);
	for (; !(d >> 63); scale++)
		d <<= 1;
	/* the quotient has 63 or 64 bits; the last one is set if others were lost */
	lost = n.low & 1;
	n = (struct hist_wide){ n.high >> 1, n.high << 63 | n.low >> 1 };
	q = hist_wide_div(n, d, &rest).low;
	return ldexp((double)(q | (rest || lost)), scale);
}

/* (a * b + add) / d for d > 0; the largest number if it is larger */
static inline uint64_t hist_mul_div(uint64_t a, uint64_t b, uint64_t add, uint64_t d)
{
	uint64_t rest;
	struct hist_wide q = hist_wide_div(hist_wide_add(hist_wide_mul(a, b), hist_wide(add)), d,
					   &rest);

	return q.high ? UINT64_MAX : q.low;
}

#endif
