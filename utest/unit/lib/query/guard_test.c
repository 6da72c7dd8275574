// SPDX-License-Identifier: GPL-2.0
/*
 * guard_test.c - the condition that leaves latencies which cannot be out of a histogram
 */
#include <stdio.h>
#include <stdlib.h>

#include <CUnit/CUnit.h>

#include "lib/query/guard.h"
#include "lib/query/latency_guard.h"
#include "utest/unit/tests.h"

static void expect_removed(const char *trigger, const char *wanted)
{
	char *got = guard_remove(trigger);

	CU_ASSERT_PTR_NOT_NULL_FATAL(got);
	CU_ASSERT_STRING_EQUAL(got, wanted);
	free(got);
}

/* What the guard adds to a filter or a trigger is removed from the trigger again. */
static void test_add_and_remove(void)
{
	static const char *const filters[] = { "id == 1", "(a || b == \") && lat_ns < 9\")", "lat_us < 9" };
	struct query query = { 0 };
	char trigger[256], wanted[256];
	const char *filter = NULL, *raw;
	unsigned int i;

	CU_ASSERT_EQUAL(latency_guard_add(&query, &filter, "lat_us", false), 0);
	snprintf(trigger, sizeof(trigger), "hist:keys=a if %s", filter);
	expect_removed(trigger, "hist:keys=a");
	for (i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
		filter = filters[i];
		CU_ASSERT_EQUAL(latency_guard_add(&query, &filter, "lat_ns", true), 0);
		snprintf(trigger, sizeof(trigger), "hist:keys=a if %s", filter);
		snprintf(wanted, sizeof(wanted), "hist:keys=a if %s", filters[i]);
		expect_removed(trigger, wanted);
		raw = wanted;
		CU_ASSERT_EQUAL(latency_guard_add_raw(&query, &raw, "lat_us", false), 0);
		CU_ASSERT_STRING_NOT_EQUAL(raw, wanted);
		expect_removed(raw, wanted);
	}
	query_clear(&query);
}

/* A condition of the user stays. */
static void test_others(void)
{
	expect_removed("hist:keys=a", "hist:keys=a");
	expect_removed("hist:keys=a if lat_ns < 9007199254740991", "hist:keys=a if lat_ns < 9007199254740991");
	expect_removed("hist:keys=a if b == 1 && lat_us < 9007199254741",
		       "hist:keys=a if b == 1 && lat_us < 9007199254741");
}

UNIT_TESTS(
	{ "a guard that was added is removed, and the filter of the user is left", test_add_and_remove },
	{ "other conditions are not a guard", test_others });
