// SPDX-License-Identifier: GPL-2.0
/*
 * bars_test.c - the shapes of bar charts
 */
#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/chart/bars.h"
#include "utest/unit/tests.h"

static const uint64_t values[] = { 1000, 250, 0, 1, 500 };

static uint64_t value_of(void *data, uint32_t i)
{
	(void)data;
	return values[i % 5];
}

static uint64_t gap_of(void *data, uint32_t i)
{
	(void)data;
	return i == 2 ? 30 : 0;
}

static void label_of(void *data, uint32_t i, struct hist_strbuf *b)
{
	(void)data;
	hist_strbuf_printf(b, "%u-%u us", i * 100, i * 100 + 99);
}

static double measure(void *data, const char *text, size_t len)
{
	return 10 * hist_cut_columns(data, text, len);
}

static struct chart_bars_figures figures = {
	.n = 5, .value = value_of, .label = label_of, .has_shares = true, .whole = 2000,
};
static const struct chart_bars_options lying = { .width = 800, .font = { measure, NULL, 12 } };
static const struct chart_bars_options upright = {
	.upright = true, .width = 600, .height = 300, .top = 20, .font = { measure, NULL, 12 },
};

static unsigned int count(const struct chart_scene *s, enum chart_kind kind, enum chart_class look)
{
	unsigned int n = 0;
	uint32_t i;

	for (i = 0; i < s->n; i++)
		n += s->shapes[i].kind == kind && s->shapes[i].look == look;
	return n;
}

/* The words of item @item with a class, or "". */
static const char *words(const struct chart_scene *s, enum chart_class look, int32_t item)
{
	uint32_t i;

	for (i = 0; i < s->n; i++)
		if (s->shapes[i].kind == CHART_WORDS && s->shapes[i].look == look && s->shapes[i].item == item)
			return chart_scene_text(s, s->shapes[i].words);
	return "";
}

static void test_lying(void)
{
	struct chart_scene s = { 0 };
	struct chart_bars v;
	struct chart_box bar;

	CU_ASSERT_EQUAL_FATAL(chart_bars_measure(&v, &figures, &lying), 0);
	chart_bars_draw(&v, 0, &s);
	CU_ASSERT_EQUAL(s.error, 0);
	CU_ASSERT_EQUAL(count(&s, CHART_RECT, CHART_CLASS_BAR), 4);
	bar = chart_bars_bar(&v, 0, 0, 0);
	CU_ASSERT_DOUBLE_EQUAL(bar.w, v.plot.w, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(chart_bars_bar(&v, 0, 1, 0).w, bar.w / 4, 1e-9);
	CU_ASSERT_EQUAL(chart_bars_bar(&v, 0, 2, 0).w, 0);
	/* also one of 1000 is seen */
	CU_ASSERT_EQUAL(chart_bars_bar(&v, 0, 3, 0).w, 1);
	CU_ASSERT_DOUBLE_EQUAL(chart_bars_bar(&v, 0, 1, 0).y - bar.y, v.slot, 1e-9);
	CU_ASSERT_STRING_EQUAL(words(&s, CHART_CLASS_LABEL, 1), "100-199 us");
	CU_ASSERT_STRING_EQUAL(words(&s, CHART_CLASS_NUMBER, 0), "1,000");
	CU_ASSERT_STRING_EQUAL(words(&s, CHART_CLASS_SHARE, 1), "12.50%");
	CU_ASSERT_STRING_EQUAL(words(&s, CHART_CLASS_ZERO, 2), "0");
	CU_ASSERT_STRING_EQUAL(words(&s, CHART_CLASS_SHARE, 2), "");
	/* all of a row is the bar */
	CU_ASSERT_EQUAL(chart_scene_find(&s, 5, v.plot.y + 1), 0);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 799, v.plot.y + v.slot * 4.5), 4);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 5, v.plot.y + v.slot * 5 + 1), CHART_NO_ITEM);
	CU_ASSERT(s.height > v.plot.y + 5 * v.slot);
	chart_bars_free(&v);
	chart_scene_free(&s);
}

