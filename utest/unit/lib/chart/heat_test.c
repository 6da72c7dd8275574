// SPDX-License-Identifier: GPL-2.0
/*
 * heat_test.c - the shapes of a map of cells
 */
#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/chart/heat.h"
#include "utest/unit/tests.h"

static const uint8_t levels[] = { 1, 0, 2, 0, 0, 9 };
/* Nothing is known between the first two columns. */
static const struct chart_span columns[] = { { 0, 0.25 }, { 0.5, 0.75 }, { 0.75, 1 } };

static struct chart_span column_of(void *data, uint32_t i)
{
	(void)data;
	return columns[i];
}

static void label_of(void *data, uint32_t i, struct hist_strbuf *b)
{
	(void)data;
	hist_strbuf_str(b, i ? "1.03-2.05 ms" : "1-2 us");
}

static void brief_of(void *data, uint32_t i, struct hist_strbuf *b)
{
	(void)data;
	if (i)
		hist_strbuf_str(b, "1.03 ms..");
}

static bool is_marked(void *data, uint32_t i)
{
	(void)data;
	return i > 0;
}

static double measure(void *data, const char *text, size_t len)
{
	return 10 * hist_cut_columns(data, text, len);
}

static struct chart_heat_figures figures = {
	.rows = 2, .columns = 3, .upward = true, .look = CHART_CLASS_HEAT, .levels = levels,
	.column = column_of, .label = label_of, .is_marked = is_marked,
};
static const struct chart_heat_options whole = {
	.width = 800, .row_most = 18, .font = { measure, NULL, 12 },
};
static const struct chart_heat_options viewport = {
	.width = 800, .height = 120, .top = 20, .row_most = 64, .size_least = 0.8, .font = { measure, NULL, 12 },
};

static const struct chart_shape *find(const struct chart_scene *s, enum chart_class look, unsigned int number)
{
	uint32_t i;

	for (i = 0; i < s->n; i++)
		if (s->shapes[i].look == look && !number--)
			return &s->shapes[i];
	return NULL;
}

