// SPDX-License-Identifier: GPL-2.0
/*
 * writers_fail_test.c - each format of a report without disk, without memory, and with
 * more time series than are allowed
 *
 * Invariant of all: one error line and status 2, or nothing is missing.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "tracecmd/report/report_options.h"
#include "utest/unit/alloc_fail.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_run.h"

static const char *const lines[] = {
	"main.dat --format json --snapshot all --percentiles 50 -e lat#0",
	"main.dat --format csv --snapshot all",
	"main.dat --format ndjson --intervals --sort hitcount",
	"main.dat --format folded -e kmalloc",
	"main.dat --format openmetrics --snapshot all --time-offset 1000",
	"main.dat --format svg --view heatmap -e kmalloc",
	"main.dat --format svg --view percentiles -e lat#0",
	"main.dat --view heatmap -e kmalloc",
	"main.dat --view percentiles -e lat#0",
	"main.dat --view bars",
};

#define LINES (sizeof(lines) / sizeof(*lines))

/* Line @i: of the lines above, then each format without options; NULL: there are no more. */
static const char *line_of(unsigned int i)
{
	static char line[64];

	if (i < LINES)
		return lines[i];
	if (!report_formats[i - LINES].name)
		return NULL;
	snprintf(line, sizeof(line), "main.dat --format %s%s", report_formats[i - LINES].name,
		 report_formats[i - LINES].views ? " -e kmalloc" : "");
	return line;
}

static void test_full_disk(void)
{
	const char *line;
	unsigned int i;

	for (i = 0; (line = line_of(i)); i++) {
		int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

		CU_ASSERT_TRUE_FATAL(full >= 0);
		report_run_to(line, "C.UTF-8", full);
		close(full);
		report_expect(line, "", "trace-cmd hist: error: standard output: No space left on device\n",
			      2);
	}
}

/* One allocation after the other fails: the first ones all, later ones some; with CHECK_LONG more. */
static void test_no_memory(void)
{
	const long all = test_is_long() ? 32 : 4;
	unsigned int i, failed;
	const char *line;
	char *whole;
	long n;

	for (i = 0; (line = line_of(i)); i++) {
		report_run(line);
		CU_ASSERT_EQUAL(report_status, 0);
		CU_ASSERT_TRUE(strlen(report_out) > 20);
		whole = strdup(report_out);
		for (n = failed = 0;; n += 1 + n / all) {
			report_alloc_fail = n;
			report_run(line);
			report_alloc_fail = -1;
			if (!report_status && !*report_err) {
				/* the one that failed was not needed, or there were not so many */
				CU_ASSERT_STRING_EQUAL(report_out, whole);
				if (report_alloc_seen <= n)
					break;
				continue;
			}
			failed++;
			if (report_status != 2 || strncmp(report_err, "trace-cmd hist: error: ", 23) ||
			    strchr(report_err, '\n') != strrchr(report_err, '\n')) {
				fprintf(stderr, "\n%s\nallocation %ld: status %d: %s\n", line, n,
					report_status, report_err);
				CU_FAIL("no clean end without memory");
			}
		}
		CU_ASSERT_TRUE(failed > 10);
		free(whole);
	}
}

static void test_series(void)
{
	static const char *const line = "main.dat --format openmetrics -e kmalloc --max-series ";
	char text[128], *at;
	unsigned int most;

	snprintf(text, sizeof(text), "%s1", line);
	report_run(text);
	CU_ASSERT_EQUAL(report_status, 2);
	CU_ASSERT_STRING_EQUAL(report_out, "");
	CU_ASSERT_PTR_NOT_NULL(strstr(report_err, "kmem:kmalloc: more than 1 time series ("));
	CU_ASSERT_PTR_NOT_NULL(strstr(report_err, " so far)\nhint: select one event with -e, raise "
				      "--max-series, or record fewer distinct keys, for example with "
				      ".log2\n"));
	/* as many as there are go, one less is refused, and all that are written are counted */
	for (most = 2; most < 100; most++) {
		snprintf(text, sizeof(text), "%s%u", line, most);
		report_run(text);
		if (!report_status)
			break;
	}
	CU_ASSERT_TRUE(most > 10 && most < 100);
	for (at = report_out; *at; at = strchr(at, '\n') + 1)
		most -= *at != '#';
	CU_ASSERT_EQUAL(most, 0);
}

UNIT_TESTS_WITH(report_set_up, report_tear_down,
	{ "each report format prints one error and exits with 2 if the disk is full",
	  test_full_disk },
	{ "each report format prints one error line or the complete report if an allocation fails",
	  test_no_memory },
	{ "OpenMetrics output with more time series than --max-series allows is refused",
	  test_series });
