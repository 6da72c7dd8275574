// SPDX-License-Identifier: GPL-2.0
/*
 * panel_sums_test.c - the panel's numbers agree with each other, and as text
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/table/percentiles_table.h"
#include "utest/unit/kernelshark-plugin/model/panel_data_fixture.h"
#include "utest/unit/test_data.h"
#include "utest/unit/tests.h"

/* Windows side by side, cut anywhere, add up to the whole, entry by entry. */
static void test_add_up(void)
{
	struct panel_data_query q = { .recording = figures_opened("panel.dat"), .hist = LAT,
		.from = 2, .to = 37 };
	struct panel_data *whole = figures_made(&q), *f;
	uint64_t state = 8, *sums;
	uint32_t i, n = whole->view.snap->nentries * whole->schema->nvalues, windows;
	unsigned int round;

	sums = calloc(n, sizeof(*sums));
	for (round = 0; round < 5; round++) {
		memset(sums, 0, n * sizeof(*sums));
		for (q.from = 2, windows = 0; q.from < 37; q.from = q.to, windows++) {
			q.to = q.from + 1 + test_random(&state) % 9;
			q.to = q.to < 37 ? q.to : 37;
			f = figures_made(&q);
			for (i = 0; i < f->view.snap->nentries * f->schema->nvalues; i++)
				sums[i] += f->view.snap->values[i];
			panel_data_free(f);
		}
		CU_ASSERT(windows > 3);
		CU_ASSERT(!memcmp(sums, whole->view.snap->values, n * sizeof(*sums)));
	}
	free(sums);
	panel_data_free(whole);
	recording_unref(q.recording);
}

/* All ways of adding up what was counted agree. */
static void test_sums(void)
{
	struct panel_data_query q = { .recording = figures_opened("panel.dat"), .from = 3, .to = 33,
				   .columns = 12 };
	uint64_t groups = 0, axis = 0;
	struct panel_data *f = figures_made(&q);
	uint32_t i;

	CU_ASSERT_EQUAL(f->axis, 1);
	CU_ASSERT_EQUAL(f->value, hist_schema_hitcount(f->schema));
	CU_ASSERT_EQUAL(f->whole_total, f->view.snap->hits);
	CU_ASSERT_EQUAL(f->rows.totals[f->value], f->view.snap->hits);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f->map);
	CU_ASSERT(f->map->ncolumns > 6 && f->map->ncolumns <= 12);
	CU_ASSERT_EQUAL(f->map->columns[0].from, 103 * PANEL_SEC);
	CU_ASSERT_EQUAL(f->map->columns[f->map->ncolumns - 1].to, 133 * PANEL_SEC);
	CU_ASSERT_EQUAL(figures_map_sum(f->map), f->view.snap->hits);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f->by_axis);
	for (i = 0; i < f->by_axis->nrows; i++)
		axis += f->by_axis->rows[i].total;
	CU_ASSERT_EQUAL(axis, f->view.snap->hits);
	CU_ASSERT_EQUAL(f->ngroups, 4);
	for (i = 0; i < f->ngroups; i++) {
		groups += f->groups[i].total;
		CU_ASSERT(!i || f->groups[i].total <= f->groups[i - 1].total);
		CU_ASSERT_NOT_EQUAL(panel_find_group_entry(f, f->groups[i].label), HIST_NO_ENTRY);
	}
	CU_ASSERT_EQUAL(groups, f->view.snap->hits);
	CU_ASSERT_EQUAL(panel_find_group_entry(f, "nobody"), HIST_NO_ENTRY);
	CU_ASSERT_PTR_NOT_NULL_FATAL(f->percentiles);
	CU_ASSERT_EQUAL(f->percentiles->total, f->view.snap->hits);
	CU_ASSERT_EQUAL(f->percentiles->nrows, 4);
	panel_data_free(f);

	q.hist = NAME;
	f = figures_made(&q);
	CU_ASSERT(f->axis < 0 && !f->by_axis && !f->percentiles && !f->ngroups && *f->why_not.what);
	CU_ASSERT_EQUAL(f->map->nrows, 2);
	CU_ASSERT_EQUAL(figures_map_sum(f->map), f->view.snap->hits);
	panel_data_free(f);
	q.what = PANEL_DATA_SNAPSHOT;
	f = figures_made(&q);
	CU_ASSERT_PTR_NULL(f->map);
	panel_data_free(f);
	q.hist = TICK;
	f = figures_made(&q);
	CU_ASSERT(!f->ns && f->by_axis && f->percentiles);
	panel_data_free(f);
	recording_unref(q.recording);
}

