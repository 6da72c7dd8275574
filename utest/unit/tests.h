/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tests.h - how a *_test.c registers its tests
 *
 * A file of tests ends with UNIT_TESTS().  Its constructor links a suite into a list before main()
 * starts.  The suite is named after its file: intervals_test.c is the module "intervals".
 */
#ifndef UTEST_UNIT_TESTS_H
#define UTEST_UNIT_TESTS_H

#include <CUnit/CUnit.h>

struct unit_suite {
	const char *file;	/* __FILE__, whose base name ends with "_test.c" */
	CU_InitializeFunc set_up;
	CU_CleanupFunc tear_down;
	CU_TestInfo *tests;	/* until CU_TEST_INFO_NULL */
	char name[64];		/* set by unit_suites_add() */
	struct unit_suite *next;
};

/* UNIT_TESTS({ "a sentence about what holds", test_function }, ...); */
#define UNIT_TESTS(...) UNIT_TESTS_WITH(NULL, NULL, __VA_ARGS__)

/* The same, with what CUnit calls before the first test and after the last one. */
#define UNIT_TESTS_WITH(set_up_, tear_down_, ...) \
	static struct unit_suite unit_suite_; \
	__attribute__((constructor)) static void unit_suite_register_(void) \
	{ \
		unit_suites_add(&unit_suites, &unit_suite_); \
	} \
	static struct unit_suite unit_suite_ = { \
		.file = __FILE__, .set_up = set_up_, .tear_down = tear_down_, \
		.tests = (CU_TestInfo[]){ __VA_ARGS__, CU_TEST_INFO_NULL }, \
	}

/* All registered suites, sorted by name. */
extern struct unit_suite *unit_suites;

/* Links @suite into @list, which stays sorted by name. */
void unit_suites_add(struct unit_suite **list, struct unit_suite *suite);

/* The first suite that has the name of the one after it; NULL if all names differ. */
const struct unit_suite *unit_suites_duplicate(const struct unit_suite *list);

#endif
