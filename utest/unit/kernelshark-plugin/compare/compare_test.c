// SPDX-License-Identifier: GPL-2.0
/*
 * compare_test.c - two windows of the panel side by side: rates, rows of both, and the difference
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "kernelshark-plugin/compare/compare.h"
#include "utest/unit/test_data.h"
#include "utest/unit/kernelshark-plugin/model/panel_data_fixture.h"
#include "utest/unit/tests.h"

/* Windows of 10 and of 25 s of a histogram. */
static void compare_make_sides(struct panel_data **before, struct panel_data **after,
			       struct recording *r, unsigned int hist)
{
	struct panel_data_query q = { .recording = r, .hist = hist, .from = 2, .to = 12, .columns = 40 };

	*before = figures_made(&q);
	q.from = 12;
	q.to = 37;
	*after = figures_made(&q);
}

static void test_buckets(void)
{
	struct recording *r = figures_opened("panel.dat");
	struct panel_data *before, *after;
	struct compared *c = NULL;
	uint64_t sums[SIDES] = { 0 };
	struct hist_error error = { 0 };
	uint32_t i;

	compare_make_sides(&before, &after, r, LAT);
	CU_ASSERT_EQUAL_FATAL(compare_make(&c, before, after, &error), 0);
	CU_ASSERT(c->has_axis && c->has_rates);
	CU_ASSERT_DOUBLE_EQUAL(c->seconds[BEFORE], 10, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(c->seconds[AFTER], 25, 1e-9);
	CU_ASSERT(c->n >= 5);
	for (i = 0; i < c->n; i++) {
		CU_ASSERT(!i || c->rows[i].ge > c->rows[i - 1].le);
		CU_ASSERT_DOUBLE_EQUAL(c->rows[i].rate[BEFORE], c->rows[i].count[BEFORE] / 10.0, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(c->rows[i].rate[AFTER], c->rows[i].count[AFTER] / 25.0, 1e-9);
		sums[BEFORE] += c->rows[i].count[BEFORE];
		sums[AFTER] += c->rows[i].count[AFTER];
	}
	CU_ASSERT_EQUAL(sums[BEFORE], before->view.snap->hits);
	CU_ASSERT_EQUAL(sums[AFTER], after->view.snap->hits);
	CU_ASSERT_EQUAL(c->total[AFTER], sums[AFTER]);
	compare_free(c);
	panel_data_free(before);
	panel_data_free(after);
	recording_unref(r);
}

static void test_keys(void)
{
	struct recording *r = figures_opened("panel.dat");
	struct panel_data *before, *after;
	struct hist_strbuf b = { 0 };
	struct compared *c = NULL;
	struct hist_error error = { 0 };
	uint32_t i, both = 0, one = 0;

	compare_make_sides(&before, &after, r, NAME);
	CU_ASSERT_EQUAL_FATAL(compare_make(&c, before, after, &error), 0);
	CU_ASSERT(!c->has_axis && c->has_rates);
	for (i = 0; i < c->n; i++) {
		both += c->rows[i].entry[BEFORE] != HIST_NO_ENTRY && c->rows[i].entry[AFTER] != HIST_NO_ENTRY;
		one += (c->rows[i].entry[BEFORE] == HIST_NO_ENTRY) != (c->rows[i].entry[AFTER] == HIST_NO_ENTRY);
		CU_ASSERT(!i || fabs(c->rows[i].rate[AFTER] - c->rows[i].rate[BEFORE]) <=
			  fabs(c->rows[i - 1].rate[AFTER] - c->rows[i - 1].rate[BEFORE]));
		compare_put_label(&b, c, i, false);
	}
	CU_ASSERT_EQUAL(c->n, 2);
	CU_ASSERT_EQUAL(both, 2);
	CU_ASSERT_EQUAL(one, 0);
	hist_strbuf_char(&b, '\0');
	CU_ASSERT(strstr(b.data, "sh") && strstr(b.data, "kworker/0:1"));
	hist_strbuf_free(&b);
	compare_free(c);
	panel_data_free(before);
	panel_data_free(after);
	recording_unref(r);
}

static void test_refused(void)
{
	struct recording *r = figures_opened("panel.dat");
	struct panel_data *before, *after, *other, *rest;
	struct compared *c = NULL;
	struct hist_error error = { 0 };

	compare_make_sides(&before, &after, r, LAT);
	compare_make_sides(&other, &rest, r, NAME);
	CU_ASSERT_EQUAL(compare_make(&c, before, rest, &error), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(test_error(&error),
			       "the histograms before and after have different keys");
	after->value = 1;
	CU_ASSERT_EQUAL(compare_make(&c, before, after, &error), -EOPNOTSUPP);
	CU_ASSERT_STRING_EQUAL(test_error(&error),
			       "the values differ. Select hitcount, the value of \"before\"");
	after->value = -1;
	CU_ASSERT_EQUAL(compare_make(&c, before, after, &error), -EOPNOTSUPP);
	CU_ASSERT_PTR_NULL(c);
	panel_data_free(before);
	panel_data_free(after);
	panel_data_free(other);
	panel_data_free(rest);
	recording_unref(r);
}

/* What each side counted is in its map: rates times the time of a column. */
static void test_map(void)
{
	struct recording *r = figures_opened("panel.dat");
	struct panel_data *before, *after;
	struct compared_map *m = NULL;
	struct compared *c = NULL;
	double sums[SIDES] = { 0 };
	unsigned int col, unknown = 0;
	struct hist_error error = { 0 };
	uint32_t row;

	compare_make_sides(&before, &after, r, LAT);
	CU_ASSERT_EQUAL_FATAL(compare_make(&c, before, after, &error), 0);
	CU_ASSERT_EQUAL_FATAL(compare_make_map(&m, c, 25, &error), 0);
	CU_ASSERT_EQUAL(m->nrows, c->n);
	CU_ASSERT_EQUAL(m->step, PANEL_SEC + 1);
	for (row = 0; row < m->nrows; row++)
		for (col = 0; col < m->ncolumns; col++) {
			const double rate = m->rate[BEFORE][row * m->ncolumns + col];

			sums[AFTER] += m->rate[AFTER][row * m->ncolumns + col];
			sums[BEFORE] += isnan(rate) ? 0 : rate;
			unknown += isnan(compare_map_difference(m, row, col));
			CU_ASSERT(isnan(compare_map_difference(m, row, col)) ||
				  fabs(compare_map_difference(m, row, col)) <= m->most);
		}
	/* columns of a second; the window before ends after ten of them */
	CU_ASSERT_DOUBLE_EQUAL(sums[BEFORE], before->view.snap->hits, 0.01);
	CU_ASSERT_DOUBLE_EQUAL(sums[AFTER], after->view.snap->hits, 0.01);
	CU_ASSERT_EQUAL(unknown, 15 * m->nrows);
	compare_free_map(m);
	compare_free(c);
	panel_data_free(before);
	panel_data_free(after);
	recording_unref(r);
}

static void test_levels(void)
{
	CU_ASSERT_EQUAL(compare_level(0, 16, 5), 0);
	CU_ASSERT_EQUAL(compare_level(0.1, 16, 5), 0);
	CU_ASSERT_EQUAL(compare_level(0.5, 16, 5), 1);
	CU_ASSERT_EQUAL(compare_level(1.5, 16, 5), 2);
	CU_ASSERT_EQUAL(compare_level(8, 16, 5), 4);
	CU_ASSERT_EQUAL(compare_level(8.1, 16, 5), 5);
	CU_ASSERT_EQUAL(compare_level(16, 16, 5), 5);
	CU_ASSERT_EQUAL(compare_level(-16, 16, 5), -5);
	CU_ASSERT_EQUAL(compare_level(-3, 16, 5), -3);
	CU_ASSERT_EQUAL(compare_level(0, 0, 5), 0);
}

UNIT_TESTS_WITH(panel_set_up, panel_tear_down,
	{ "windows of different length are compared by rates, bucket by bucket", test_buckets },
	{ "keys are matched by their labels, and the largest change is first", test_keys },
	{ "other keys and another value are refused", test_refused },
	{ "the map of the difference has the rates since the begin of each window", test_map },
	{ "the colours of a difference double, and differ by its sign", test_levels });
