// SPDX-License-Identifier: GPL-2.0
/*
 * top_canvas_test.c - cells of the canvas, and levels of a heat map
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/heatmap/heat_scale.h"
#include "tracecmd/top/top_canvas.h"
#include "utest/unit/tests.h"

static struct top_canvas canvas;

static void begin(unsigned int rows, unsigned int columns, bool utf8)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	memset(&canvas, 0, sizeof(canvas));
	canvas.utf8 = utf8;
	CU_ASSERT_EQUAL_FATAL(top_canvas_resize(&canvas, rows, columns), 0);
}

static void expect(const char *golden)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	CU_ASSERT_EQUAL(top_canvas_print(&canvas, f, 0, canvas.rows), 0);
	fclose(f);
	if (strcmp(text, golden))
		fprintf(stderr, "\ngot:\n%s\nexpected:\n%s\n", text, golden);
	CU_ASSERT_STRING_EQUAL(text, golden);
	free(text);
	top_canvas_clear(&canvas);
	setlocale(LC_CTYPE, "C");
}

static void text(unsigned int column, unsigned int width, bool right, const char *s)
{
	top_canvas_put_text(&canvas, 0, column, width, CANVAS_PLAIN, right, s, strlen(s));
}

static void test_text(void)
{
	begin(1, 20, true);
	text(0, 6, false, "abcdefg"); /* cut */
	text(7, 6, true, "xyz");
	text(15, 4, false, "edges"); /* the canvas ends at 20 */
	expect("abcde…    xyz  edg…\n");

	begin(1, 12, true);
	text(0, 5, false, "漢字漢字"); /* two columns each: the third does not fit */
	text(6, 2, false, "e\xcc\x81" "e\xcc\x81"); /* marks take no column */
	text(9, 3, false, "a\033\xff");	/* never a control character, never bad bytes */
	expect("漢字… e\xcc\x81" "e\xcc\x81 a??\n");

	/* half of a wide character does not stay behind */
	begin(1, 7, false);
	text(0, 7, false, "漢字漢z");
	text(1, 1, false, "x");
	text(4, 1, false, "y");
	expect(" x字y z\n");

	/* outside: nothing */
	begin(1, 3, false);
	top_canvas_put_text(&canvas, 1, 0, 3, CANVAS_PLAIN, false, "abc", 3);
	top_canvas_put_text(&canvas, 0, 3, 3, CANVAS_PLAIN, false, "abc", 3);
	top_canvas_put_bar(&canvas, 0, 2, 800);
	CU_ASSERT_PTR_NULL(top_canvas_at(&canvas, 1, 0));
	expect("  #\n");
}

static void test_bars(void)
{
	begin(5, 4, true);
	top_canvas_put_bar(&canvas, 0, 0, 16);
	top_canvas_put_bar(&canvas, 1, 0, 15);
	top_canvas_put_bar(&canvas, 2, 0, 9);
	top_canvas_put_bar(&canvas, 3, 0, 1);
	top_canvas_put_bar(&canvas, 4, 0, 0);
	expect("██\n█▉\n█▏\n▏\n▏\n");

	begin(3, 4, false);
	top_canvas_put_bar(&canvas, 0, 0, 20);
	top_canvas_put_bar(&canvas, 1, 0, 4);
	top_canvas_put_bar(&canvas, 2, 0, 3);
	expect("###\n#\n.\n");

	begin(1, 12, false);
	for (unsigned int i = 0; i < 12; i++)
		top_canvas_put_heat(&canvas, 0, i, i);
	CU_ASSERT_EQUAL(top_canvas_at(&canvas, 0, 4)->level, 4);
	expect(" .:-=+*#%@@@\n");
}

static void test_heat(void)
{
	struct hist_heat heat;
	uint64_t v;
	unsigned int i, level, before = 0;

	/* a factor of ten a level */
	hist_heat_make_scale(&heat, 1, 1000000000, 10);
	for (i = 1, v = 1; i < 10; i++, v *= 10) {
		CU_ASSERT_EQUAL(heat.from[i], v);
		CU_ASSERT_EQUAL(hist_heat_level(&heat, v), i);
		CU_ASSERT_EQUAL(hist_heat_level(&heat, v * 10 - 1), i);
	}
	CU_ASSERT_EQUAL(hist_heat_level(&heat, 0), 0);
	CU_ASSERT_EQUAL(hist_heat_level(&heat, UINT64_MAX), 9);

	/* few values: nothing is level 0, the most is the last */
	hist_heat_make_scale(&heat, 1, 3, 10);
	for (v = 1; v <= 3; v++) {
		level = hist_heat_level(&heat, v);
		CU_ASSERT_TRUE(level > before);
		before = level;
	}
	CU_ASSERT_EQUAL(before, 9);
	hist_heat_make_scale(&heat, 7, 7, 10);
	CU_ASSERT_EQUAL(hist_heat_level(&heat, 7), 9);
	CU_ASSERT_EQUAL(hist_heat_level(&heat, 3), 1);

	hist_heat_make_scale(&heat, 1, UINT64_MAX, 16);
	CU_ASSERT_EQUAL(hist_heat_level(&heat, UINT64_MAX), 15);
	CU_ASSERT_EQUAL(hist_heat_level(&heat, 1), 1);
	for (i = 1; i + 1 < 16; i++)
		CU_ASSERT_TRUE(heat.from[i] < heat.from[i + 1]);
	hist_heat_make_scale(&heat, 0, 0, 1);
	CU_ASSERT_EQUAL(heat.levels, 2);
	CU_ASSERT_EQUAL(hist_heat_level(&heat, 0), 0);
}

UNIT_TESTS(
	{ "the canvas cuts text to its width and replaces bytes that are not printable",
	  test_text },
	{ "the canvas draws bars and heat levels in UTF-8 and in ASCII", test_bars },
	{ "the levels of a heat scale grow by equal factors from the least to the greatest value",
	  test_heat });
