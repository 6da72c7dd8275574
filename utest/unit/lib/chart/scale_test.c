// SPDX-License-Identifier: GPL-2.0
/*
 * scale_test.c - positions of numbers, and ticks
 */
#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "lib/chart/scale.h"
#include "lib/chart/time_axis.h"
#include "utest/unit/tests.h"

static void test_positions(void)
{
	struct chart_scale linear = chart_scale_make(CHART_LINEAR, 0, 1000, 100, 200);
	struct chart_scale down = chart_scale_make(CHART_LINEAR, -10, 10, 200, 100);
	struct chart_scale log = chart_scale_make(CHART_LOG, 1, 10000, 0, 400);
	struct chart_scale one = chart_scale_make(CHART_LOG_ONE, 0, 999, 0, 300);

	CU_ASSERT_DOUBLE_EQUAL(chart_scale_at(&linear, 250), 125, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(chart_scale_at(&linear, 1e9), 200, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(chart_scale_at(&linear, -1), 100, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(chart_scale_at(&down, 5), 125, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(chart_scale_at(&log, 100), 200, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(chart_scale_at(&log, 0), 0, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(chart_scale_at(&one, 0), 0, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(chart_scale_at(&one, 9), 100, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(chart_scale_at(&one, 999), 300, 1e-9);
}

/* What a scale cannot show is widened to what it can. */
static void test_empty(void)
{
	struct chart_scale s = chart_scale_make(CHART_LINEAR, 7, 7, 0, 100);

	CU_ASSERT_EQUAL(s.high, 8);
	s = chart_scale_make(CHART_LOG, 0, 0, 0, 100);
	CU_ASSERT_EQUAL(s.low, 0.5);
	CU_ASSERT_EQUAL(s.high, 6);
	s = chart_scale_make(CHART_LOG_ONE, -5, 0, 0, 100);
	CU_ASSERT_EQUAL(s.low, 0);
	CU_ASSERT_EQUAL(s.high, 1);
	s = chart_scale_make(CHART_LINEAR, 0, NAN, 0, 100);
	CU_ASSERT_EQUAL(s.high, 1);
}

static const struct {
	enum chart_scale_kind kind;
	double low, high;
	unsigned int most;
	double apart;
	bool whole;
	unsigned int n;
	double at[8];
} ticks[] = {
	{ CHART_LINEAR, 0, 1234, 5, 50, true, 3, { 0, 500, 1000 } },
	{ CHART_LINEAR, 0, 1000, 5, 0, true, 6, { 0, 200, 400, 600, 800, 1000 } },
	{ CHART_LINEAR, 0, 3, 10, 0, true, 4, { 0, 1, 2, 3 } },
	{ CHART_LINEAR, 0, 1, 4, 0, false, 3, { 0, 0.5, 1 } },
	{ CHART_LINEAR, 0.3, 0.9, 6, 0, true, 0, { 0 } },
	{ CHART_LINEAR, -100, 100, 4, 0, true, 5, { -100, -50, 0, 50, 100 } },
	{ CHART_LINEAR, 0, 100, 10, 120, true, 3, { 0, 50, 100 } },
	{ CHART_LOG, 0.5, 123456, 6, 50, true, 3, { 1, 100, 10000 } },
	{ CHART_LOG, 1, 100, 9, 10, true, 7, { 1, 2, 5, 10, 20, 50, 100 } },
	{ CHART_LOG, 300, 900, 4, 50, true, 3, { 400, 600, 800 } },
	{ CHART_LOG_ONE, 0, 5000, 8, 30, true, 5, { 0, 1, 10, 100, 1000 } },
	/* 0 and 1 are too close to each other */
	{ CHART_LOG_ONE, 0, 5000, 8, 60, true, 4, { 0, 10, 100, 1000 } },
	{ CHART_LOG, 1, 0x1p64, 5, 10, true, 4, { 1, 1e5, 1e10, 1e15 } },
};

static void test_ticks(void)
{
	unsigned int i, k;

	for (i = 0; i < sizeof(ticks) / sizeof(*ticks); i++) {
		struct chart_scale s = chart_scale_make(ticks[i].kind, ticks[i].low, ticks[i].high, 0, 500);
		struct chart_ticks got = chart_scale_ticks(&s, ticks[i].most, ticks[i].apart, ticks[i].whole);

		CU_ASSERT_EQUAL(got.n, ticks[i].n);
		for (k = 0; k < got.n && k < ticks[i].n; k++)
			CU_ASSERT_DOUBLE_EQUAL(got.at[k], ticks[i].at[k], 1e-9 * fabs(got.at[k]));
		if (got.n != ticks[i].n)
			for (k = 0; k < got.n; k++)
				fprintf(stderr, "case %u: %g\n", i, got.at[k]);
	}
}

/* Sizes have powers of two. */
static void test_binary(void)
{
	struct chart_scale s = chart_scale_make(CHART_LOG_ONE, 0, 70000, 0, 500);
	struct chart_ticks got;
	unsigned int i;

	s.binary = true;
	got = chart_scale_ticks(&s, 6, 10, true);
	CU_ASSERT_EQUAL(got.n, 7);
	CU_ASSERT_EQUAL(got.at[0], 0);
	for (i = 1; i < got.n; i++)
		CU_ASSERT_DOUBLE_EQUAL(got.at[i], exp2(3 * (i - 1)), 1e-6);
	s = chart_scale_make(CHART_LINEAR, 0, 10000, 0, 500);
	s.binary = true;
	got = chart_scale_ticks(&s, 5, 10, true);
	CU_ASSERT_EQUAL(got.n, 5);
	for (i = 0; i < got.n; i++)
		CU_ASSERT_EQUAL(got.at[i], 2048 * i);
}

/* No range and no number of ticks is too large. */
static void test_limits(void)
{
	struct chart_scale s = chart_scale_make(CHART_LINEAR, 0, 1e300, 0, 1e6);

	CU_ASSERT(chart_scale_ticks(&s, 1000000, 0, true).n <= CHART_TICKS_MAX);
	CU_ASSERT(chart_scale_ticks(&s, 1000000, 0, true).n >= CHART_TICKS_MAX / 3);
	CU_ASSERT(chart_scale_ticks(&s, 0, 0, false).n >= 2);
}

static void test_time_steps(void)
{
	CU_ASSERT_EQUAL(chart_time_axis_step(1000, 10), 100);
	CU_ASSERT_EQUAL(chart_time_axis_step(1001, 10), 200);
	CU_ASSERT_EQUAL(chart_time_axis_step(2001, 10), 500);
	CU_ASSERT_EQUAL(chart_time_axis_step(5001, 10), 1000);
	CU_ASSERT_EQUAL(chart_time_axis_step(0, 10), 1);
	CU_ASSERT_EQUAL(chart_time_axis_step(7, 0), 10);
	CU_ASSERT_EQUAL(chart_time_axis_step(UINT64_C(10000000000000000000), 1), UINT64_C(10000000000000000000));
	CU_ASSERT_EQUAL(chart_time_axis_step(UINT64_MAX, 1), UINT64_MAX);
	CU_ASSERT_EQUAL(chart_time_axis_step(UINT64_MAX, 2), UINT64_C(10000000000000000000));
}

static void test_times(void)
{
	static const struct {
		uint64_t time, step;
		bool ns;
		const char *text;
	} cases[] = {
		{ 0, 1000000000, true, "0" },
		{ UINT64_C(12000000000), 1000000000, true, "12" },
		{ UINT64_C(100000000000), UINT64_C(20000000000), true, "100" },
		{ UINT64_C(12500000000), 500000000, true, "12.5" },
		{ UINT64_C(13000000000), 500000000, true, "13.0" },
		{ 1000000002, 1, true, "1.000000002" },
		{ 12345, 5, false, "12,345" },
	};
	struct hist_strbuf b = { 0 };
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		chart_time_axis_put(hist_strbuf_clear(&b), cases[i].time, cases[i].step, cases[i].ns);
		hist_strbuf_char(&b, '\0');
		CU_ASSERT_STRING_EQUAL(b.data, cases[i].text);
	}
	hist_strbuf_free(&b);
}

UNIT_TESTS({ "numbers have positions on linear and logarithmic scales", test_positions },
	   { "a range that a scale cannot show is widened", test_empty },
	   { "ticks are 1, 2 or 5 times a power of ten, in order and apart", test_ticks },
	   { "ticks of sizes are powers of two", test_binary },
	   { "ticks stay few whatever the range", test_limits },
	   { "steps of time are whole ns", test_time_steps },
	   { "ticks of time have the decimals that their step needs", test_times });
