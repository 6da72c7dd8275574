// SPDX-License-Identifier: GPL-2.0
/*
 * tests_test.c - the list of suites, which this file is in too
 */
#include "utest/unit/tests.h"

static void test_sorted(void)
{
	struct unit_suite b = { .file = "/source/utest/unit/lib/b_test.c" };
	struct unit_suite a = { .file = "a_b_test.c" }, c = { .file = "unit/c_test.c" };
	struct unit_suite *list = NULL;

	unit_suites_add(&list, &b);
	unit_suites_add(&list, &c);
	unit_suites_add(&list, &a);
	CU_ASSERT_STRING_EQUAL(a.name, "a_b");
	CU_ASSERT_STRING_EQUAL(b.name, "b");
	CU_ASSERT_PTR_EQUAL(list, &a);
	CU_ASSERT_PTR_EQUAL(a.next, &b);
	CU_ASSERT_PTR_EQUAL(b.next, &c);
	CU_ASSERT_PTR_NULL(c.next);
	CU_ASSERT_PTR_NULL(unit_suites_duplicate(list));
}

static void test_duplicate(void)
{
	struct unit_suite first = { .file = "utest/unit/lib/same_test.c" };
	struct unit_suite second = { .file = "utest/unit/helper/same_test.c" };
	struct unit_suite other = { .file = "other_test.c" }, *list = NULL;
	const struct unit_suite *found;

	unit_suites_add(&list, &first);
	unit_suites_add(&list, &other);
	unit_suites_add(&list, &second);
	found = unit_suites_duplicate(list);
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	CU_ASSERT_STRING_EQUAL(found->name, "same");
	CU_ASSERT_STRING_NOT_EQUAL(found->file, found->next->file);
}

static void test_registered(void)
{
	const struct unit_suite *suite = unit_suites;

	while (suite && strcmp(suite->name, "tests"))
		suite = suite->next;
	CU_ASSERT_PTR_NOT_NULL_FATAL(suite);
	CU_ASSERT_PTR_EQUAL(suite->tests[0].pTestFunc, test_sorted);
}

UNIT_TESTS(
	{ "suites are sorted by the name of their file", test_sorted },
	{ "two files with one base name are found", test_duplicate },
	{ "a file of tests registers itself", test_registered });
