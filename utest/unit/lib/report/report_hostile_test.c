// SPDX-License-Identifier: GPL-2.0
/*
 * report_hostile_test.c - reports of files that are cleared, damaged or made to hurt
 *
 * A report of a file whose last snapshot is nonsense, with right checksums, has the rows and
 * names of the same file without that snapshot, in every format and view.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/series/run_fixture.h"
#include "utest/unit/lib/series/section_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_run.h"

/* Each reads the rows at another moment: while snapshots pass, or behind the last. */
static const char *const shapes[] = {
	"--format html", "--format svg", "--format svg --view heatmap", "--view heatmap",
	"--view bars", "--format json", "--format csv --intervals", "--format ndjson",
	"--format openmetrics", "--format prometheus", "--format folded",
};

#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))

/* The task "T<i>" @n times. */
static void count(struct run_fixture *f, unsigned int i, uint64_t n)
{
	char name[32];

	snprintf(name, sizeof(name), "T%u", i);
	run_fixture_count(f, 0, (const struct run_key[]){ { .str = name } }, &n);
}

static struct run_fixture *begin(const char *path)
{
	struct run_fixture *f = run_fixture_new(path, "Linux board 6.12.0 x86_64", "board");

	run_fixture_define(f, "t:ev", "hist:keys=comm", "mono");
	return f;
}

/* The lines of the last report that name a task, as one text to be freed. */
static char *named_lines(void)
{
	char *lines = NULL, *line, *rest = report_out;
	size_t len;
	FILE *f = open_memstream(&lines, &len);

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	while ((line = strsep(&rest, "\n"))) {
		if (strstr(line, "T1"))
			fprintf(f, "%s\n", line);
	}
	fclose(f);
	return lines;
}

static void run(unsigned int shape, const char *file)
{
	char line[200];

	snprintf(line, sizeof(line), "%s %s", file, shapes[shape]);
	report_run(line);
}

/*
 * Tasks come until there are 60, 120 and 130, then somebody clears the histogram.  What a
 * difference lists has room for the tasks of the first snapshots only.
 */
static void test_cleared(void)
{
	static const unsigned int tasks[] = { 60, 120, 130 };
	struct run_fixture *f = begin("cleared.dat");
	unsigned int i, n, s;

	for (i = n = 0; n < 3; n++) {
		for (; i < tasks[n]; i++)
			count(f, 1000 + i, i + 1);
		run_fixture_snapshot(f, 0, 1000000000ull * (n + 1));
	}
	run_fixture_clear(f, 0);
	count(f, 1001, 70001);
	count(f, 1999, 70002);
	run_fixture_snapshot(f, 0, 4000000000ull);
	count(f, 1998, 70003);
	run_fixture_snapshot(f, 0, 5000000000ull);
	run_fixture_close(f, true);
	for (s = 0; s < SHAPES; s++) {
		run(s, "cleared.dat");
		CU_ASSERT_EQUAL(report_status, 0);
		CU_ASSERT_STRING_EQUAL(report_err, "");
		CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "T1998"));
		CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "T1999"));
		/* gone, but part of what came to pass, and of counters, which never fall */
		CU_ASSERT_EQUAL(strstr(report_out, "T1129") != NULL, strstr(shapes[s], "html") ||
				strstr(shapes[s], "heatmap") || strstr(shapes[s], "--intervals") ||
				strstr(shapes[s], "openmetrics") || strstr(shapes[s], "prometheus"));
		if (!strncmp(shapes[s], "--format html", 13) || strstr(shapes[s], "svg --view heatmap")) {
			CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "T1119: 120 from 1.000000 to 2.000000"));
			CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "T1129: 130 from 2.000000 to 3.000000"));
			CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "T1001: 70,001 from 3.000000 to 4.000000"));
			CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "T1998: 70,003 from 4.000000 to 5.000000"));
		}
	}
}

