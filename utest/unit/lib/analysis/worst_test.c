// SPDX-License-Identifier: GPL-2.0
/*
 * worst_test.c - the largest value of an interval, with and without the peak of the user-space engine
 */
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/analysis/worst.h"
#include "lib/series/series.h"
#include "utest/unit/tests.h"

static struct hist_schema schema = {
	.nkeys = 1,
	.nvalues = 3,
	.keys = { { .name = (char *)"next_pid", .kind = HIST_KEY_NUM } },
	.values = { { .name = (char *)"hitcount", .kind = HIST_VALUE_SUM },
		    { .name = (char *)"peak", .kind = HIST_VALUE_PEAK },
		    { .name = (char *)"worst", .kind = HIST_VALUE_WORST } },
};

static struct hist_series_info info = {
	.def.trigger = (char *)"hist:keys=next_pid:worst=lat_us:onmax($worst).save(cpu)",
};

/*
 * What is selected of a view of one row, which was hit twice, and whose maximum in @text is older;
 * @value 0: nothing.
 */
static void check_text(const struct hist_view *form, const char *text, uint64_t value, bool exact,
		       bool saved)
{
	/* the text has the number 0 in both */
	uint64_t whole_values[] = { 7, 9, 0 }, values[] = { 2, 9, 0 };
	struct hist_snapshot whole = { .seq = 5, .nentries = 1, .values = whole_values };
	struct hist_snapshot snap = whole;
	struct hist_worst_list list = { 0 };
	struct hist_cell cell = { .num = 17 };
	struct hist_view view = *form;
	uint32_t entry, id;

	view.table = hist_table_new(&schema);
	CU_ASSERT_PTR_NOT_NULL_FATAL(view.table);
	CU_ASSERT_EQUAL(hist_table_add((struct hist_table *)view.table, &cell, &entry), 0);
	CU_ASSERT_EQUAL(hist_table_intern((struct hist_table *)view.table, text, strlen(text), &id), 0);
	whole_values[2] = id;
	if (view.difference)
		snap.values = values;
	view.info = &info;
	view.whole = &whole;
	view.snap = &snap;
	view.from_entries = 1;
	CU_ASSERT_EQUAL(hist_worst_select(&list, &view), 0);
	CU_ASSERT_EQUAL_FATAL(list.n, value > 0);
	if (value) {
		CU_ASSERT_EQUAL(list.list[0].value, value);
		CU_ASSERT_EQUAL(list.list[0].exact, exact);
		CU_ASSERT_EQUAL(list.list[0].saved_len != 0, saved);
	}
	hist_worst_free(&list);
	hist_table_free((struct hist_table *)view.table);
}

static void check(const struct hist_view *form, uint64_t value, bool exact, bool saved)
{
	check_text(form, "max:         15  cpu:          3", value, exact, saved);
}

static void test_peak(void)
{
	struct hist_view neighbours = { .difference = true, .from_seq = 4 };
	struct hist_view longer = { .difference = true, .from_seq = 3 };
	struct hist_view lost = { .difference = true, .from_seq = 4, .lost = 1 };
	struct hist_view whole = { .difference = false };

	/* nothing was saved with the peak */
	check(&neighbours, 9, true, false);
	/* the peak is that of the last interval only */
	check(&longer, 15, false, true);
	check(&lost, 15, false, true);
	check(&whole, 15, true, true);
}

static void test_no_peak(void)
{
	struct hist_view neighbours = { .difference = true, .from_seq = 4 };

	schema.values[1].kind = HIST_VALUE_SUM;
	check(&neighbours, 15, false, true);
	schema.values[1].kind = HIST_VALUE_PEAK;
}

/* The kernel saves nothing with a maximum of 0; it prints zeros and "(null)" then. */
static void test_zero(void)
{
	struct hist_view all = { 0 };

	check_text(&all, "max:          1  prev_comm: sh", 1, true, true);
	check_text(&all, "max:          0  prev_comm: (null)", 0, false, false);
}

UNIT_TESTS(
	{ "a maximum of 0 is not a worst", test_zero },
	{ "the peak is the worst of a difference between neighbours, and of no other", test_peak },
	{ "without a peak, an older maximum is an upper limit", test_no_peak });
