// SPDX-License-Identifier: GPL-2.0
/*
 * student_t_test.c - distributions and bounds, against SciPy and statsmodels
 * (data/stats/make.py), and against a model of its own (moderated.py)
 */
#include <math.h>

#include <CUnit/Basic.h>

#include "lib/stats/student_t.h"
#include "utest/unit/lib/stats/stat_values.h"
#include "utest/unit/tests.h"

#define CLOSE 1e-9

static void check_beta(const struct stat_line *line)
{
	const double *in = line->group[0];

	CU_ASSERT(stat_close(hist_stats_beta(in[0], in[1], in[2]), *line->want, CLOSE));
}

static void test_beta(void)
{
	CU_ASSERT_EQUAL(stat_values("beta", check_beta), 43);
	CU_ASSERT_EQUAL(hist_stats_beta(2, 3, 0), 0);
	CU_ASSERT_EQUAL(hist_stats_beta(2, 3, 1), 1);
	CU_ASSERT(isnan(hist_stats_beta(0, 3, .5)));
	CU_ASSERT(isnan(hist_stats_beta(2, -1, .5)));
	CU_ASSERT(isnan(hist_stats_beta(2, 3, 1.5)));
	CU_ASSERT(isnan(hist_stats_beta(2, 3, NAN)));
}

static void check_normal(const struct stat_line *line)
{
	CU_ASSERT(stat_close(hist_stats_normal_quantile(line->group[0][0]), *line->want, CLOSE));
}

static void check_t_quantile(const struct stat_line *line)
{
	const double *in = line->group[0];

	/* SciPy 1.10 itself errs by up to 5e-9, as its t_p tells; see also the inverse below */
	CU_ASSERT(stat_close(hist_stats_t_quantile(in[0], in[1]), *line->want, 1e-8));
}

static void check_t_p(const struct stat_line *line)
{
	const double *in = line->group[0];

	CU_ASSERT(stat_close(hist_stats_t_p(in[0], in[1]), *line->want, CLOSE));
}

static void test_quantiles(void)
{
	double df, p;

	CU_ASSERT_EQUAL(stat_values("normal", check_normal), 10);
	CU_ASSERT_EQUAL(stat_values("t_quantile", check_t_quantile), 80);
	CU_ASSERT_EQUAL(stat_values("t_p", check_t_p), 60);

	CU_ASSERT_EQUAL(hist_stats_normal_quantile(0), -INFINITY);
	CU_ASSERT_EQUAL(hist_stats_normal_quantile(1), INFINITY);
	CU_ASSERT_EQUAL(hist_stats_t_quantile(.5, 3), 0);
	CU_ASSERT_EQUAL(hist_stats_t_quantile(1, 3), INFINITY);
	CU_ASSERT_EQUAL(hist_stats_t_p(INFINITY, 3), 0);
	CU_ASSERT_EQUAL(hist_stats_t_p(-INFINITY, 3), 0);
	CU_ASSERT(isnan(hist_stats_normal_quantile(1.1)));
	CU_ASSERT(isnan(hist_stats_t_quantile(.5, 0)));
	CU_ASSERT(isnan(hist_stats_t_p(1, -1)));

	/* each is the other's inverse, also where no package has a table */
	for (df = .05; df < 1e9; df *= 7)
		for (p = 1e-12; p < .5; p *= 11)
			CU_ASSERT(isinf(hist_stats_t_quantile(p, df)) ||
				  stat_close(hist_stats_t_p(hist_stats_t_quantile(p, df), df), 2 * p,
					     1e-10));
}

static void check_binomial(const struct stat_line *line)
{
	const double *in = line->group[0];

	CU_ASSERT(stat_close(hist_stats_binomial_upper(in[0], in[1], in[2]), line->want[1],
			     CLOSE));
}

static void test_binomial(void)
{
	CU_ASSERT_EQUAL(stat_values("binomial", check_binomial), 42);
	/* the rule of three */
	CU_ASSERT_DOUBLE_EQUAL(hist_stats_binomial_upper(0, 1000, .95), .003, .00001);
	CU_ASSERT_EQUAL(hist_stats_binomial_upper(7, 7, .95), 1);
	CU_ASSERT(isnan(hist_stats_binomial_upper(0, 0, .95)));
	CU_ASSERT(isnan(hist_stats_binomial_upper(3, 2, .95)));
	CU_ASSERT(isnan(hist_stats_binomial_upper(1, 2, 1)));
}

static void check_polygamma(const struct stat_line *line)
{
	CU_ASSERT(stat_close(hist_stats_digamma(line->group[0][0]), line->want[0], CLOSE));
	CU_ASSERT(stat_close(hist_stats_trigamma(line->group[0][0]), line->want[1], CLOSE));
}

static void check_prior(const struct stat_line *line)
{
	double prior, df;

	hist_stats_prior(&prior, &df, line->group[0], line->group[1], line->n[0]);
	CU_ASSERT(stat_close(prior, line->want[0], 1e-8));
	CU_ASSERT(stat_close(df, line->want[1], 1e-8));
}

static void test_prior(void)
{
	double prior = 1, df = 1;

	CU_ASSERT_EQUAL(stat_values("polygamma", check_polygamma), 8);
	CU_ASSERT(isnan(hist_stats_digamma(0)) && isnan(hist_stats_trigamma(-1)));
	CU_ASSERT_EQUAL(stat_values("prior", check_prior), 5);
	/* one variance says nothing of others */
	hist_stats_prior(&prior, &df, (double[]){ 2 }, (double[]){ 8 }, 1);
	CU_ASSERT(prior == 0 && df == 0);
	CU_ASSERT(stat_close(hist_stats_choose(10, 5), 252, 1e-12));
}

UNIT_TESTS(
	{ "the incomplete beta function matches SciPy and returns NaN outside its domain",
	  test_beta },
	{ "quantiles and tails of the normal and t distributions match SciPy and invert each other",
	  test_quantiles },
	{ "upper bounds of binomial shares match reference values, without a step between methods",
	  test_binomial },
	{ "the prior of variances matches reference values, and one variance yields no prior",
	  test_prior });
