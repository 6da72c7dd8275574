// SPDX-License-Identifier: GPL-2.0
/*
 * key_kind_test.c - the table of kinds against models that count one number at a time
 */
#include <inttypes.h>
#include <stdio.h>

#include <CUnit/Basic.h>

#include "lib/base/strbuf.h"
#include "lib/expr/expr.h"
#include "lib/hist/key_kind.h"
#include "utest/unit/tests.h"

/* The bucket of @n with .log2=@k: begin with 0 and 1, and add one bucket after the other. */
static void fine_model(uint64_t k, uint64_t n, uint64_t *ge, uint64_t *le)
{
	uint64_t power, parts, width;

	if (n < 2)
		return;
	for (power = 1; power < UINT64_C(1) << 63 && power * 2 < n;)
		power *= 2;
	for (parts = 1; parts < power && k; k--)
		parts *= 2;
	width = power / parts;
	for (*le = power + width; *le < n && *le; *le += width)
		;
	*ge = *le - width + 1;
	if (!*le)
		*le = UINT64_MAX;
}

/* The bounds of the bucket of @n, as the man page of the file says them. */
static void model(const struct hist_key_desc *key, uint64_t n, uint64_t *ge, uint64_t *le)
{
	*ge = *le = n;
	if (hist_key_traits(key)->range && !hist_key_is_linear(key) && key->is_signed &&
	    n > (uint64_t)INT64_MIN) {
		*ge = (uint64_t)INT64_MIN + 1;
		*le = UINT64_MAX;
	} else if (key->kind == HIST_KEY_LOG2) {
		*ge = 0;
		for (*le = 1; *le < n && *le <= UINT64_MAX / 2; *le *= 2)
			*ge = *le + 1;
		if (*le < n) {
			*ge = *le + 1;
			*le = UINT64_MAX;
		}
	} else if (key->kind == HIST_KEY_FINE_LOG2) {
		fine_model(key->bucket, n, ge, le);
	} else if (key->kind == HIST_KEY_BUCKETS) {
		*ge = n / key->bucket * key->bucket;
		*le = *ge > UINT64_MAX - (key->bucket - 1) ? UINT64_MAX : *ge + key->bucket - 1;
	}
}

static void check_bucket(const struct hist_key_desc *key, uint64_t n)
{
	const struct hist_range_ops *range = hist_key_traits(key)->range;
	uint64_t num = range ? range->find(key, n) : n, ge, le;
	struct hist_bounds bounds;

	model(key, n, &ge, &le);
	hist_key_bounds(key, num, &bounds);
	if (bounds.ge != ge || bounds.le != le)
		printf("kind %d, %" PRIu64 ": bounds %" PRIu64 "-%" PRIu64 "\n", key->kind, n,
		       bounds.ge, bounds.le);
	CU_ASSERT_EQUAL(bounds.ge, ge);
	CU_ASSERT_EQUAL(bounds.le, le);
	CU_ASSERT(bounds.ge <= n && n <= bounds.le);
	CU_ASSERT_EQUAL(bounds.is_signed, key->is_signed && (ge > INT64_MAX || le <= INT64_MAX));
	if (range)
		CU_ASSERT_EQUAL(range->round(key, num), num);
}

static void test_buckets(void)
{
	static const struct hist_key_desc keys[] = {
		{ .kind = HIST_KEY_LOG2 }, { .kind = HIST_KEY_LOG2, .is_signed = true },
		{ .kind = HIST_KEY_BUCKETS, .bucket = 1 }, { .kind = HIST_KEY_BUCKETS, .bucket = 7 },
		{ .kind = HIST_KEY_BUCKETS, .bucket = 100, .is_signed = true },
		{ .kind = HIST_KEY_NUM }, { .kind = HIST_KEY_USECS },
		{ .kind = HIST_KEY_FINE_LOG2, .bucket = 1 },
		{ .kind = HIST_KEY_FINE_LOG2, .bucket = 2, .is_signed = true },
		{ .kind = HIST_KEY_FINE_LOG2, .bucket = 3 },
		{ .kind = HIST_KEY_FINE_LOG2, .bucket = 4 },
		{ .kind = HIST_KEY_FINE_LOG2, .bucket = 5, .is_signed = true },
	};
	unsigned int k, power;
	uint64_t n;
	int near;

	for (k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
		for (n = 0; n < 300; n++) {
			check_bucket(&keys[k], n);
			check_bucket(&keys[k], -n);
		}
		for (power = 0; power < 64; power++)
			for (near = -2; near <= 2; near++)
				check_bucket(&keys[k], (UINT64_C(1) << power) + near);
	}
}

/*
 * The buckets of .log2=K are numbered without a gap, cover all numbers, and each ends at or before
 * the end of its bucket of .log2.
 */
