// SPDX-License-Identifier: GPL-2.0
/*
 * course_test.c - the shapes of numbers over time
 */
#include <CUnit/Basic.h>

#include "lib/chart/course.h"
#include "utest/unit/tests.h"

/* Two percentiles of four columns; nothing was counted in the third one. */
static const struct chart_span ranges[4][2] = {
	{ { 1, 1 }, { 64, 127 } }, { { 1, 1 }, { 64, 127 } }, { { 0, 0 }, { 0, 0 } }, { { 2, 3 }, { 8, 15 } },
};

static struct chart_span column_of(void *data, uint32_t i)
{
	(void)data;
	return (struct chart_span){ i / 4., (i + 1) / 4. };
}

static bool range_of(void *data, uint32_t column, unsigned int i, struct chart_span *range)
{
	(void)data;
	*range = ranges[column][i];
	return column != 2;
}

static void tick_of(void *data, double number, struct hist_strbuf *b)
{
	(void)data;
	hist_strbuf_u64(b, number);
}

static double measure(void *data, const char *text, size_t len)
{
	return 10 * hist_cut_columns(data, text, len);
}

static const struct chart_font font = { measure, NULL, 12 };
static const struct chart_bands_figures figures = {
	.columns = 4, .n = 2, .column = column_of, .range = range_of, .tick = tick_of,
};

static const struct chart_shape *path(const struct chart_scene *s, enum chart_class look, uint8_t level)
{
	uint32_t i;

	for (i = 0; i < s->n; i++)
		if (s->shapes[i].kind == CHART_PATH && s->shapes[i].look == look && s->shapes[i].level == level)
			return &s->shapes[i];
	CU_FAIL_FATAL("no such path");
	return NULL;
}

static void test_bands(void)
{
	const struct chart_box plot = { 100, 20, 400, 240 };
	const struct chart_point *p;
	const struct chart_shape *shape;
	struct chart_scene s = { 0 };
	struct chart_scale scale;

	scale = chart_bands_draw(&figures, &plot, &font, &s);
	CU_ASSERT_EQUAL(s.error, 0);
	CU_ASSERT_EQUAL(scale.kind, CHART_LOG_ONE);
	CU_ASSERT_EQUAL(scale.low, 1);
	CU_ASSERT_EQUAL(scale.high, 127);
	/* the largest number is at the top */
	shape = path(&s, CHART_CLASS_BAND, 2);
	CU_ASSERT_EQUAL_FATAL(shape->points, 12);
	p = s.points + shape->point;
	CU_ASSERT(p[0].item == CHART_BEGIN && p[4].item == CHART_BEGIN && p[8].item == CHART_BEGIN);
	CU_ASSERT(p[3].item == CHART_NO_ITEM);
	CU_ASSERT_EQUAL(p[0].x, 100);
	CU_ASSERT_EQUAL(p[0].y, 20);
	CU_ASSERT_EQUAL(p[1].x, 200);
	CU_ASSERT_DOUBLE_EQUAL(p[2].y, chart_scale_at(&scale, 64), 1e-9);
	/* a single number is seen too */
	p = s.points + path(&s, CHART_CLASS_BAND, 1)->point;
	CU_ASSERT_EQUAL(p[2].y - p[0].y, 2);
	/* the line has a gap: two columns, then one */
	shape = path(&s, CHART_CLASS_EDGE, 1);
	CU_ASSERT_EQUAL_FATAL(shape->points, 6);
	p = s.points + shape->point;
	CU_ASSERT(p[0].item == CHART_BEGIN && p[2].item == CHART_NO_ITEM && p[4].item == CHART_BEGIN);
	CU_ASSERT_EQUAL(p[4].x, 400);
	chart_scene_free(&s);
}

static void test_scale(void)
{
	const struct chart_box plot = { 0, 0, 100, 100 };
	struct chart_bands_figures f = figures;
	struct chart_scene s = { 0 };
	struct chart_scale scale;

	/* 1 to 3 are near each other */
	f.n = 1;
	scale = chart_bands_draw(&f, &plot, &font, &s);
	CU_ASSERT_EQUAL(scale.kind, CHART_LINEAR);
	CU_ASSERT_EQUAL(scale.high, 3);
	f.columns = 0;
	scale = chart_bands_draw(&f, &plot, &font, &s);
	CU_ASSERT_EQUAL(scale.low, -0.5);
	CU_ASSERT_EQUAL(scale.high, 0.5);
	CU_ASSERT_EQUAL(chart_bands_level(0), 1);
	CU_ASSERT_EQUAL(chart_bands_level(6), 1);
	CU_ASSERT_EQUAL(chart_bands_level(8), 3);
	chart_scene_free(&s);
}

static const struct {
	double at, number;
} dots[] = { { 0, 100 }, { 0.5, 10 }, { 1, 1000 }, { 1.01, 1e6 }, { -0.2, 1 } };

static double number_of(void *data, uint32_t i, double *at)
{
	(void)data;
	*at = dots[i % 5].at;
	return dots[i % 5].number;
}

/* The dots in the plot; their largest number makes the scale. */
static void test_dots(void)
{
	struct chart_dots_figures f = { .n = 5, .number = number_of, .tick = tick_of };
	const struct chart_box plot = { 100, 24, 400, 200 };
	struct chart_scene s = { 0 };
	const struct chart_shape *shape;
	struct chart_scale scale;

	scale = chart_dots_draw(&f, &plot, &font, &s);
	CU_ASSERT_EQUAL(scale.high, 1040);
	shape = &s.shapes[s.n - 1];
	CU_ASSERT_EQUAL_FATAL(shape->kind, CHART_DOTS);
	CU_ASSERT_EQUAL_FATAL(shape->points, 3);
	CU_ASSERT_EQUAL(shape->size, 5);
	CU_ASSERT_EQUAL(s.points[1].item, 1);
	CU_ASSERT_EQUAL(s.points[1].x, 300);
	CU_ASSERT_DOUBLE_EQUAL(s.points[1].y, 224 - 200 * 10 / 1040., 1e-9);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 499, s.points[2].y), 2);
	chart_scene_clear(&s);
	f.log = true;
	f.n = 5000;
	scale = chart_dots_draw(&f, &plot, &font, &s);
	CU_ASSERT_EQUAL(scale.kind, CHART_LOG);
	CU_ASSERT_EQUAL(scale.low, 7);
	CU_ASSERT_EQUAL(scale.high, 1300);
	CU_ASSERT_EQUAL(s.shapes[s.n - 1].points, 3000);
	CU_ASSERT_EQUAL(s.shapes[s.n - 1].size, 3);
	chart_scene_clear(&s);
	f.n = 0;
	scale = chart_dots_draw(&f, &plot, &font, &s);
	CU_ASSERT_EQUAL(s.shapes[s.n - 1].points, 0);
	chart_scene_free(&s);
}

UNIT_TESTS({ "a range is in a band, and its upper end is a line with gaps", test_bands },
	   { "the scale is logarithmic if the numbers are far from each other", test_scale },
	   { "dots in the plot have their places, and are found", test_dots });