/* What good.dat names in each shape. */
static void read_good(char *good[SHAPES])
{
	unsigned int s;

	for (s = 0; s < SHAPES; s++) {
		run(s, "good.dat");
		CU_ASSERT_EQUAL(report_status, 0);
		good[s] = named_lines();
		CU_ASSERT_TRUE(strlen(good[s]) > 100);
	}
}

/* In all shapes, or with @step some, @file names the tasks as @good does, in rows with the same numbers. */
static void expect_rows_of_good(char *const good[SHAPES], const char *file, const char *what, size_t at,
				unsigned int step)
{
	unsigned int s;
	char *bad;

	for (s = at % step; s < SHAPES; s += step) {
		run(s, file);
		CU_ASSERT_TRUE(report_status == 0 || report_status == 2);
		bad = named_lines();
		CU_ASSERT_STRING_EQUAL(bad, good[s]);
		if (strcmp(bad, good[s]))
			printf("\n%s, byte %zu: %s: status %d: %s\n%.400s\nexpected:\n%.400s\n", what, at,
			       shapes[s], report_status, report_err, bad, good[s]);
		free(bad);
	}
}

/* The names of all entries, in order, as one text to be freed. */
static char *names(const struct hist_table *table)
{
	char *text = NULL;
	uint32_t i;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	for (i = 0; i < hist_table_entries(table); i++)
		fprintf(f, "%s ", hist_table_string(table, hist_table_cells(table, i)->str, NULL));
	fprintf(f, "of %u", hist_table_strings(table));
	fclose(f);
	return text;
}

/* A walk that has seen the third snapshot keeps its table if the fourth cannot be taken. */
static void expect_table_stays(const char *path, const char *what, size_t at)
{
	const struct hist_snapshot *snap;
	struct hist_series *series;
	struct hist_cursor *cursor;
	struct hist_error error = { 0 };
	char *before, *after;
	unsigned int i;

	CU_ASSERT_EQUAL_FATAL(hist_series_open(&series, path, &error), 0);
	CU_ASSERT_EQUAL_FATAL(hist_cursor_open(&cursor, series, 0, 0), 0);
	for (i = 0; i < 3; i++)
		CU_ASSERT_EQUAL_FATAL(hist_cursor_next(cursor, &snap), 1);
	before = names(hist_cursor_table(cursor));
	CU_ASSERT_EQUAL(hist_cursor_next(cursor, &snap), 0);
	after = names(hist_cursor_table(cursor));
	CU_ASSERT_STRING_EQUAL(after, before);
	if (strcmp(after, before))
		printf("\n%s, byte %zu: %s\nbefore: %s\n", what, at, after, before);
	free(before);
	free(after);
	hist_cursor_free(cursor);
	hist_series_free(series);
}

/* What the fourth snapshot is: a full one of other keys or of all in another order, or a difference. */
enum fourth { CLEARED, NUMBERED_ANEW, NUMBERED_TWICE, GROWN };

static void make(const char *path, unsigned int snapshots, enum fourth fourth)
{
	struct run_fixture *f = begin(path);
	unsigned int n, i;

	for (n = 0; n < snapshots; n++) {
		if (n == 3 && fourth == CLEARED)
			run_fixture_clear(f, 0);
		else if ((n == 3 && fourth != GROWN) || (n == 2 && fourth == NUMBERED_TWICE))
			run_fixture_renumber(f, 0);
		for (i = 0; i < (n == 3 ? 3 : 9 + 3 * n); i++)
			count(f, (n == 3 ? 1700 : 1000) + i, 3 * i + n + 1);
		run_fixture_snapshot(f, 0, 1000000000ull * (n + 1));
	}
	run_fixture_close(f, true);
}

/*
 * A varint more or less, at each byte in turn: strings, keys, numbers of entries and values.  The
 * shapes take turns: one for each byte, and with CHECK_LONG more.
 */
