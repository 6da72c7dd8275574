// SPDX-License-Identifier: GPL-2.0
/*
 * main.c - run the unit tests
 *
 *	unit-tests [MODULE...]
 *	unit-tests -l
 *
 * Without a name all of them run, sorted by name; -l lists the names.  The exit status is 0 only if
 * every assertion held.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/tests.h"

static const struct unit_suite *find(const char *name)
{
	const struct unit_suite *suite = unit_suites;

	while (suite && strcmp(suite->name, name))
		suite = suite->next;
	return suite;
}

static bool add(const struct unit_suite *suite)
{
	CU_SuiteInfo suites[] = {
		{ .pName = suite->name, .pInitFunc = suite->set_up,
		  .pCleanupFunc = suite->tear_down, .pTests = suite->tests },
		CU_SUITE_INFO_NULL,
	};

	if (!CU_register_suites(suites))
		return true;
	fprintf(stderr, "unit-tests: %s: %s\n", suite->file, CU_get_error_msg());
	return false;
}

/* Adds the modules that @names names, or all of them. */
static bool add_modules(char **names)
{
	const struct unit_suite *suite = unit_suites_duplicate(unit_suites);

	if (suite) {
		fprintf(stderr, "unit-tests: %s and %s: both are the module %s\n", suite->file,
			suite->next->file, suite->name);
		return false;
	}
	for (suite = unit_suites; suite && !*names; suite = suite->next) {
		if (!add(suite))
			return false;
	}
	for (; *names; names++) {
		suite = find(*names);
		if (!suite) {
			fprintf(stderr, "unit-tests: %s: unknown module\nhint: list them with -l\n",
				*names);
			return false;
		}
		if (!add(suite))
			return false;
	}
	return true;
}

/*
 * tracefs_tracing_dir() of libtracefs looks for the directory anew, and forgets the name it had,
 * each time that it is asked by a user who may not read it.
 */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtracefs.so";
}

int main(int argc, char **argv)
{
	const struct unit_suite *suite;
	unsigned int failures;

	if (argc == 2 && !strcmp(argv[1], "-l")) {
		for (suite = unit_suites; suite; suite = suite->next)
			puts(suite->name);
		return 0;
	}
	if (CU_initialize_registry() != CUE_SUCCESS) {
		fprintf(stderr, "unit-tests: %s\n", CU_get_error_msg());
		return 2;
	}
	if (!add_modules(argv + 1))
		return 2;
	CU_basic_set_mode(CU_BRM_NORMAL);
	if (CU_basic_run_tests() != CUE_SUCCESS) {
		fprintf(stderr, "unit-tests: %s\n", CU_get_error_msg());
		return 2;
	}
	failures = CU_get_number_of_failures() + CU_get_number_of_suites_failed();
	CU_cleanup_registry();
	return failures != 0;
}