static void test_titles(void)
{
	struct chart_bars_figures f = figures;
	struct chart_scene s = { 0 };
	struct chart_bars v;

	f.key_title = "a title that is wider than all of the labels below it, and is cut";
	f.value_title = "hitcount";
	f.more = "7 more rows";
	f.has_shares = false;
	CU_ASSERT_EQUAL_FATAL(chart_bars_measure(&v, &f, &lying), 0);
	chart_bars_draw(&v, 0, &s);
	CU_ASSERT_EQUAL(v.label, 320);
	CU_ASSERT_EQUAL(count(&s, CHART_WORDS, CHART_CLASS_TITLE), 2);
	CU_ASSERT_EQUAL(count(&s, CHART_WORDS, CHART_CLASS_SHARE), 0);
	CU_ASSERT_STRING_EQUAL(words(&s, CHART_CLASS_MUTED, CHART_NO_ITEM), "7 more rows");
	chart_bars_free(&v);
	chart_scene_free(&s);
}

static void test_upright(void)
{
	struct chart_bars_figures f = figures;
	struct chart_scene s = { 0 };
	struct chart_bars v;
	struct chart_box bar;

	f.gap = gap_of;
	CU_ASSERT_EQUAL_FATAL(chart_bars_measure(&v, &f, &upright), 0);
	chart_bars_draw(&v, 0, &s);
	CU_ASSERT_EQUAL(count(&s, CHART_RECT, CHART_CLASS_BAR), 4);
	CU_ASSERT_EQUAL(count(&s, CHART_RECT, CHART_CLASS_GAP), 1);
	bar = chart_bars_bar(&v, 0, 0, 0);
	CU_ASSERT_DOUBLE_EQUAL(chart_bars_bar(&v, 0, 1, 0).h, bar.h / 4, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(bar.y + bar.h, v.plot.y + v.plot.h, 1e-9);
	CU_ASSERT(bar.y > v.plot.y);
	CU_ASSERT_STRING_EQUAL(words(&s, CHART_CLASS_NUMBER, 4), "500");
	CU_ASSERT_EQUAL(chart_scene_find(&s, v.plot.x + v.slot * 3.5, v.plot.y + 1), 3);
	CU_ASSERT_EQUAL(chart_scene_find(&s, v.plot.x + v.slot * 3.5, v.plot.y + v.plot.h + 9), 3);
	CU_ASSERT_EQUAL(chart_scene_find(&s, v.plot.x - 1, v.plot.y + 1), CHART_NO_ITEM);
	/* labels of two lines, all of them */
	CU_ASSERT_EQUAL(v.lines, 2);
	CU_ASSERT_EQUAL(count(&s, CHART_WORDS, CHART_CLASS_LABEL), 4);
	CU_ASSERT_EQUAL(count(&s, CHART_WORDS, CHART_CLASS_MUTED), 1);
	CU_ASSERT_STRING_EQUAL(words(&s, CHART_CLASS_LABEL, CHART_NO_ITEM), "0-\n99 us");
	chart_bars_free(&v);
	chart_scene_free(&s);
}

static void test_log(void)
{
	struct chart_bars_options o = lying;
	struct chart_bars v;

	o.log = true;
	CU_ASSERT_EQUAL_FATAL(chart_bars_measure(&v, &figures, &o), 0);
	CU_ASSERT_EQUAL(v.scale.kind, CHART_LOG);
	CU_ASSERT_EQUAL(v.scale.low, 0.5);
	/* 1000, 500 and 250 are equally far from each other */
	CU_ASSERT_DOUBLE_EQUAL(chart_bars_bar(&v, 0, 0, 0).w - chart_bars_bar(&v, 0, 4, 0).w,
			       chart_bars_bar(&v, 0, 4, 0).w - chart_bars_bar(&v, 0, 1, 0).w, 1e-9);
	chart_bars_free(&v);
}

/* Of many bars only those that are seen become shapes, and their labels fit. */
static void test_scroll(void)
{
	struct chart_bars_options o = lying;
	struct chart_bars_figures f = figures;
	struct chart_scene s = { 0 };
	struct chart_bars v;

	f.n = 65536;
	o.height = 200;
	o.measured = 10;
	CU_ASSERT_EQUAL_FATAL(chart_bars_measure(&v, &f, &o), 0);
	CU_ASSERT_EQUAL(v.all, 65536 * v.slot);
	chart_bars_draw(&v, 60000 * v.slot + 5, &s);
	CU_ASSERT(s.n < 100);
	CU_ASSERT_EQUAL(chart_scene_find(&s, 5, v.plot.y), 60000);
	CU_ASSERT_STRING_NOT_EQUAL(words(&s, CHART_CLASS_LABEL, 60000), "");
	CU_ASSERT(measure(NULL, words(&s, CHART_CLASS_LABEL, 60000),
			  strlen(words(&s, CHART_CLASS_LABEL, 60000))) <= v.label);
	CU_ASSERT_EQUAL(s.height, 200);
	/* below the plot there is no bar, although the last one is cut there */
	CU_ASSERT_EQUAL(chart_scene_find(&s, 5, v.plot.y + v.plot.h), CHART_NO_ITEM);
	chart_bars_free(&v);
	chart_scene_free(&s);
}

static double rate_of(void *data, uint32_t i, unsigned int side)
{
	(void)data;
	return side ? 0.25 * i : 0.5;
}

static void percent(void *data, double number, struct hist_strbuf *b)
{
	(void)data;
	hist_strbuf_printf(b, "%.0f%%", number * 100);
}

static void test_sides(void)
{
	struct chart_bars_figures f = { .n = 4, .size = rate_of, .sides = 2, .label = label_of, .tick = percent };
	struct chart_scene s = { 0 };
	struct chart_bars v;
	struct chart_box before, after;

	CU_ASSERT_EQUAL_FATAL(chart_bars_measure(&v, &f, &lying), 0);
	chart_bars_draw(&v, 0, &s);
	CU_ASSERT_EQUAL(count(&s, CHART_RECT, CHART_CLASS_BEFORE), 4);
	CU_ASSERT_EQUAL(count(&s, CHART_RECT, CHART_CLASS_BAR), 3);
	CU_ASSERT_EQUAL(count(&s, CHART_WORDS, CHART_CLASS_NUMBER), 0);
	before = chart_bars_bar(&v, 0, 3, 0);
	after = chart_bars_bar(&v, 0, 3, 1);
	CU_ASSERT_DOUBLE_EQUAL(after.w, 1.5 * before.w, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(after.y, before.y + before.h, 1e-9);
	CU_ASSERT(after.y + after.h < v.plot.y + 4 * v.slot);
	CU_ASSERT_STRING_EQUAL(words(&s, CHART_CLASS_TICK, CHART_NO_ITEM), "0%");
	chart_bars_free(&v);
	chart_scene_clear(&s);
	CU_ASSERT_EQUAL_FATAL(chart_bars_measure(&v, &f, &upright), 0);
	chart_bars_draw(&v, 0, &s);
	before = chart_bars_bar(&v, 0, 3, 0);
	after = chart_bars_bar(&v, 0, 3, 1);
	CU_ASSERT_DOUBLE_EQUAL(after.x, before.x + before.w, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(after.h, 1.5 * before.h, 1e-9);
	chart_bars_free(&v);
	chart_scene_free(&s);
}

static uint64_t zero(void *data, uint32_t i)
{
	(void)data, (void)i;
	return 0;
}

static void test_nothing(void)
{
	struct chart_bars_figures f = figures;
	struct chart_scene s = { 0 };
	struct chart_bars v;

	f.value = zero;
	f.whole = 0;
	CU_ASSERT_EQUAL_FATAL(chart_bars_measure(&v, &f, &lying), 0);
	chart_bars_draw(&v, 0, &s);
	CU_ASSERT_EQUAL(count(&s, CHART_RECT, CHART_CLASS_BAR), 0);
	CU_ASSERT_EQUAL(count(&s, CHART_WORDS, CHART_CLASS_ZERO), 5);
	chart_bars_free(&v);
	chart_scene_clear(&s);
	f.n = 0;
	CU_ASSERT_EQUAL_FATAL(chart_bars_measure(&v, &f, &upright), 0);
	chart_bars_draw(&v, 0, &s);
	CU_ASSERT_EQUAL(s.n, 0);
	chart_bars_free(&v);
	chart_scene_free(&s);
}

UNIT_TESTS({ "lying bars are as long as their values, with label, value and share", test_lying },
	   { "titles and the line of the rest have room", test_titles },
	   { "upright bars are as high as their values, and gaps have no bar", test_upright },
	   { "on a log scale, equal ratios are equally far", test_log },
	   { "only visible bars of many become shapes", test_scroll },
	   { "bars of two sides are next to each other in one slot", test_sides },
	   { "values of 0 and no bars at all do not fail", test_nothing });
