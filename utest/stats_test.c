// SPDX-License-Identifier: GPL-2.0
/*
 * stats_test.c - distributions and bounds, against SciPy and statsmodels
 * (data/stats/make.py)
 */
#include <math.h>

#include <CUnit/Basic.h>

#include <tracehist/stats.h>

#include "stat_values.h"
#include "tests.h"

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
	/* the score interval; its correction for continuity is 4e-7 of it here */
	double tolerance = in[0] > HIST_BINOMIAL_EXACT && in[1] - in[0] > HIST_BINOMIAL_EXACT ?
				   (in[2] < .99 ? 3e-7 : 1e-6) : CLOSE;

	CU_ASSERT(stat_close(hist_stats_binomial_lower(in[0], in[1], in[2]), line->want[0],
			     tolerance));
	CU_ASSERT(stat_close(hist_stats_binomial_upper(in[0], in[1], in[2]), line->want[1],
			     tolerance));
}

static void test_binomial(void)
{
	const uint64_t past = HIST_BINOMIAL_EXACT + 1;

	CU_ASSERT_EQUAL(stat_values("binomial", check_binomial), 42);
	/* the rule of three */
	CU_ASSERT_DOUBLE_EQUAL(hist_stats_binomial_upper(0, 1000, .95), .003, .00001);
	CU_ASSERT_EQUAL(hist_stats_binomial_lower(0, 1000, .95), 0);
	CU_ASSERT_EQUAL(hist_stats_binomial_upper(7, 7, .95), 1);
	/* no step where the method changes */
	CU_ASSERT(stat_close(hist_stats_binomial_upper(past, 4 * past, .95) -
			     hist_stats_binomial_upper(past - 1, 4 * past, .95), .25 / past, .4));
	CU_ASSERT(isnan(hist_stats_binomial_upper(0, 0, .95)));
	CU_ASSERT(isnan(hist_stats_binomial_upper(3, 2, .95)));
	CU_ASSERT(isnan(hist_stats_binomial_lower(1, 2, 1)));
}

static void check_welch(const struct stat_line *line)
{
	double mean[2] = { 0 }, variance[2] = { 0 };
	unsigned int s, i;

	for (s = 0; s < 2; s++) {
		for (i = 0; i < line->n[s]; i++)
			mean[s] += line->group[s][i] / line->n[s];
		for (i = 0; i < line->n[s]; i++)
			variance[s] += pow(line->group[s][i] - mean[s], 2);
		variance[s] /= line->n[s] * (line->n[s] - 1.);
	}
	CU_ASSERT(stat_close(hist_stats_t_p((mean[1] - mean[0]) / sqrt(variance[0] + variance[1]),
					    hist_stats_welch_df(variance[0], line->n[0] - 1,
								variance[1], line->n[1] - 1)),
			     *line->want, CLOSE));
}

static void test_welch(void)
{
	CU_ASSERT_EQUAL(stat_values("welch", check_welch), 4);
	CU_ASSERT_EQUAL(hist_stats_welch_df(0, 3, 0, 4), 7);
	CU_ASSERT_EQUAL(hist_stats_welch_df(1e-300, 3, 0, 4), 3);
	CU_ASSERT(isnan(hist_stats_welch_df(1, 0, 1, 4)));
}

static void check_holm(const struct stat_line *line)
{
	double p[64];
	unsigned int i;

	for (i = 0; i < line->n[0]; i++)
		p[i] = line->group[0][i];
	CU_ASSERT_EQUAL(hist_stats_holm(p, line->n[0]), 0);
	for (i = 0; i < line->n[0]; i++)
		CU_ASSERT(stat_close(p[i], line->want[i], CLOSE));
}

static void test_holm(void)
{
	CU_ASSERT_EQUAL(stat_values("holm", check_holm), 5);
	CU_ASSERT_EQUAL(hist_stats_holm(NULL, 0), 0);
}

int stats_tests(void)
{
	CU_pSuite suite = CU_add_suite("stats", NULL, NULL);

	if (!suite || !CU_add_test(suite, "incomplete beta function", test_beta) ||
	    !CU_add_test(suite, "quantiles and tails", test_quantiles) ||
	    !CU_add_test(suite, "bounds of shares", test_binomial) ||
	    !CU_add_test(suite, "Welch and Satterthwaite", test_welch) ||
	    !CU_add_test(suite, "Holm", test_holm))
		return CU_get_error();
	return 0;
}