static void malformed(enum fourth fourth)
{
	static const char *const whats[] = { "cleared", "numbered anew", "numbered anew twice", "grown" };
	const unsigned int step = test_is_long() ? 5 : SHAPES;
	struct section_fixture section, third;
	unsigned int refused = 0, s;
	char *good[SHAPES];
	unsigned char *body;
	size_t at;

	make("good.dat", 3, fourth);
	read_good(good);
	section_fixture_last("good.dat", &third);
	make("bad.dat", 4, fourth);
	section_fixture_last("bad.dat", &section);
	CU_ASSERT_EQUAL_FATAL(section.h.type, fourth == GROWN ? RECORD_DELTA : RECORD_FULL);
	/* so that axes of time are the same */
	section.h.time = third.h.time;
	body = malloc(section.h.raw_len);
	CU_ASSERT_PTR_NOT_NULL_FATAL(body);
	for (at = 0; at < section.h.raw_len; at++) {
		memcpy(body, section.body, section.h.raw_len);
		body[at] ^= 0x80;
		section_fixture_put("bad.dat", &section, body);
		report_run("bad.dat --list");
		/* a letter of a name is as good as another */
		if (!strstr(report_err, "1 damaged section"))
			continue;
		refused++;
		expect_table_stays("bad.dat", whats[fourth], at);
		expect_rows_of_good(good, "bad.dat", whats[fourth], at, step);
	}
	CU_ASSERT_TRUE(refused >= (fourth == CLEARED || fourth == GROWN ? 12 : 36));
	/* all is there, and more */
	section.h.raw_len--;
	section_fixture_put("bad.dat", &section, section.body);
	expect_rows_of_good(good, "bad.dat", "cut", 0, 1);
	for (s = 0; s < SHAPES; s++)
		free(good[s]);
	free(body);
	free(section.body);
	free(third.body);
}

static void test_malformed(void)
{
	malformed(CLEARED);
	malformed(NUMBERED_ANEW);
	malformed(NUMBERED_TWICE);
	malformed(GROWN);
}

/* Numbers of snapshots that turn back: what is behind the last one does not change its rows. */
static void test_number_turns_back(void)
{
	static const uint32_t seqs[] = { 0, 1, 9, 2 };
	struct run_fixture *f = begin("turns.dat");
	unsigned int i, n, s;

	for (n = 0; n < 4; n++) {
		if (n == 2)
			run_fixture_clear(f, 0);
		for (i = 0; i < (n < 2 ? 60 : 2); i++)
			count(f, 1000 + 100 * n + i, i + 1);
		run_fixture_number(f, 0, seqs[n]);
		run_fixture_snapshot(f, 0, 1000000000ull * (n + 1));
	}
	run_fixture_close(f, true);
	for (s = 0; s < SHAPES; s++) {
		run(s, "turns.dat");
		CU_ASSERT_EQUAL(report_status, 2);
		CU_ASSERT_PTR_NOT_NULL(strstr(report_err, "turns.dat: damaged: 7 snapshots lost"));
		/* what is shown has its own names */
		CU_ASSERT_PTR_NULL(strstr(report_out, "T12"));
		CU_ASSERT_PTR_NULL(strstr(report_out, "T13"));
		if (strstr(shapes[s], "html")) {
			CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "<td>T1159</td><td class=\"n\" data-v=\"60\">"));
			CU_ASSERT_PTR_NOT_NULL(strstr(report_out, "<td>T1100</td><td class=\"n\" data-v=\"1\">"));
		}
	}
}

static int tear_down(void)
{
	static const char *const files[] = { "cleared.dat", "good.dat", "bad.dat", "turns.dat" };
	unsigned int i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(files[i]);
	return report_tear_down();
}

UNIT_TESTS_WITH(report_set_up, tear_down,
	{ "each report format shows the right entries of a histogram that was cleared while large",
	  test_cleared },
	{ "a malformed last snapshot changes no row of a report, in any format", test_malformed },
	{ "a decreasing sequence number is reported as damage, and entries keep their own names",
	  test_number_turns_back });
