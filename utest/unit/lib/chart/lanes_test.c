// SPDX-License-Identifier: GPL-2.0
/*
 * lanes_test.c - the shapes of ranges in lanes
 */
#include <CUnit/Basic.h>

#include "lib/chart/lanes.h"
#include "utest/unit/tests.h"

static struct chart_span span_of(void *data, uint32_t i, uint32_t *row, bool *merged)
{
	(void)data;
	*row = i;
	*merged = i == 1;
	return (struct chart_span){ i / 4., (i + 1) / 4. };
}

static void label_of(void *data, uint32_t row, struct hist_strbuf *b)
{
	(void)data;
	hist_strbuf_str(b, row ? "ksoftirqd/0 [17]" : "idle");
}

static void title_of(void *data, uint32_t i, struct hist_strbuf *b)
{
	(void)data;
	hist_strbuf_printf(b, "span %u", i);
}

static void tick_of(void *data, unsigned int third, struct hist_strbuf *b)
{
	(void)data;
	hist_strbuf_printf(b, "+%u", third * 50);
}

static double measure(void *data, const char *text, size_t len)
{
	return 10 * hist_cut_columns(data, text, len);
}

static void test_spans(void)
{
	const struct chart_spans_figures f = {
		.rows = 2, .n = 3, .span = span_of, .label = label_of, .title = title_of, .tick = tick_of,
	};
	const struct chart_font font = { measure, NULL, 12 };
	struct chart_scene s = { 0 };

	chart_spans_draw(&f, 520, 100, &font, &s);
	CU_ASSERT_EQUAL(s.error, 0);
	/* the plot, two labels, two boxes, and a line with three ticks: the third row does not exist */
	CU_ASSERT_EQUAL_FATAL(s.n, 9);
	CU_ASSERT_EQUAL(s.shapes[0].x, 112);
	CU_ASSERT_EQUAL(s.shapes[0].w, 400);
	CU_ASSERT_EQUAL(s.shapes[0].h, 40);
	CU_ASSERT_STRING_EQUAL(chart_scene_text(&s, s.shapes[1].words), "idle");
	CU_ASSERT_STRING_EQUAL(chart_scene_text(&s, s.shapes[2].title), "ksoftirqd/0 [17]");
	CU_ASSERT_EQUAL(s.shapes[3].look, CHART_CLASS_BAR);
	CU_ASSERT_EQUAL(s.shapes[4].look, CHART_CLASS_MERGED);
	CU_ASSERT_EQUAL(s.shapes[4].x, 212);
	CU_ASSERT_EQUAL(s.shapes[4].w, 100);
	CU_ASSERT_EQUAL(s.shapes[4].y, 23);
	CU_ASSERT_STRING_EQUAL(chart_scene_text(&s, s.shapes[4].title), "span 1");
	CU_ASSERT_EQUAL(s.shapes[7].x, 312);
	CU_ASSERT_STRING_EQUAL(chart_scene_text(&s, s.shapes[8].words), "+100");
	CU_ASSERT_EQUAL(s.height, 60);
	chart_scene_free(&s);
}

static void test_row(void)
{
	static const struct chart_span ranges[] = { { 20, 20 }, { 50, 80 } };
	const struct chart_lanes row = { { 0, 100 }, 2, ranges };
	const struct chart_scale scale = chart_lanes_scale(false, 0, 100, 1000, 228);
	const struct chart_box cell = { 1000, 50, 228, 22 };
	struct chart_scene s = { 0 };
	uint32_t i = 0;

	chart_lanes_draw(&scale, &cell, &row, &s);
	CU_ASSERT_EQUAL(s.error, 0);
	while (i < s.n && s.shapes[i].look != CHART_CLASS_AXIS)
		i++;
	CU_ASSERT_EQUAL_FATAL(s.n - i, 4);
	/* a number is two pixels, after the margin */
	CU_ASSERT_EQUAL(s.shapes[i].x, 1014);
	CU_ASSERT_EQUAL(s.shapes[i].w, 200);
	CU_ASSERT_EQUAL(s.shapes[i + 1].w, 3);
	CU_ASSERT_EQUAL(s.shapes[i + 1].y, 55);
	CU_ASSERT_EQUAL(s.shapes[i + 2].x, 1114);
	CU_ASSERT_EQUAL(s.shapes[i + 2].w, 60);
	CU_ASSERT_EQUAL(s.shapes[i + 2].y, 61);
	CU_ASSERT_EQUAL(s.shapes[i + 2].level, 2);
	CU_ASSERT_EQUAL(s.shapes[i + 2].item, 1);
	CU_ASSERT_EQUAL(chart_lanes_ticks(&scale).at[1], 50);
	chart_scene_free(&s);
}

static void test_log(void)
{
	CU_ASSERT_EQUAL(chart_lanes_scale(true, 0, 100, 0, 100).kind, CHART_LOG_ONE);
	CU_ASSERT_EQUAL(chart_lanes_scale(true, -1, 100, 0, 100).kind, CHART_LINEAR);
}

UNIT_TESTS({ "the ranges of a row have lanes", test_row },
	   { "only numbers from 0 on have a logarithmic scale", test_log },
	   { "a time line has rows, boxes with titles, and three ticks", test_spans });
