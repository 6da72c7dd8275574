// SPDX-License-Identifier: GPL-2.0
/*
 * scene_test.c - a list of shapes, and what is under a point
 */
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/chart/scene.h"
#include "utest/unit/tests.h"

static void test_shapes(void)
{
	const struct hist_strbuf words = { .data = "words", .len = 5 }, title = { .data = "title", .len = 5 };
	struct chart_scene s = { 0 };

	chart_scene_rect(&s, CHART_CLASS_BAR, 7, 1, 2, 3, 4);
	chart_scene_title(&s, &title);
	chart_scene_level(&s, 3);
	chart_scene_line(&s, CHART_CLASS_GRID, 10, 20, 30, 5);
	chart_scene_words(&s, CHART_CLASS_LABEL, 8, 'e', 5, 6, &words);
	CU_ASSERT_EQUAL_FATAL(s.n, 3);
	CU_ASSERT_EQUAL(s.shapes[0].kind, CHART_RECT);
	CU_ASSERT_EQUAL(s.shapes[0].look, CHART_CLASS_BAR);
	CU_ASSERT_EQUAL(s.shapes[0].item, 7);
	CU_ASSERT_EQUAL(s.shapes[0].h, 4);
	CU_ASSERT_STRING_EQUAL(chart_scene_text(&s, s.shapes[0].title), "title");
	CU_ASSERT_EQUAL(s.shapes[0].level, 3);
	CU_ASSERT_EQUAL(s.shapes[1].item, CHART_NO_ITEM);
	CU_ASSERT_EQUAL(s.shapes[1].level, 0);
	CU_ASSERT_EQUAL(s.shapes[1].w, 20);
	CU_ASSERT_EQUAL(s.shapes[1].h, -15);
	CU_ASSERT_EQUAL(s.shapes[1].title, 0);
	CU_ASSERT_EQUAL(s.shapes[2].anchor, 'e');
	CU_ASSERT_STRING_EQUAL(chart_scene_text(&s, s.shapes[2].words), "words");
	chart_scene_clear(&s);
	CU_ASSERT_EQUAL(s.n, 0);
	chart_scene_free(&s);
}

static void test_labels(void)
{
	const struct hist_strbuf labels[] = { { .data = "short", .len = 5 }, { .data = "a long label", .len = 12 } };
	struct chart_scene s = { 0 };
	struct hist_cut cut;
	uint32_t i;

	hist_cut_init(&cut, hist_cut_columns, NULL, HIST_CUT_MARK_ASCII);
	for (i = 0; i < 2; i++)
		hist_cut_add(&cut, &labels[i]);
	CU_ASSERT_EQUAL(hist_cut_fit(&cut, 7), 0);
	for (i = 0; i < 2; i++)
		chart_scene_label(&s, CHART_CLASS_LABEL, i, 's', 0, 0, &cut, i);
	hist_cut_free(&cut);
	CU_ASSERT_EQUAL_FATAL(s.n, 2);
	CU_ASSERT_EQUAL(s.shapes[0].title, 0);
	CU_ASSERT_STRING_EQUAL(chart_scene_text(&s, s.shapes[1].words), "a l~bel");
	CU_ASSERT_STRING_EQUAL(chart_scene_text(&s, s.shapes[1].title), "a long label");
	chart_scene_free(&s);
}

static void test_find(void)
{
	struct chart_scene s = { 0 };

	chart_scene_rect(&s, CHART_CLASS_BAR, 9, 0, 0, 100, 100);
	chart_scene_area(&s, 1, 0, 0, 10, 10);
	chart_scene_area(&s, 2, 10, 0, 10, 10);
	/* on top of both */
	chart_scene_area(&s, 3, 8, 4, 4, 2);
	chart_scene_clip(&s, 0, 20, 10, 5);
	chart_scene_area(&s, 4, 0, 20, 10, 10);
	chart_scene_unclip(&s);
	chart_scene_area(&s, 5, 0, 40, 10, 10);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 0, 0), 1);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 9.9, 9.9), 1);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 10, 0), 2);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 9, 5), 3);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 5, 24), 4);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 5, 26), CHART_NO_ITEM);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 5, 45), 5);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 50, 50), CHART_NO_ITEM);
	chart_scene_free(&s);
}

