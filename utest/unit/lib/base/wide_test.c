// SPDX-License-Identifier: GPL-2.0
/*
 * wide_test.c - 128-bit numbers: known results, and the portable versions against __int128
 */
#include <CUnit/Basic.h>

#include "lib/base/wide.h"
#include "utest/unit/tests.h"

/* a * b and the quotient of that product plus @add by @d, computed with Python. */
static const struct {
	uint64_t a, b, high, low, add, d, quotient;
} known[] = {
	{ 0, UINT64_MAX, 0, 0, 0, 1, 0 },
	{ 0xffffffff, 0xffffffff, 0, 0xfffffffe00000001, 0, 3, 0x55555554aaaaaaab },
	{ UINT64_MAX, UINT64_MAX, UINT64_MAX - 1, 1, 0, UINT64_MAX, UINT64_MAX },
	{ UINT64_MAX, UINT64_MAX, UINT64_MAX - 1, 1, UINT64_MAX, UINT64_MAX, UINT64_MAX },
	{ 0x123456789abcdef0, 0xfedcba9876543210, 0x121fa00ad77d7422, 0x236d88fe5618cf00,
	  0x8000000000000000, 0x123456789abcdef1, 0xfedcba9876543209 },
	{ 1ull << 63, 2, 1, 0, 0, 3, 0x5555555555555555 },
	{ 1ull << 63, 2, 1, 0, 2, 3, 0x5555555555555556 },
};

static void test_known(void)
{
	struct hist_wide product;
	unsigned int i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		product = hist_wide_mul(known[i].a, known[i].b);
		CU_ASSERT(product.high == known[i].high && product.low == known[i].low);
		product = hist_wide_mul_portable(known[i].b, known[i].a);
		CU_ASSERT(product.high == known[i].high && product.low == known[i].low);
		CU_ASSERT_EQUAL(hist_mul_div(known[i].a, known[i].b, known[i].add, known[i].d),
				known[i].quotient);
	}
	/* larger than 64 bits */
	CU_ASSERT_EQUAL(hist_mul_div(UINT64_MAX, 2, 0, 1), UINT64_MAX);
	CU_ASSERT_EQUAL(hist_mul_div(UINT64_MAX, 2, 1, 2), UINT64_MAX);
}

static void test_carries(void)
{
	struct hist_wide a = { 1, UINT64_MAX }, b = { 2, 1 }, sum = hist_wide_add(a, b);
	struct hist_wide minus = hist_wide_sub(hist_wide(0), hist_wide(5)), product;

	CU_ASSERT(sum.high == 4 && sum.low == 0);
	sum = hist_wide_sub(sum, b);
	CU_ASSERT(sum.high == 1 && sum.low == UINT64_MAX);
	CU_ASSERT(minus.high == UINT64_MAX && minus.low == (uint64_t)-5);
	/* -5 * 2^62 */
	product = hist_wide_scale(minus, 1ull << 62);
	CU_ASSERT(product.high == (uint64_t)-2 && product.low == 3ull << 62);
	CU_ASSERT(hist_wide_is_less(a, b) && !hist_wide_is_less(b, a) && !hist_wide_is_less(a, a));
	CU_ASSERT(hist_wide_is_less(hist_wide(1), hist_wide(2)));
}

/* The nearest double, ties to even, in one rounding: Python's int / int. */
static const struct {
	struct hist_wide n;
	uint64_t d;
	double quotient;
} reals[] = {
	{ { 0, 0 }, 7, 0 },
	{ { 0, 1 }, 3, 0x1.5555555555555p-2 },
	{ { 0, 2 }, 3, 0x1.5555555555555p-1 },
	{ { 0, (1ull << 53) + 1 }, 1, 0x1p53 },
	{ { 0, (1ull << 53) + 3 }, 1, 0x1.0000000000002p53 },
	{ { 0, (1ull << 54) + 3 }, 2, 0x1.0000000000001p53 },
	{ { 0, UINT64_MAX }, 1, 0x1p64 },
	{ { UINT64_MAX, UINT64_MAX }, 1, 0x1p128 },
	{ { UINT64_MAX, UINT64_MAX }, UINT64_MAX, 0x1p64 },
	{ { 1ull << 62, 0 }, 3, 0x1.5555555555555p124 },
	{ { 0, 1 }, UINT64_MAX, 0x1p-64 },
	/* just above a tie: two roundings, first to 64 bits, would lose the last 1 */
	{ { 1ull << 52, (1ull << 63) + 1 }, 1, 0x1.0000000000001p116 },
	{ { 1ull << 52, 1ull << 63 }, 1, 0x1p116 },
	/* the same with a remainder for the last 1 */
	{ { (3ull << 52) + 1, (1ull << 63) + 1 }, 3, 0x1.0000000000001p116 },
};

static void test_reals(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(reals) / sizeof(*reals); i++)
		CU_ASSERT_EQUAL(hist_wide_real(reals[i].n, reals[i].d), reals[i].quotient);
}

/* A number of a random length; its ends are as likely as its middle. */
static uint64_t any(uint64_t *state)
{
	uint64_t n;

	*state = *state * 6364136223846793005u + 1442695040888963407u;
	n = *state ^ *state >> 29;
	n >>= (*state >> 40) % 64;
	return (*state >> 50) % 8 ? n : -n;
}

/* q * d + rest is the dividend, and rest < d. */
static void expect_quotient(struct hist_wide n, uint64_t d, struct hist_wide q, uint64_t rest)
{
	struct hist_wide back = hist_wide_add(hist_wide_scale(q, d), hist_wide(rest));

	if (rest >= d || back.high != n.high || back.low != n.low || q.high != n.high / d)
		CU_FAIL("a wrong quotient");
}

static void test_portable(void)
{
	struct hist_wide n, a, b;
	uint64_t state = 1, x, y, rest;
	unsigned int i;

	for (i = 0; i < 100000; i++) {
		x = any(&state);
		y = any(&state);
		n = (struct hist_wide){ any(&state), x };
		a = hist_wide_mul(x, y);
		b = hist_wide_mul_portable(x, y);
		if (a.high != b.high || a.low != b.low)
			CU_FAIL("a wrong product");
		if (!y)
			continue;
		b = hist_wide_div_portable(n, y, &rest);
		expect_quotient(n, y, b, rest);
		a = hist_wide_div(n, y, &rest);
		expect_quotient(n, y, a, rest);
#ifdef __SIZEOF_INT128__
		unsigned __int128 q = ((unsigned __int128)n.high << 64 | n.low) / y;

		if (b.high != (uint64_t)(q >> 64) || b.low != (uint64_t)q)
			CU_FAIL("not the quotient of __int128");
#endif
	}
}

UNIT_TESTS(
	{ "128-bit products and their quotients are those that Python computes", test_known },
	{ "128-bit numbers carry, borrow and compare across 64 bits, and scale with a sign",
	  test_carries },
	{ "a 128-bit quotient is rounded once, to the nearest double", test_reals },
	{ "the portable 128-bit product and quotient agree with those of the compiler",
	  test_portable });
