// SPDX-License-Identifier: GPL-2.0
/*
 * ansi_test.c - colours of a terminal that can be read on black and on white
 *
 * The contrast ratio is that of WCAG 2, the distance of two colours that of CIE 1976.  The colours
 * of xterm's numbers are computed here: a cube of 6x6x6 from 16 on, and greys from 232 on.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/report/ansi.h"
#include "utest/unit/tests.h"

#define TEXT_LEAST 3.0	  /* contrast to black and to white */
#define CELL_LEAST 4.5	  /* contrast of the text in a cell */
#define DISTANCE_LEAST 10 /* of neighbours; 2.3 is just noticeable */

struct colour {
	double r, g, b; /* linear, 0 to 1 */
};

static double linear(int byte)
{
	double c = byte / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static struct colour of(int number)
{
	static const int cube[] = { 0, 95, 135, 175, 215, 255 };
	int grey = 8 + 10 * (number - 232), i = number - 16;

	CU_ASSERT_TRUE_FATAL(number >= 16 && number < 256);
	if (number >= 232)
		return (struct colour){ linear(grey), linear(grey), linear(grey) };
	return (struct colour){ linear(cube[i / 36]), linear(cube[i / 6 % 6]), linear(cube[i % 6]) };
}

static double luminance(int number)
{
	struct colour c = of(number);

	return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

static double contrast(double a, double b)
{
	return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

static double cie(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

static double distance(int a, int b)
{
	double lab[2][3];
	int i;

	for (i = 0; i < 2; i++) {
		struct colour c = of(i ? b : a);
		double x = cie((0.4124 * c.r + 0.3576 * c.g + 0.1805 * c.b) / 0.95047);
		double y = cie(0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b);
		double z = cie((0.0193 * c.r + 0.1192 * c.g + 0.9505 * c.b) / 1.08883);

		lab[i][0] = 116 * y - 16;
		lab[i][1] = 500 * (x - y);
		lab[i][2] = 200 * (y - z);
	}
	return sqrt(pow(lab[0][0] - lab[1][0], 2) + pow(lab[0][1] - lab[1][1], 2) +
		    pow(lab[0][2] - lab[1][2], 2));
}

static void is_between_black_and_white(int style, int number)
{
	double black = contrast(luminance(number), 0), white = contrast(luminance(number), 1);

	if (black < TEXT_LEAST || white < TEXT_LEAST)
		printf("\nstyle %d: colour %d has %.2f:1 to black and %.2f:1 to white\n", style,
		       number, black, white);
	CU_ASSERT_TRUE(black >= TEXT_LEAST);
	CU_ASSERT_TRUE(white >= TEXT_LEAST);
}

static void test_contrast(void)
{
	const struct ansi_colours *c;
	unsigned int style, colours = 0;

	/* known ratios: the greys 243 and 59, and what the ramp was before */
	CU_ASSERT_DOUBLE_EQUAL(contrast(luminance(243), 1), 4.54, 0.01);
	CU_ASSERT_DOUBLE_EQUAL(contrast(luminance(59), 0), 3.29, 0.01);
	CU_ASSERT_TRUE(contrast(luminance(229), 1) < 1.1);
	CU_ASSERT_TRUE(contrast(luminance(17), 0) < 1.2);
	for (style = 0; style < ANSI_STYLES; style++) {
		c = ansi_colours(style);
		if (c->ground != ANSI_OWN) {
			is_between_black_and_white(style, c->ground);
			CU_ASSERT_TRUE(contrast(luminance(c->text), luminance(c->ground)) >= CELL_LEAST);
			colours++;
		} else if (c->text != ANSI_OWN) {
			is_between_black_and_white(style, c->text);
			colours++;
		}
	}
	/* all but ANSI_PLAIN and level 0 */
	CU_ASSERT_EQUAL(colours, ANSI_STYLES - 2);
	CU_ASSERT_PTR_EQUAL(ansi_colours(ANSI_STYLES), ansi_colours(ANSI_PLAIN));
}

static void test_neighbours(void)
{
	unsigned int level;

	for (level = 2; level < HIST_HEAT_CHAR_LEVELS; level++)
		CU_ASSERT_TRUE(distance(ansi_colours(ANSI_HEAT + level - 1)->ground,
					ansi_colours(ANSI_HEAT + level)->ground) >= DISTANCE_LEAST);
}

static void test_sequences(void)
{
	const struct hist_view_style colour = { .colour = true }, none = { .colour = false };
	struct hist_strbuf b = { 0 };
	unsigned int style;
	int want[2];
	char *text;

	for (style = 0; style < ANSI_STYLES; style++) {
		ansi_begin(hist_strbuf_clear(&b), &none, style);
		ansi_end(&b, &none, style);
		CU_ASSERT_EQUAL(b.len, 0);
	}
	ansi_begin(&b, &colour, ANSI_PLAIN);
	ansi_end(&b, &colour, ANSI_HEAT);
	CU_ASSERT_EQUAL(b.len, 0);
	ansi_begin(&b, &colour, ANSI_NOTE);
	hist_strbuf_str(&b, "note");
	ansi_end(&b, &colour, ANSI_NOTE);
	ansi_begin(&b, &colour, ANSI_REGRESSED);
	ansi_end(&b, &colour, ANSI_REGRESSED);
	text = hist_strbuf_string(&b);
	CU_ASSERT_STRING_EQUAL(text, "\033[38;5;130mnote\033[0m\033[1;38;5;160m\033[0m");
	free(text);
	/* a cell never relies on a colour of the terminal */
	for (style = ANSI_HEAT + 1; style < ANSI_STYLES; style++) {
		b = (struct hist_strbuf){ 0 };
		ansi_begin(&b, &colour, style);
		text = hist_strbuf_string(&b);
		CU_ASSERT_EQUAL(sscanf(text, "\033[38;5;%d;48;5;%dm", &want[0], &want[1]), 2);
		CU_ASSERT_EQUAL(want[0], ansi_colours(style)->text);
		CU_ASSERT_EQUAL(want[1], ansi_colours(style)->ground);
		free(text);
	}
}

UNIT_TESTS(
	{ "each colour of a terminal can be read on black and on white", test_contrast },
	{ "neighbouring levels of a heat map differ", test_neighbours },
	{ "a style begins and ends with one sequence, or with none without colours",
	  test_sequences });