/* Columns of less than a pixel are found too, and the last pixel is that of the last one. */
static void test_cells(void)
{
	static const struct chart_span spans[] = { { 10, 20 }, { 25.2, 25.4 }, { 40, 49.6 } };
	struct chart_cells cells = { .rows = 3, .columns = 3, .spans = spans, .row = 5 };
	struct chart_scene s = { 0 };

	chart_scene_area(&s, 77, 0, 0, 100, 100);
	chart_scene_cells(&s, CHART_CLASS_HEAT, 100, &cells);
	CU_ASSERT_EQUAL_FATAL(s.n, 2);
	CU_ASSERT_EQUAL(s.shapes[1].h, 15);
	CU_ASSERT_DOUBLE_EQUAL(s.shapes[1].w, 39.6, 1e-9);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 10.5, 100), 0);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 19.5, 114.9), 6);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 19.5, 115), CHART_NO_ITEM);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 22.5, 100), CHART_NO_ITEM);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 24.5, 100), 1);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 49.9, 106), 5);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 51, 106), CHART_NO_ITEM);
	/* what is below the cells is still found */
	CU_ASSERT_EQUAL(chart_scene_find(&s, 50, 50), 77);
	cells.upward = true;
	CU_ASSERT_EQUAL(chart_scene_find(&s, 10.5, 100), 6);
	chart_scene_free(&s);
}

/* The next dot, if it is not far away. */
static void test_dots(void)
{
	const struct chart_box box = { 0, 0, 100, 100 };
	struct chart_scene s = { 0 };

	chart_scene_points(&s, CHART_DOTS, CHART_CLASS_BAR, &box);
	chart_scene_size(&s, 5);
	chart_scene_point(&s, 10, 10, 4);
	chart_scene_point(&s, 13, 10, 7);
	chart_scene_point(&s, 50, 50, 2);
	CU_ASSERT_EQUAL(s.shapes[0].size, 5);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 11, 10), 4);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 12, 10), 7);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 13, 17.9), 7);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 13, 18), CHART_NO_ITEM);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 46, 46), 2);
	chart_scene_free(&s);
}

static void test_paths(void)
{
	struct chart_scene s = { 0 };

	chart_scene_points(&s, CHART_PATH, CHART_CLASS_BAND, NULL);
	chart_scene_point(&s, 1, 2, CHART_BEGIN);
	chart_scene_point(&s, 3, 4, CHART_NO_ITEM);
	chart_scene_points(&s, CHART_PATH, CHART_CLASS_EDGE, NULL);
	chart_scene_level(&s, 2);
	chart_scene_point(&s, 5, 6, CHART_BEGIN);
	CU_ASSERT_EQUAL_FATAL(s.n, 2);
	CU_ASSERT_EQUAL(s.shapes[0].points, 2);
	CU_ASSERT_EQUAL(s.shapes[1].level, 2);
	CU_ASSERT_EQUAL(s.shapes[1].point, 2);
	CU_ASSERT_EQUAL(s.points[2].x, 5);
	CU_ASSERT(s.points[2].item == CHART_BEGIN && s.points[1].item == CHART_NO_ITEM);
	chart_scene_clear(&s);
	CU_ASSERT_EQUAL(s.npoints, 0);
	chart_scene_free(&s);
}

static void test_errors(void)
{
	const struct hist_strbuf bad = { .error = -12 }, title = { .data = "title", .len = 5 };
	struct chart_scene s = { 0 };

	chart_scene_words(&s, CHART_CLASS_LABEL, 0, 's', 0, 0, &bad);
	chart_scene_rect(&s, CHART_CLASS_BAR, 0, 0, 0, 1, 1);
	chart_scene_title(&s, &title);
	CU_ASSERT_EQUAL(s.error, -12);
	CU_ASSERT_EQUAL(s.n, 0);
	chart_scene_clear(&s);
	chart_scene_rect(&s, CHART_CLASS_BAR, 0, 0, 0, 1, 1);
	CU_ASSERT_EQUAL(s.n, 1);
	chart_scene_free(&s);
}

UNIT_TESTS({ "shapes keep their place, class, item and texts", test_shapes },
	   { "a cut label has the whole one as its title", test_labels },
	   { "the last area that has a point is under it, if it is not clipped", test_find },
	   { "cells are found by row and column", test_cells },
	   { "the dot next to a point is found", test_dots },
	   { "paths have their points", test_paths },
	   { "an error is kept until the scene is cleared", test_errors });