static void test_cells(void)
{
	struct chart_scene s = { 0 };
	const struct chart_shape *shape;
	struct chart_box box;
	struct chart_heat v;

	CU_ASSERT_EQUAL_FATAL(chart_heat_measure(&v, &figures, &whole), 0);
	chart_heat_draw(&v, 0, &s);
	CU_ASSERT_EQUAL(s.error, 0);
	/* the labels, then the plot, which ends before half of a time */
	CU_ASSERT_EQUAL(v.plot.x, 132);
	CU_ASSERT_EQUAL(v.plot.x + v.plot.w, 784);
	CU_ASSERT_EQUAL(v.cells.row, 18);
	CU_ASSERT_EQUAL(v.plot.h, 36);
	/* row 1 is above row 0 */
	box = chart_heat_cell(&v, 0, 1, 2);
	CU_ASSERT_EQUAL(box.y, v.plot.y);
	CU_ASSERT_DOUBLE_EQUAL(box.x, v.plot.x + v.plot.w * 0.75, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(box.w, v.plot.w / 4, 1e-9);
	CU_ASSERT_EQUAL(chart_scene_find(&s, box.x + 1, box.y + 1), 5);
	CU_ASSERT_EQUAL(chart_scene_find(&s, v.plot.x + 1, v.plot.y + 35), 0);
	CU_ASSERT_EQUAL(chart_scene_find(&s, v.plot.x + v.plot.w * 0.4, v.plot.y + 5), CHART_NO_ITEM);
	CU_ASSERT_EQUAL(chart_scene_find(&s, v.plot.x + 1, v.plot.y + 37), CHART_NO_ITEM);
	CU_ASSERT_EQUAL(chart_scene_find(&s, v.plot.x - 1, v.plot.y + 5), CHART_NO_ITEM);
	/* the ground of what is known: two parts */
	CU_ASSERT(v.has_unknown);
	shape = find(&s, CHART_CLASS_UNKNOWN, 0);
	CU_ASSERT(shape && shape->w == v.plot.w);
	shape = find(&s, CHART_CLASS_PLOT, 1);
	CU_ASSERT(shape && fabs(shape->w - v.plot.w / 2) < 1e-9);
	CU_ASSERT_PTR_NULL(find(&s, CHART_CLASS_PLOT, 2));
	/* two marked neighbours are one mark */
	shape = find(&s, CHART_CLASS_MARK, 0);
	CU_ASSERT(shape && fabs(shape->w - v.plot.w / 2) < 1e-9 && shape->y + shape->h < v.plot.y);
	CU_ASSERT_PTR_NULL(find(&s, CHART_CLASS_MARK, 1));
	chart_scene_free(&s);
	chart_heat_free(&v);
}

/* Level 0 of a difference is no less unknown than a time without columns. */
static void test_unknown(void)
{
	struct chart_heat_figures f = figures;
	struct chart_scene s = { 0 };
	struct chart_heat v;

	f.zero_is_unknown = true;
	f.is_marked = NULL;
	CU_ASSERT_EQUAL_FATAL(chart_heat_measure(&v, &f, &whole), 0);
	chart_heat_draw(&v, 0, &s);
	CU_ASSERT_PTR_NOT_NULL(find(&s, CHART_CLASS_UNKNOWN, 0));
	CU_ASSERT_PTR_NULL(find(&s, CHART_CLASS_PLOT, 0));
	CU_ASSERT_EQUAL(v.cells.gap, 0);
	chart_scene_free(&s);
	chart_heat_free(&v);
}

/* Rows of 8 that are lower than a line of 12: each second one has its label, from the top. */
static void test_low_rows(void)
{
	static const uint8_t four[12];
	struct chart_heat_figures f = figures;
	struct chart_heat_options o = whole;
	struct chart_scene s = { 0 };
	const struct chart_shape *first, *second;
	struct chart_heat v;

	f.rows = 4;
	f.levels = four;
	o.row_most = 8;
	CU_ASSERT_EQUAL_FATAL(chart_heat_measure(&v, &f, &o), 0);
	chart_heat_draw(&v, 0, &s);
	CU_ASSERT_EQUAL(v.cells.row, 8);
	first = find(&s, CHART_CLASS_LABEL, 0);
	second = find(&s, CHART_CLASS_LABEL, 1);
	CU_ASSERT_FATAL(first && second);
	CU_ASSERT_EQUAL(first->y, v.plot.y + 4 + 12 / 3);
	CU_ASSERT_EQUAL(second->y, first->y + 16);
	CU_ASSERT_PTR_NULL(find(&s, CHART_CLASS_LABEL, 2));
	chart_scene_free(&s);
	chart_heat_free(&v);
}

/* A plot in line with another one; labels are smaller, then brief, then cut. */
static void test_forced(void)
{
	static const struct {
		double left, size;
		const char *text;
	} cases[] = {
		{ 132, 1, "1.03-2.05 ms" }, { 122, 109 / 120., "1.03-2.05 ms" }, { 90, 0.8, "1.03 ms.." },
		{ 60, 0.8, "1.\xe2\x80\xa6s.." },
	};
	struct chart_heat_options o = viewport;
	struct chart_heat_figures f = figures;
	const struct chart_shape *shape;
	struct chart_heat v;
	unsigned int i;

	f.brief = brief_of;
	for (i = 0; i < 4; i++) {
		struct chart_scene s = { 0 };

		o.left = cases[i].left;
		o.right = 500;
		CU_ASSERT_EQUAL_FATAL(chart_heat_measure(&v, &f, &o), 0);
		chart_heat_draw(&v, 0, &s);
		CU_ASSERT_EQUAL(v.plot.x, cases[i].left);
		CU_ASSERT_EQUAL(v.plot.x + v.plot.w, 500);
		CU_ASSERT_DOUBLE_EQUAL(v.size, cases[i].size, 1e-9);
		shape = find(&s, CHART_CLASS_LABEL, 0);
		CU_ASSERT_FATAL(shape != NULL);
		CU_ASSERT_STRING_EQUAL(chart_scene_text(&s, shape->words), cases[i].text);
		CU_ASSERT_DOUBLE_EQUAL(shape->size, cases[i].size, 1e-9);
		chart_scene_free(&s);
		chart_heat_free(&v);
	}
	/* no room at all */
	o.left = 10;
	CU_ASSERT_EQUAL_FATAL(chart_heat_measure(&v, &f, &o), 0);
	{
		struct chart_scene s = { 0 };

		chart_heat_draw(&v, 0, &s);
		CU_ASSERT_PTR_NULL(find(&s, CHART_CLASS_LABEL, 0));
		chart_scene_free(&s);
	}
	chart_heat_free(&v);
}

/* Rows use the height, and scroll if they would be too low. */
static void test_height(void)
{
	struct chart_heat_figures f = figures;
	uint8_t many[3 * 100] = { 0 };
	struct chart_scene s = { 0 };
	struct chart_heat v;

	CU_ASSERT_EQUAL_FATAL(chart_heat_measure(&v, &f, &viewport), 0);
	/* 120 without 26 above and 20 below */
	CU_ASSERT_EQUAL(v.plot.y, 26);
	CU_ASSERT_EQUAL(v.cells.row, 37);
	CU_ASSERT_EQUAL(v.plot.h, 74);
	chart_heat_free(&v);
	f.rows = 100;
	f.levels = many;
	CU_ASSERT_EQUAL_FATAL(chart_heat_measure(&v, &f, &viewport), 0);
	CU_ASSERT_EQUAL(v.cells.row, 4);
	CU_ASSERT_EQUAL(v.all, 400);
	CU_ASSERT_EQUAL(v.plot.h, 74);
	/* 40 pixels are ten rows, and the highest row is the last one */
	chart_heat_draw(&v, 40, &s);
	CU_ASSERT_EQUAL(chart_scene_find(&s, v.plot.x + 1, v.plot.y + 1), 89 * 3);
	CU_ASSERT_EQUAL(chart_heat_cell(&v, 40, 89, 0).y, v.plot.y);
	chart_scene_free(&s);
	chart_heat_free(&v);
	/* rows of keys are as high as a line */
	f.upward = false;
	CU_ASSERT_EQUAL_FATAL(chart_heat_measure(&v, &f, &viewport), 0);
	CU_ASSERT_EQUAL(v.cells.row, 14);
	chart_heat_free(&v);
}

UNIT_TESTS({ "cells, marks and the ground have their places, and cells are found", test_cells },
	   { "cells of level 0 can be unknown", test_unknown },
	   { "labels of low rows do not overlap", test_low_rows },
	   { "a forced plot makes labels smaller, brief, and cut", test_forced },
	   { "rows use the height, or scroll", test_height });
