// SPDX-License-Identifier: GPL-2.0
/*
 * report_ends_test.c - `trace-cmd hist report` if the first or last body is invalid
 *
 * Its checksum is correct, so only a walk that rebuilds the snapshot finds that it is invalid.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/series/run_fixture.h"
#include "utest/unit/lib/series/section_fixture.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_run.h"

/* The first @n snapshots; each adds 1, 10, 100 ... hits. */
static void make(const char *path, unsigned int n, bool end)
{
	struct run_fixture *f = run_fixture_new(path, "Linux board 6.12.0 x86_64", "board");
	struct run_key key = { 7, NULL };
	uint64_t hits = 1;
	unsigned int i;

	run_fixture_define(f, "t:ev", "hist:keys=q", "mono");
	for (i = 0; i < n; i++, hits *= 10) {
		run_fixture_count(f, 0, &key, &hits);
		run_fixture_snapshot(f, 0, 1000 * (i + 1));
	}
	run_fixture_close(f, end);
}

static void test_last_invalid(void)
{
	struct section_fixture section;

	make("bad.dat", 4, true);
	report_run("bad.dat --view table");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "{ q: 7 } hitcount: 1110 "));
	CU_ASSERT_EQUAL(report_status, 0);
	section_fixture_last("bad.dat", &section);
	section.h.raw_len--;
	section_fixture_put("bad.dat", &section, section.body);
	free(section.body);
	report_run("bad.dat --view table");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "{ q: 7 } hitcount: 110 "));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_err, "; 1 damaged section; "));
	CU_ASSERT_EQUAL(report_status, 2);
	report_run("bad.dat --list");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_out, " 110 "));
	CU_ASSERT_EQUAL(report_status, 2);
	unlink("bad.dat");
}

static void test_none_valid(void)
{
	struct section_fixture section;

	make("bad.dat", 1, true);
	section_fixture_last("bad.dat", &section);
	section.h.raw_len--;
	section_fixture_put("bad.dat", &section, section.body);
	free(section.body);
	report_run("bad.dat");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_err, "no intact snapshot"));
	CU_ASSERT_EQUAL(report_status, 2);
	unlink("bad.dat");
}

UNIT_TESTS_WITH(report_set_up, report_tear_down,
	{ "a report ends at the last intact snapshot if the body of the last one is invalid",
	  test_last_invalid },
	{ "a report names a histogram whose only snapshot is invalid",
	  test_none_valid });
