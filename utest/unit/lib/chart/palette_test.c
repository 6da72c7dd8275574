// SPDX-License-Identifier: GPL-2.0
/*
 * palette_test.c - colours that stand out on their ground, light and dark
 *
 * The contrast ratio is that of WCAG 2.  A ground is that of our pages and of a plot, and the grounds
 * of programs: white, grey of a light theme, and black.
 */
#include <math.h>
#include <stdio.h>

#include <CUnit/Basic.h>

#include "lib/chart/palette.h"
#include "utest/unit/tests.h"

#define TEXT_LEAST 4.5	/* AA */
#define SHAPE_LEAST 3.0 /* non-text contrast */
#define LEVEL_LEAST 2.0 /* the lowest of several levels, next to zero */
#define STEP_LEAST 1.15 /* between neighbours */

static double linear(uint32_t byte)
{
	double c = (byte & 255) / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(uint32_t rgb)
{
	return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8) + 0.0722 * linear(rgb);
}

static double contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return fmax(x, y) / fmin(x, y);
}

static const char *name_of(enum chart_colour colour)
{
#define NAME(name, light, dark, terminal) #name,
	static const char *const names[] = { CHART_PALETTE(NAME) };
#undef NAME

	return names[colour];
}

/* @least to all grounds on which the colour can be. */
static void stands_out(enum chart_colour colour, double least)
{
	const uint32_t grounds[2][4] = {
		{ 0xffffff, chart_palette_rgb(CHART_GROUND, false), chart_palette_rgb(CHART_PLOT, false), 0xf4f6f9 },
		{ 0x000000, chart_palette_rgb(CHART_GROUND, true), chart_palette_rgb(CHART_PLOT, true), 0x1c2026 },
	};
	unsigned int dark, i;

	for (dark = 0; dark < 2; dark++)
		for (i = 0; i < 4; i++) {
			double ratio = contrast(chart_palette_rgb(colour, dark), grounds[dark][i]);

			if (ratio < least)
				printf("\n%s on %06x: %.2f:1\n", name_of(colour), grounds[dark][i], ratio);
			CU_ASSERT_TRUE(ratio >= least);
		}
}

static void test_formula(void)
{
	CU_ASSERT_DOUBLE_EQUAL(contrast(0x000000, 0xffffff), 21, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(contrast(0x777777, 0xffffff), 4.48, 0.005);
	CU_ASSERT_DOUBLE_EQUAL(contrast(0x0000ff, 0xffffff), 8.59, 0.005);
}

static void test_texts(void)
{
	static const enum chart_colour texts[] = { CHART_TEXT, CHART_MUTED, CHART_WARN, CHART_NOTE, CHART_LINK };
	unsigned int i, dark;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		stands_out(texts[i], TEXT_LEAST);
	for (dark = 0; dark < 2; dark++) {
		CU_ASSERT_TRUE(contrast(chart_palette_rgb(CHART_WARN_TEXT, dark),
					chart_palette_rgb(CHART_WARN_GROUND, dark)) >= TEXT_LEAST);
		CU_ASSERT_TRUE(contrast(chart_palette_rgb(CHART_LINK, dark),
					chart_palette_rgb(CHART_PAGE, dark)) >= TEXT_LEAST);
		CU_ASSERT_TRUE(contrast(chart_palette_rgb(CHART_MUTED, dark),
					chart_palette_rgb(CHART_PAGE, dark)) >= TEXT_LEAST);
	}
}

static void test_shapes(void)
{
	static const enum chart_colour shapes[] = { CHART_BAR, CHART_POINTED, CHART_BEFORE, CHART_MARK,
						    CHART_GOOD, CHART_OTHER };
	unsigned int i, dark;

	for (i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		stands_out(shapes[i], SHAPE_LEAST);
	for (i = 0; i < CHART_QUANTILES; i++)
		stands_out(CHART_QUANTILE1 + i, SHAPE_LEAST);
	/* what changes under the mouse, and with time */
	for (dark = 0; dark < 2; dark++) {
		CU_ASSERT_TRUE(contrast(chart_palette_rgb(CHART_BAR, dark), chart_palette_rgb(CHART_POINTED, dark)) > 1.3);
		CU_ASSERT_TRUE(contrast(chart_palette_rgb(CHART_BAR, dark), chart_palette_rgb(CHART_BEFORE, dark)) > 1.1);
	}
}

/* Levels go away from the ground, step by step. */
static void are_in_order(enum chart_colour first, unsigned int levels)
{
	unsigned int i, dark;

	for (i = 0; i < levels; i++)
		stands_out(first + i, LEVEL_LEAST);
	for (dark = 0; dark < 2; dark++)
		for (i = 1; i < levels; i++) {
			double before = luminance(chart_palette_rgb(first + i - 1, dark));
			double now = luminance(chart_palette_rgb(first + i, dark));

			CU_ASSERT_TRUE(dark ? now > before : now < before);
			CU_ASSERT_TRUE(contrast(chart_palette_rgb(first + i - 1, dark),
						chart_palette_rgb(first + i, dark)) >= STEP_LEAST);
		}
}

static void test_levels(void)
{
	unsigned int i, dark;

	CU_ASSERT_EQUAL(CHART_HEAT1 + CHART_HEAT_LEVELS - 1, CHART_HEAT9);
	CU_ASSERT_EQUAL(CHART_LESS1 + CHART_DIFFERENCE_LEVELS, CHART_MORE1);
	CU_ASSERT_EQUAL(CHART_QUANTILE1 + CHART_QUANTILES - 1, CHART_QUANTILE6);
	are_in_order(CHART_HEAT1, CHART_HEAT_LEVELS);
	are_in_order(CHART_LESS1, CHART_DIFFERENCE_LEVELS);
	are_in_order(CHART_MORE1, CHART_DIFFERENCE_LEVELS);
	/* less and more of one size are equally light */
	for (dark = 0; dark < 2; dark++)
		for (i = 0; i < CHART_DIFFERENCE_LEVELS; i++)
			CU_ASSERT_TRUE(contrast(chart_palette_rgb(CHART_LESS1 + i, dark),
						chart_palette_rgb(CHART_MORE1 + i, dark)) < 1.1);
}

UNIT_TESTS({ "the contrast ratio is that of WCAG 2", test_formula },
	   { "texts can be read on their ground, light and dark", test_texts },
	   { "bars, lines and marks stand out", test_shapes },
	   { "levels are in the order of their lightness, and the lowest differs from zero", test_levels });
