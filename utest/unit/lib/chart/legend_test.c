// SPDX-License-Identifier: GPL-2.0
/*
 * legend_test.c - the samples and texts of a legend
 */
#include <CUnit/Basic.h>

#include "lib/chart/legend.h"
#include "utest/unit/tests.h"

static double measure(void *data, const char *text, size_t len)
{
	return 10 * hist_cut_columns(data, text, len);
}

/* Level 2 is not in use. */
static void text_of(void *data, uint8_t level, struct hist_strbuf *b)
{
	(void)data;
	if (level != 2)
		hist_strbuf_u64(b, level * 100);
}

static const struct chart_legend legend = {
	.title = "rate", .look = CHART_CLASS_HEAT, .first = 1, .last = 4, .text = text_of,
	.font = { measure, NULL, 12 },
};

static unsigned int samples(const struct chart_scene *s, double *last)
{
	unsigned int n = 0;
	uint32_t i;

	for (i = 0; i < s->n; i++) {
		if (s->shapes[i].kind != CHART_RECT)
			continue;
		CU_ASSERT(s->shapes[i].level >= 1 && s->shapes[i].level <= 4);
		*last = s->shapes[i].x + s->shapes[i].w;
		n++;
	}
	return n;
}

static void test_line(void)
{
	/* title, and three samples with texts of 30 */
	double width = 40 + 10 + 3 * (13 + 4 + 30) + 2 * 10, last = 0, found;
	struct chart_scene s = { 0 };

	CU_ASSERT_EQUAL(chart_legend_width(&legend, &found), 0);
	CU_ASSERT_EQUAL(found, width);
	CU_ASSERT_EQUAL(chart_legend_draw(&legend, 5, 10, width, &s), 30);
	CU_ASSERT_EQUAL(s.n, 7);
	CU_ASSERT_EQUAL(samples(&s, &last), 3);
	CU_ASSERT_EQUAL(last, 5 + width - 34);
	chart_scene_free(&s);
}

/* The title has a line of its own, and so have samples that do not fit. */
static void test_lines(void)
{
	struct chart_scene s = { 0 };
	double last = 0;

	CU_ASSERT_EQUAL(chart_legend_draw(&legend, 5, 10, 200, &s), 50);
	CU_ASSERT_EQUAL(s.shapes[1].x, 5);
	CU_ASSERT_EQUAL(s.shapes[1].y - s.shapes[5].y, 0);
	chart_scene_clear(&s);
	CU_ASSERT_EQUAL(chart_legend_draw(&legend, 5, 10, 110, &s), 70);
	CU_ASSERT_EQUAL(s.shapes[5].y - s.shapes[1].y, 20);
	CU_ASSERT_EQUAL(samples(&s, &last), 3);
	CU_ASSERT_EQUAL(last, 18);
	chart_scene_free(&s);
}

static void test_brief(void)
{
	struct chart_legend l = legend;
	struct chart_scene s = { 0 };
	double last = 0, width;

	l.brief = true;
	CU_ASSERT_EQUAL(chart_legend_width(&l, &width), 0);
	CU_ASSERT_EQUAL(width, 40 + 10 + 30 + 4 + 4 * 13 + 4 + 30);
	chart_legend_draw(&l, 0, 10, 500, &s);
	/* also the one that is not in use, and texts at both ends */
	CU_ASSERT_EQUAL(samples(&s, &last), 4);
	CU_ASSERT_EQUAL(last, 84 + 4 * 13);
	CU_ASSERT_EQUAL(s.n, 7);
	CU_ASSERT_STRING_EQUAL(chart_scene_text(&s, s.shapes[6].words), "400");
	chart_scene_free(&s);
}

static void test_samples(void)
{
	struct chart_legend l = legend;
	struct chart_scene s = { 0 };
	double width;

	l.lines = true;
	l.title = NULL;
	l.last = 1;
	CU_ASSERT_EQUAL(chart_legend_width(&l, &width), 0);
	CU_ASSERT_EQUAL(width, 24 + 4 + 30);
	chart_legend_draw(&l, 5, 10, 500, &s);
	CU_ASSERT_EQUAL_FATAL(s.n, 2);
	CU_ASSERT_EQUAL(s.shapes[0].kind, CHART_PATH);
	CU_ASSERT_EQUAL(s.shapes[0].level, 1);
	CU_ASSERT_EQUAL(s.points[1].x, 29);
	CU_ASSERT_EQUAL(s.points[1].y, 10);
	chart_scene_free(&s);
}

UNIT_TESTS({ "a legend has the samples that are in use, in a line", test_line },
	   { "what does not fit is in the next line", test_lines },
	   { "a brief legend has all samples, and the texts of the ends", test_brief },
	   { "samples can be lines", test_samples });