static void test_text(void)
{
	struct panel_data_query q = { .recording = figures_opened("panel.dat"), .hist = LAT,
		.to = 33,
				   .what = PANEL_DATA_SNAPSHOT };
	struct panel_data *f = figures_made(&q);
	struct hist_strbuf b = { 0 };
	uint32_t i;

	for (i = 0; i < f->rows.n; i++)
		CU_ASSERT_EQUAL(panel_find_entry(f, figures_label_of(f, f->rows.entries[i])),
				f->rows.entries[i]);
	CU_ASSERT_EQUAL(panel_find_entry(f, "nobody"), HIST_NO_ENTRY);
	b.len = 0;
	panel_put_axis_label(&b, f, &(struct hist_heat_row){ .ge = 33, .le = 64 });
	hist_strbuf_char(&b, '\0');
	CU_ASSERT_STRING_EQUAL(b.data, "(32, 64]");
	hist_strbuf_free(&b);
	panel_data_free(f);
	recording_unref(q.recording);
}

/* The text that @b has, which is cleared. */
static bool panel_sums_is(struct hist_strbuf *b, const char *wanted)
{
	bool is;

	hist_strbuf_char(b, '\0');
	is = !b->error && !strcmp(b->data, wanted);
	if (!is)
		printf("\n\"%s\", not \"%s\"\n", b->data, wanted);
	b->len = 0;
	return is;
}

/* As `report --view bars` writes them. */
static void test_labels(void)
{
	struct panel_data_query q = { .recording = figures_opened("panel.dat"), .hist = SYM, .to = 33,
				      .what = PANEL_DATA_SNAPSHOT };
	struct panel_data *f = figures_made(&q);
	struct percentiles_table groups = { 0 };
	struct table_cell group = { 0 };
	struct hist_strbuf b = { 0 };
	unsigned int twins = 0, v;
	uint32_t i;

	CU_ASSERT_EQUAL_FATAL(f->rows.n, 3);
	CU_ASSERT_FALSE_FATAL(percentiles_table_make(&groups, f->percentiles, PERCENTILES_OF_ALL, 0));
	for (i = 0; i < f->rows.n; i++) {
		const uint64_t address = hist_table_cells(f->view.table, f->rows.entries[i])->num;
		const char *wanted = address == 0x1002 ? "other / 33-64 ns" :
				     address == 0x1000 ? "[1000] twin / 33-64 ns" :
							 "[1001] twin / 33-64 ns";

		twins += address != 0x1002;
		panel_put_label(&b, f, f->rows.entries[i], false);
		CU_ASSERT(panel_sums_is(&b, wanted));
		panel_put_key(&b, f, f->rows.entries[i], 1, false);
		CU_ASSERT(panel_sums_is(&b, "33-64 ns"));
		table_get(&groups.base, i, 0, &group);
		CU_ASSERT((group.text.data[0] == '[') == (group.text.len > strlen("other")));
	}
	CU_ASSERT_EQUAL(twins, 2);
	table_cell_free(&group);
	percentiles_table_free(&groups);
	for (i = 0; i < f->rows.n; i++) {
		panel_put_label(&b, f, f->rows.entries[i], true);
		CU_ASSERT_EQUAL(b.data[0], '[');
		b.len = 0;
	}
	panel_put_axis_label(&b, f, &(struct hist_heat_row){ .ge = 33, .le = 64 });
	CU_ASSERT(panel_sums_is(&b, "33-64 ns"));
	for (v = 0; v < f->schema->nvalues; v++) {
		panel_put_value_title(&b, f->schema, v);
		CU_ASSERT(panel_sums_is(&b, v ? "sum of runtime (ns)" : "hitcount"));
	}
	hist_strbuf_free(&b);
	panel_data_free(f);
	q.search = "33-64 ns";
	f = figures_made(&q);
	CU_ASSERT_EQUAL(f->rows.n, 3);
	panel_data_free(f);
	recording_unref(q.recording);
}

UNIT_TESTS_WITH(panel_set_up, panel_tear_down,
	{ "consecutive windows add up to the whole difference, entry by entry", test_add_up },
	{ "rows, heat map, groups, axis and percentiles of the panel have the same total",
	  test_sums },
	{ "a row is found by its label, and its values are formatted as numbers", test_text },
	{ "symbols of one name have their address, buckets their unit, and a sum says so",
	  test_labels });
