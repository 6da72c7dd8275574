/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * student_t.h - the few distributions and bounds that a comparison needs
 *
 * DLMF is the NIST Digital Library of Mathematical Functions, dlmf.nist.gov.
 * Arguments outside the stated range give NaN.  Results agree with SciPy to a relative
 * 1e-9, in the range that the tests sample.
 */
#ifndef LIB_STATS_STUDENT_T_H
#define LIB_STATS_STUDENT_T_H

#include <stddef.h>
#include <stdint.h>

/*
 * hist_stats_beta - regularised incomplete beta function I_x(a, b); a, b > 0, x in 0..1
 * By the continued fraction of Didonato and Morris, "Significant Digit Computation of the
 * Incomplete Beta Function Ratios", 1992, which is the even part of DLMF 8.17.22.  Its
 * steps grow with the square root of a + b.
 */
double hist_stats_beta(double a, double b, double x);

/* The z with P(Z <= z) = p for a standard normal Z; p in 0..1, infinite at the ends. */
double hist_stats_normal_quantile(double p);

/* P(|T| >= |t|), two-sided, of Student's t with @df > 0 degrees of freedom (may be broken). */
double hist_stats_t_p(double t, double df);

/* The t with P(T <= t) = p. */
double hist_stats_t_quantile(double p, double df);

/* The number of ways to choose @k of @n. */
double hist_stats_choose(unsigned int n, unsigned int k);

/* The logarithmic derivative of the gamma function, and the derivative of that; x > 0. */
double hist_stats_digamma(double x);
double hist_stats_trigamma(double x);

/*
 * hist_stats_prior - fit a scaled inverse chi-squared distribution to sample variances
 * @variance, above 0, with @df degrees of freedom each.  By the moments of their logarithms:
 * Smyth, "Linear Models and Empirical Bayes Methods for Assessing Differential Expression in
 * Microarray Experiments", 2004, section 6.2.  @prior_df is infinite if the variances scatter no
 * more than equal ones do, and 0 if there are fewer than two.
 */
void hist_stats_prior(double *prior, double *prior_df, const double *variance, const double *df,
		      size_t n);

/*
 * hist_stats_binomial_upper - of the share that shows @k of @n
 * One-sided, by Clopper and Pearson 1934: the true share is below it with at least @confidence.
 * Zero of n has about 3/n at 0.95, the "rule of three".  If both k and n - k exceed
 * HIST_BINOMIAL_EXACT, by the score interval of Wilson 1927 with continuity correction, which
 * differs there by less than 1e-6 of the bound.  k <= n, n > 0.
 */
#define HIST_BINOMIAL_EXACT 1000000
double hist_stats_binomial_upper(uint64_t k, uint64_t n, double confidence);

#endif
