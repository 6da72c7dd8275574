// SPDX-License-Identifier: GPL-2.0
/*
 * panel_search_test.c - what a search and a group leave of the panel's figures
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/kernelshark-plugin/model/panel_data_fixture.h"
#include "utest/unit/tests.h"
#include "utest/unit/tracecmd/report/report_run.h"

/* What a search leaves is what going through all rows finds. */
static void expect_search(struct panel_data_query q, const char *search, const char *plain)
{
	struct panel_data *all = figures_made(&q), *f;
	uint64_t hits = 0;
	uint32_t i, n = 0;

	q.search = search;
	f = figures_made(&q);
	for (i = 0; i < all->rows.n; i++) {
		if (!strstr(figures_label_of(all, all->rows.entries[i]), plain))
			continue;
		CU_ASSERT(n < f->rows.n && f->rows.entries[n] == all->rows.entries[i]);
		hits += figures_value_of(all, all->rows.entries[i], f->value);
		n++;
	}
	CU_ASSERT_EQUAL(f->rows.n, n);
	CU_ASSERT_EQUAL(f->rows.total, n);
	CU_ASSERT_EQUAL(f->rows.totals[f->value], hits);
	CU_ASSERT_EQUAL(f->whole_rows, all->rows.total);
	CU_ASSERT_EQUAL(f->whole_total, all->whole_total);
	/* it names tasks, which are groups */
	CU_ASSERT_EQUAL(figures_map_sum(f->map), hits);
	if (f->axis >= 0) {
		CU_ASSERT_EQUAL(f->percentiles->total, hits);
		CU_ASSERT_EQUAL(f->ngroups, all->ngroups);
	}
	panel_data_free(f);
	panel_data_free(all);
}

static void test_search(void)
{
	struct panel_data_query q = { .recording = figures_opened("panel.dat"), .hist = LAT,
		.from = 3, .to = 33,
				   .columns = 8 };
	struct panel_data *f, *one;
	uint32_t i, total = 0;

	for (q.hist = LAT; q.hist <= NAME; q.hist += NAME) {
		expect_search(q, "KWORKER", "kworker/0:1");
		expect_search(q, "h", "h");
		expect_search(q, "a B", "a b");
		expect_search(q, "", "");
		expect_search(q, "nobody", "nobody");
	}
	q.hist = LAT;
	f = figures_made(&q);
	for (i = 0; i < f->ngroups; i++) {
		q.group = f->groups[i].label;
		one = figures_made(&q);
		CU_ASSERT_EQUAL(figures_map_sum(one->map), f->groups[i].total);
		CU_ASSERT_EQUAL(one->rows.n, f->rows.n);
		total += figures_map_sum(one->map);
		panel_data_free(one);
	}
	CU_ASSERT_EQUAL(total, f->view.snap->hits);
	panel_data_free(f);
	recording_unref(q.recording);
}

/* The file that panel_data_write() makes of @q; the caller frees it. */
static char *written(const struct panel_data_query *q, enum panel_data_format format)
{
	FILE *out = fopen("written", "w");
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL(panel_data_write(q, out, format, NULL, NULL, &error), 0);
	fclose(out);
	return report_slurp("written");
}

static void test_search_written(void)
{
	struct panel_data_query q = { .recording = figures_opened("panel.dat"), .hist = LAT,
		.from = 3, .to = 33,
				   .search = "kworker" };
	char *text = written(&q, PANEL_DATA_CSV);

	CU_ASSERT(strstr(text, "kworker/0:1") && !strstr(text, "Xorg"));
	free(text);
	q.hist = NAME;
	text = written(&q, PANEL_DATA_SVG_HEATMAP);
	CU_ASSERT(strstr(text, "kworker/0:1") && !strstr(text, ">sh<"));
	free(text);
	/* of one snapshot what is not found is no row of 0 either */
	q.what = PANEL_DATA_SNAPSHOT;
	text = written(&q, PANEL_DATA_SVG_BARS);
	CU_ASSERT(strstr(text, "kworker/0:1") && !strstr(text, "sh<") && strstr(text, "in 1 entry"));
	free(text);
	q.search = "nobody";
	text = written(&q, PANEL_DATA_SVG_BARS);
	CU_ASSERT(!strstr(text, "kworker/0:1") && strstr(text, "in 0 entries"));
	free(text);
	recording_unref(q.recording);
}

UNIT_TESTS_WITH(panel_set_up, panel_tear_down,
	{ "a search leaves exactly the rows that contain the text, with matching totals",
	  test_search },
	{ "a written table or chart contains only the rows that the search found",
	  test_search_written });
