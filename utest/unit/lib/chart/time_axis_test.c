// SPDX-License-Identifier: GPL-2.0
/*
 * time_axis_test.c - the time axis below a plot
 */
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/chart/time_axis.h"
#include "utest/unit/tests.h"

#define SECOND UINT64_C(1000000000)

static double measure(void *data, const char *text, size_t len)
{
	return 7 * hist_cut_columns(data, text, len);
}

static const struct chart_font font = { measure, NULL, 12 };

/* The times below the axis, separated by '|'. */
static const char *times(const struct chart_time_axis *t, double width)
{
	static char all[256];
	struct chart_scene s = { 0 };
	uint32_t i;

	*all = '\0';
	chart_time_axis_draw(t, &font, 10, 50, width, &s);
	CU_ASSERT_EQUAL(s.error, 0);
	for (i = 0; i < s.n; i++) {
		if (s.shapes[i].kind != CHART_WORDS)
			continue;
		strcat(strcat(all, *all ? "|" : ""), chart_scene_text(&s, s.shapes[i].words));
		CU_ASSERT(s.shapes[i].x + measure(NULL, chart_scene_text(&s, s.shapes[i].words),
						  strlen(chart_scene_text(&s, s.shapes[i].words))) / 2 <= width);
	}
	chart_scene_free(&s);
	return all;
}

static void test_positions(void)
{
	struct chart_time_axis t = { 100, 200, 5 * SECOND, 15 * SECOND, true, false, NULL };

	CU_ASSERT_DOUBLE_EQUAL(chart_time_axis_at(&t, 10 * SECOND), 200, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(chart_time_axis_at(&t, 20 * SECOND), 400, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(chart_time_axis_at(&t, 0), 0, 1e-9);
	/* a window of some ns, late in a clock that counts from 1970 on */
	t.from = UINT64_C(1700000000000000000);
	t.to = t.from + 4;
	CU_ASSERT_DOUBLE_EQUAL(chart_time_axis_at(&t, t.from + 1), 150, 1e-9);
}

static void test_ticks(void)
{
	struct chart_time_axis t = { 0, 400, 4500000000, 9500000000, true, false, NULL };

	CU_ASSERT_STRING_EQUAL(times(&t, 420), "5 s|6 s|7 s|8 s|9 s");
	t.relative = true;
	CU_ASSERT_STRING_EQUAL(times(&t, 420), "0|1|2|3|4|5");
	t.to = t.from + SECOND;
	CU_ASSERT_STRING_EQUAL(times(&t, 420), "0.0|0.2|0.4|0.6|0.8|1.0");
	t.start = "start";
	CU_ASSERT_STRING_EQUAL(times(&t, 420), "start|+0.2 s|+0.4 s|+0.6 s|+0.8 s|+1.0 s");
	t.start = NULL;
	t.ns = false;
	CU_ASSERT_STRING_EQUAL(times(&t, 500), "0|200,000,000|400,000,000|600,000,000|800,000,000|1,000,000,000");
	/* no time at all */
	t.to = t.from;
	CU_ASSERT_STRING_EQUAL(times(&t, 420), "0");
	t = (struct chart_time_axis){ 0, 400, 0, UINT64_MAX, true, false, NULL };
	CU_ASSERT_STRING_EQUAL(times(&t, 420), "0 s|5000000000 s|10000000000 s|15000000000 s");
}

UNIT_TESTS({ "times have positions, also late ones that are close", test_positions },
	   { "ticks are whole steps of the clock, or count from the begin", test_ticks });