static void test_fine_union(void)
{
	static const struct hist_key_desc log2 = { .kind = HIST_KEY_LOG2 };
	struct hist_key_desc key = { .kind = HIST_KEY_FINE_LOG2 };
	const struct hist_range_ops *range = hist_key_traits(&key)->range;
	struct hist_bounds bounds, whole;
	uint64_t num, next, in_power, last;

	for (key.bucket = 1; key.bucket <= HIST_LOG2_BITS_MAX; key.bucket++) {
		last = range->round(&key, UINT64_MAX);
		next = in_power = 0;
		for (num = 0; num <= last; num++) {
			range->bounds(&key, num, &bounds);
			CU_ASSERT_EQUAL(bounds.ge, next);
			CU_ASSERT_EQUAL(range->find(&key, bounds.ge), num);
			CU_ASSERT_EQUAL(range->find(&key, bounds.le), num);
			hist_key_bounds(&log2, hist_key_kinds[HIST_KEY_LOG2].range->find(&log2,
											 bounds.ge), &whole);
			CU_ASSERT(whole.ge <= bounds.ge && bounds.le <= whole.le);
			in_power++;
			if (bounds.le == whole.le) {
				CU_ASSERT_EQUAL(in_power, whole.le - whole.ge < UINT64_C(1) << key.bucket ?
						whole.le - whole.ge + 1 : UINT64_C(1) << key.bucket);
				in_power = 0;
			}
			next = bounds.le + 1;
		}
		CU_ASSERT_EQUAL(next, 0);
		CU_ASSERT_EQUAL(bounds.le, UINT64_MAX);
		CU_ASSERT_EQUAL(range->round(&key, last + 1), last);
	}
}

/* What no kernel writes, and what it writes for numbers below zero. */
static void test_odd_cells(void)
{
	static const struct hist_key_desc log2 = { .kind = HIST_KEY_LOG2 };
	static const struct hist_key_desc below = { .kind = HIST_KEY_LOG2, .is_signed = true,
						    .bucket = 32 };
	static const struct hist_key_desc tens = { .kind = HIST_KEY_BUCKETS, .bucket = 10,
						   .is_signed = true };

	CU_ASSERT_EQUAL(hist_key_kinds[HIST_KEY_LOG2].range->round(&log2, 65), 64);
	CU_ASSERT_EQUAL(hist_key_kinds[HIST_KEY_LOG2].range->round(&log2, HIST_LOG2_NEGATIVE), 64);
	CU_ASSERT_EQUAL(hist_key_kinds[HIST_KEY_BUCKETS].range->round(&tens, 27), 20);
	CU_ASSERT_EQUAL(hist_key_from_kernel(&log2, 64), 64);
	CU_ASSERT_EQUAL(hist_key_from_kernel(&below, 31), 31);
	CU_ASSERT_EQUAL(hist_key_from_kernel(&below, 32), HIST_LOG2_NEGATIVE);
	CU_ASSERT_EQUAL(hist_key_from_kernel(&tens, 40), 40);
	CU_ASSERT_EQUAL(hist_key_step(&tens), 10);
	CU_ASSERT_EQUAL(hist_key_step(&below), 1);
}

/* Each row is whole: a range has buckets, a name has a column, a modifier finds its kind. */
static void test_rows(void)
{
	const struct hist_key_traits *t;
	enum hist_key_kind kind;

	for (kind = HIST_KEY_NUM; kind < HIST_KEY_KINDS; kind++) {
		t = &hist_key_kinds[kind];
		CU_ASSERT_PTR_NOT_NULL_FATAL(t->modifier);
		/* a modifier alone is .log2 */
		CU_ASSERT_EQUAL(hist_key_find(t->modifier),
				kind == HIST_KEY_FINE_LOG2 ? HIST_KEY_LOG2 :
				*t->modifier ? kind : HIST_KEY_KINDS);
		CU_ASSERT_EQUAL(t->range != NULL, t->form == HIST_FORM_RANGE);
		CU_ASSERT_EQUAL(t->range != NULL, t->axis == HIST_AXIS_RANGE);
		CU_ASSERT_EQUAL(t->column != 0, t->form == HIST_FORM_STRING ||
				t->form == HIST_FORM_SYMBOL || t->form == HIST_FORM_TASK ||
				t->form == HIST_FORM_SYSCALL);
		if (t->range)
			CU_ASSERT(t->range->prefix && t->range->bounds && t->range->round &&
				  t->range->find && t->range->label);
	}
	CU_ASSERT_EQUAL(hist_key_find("percent"), HIST_KEY_KINDS);
}

UNIT_TESTS(
	{ "each number falls into the bucket that a second model computes", test_buckets },
	{ "the buckets of .log2=K divide the buckets of .log2 without gaps", test_fine_union },
	{ "a number that no kernel writes is rounded down to a bucket that exists",
	  test_odd_cells },
	{ "the table of key kinds contains a complete row for each kind", test_rows });
