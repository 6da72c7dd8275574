// SPDX-License-Identifier: GPL-2.0
/*
 * significance_model_test.c - what judging does in the long run: false alarms among equal runs, and
 * power where there is a change
 *
 * A sample of what judge_power does with data/stats/power.txt in the long tests.  Seeds are
 * fixed, so the counts are always the same; the bounds are those that a fresh seed would
 * keep too with a chance of 0.999, if the rate is the one that is promised.
 */
#include <stdio.h>

#include <CUnit/Basic.h>

#include "utest/unit/lib/stats/significance_model.h"
#include "utest/unit/tests.h"

#define PAIRS 60

static const struct model runs = { .keys = 50, .runs = 5, .cv = .05, .events = 200 };

static struct model_counts count(const struct model *m, const char *name)
{
	struct model_counts c = model_compare(m, PAIRS, .05, 0x2545f4914f6cdd1d);

	/* 5 % of 60 are 3, with a standard deviation of 1.7: more than 9 have a chance of 0.001 */
	if (c.alarms > 9)
		fprintf(stderr, "%s: %u alarms\n", name, c.alarms);
	CU_ASSERT(c.alarms <= 9);
	CU_ASSERT(c.loud <= c.alarms);
	return c;
}

static void test_equal_runs(void)
{
	struct model_counts c;
	struct model m = runs;

	c = count(&m, "equal keys");
	CU_ASSERT_EQUAL(c.found, 0);
	/* 3000 intervals of 95 % */
	CU_ASSERT(c.covered >= 2790 && c.covered < 2940);
	m.spread = 10;
	count(&m, "keys with CVs from 5 to 50 %");
	m.spread = 0;
	m.common = .1;
	count(&m, "keys that scatter together");
	m.common = 0;
	m.held_up = .08;
	c = count(&m, "hits that are held up");
	/* they make the mean scatter by a factor of 2, and not the trimmed mean */
	CU_ASSERT(c.covered >= 2790);
	m.held_up = 0;
	m.runs = 3;
	m.keys = 4;
	count(&m, "few runs and keys");
}

static void test_equal_blocks(void)
{
	struct model m = { .keys = 10, .cv = .15, .phi = .5, .events = 1200 };

	count(&m, "one run a side");
}

/* The two promises of trace-cmd-hist-diff(1), STATISTICS; 54 of 60 are 90 %, 57 are 95 %. */
static void test_power(void)
{
	struct model m = runs;

	m.change = .3;
	CU_ASSERT(count(&m, "30 % at a CV of 5 %").found >= 54);
	m.held_up = .05;
	CU_ASSERT(count(&m, "30 % among hits that are held up").found >= 54);
	m.held_up = 0;
	m.cv = .12;
	m.change = 1;
	CU_ASSERT(count(&m, "100 % at a CV of 12 %").found >= 57);
	/* what two runs cannot know is not claimed */
	m.runs = 2;
	m.keys = 2;
	m.cv = .5;
	CU_ASSERT(count(&m, "2 runs at a CV of 50 %").found <= 12);
}

UNIT_TESTS(
	{ "comparing equal runs raises no more false alarms than promised", test_equal_runs },
	{ "comparing the blocks of two equal runs raises no more false alarms than promised",
	  test_equal_blocks },
	{ "changes of 30 % and 100 % are found as often as the man page promises", test_power });
