/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * student_t.h - the distributions and bounds that a comparison needs
 *
 * DLMF is the NIST Digital Library of Mathematical Functions, dlmf.nist.gov.
 * Arguments outside the stated range give NaN.  Results agree with SciPy to a relative 1e-9 in
 * the range of the tests.
 */
#ifndef LIB_STATS_STUDENT_T_H
#define LIB_STATS_STUDENT_T_H

#include <stddef.h>
#include <stdint.h>

/*
 * hist_stats_beta - regularised incomplete beta function I_x(a, b); a, b > 0, x in 0..1
 * By the continued fraction of Didonato and Morris, "Significant Digit Computation of the
 * Incomplete Beta Function Ratios", 1992, which is the even part of DLMF 8.17.22.  The number of
 * its steps grows with the square root of a + b.
 */
double hist_stats_beta(double a, double b, double x);

/* The z with P(Z <= z) = p for a standard normal Z; p in 0..1, infinite at the ends. */
double hist_stats_normal_quantile(double p);

/* P(|T| >= |t|), two-sided, of Student's t with @df > 0 degrees of freedom (any real number). */
double hist_stats_t_p(double t, double df);

/* The t with P(T <= t) = p. */
double hist_stats_t_quantile(double p, double df);

/* The binomial coefficient: the number of ways to choose @k of @n. */
double hist_stats_choose(unsigned int n, unsigned int k);

/* The logarithmic derivative of the gamma function, and its derivative; x > 0. */
double hist_stats_digamma(double x);
double hist_stats_trigamma(double x);

/*
 * hist_stats_prior - fit a scaled inverse chi-squared distribution to sample variances
 * Each @variance is above 0 and has @df degrees of freedom.  The fit uses the moments of their
 * logarithms: Smyth, "Linear Models and Empirical Bayes Methods for Assessing Differential
 * Expression in Microarray Experiments", 2004, section 6.2.  @prior_df is infinite if the variances
 * do not scatter more than equal ones, and 0 if there are fewer than two.
 */
void hist_stats_prior(double *prior, double *prior_df, const double *variance, const double *df,
		      size_t n);

/*
 * hist_stats_binomial_upper - the upper confidence bound of a share, from @k of @n
 * One-sided, by Clopper and Pearson 1934: the true share is below the bound with at least
 * @confidence.  For 0 of n the bound is about 3/n at 0.95, the "rule of three".  k <= n, n > 0.
 */
double hist_stats_binomial_upper(uint64_t k, uint64_t n, double confidence);

#endif
