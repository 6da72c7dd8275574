// SPDX-License-Identifier: GPL-2.0
/*
 * panel_data_fail_test.c - figures that are given up, make no sense, or get no memory
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "utest/unit/alloc_fail.h"
#include "utest/unit/test_data.h"
#include "utest/unit/kernelshark-plugin/model/panel_data_fixture.h"
#include "utest/unit/tests.h"

struct steps {
	unsigned int n, stop, last;
};

static bool step(void *data, unsigned int done)
{
	struct steps *s = data;

	CU_ASSERT(done >= s->last && done <= 1000);
	s->last = done;
	return s->n++ != s->stop;
}

static void test_cancel(void)
{
	struct panel_data_query q = { .hist = 0, .columns = 32, .to = 2999 };
	struct steps s = { .stop = UINT32_MAX };
	unsigned int calls;
	struct panel_data *f;
	struct hist_error error = { 0 };
	FILE *out;

	panel_many(3000);
	q.recording = figures_opened("many.dat");
	CU_ASSERT_EQUAL_FATAL(panel_data_make(&f, &q, step, &s), 0);
	panel_data_free(f);
	calls = s.n;
	CU_ASSERT(calls > 50 && s.last > 900);
	f = NULL;
	for (s.stop = 0; s.stop < calls; s.stop += 1 + calls / 9) {
		s.n = s.last = 0;
		CU_ASSERT_EQUAL(panel_data_make(&f, &q, step, &s), -ECANCELED);
		CU_ASSERT_PTR_NULL(f);
		CU_ASSERT_EQUAL(s.n, s.stop + 1);
		s.n = s.last = 0;
		out = fopen("written", "w");
		CU_ASSERT_EQUAL(panel_data_write(&q, out, PANEL_DATA_CSV, step, &s, &error),
				-ECANCELED);
		fclose(out);
	}
	recording_unref(q.recording);
}

static void test_invalid(void)
{
	struct hist_row_order order = { .n = 1, .sorts = { { .index = 7 } } };
	struct panel_data_query q = { .recording = figures_opened("panel.dat"), .hist = 5,
		.to = 1 };
	struct panel_data *f = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL(panel_data_make(&f, &q, NULL, NULL), -EINVAL);
	q.hist = PID;
	q.to = 38;
	CU_ASSERT_EQUAL(panel_data_make(&f, &q, NULL, NULL), -EINVAL);
	q.from = q.to = 3;
	CU_ASSERT_EQUAL(panel_data_make(&f, &q, NULL, NULL), -EINVAL);
	CU_ASSERT_EQUAL(panel_data_write(&q, stderr, PANEL_DATA_CSV, NULL, NULL, &error), -EINVAL);
	CU_ASSERT_STRING_EQUAL(test_error(&error), "no such snapshot");
	q.to = 4;
	q.order = &order;
	CU_ASSERT_EQUAL(panel_data_make(&f, &q, NULL, NULL), -EINVAL);
	CU_ASSERT_PTR_NULL(f);
	order.sorts[0] = (struct hist_sort){ .is_key = true, .descending = true };
	f = figures_made(&q);
	CU_ASSERT(f->rows.n > 1);
	CU_ASSERT(hist_table_cells(f->view.table, f->rows.entries[0])->num >
		  hist_table_cells(f->view.table, f->rows.entries[1])->num);
	panel_data_free(f);
	recording_unref(q.recording);
}

static void test_no_memory(void)
{
	struct panel_data_query q = { .recording = figures_opened("panel.dat"), .hist = LAT,
		.from = 3, .to = 30,
				   .columns = 8, .search = "k", .group = "kworker/0:1" };
	struct panel_data *f = NULL;
	struct hist_error error = { 0 };
	FILE *out;
	long n;
	int ret = 1;

	for (n = 0; ret && n < 3000; n++) {
		alloc_fail_after(n);
		ret = panel_data_make(&f, &q, NULL, NULL);
		alloc_fail_after(-1);
		if (ret) {
			CU_ASSERT_EQUAL(ret, -ENOMEM);
			CU_ASSERT_PTR_NULL(f);
		}
	}
	CU_ASSERT(n > 100 && !ret);
	panel_data_free(f);
	out = fopen("written", "w");
	for (n = 0, ret = 1; ret && n < 3000; n++) {
		alloc_fail_after(n);
		ret = panel_data_write(&q, out, PANEL_DATA_SVG_HEATMAP, NULL, NULL, &error);
		alloc_fail_after(-1);
		if (ret) {
			CU_ASSERT_EQUAL(ret, -ENOMEM);
			CU_ASSERT_STRING_EQUAL(test_error(&error), "");
		}
	}
	CU_ASSERT(n > 40 && !ret);
	fclose(out);
	recording_unref(q.recording);
}

UNIT_TESTS_WITH(panel_set_up, panel_tear_down,
	{ "computing and writing the panel's data can be cancelled at any step", test_cancel },
	{ "the panel's data are refused for a histogram, snapshot or order that does not exist",
	  test_invalid },
	{ "running out of memory is reported at every allocation of the panel's data",
	  test_no_memory });
