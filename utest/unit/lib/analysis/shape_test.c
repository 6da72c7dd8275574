// SPDX-License-Identifier: GPL-2.0
/*
 * shape_test.c - distributions as a few amounts over a range
 */
#include <math.h>

#include <CUnit/Basic.h>

#include "lib/analysis/axis.h"
#include "utest/unit/tests.h"

#define PLACES HIST_SHAPE_PLACES

static const struct hist_key_desc linear = { .kind = HIST_KEY_BUCKETS, .bucket = 10 },
	power = { .kind = HIST_KEY_LOG2 };

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

static double sum_of(const struct hist_shape *shape)
{
	double sum = 0;
	int i;

	for (i = 0; i < PLACES; i++)
		sum += shape->amounts[i];
	return sum;
}

/* 0 to 119 in twelve places of ten numbers each. */
static void test_linear(void)
{
	struct hist_bucket buckets[] = { { 0, 9, 5 }, { 30, 39, 100 }, { 110, 119, 1 } };
	struct hist_bucket wide[] = { { 20, 39, 8 } };
	struct hist_distribution d = { .n = 3, .buckets = buckets }, w = { .n = 1, .buckets = wide };
	struct hist_shape_range range = { 0 };
	struct hist_shape shape;

	hist_shape_widen(&range, &w);
	CU_ASSERT(range.any && range.low == 20 && range.high == 39);
	hist_shape_widen(&range, &d);
	CU_ASSERT(range.low == 0 && range.high == 119);
	hist_shape_make(&shape, &range, &linear, &d);
	CU_ASSERT(near(shape.amounts[0], 5) && near(shape.amounts[3], 100) &&
		  near(shape.amounts[11], 1) && near(sum_of(&shape), 106));
	CU_ASSERT_EQUAL(hist_shape_level(&shape, 3, 8), 8);
	CU_ASSERT_EQUAL(hist_shape_level(&shape, 0, 8), 1);
	CU_ASSERT_EQUAL(hist_shape_level(&shape, 11, 8), 1);
	CU_ASSERT_EQUAL(hist_shape_level(&shape, 1, 8), 0);
	hist_shape_make(&shape, &range, &linear, &w);
	CU_ASSERT(near(shape.amounts[2], 4) && near(shape.amounts[3], 4));
}

/* log2(1 + x) from 0 to 12: a place is an octave. */
static void test_power(void)
{
	struct hist_bucket buckets[] = { { 0, 0, 1 }, { 3, 4, 6 }, { 2048, 4094, 3 } };
	struct hist_distribution d = { .n = 3, .buckets = buckets };
	struct hist_shape_range range = { 0 };
	struct hist_shape shape;

	hist_shape_widen(&range, &d);
	hist_shape_make(&shape, &range, &power, &d);
	CU_ASSERT(near(shape.amounts[0], 1));
	/* 3 and 4 take the space from log2(4) to log2(6) */
	CU_ASSERT(near(shape.amounts[2], 6));
	CU_ASSERT(near(shape.amounts[11], 3));
	CU_ASSERT(near(sum_of(&shape), 10));
}

static void test_signed(void)
{
	struct hist_bucket buckets[] = { { (uint64_t)-60, (uint64_t)-51, 2 }, { 50, 59, 4 } };
	struct hist_bucket one[] = { { 7, 7, 9 } };
	struct hist_distribution d = { .is_signed = true, .n = 2, .buckets = buckets };
	struct hist_distribution same = { .n = 1, .buckets = one }, none = { 0 };
	struct hist_shape_range range = { 0 };
	struct hist_shape shape;

	hist_shape_widen(&range, &d);
	CU_ASSERT(range.is_signed && range.low == (uint64_t)-60 && range.high == 59);
	hist_shape_make(&shape, &range, &linear, &d);
	CU_ASSERT(near(shape.amounts[0], 2) && near(shape.amounts[11], 4));
	/* below zero there is no logarithm */
	hist_shape_make(&shape, &range, &power, &d);
	CU_ASSERT(near(shape.amounts[0], 2) && near(sum_of(&shape), 6));

	range = (struct hist_shape_range){ 0 };
	hist_shape_widen(&range, &none);
	CU_ASSERT_FALSE(range.any);
	hist_shape_widen(&range, &same);
	hist_shape_make(&shape, &range, &power, &same);
	CU_ASSERT(near(sum_of(&shape), 9));
	hist_shape_make(&shape, &range, &power, &none);
	CU_ASSERT_EQUAL(hist_shape_level(&shape, 0, 8), 0);
}

/* The whole range of 64 bits. */
static void test_extremes(void)
{
	struct hist_bucket buckets[] = { { 0, 0, 1 }, { 0x8000000000000001, UINT64_MAX, 1 } };
	struct hist_distribution d = { .n = 2, .buckets = buckets };
	struct hist_shape_range range = { 0 };
	struct hist_shape shape;

	hist_shape_widen(&range, &d);
	hist_shape_make(&shape, &range, &power, &d);
	CU_ASSERT(near(shape.amounts[0], 1) && near(shape.amounts[11], 1));
	hist_shape_make(&shape, &range, &linear, &d);
	CU_ASSERT(near(shape.amounts[0], 1) && near(sum_of(&shape), 2));
}

UNIT_TESTS({ "places of .buckets have equal numbers", test_linear },
	   { "places of .log2 have equal ratios", test_power },
	   { "a shape of signed and of equal numbers is whole", test_signed },
	   { "a shape of all numbers of 64 bits is whole", test_extremes });
