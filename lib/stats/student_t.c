// SPDX-License-Identifier: LGPL-2.1
/*
 * student_t.c - distributions and bounds (sources: student_t.h)
 *
 * Student's t and the binomial bounds are values and inverses of the incomplete beta function.
 * Tails are computed directly, never as 1 minus the rest, so a p of 1e-30 has all its digits.
 */
#include <math.h>

#include "lib/stats/student_t.h"

/*
 * The continued fraction of hist_stats_beta(), without x^a y^b / B(a, b), with y = 1 - x.  By the
 * algorithm of Lentz 1976 as modified by Thompson and Barnett 1986.  @beyond is a - (a + b) x and
 * not below 0.  It is a parameter because only there digits can cancel.
 */
static double beta_fraction(double a, double b, double x, double y, double beyond)
{
	const double tiny = 1e-300;
	double f = (1 + beyond) / (1 + 1 / a), c = f, d = 0, step;
	unsigned int n;

	for (n = 1; n < 1000000; n++) {
		double odd = a + 2. * n - 1, even = a + 2. * n + 1;
		double w = n * (b - n) * x;
		double over = (a + n - 1) / odd * ((a + b + n - 1) / odd) * w * x;
		double under = n + w / odd + (a + n) / even * (1 + beyond + n * (1 + y));

		d = under + over * d;
		c = under + over / c;
		if (fabs(d) < tiny)
			d = tiny;
		if (fabs(c) < tiny)
			c = tiny;
		d = 1 / d;
		step = c * d;
		f *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return 1 / f;
}

/* ln of the gamma function divided by Stirling's formula: DLMF 5.11.1; x >= 10. */
static double stirling_rest(double x)
{
	double y = 1 / (x * x);

	return (1 / 12. - y * (1 / 360. - y * (1 / 1260. - y * (1 / 1680. - y / 1188)))) / x;
}

/*
 * ln of x^a y^b / B(a, b).  The difference of the logarithms of gamma has no digits left for large
 * arguments.  It is therefore computed from Stirling's formula.
 */
static double beta_front(double a, double b, double x, double y)
{
	double sum = a + b, powers, beyond;
	int sign;

	if (b < a)
		return beta_front(b, a, y, x);
	powers = a * (x < y ? log(x) : log1p(-y)) + b * (x < y ? log1p(-x) : log(y));
	if (b < 10) /* lgamma() itself writes the global signgam */
		return lgamma_r(sum, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) +
		       powers;
	if (a < 10)
		return (b - .5) * log1p(a / b) + a * (log(sum) - 1) + stirling_rest(sum) -
		       stirling_rest(b) - lgamma_r(a, &sign) + powers;
	/* y * sum - b, without the rounding of a y near to 1 times a large b */
	beyond = x < y ? a - sum * x : sum * y - b;
	powers = a * log(x / (a / sum)) + b * (fabs(beyond) < b / 2 ? log1p(beyond / b) :
							      log(y / (b / sum)));
	return log(a / sum * b / (2 * M_PI)) / 2 + stirling_rest(sum) - stirling_rest(a) -
	       stirling_rest(b) + powers;
}

/* I_x(a, b), with x and y = 1 - x in full precision. */
static double stats_beta_series(double a, double b, double x, double y)
{
	double front = exp(beta_front(a, b, x, y));

	if (b * x <= a * y)
		return front * beta_fraction(a, b, x, y, a * y - b * x);
	return 1 - front * beta_fraction(b, a, y, x, b * x - a * y);
}

double hist_stats_beta(double a, double b, double x)
{
	if (!(a > 0) || !(b > 0) || !(x >= 0) || !(x <= 1))
		return NAN;
	return x == 0 || x == 1 ? x : stats_beta_series(a, b, x, 1 - x);
}

double hist_stats_normal_quantile(double p)
{
	double q, z, step;
	int i;

	if (!(p >= 0) || !(p <= 1))
		return NAN;
	if (p == 0 || p == 1)
		return p ? INFINITY : -INFINITY;
	q = fmin(p, 1 - p);
	if (q == .5)
		return 0;
	/* Newton on the logarithm of the tail, which is concave, so every start converges */
	z = sqrt(-2 * log(2 * q));
	for (i = 0; i < 50; i++) {
		double tail = erfc(z / M_SQRT2) / 2;

		step = tail * log(tail / q) / (exp(-z * z / 2) / sqrt(2 * M_PI));
		z += step;
		if (fabs(step) <= 1e-14 * fabs(z))
			break;
	}
	return p < .5 ? -z : z;
}

/* Twice the tail above t >= 0. */
static double t_tails(double t, double df)
{
	double square = t * t;

	if (square == 0 || isinf(square))
		return square == 0;
	return stats_beta_series(df / 2, .5, df / (df + square), square / (df + square));
}

double hist_stats_t_p(double t, double df)
{
	if (isnan(t) || !(df > 0))
		return NAN;
	return t_tails(fabs(t), df);
}

double hist_stats_t_quantile(double p, double df)
{
	double tails, t, step, density, norm;
	int i, sign;

	if (!(p >= 0) || !(p <= 1) || !(df > 0))
		return NAN;
	if (p == 0 || p == 1)
		return p ? INFINITY : -INFINITY;
	tails = 2 * fmin(p, 1 - p);
	if (tails == 1)
		return 0;
	norm = lgamma_r((df + 1) / 2, &sign) - lgamma_r(df / 2, &sign) - log(df * M_PI) / 2;
	/*
	 * Newton on log(tails) over log(t), which is concave and nearly linear for large t.  The
	 * normal quantile is below the root, so only the first step can be too long.
	 */
	t = fabs(hist_stats_normal_quantile(tails / 2));
	for (i = 0; i < 100; i++) {
		double now = t_tails(t, df);

		density = exp(norm - (df + 1) / 2 * log1p(t * t / df));
		step = now * log(now / tails) / (2 * density * t);
		if (!isfinite(step))
			return p < .5 ? -INFINITY : INFINITY;
		t *= exp(step);
		if (fabs(step) < 1e-14)
			break;
	}
	return p < .5 ? -t : t;
}

/* The x with I_x(a, b) = p, by bisection until no double is between the ends. */
static double beta_inverse(double p, double a, double b)
{
	double low = 0, high = 1, mid;
	int i;

	for (i = 0; i < 1100; i++) {
		mid = low + (high - low) / 2;
		if (mid <= low || mid >= high)
			break;
		if (hist_stats_beta(a, b, mid) < p)
			low = mid;
		else
			high = mid;
		if (high - low < 1e-14 * high)
			break;
	}
	return low + (high - low) / 2;
}

double hist_stats_binomial_upper(uint64_t k, uint64_t n, double confidence)
{
	if (!n || k > n || !(confidence > 0) || !(confidence < 1))
		return NAN;
	if (k == n)
		return 1;
	if (!k)
		return -expm1(log1p(-confidence) / n);
	return beta_inverse(confidence, k + 1., n - k);
}

double hist_stats_choose(unsigned int n, unsigned int k)
{
	int sign;

	return exp(lgamma_r(n + 1., &sign) - lgamma_r(k + 1., &sign) -
		   lgamma_r(n - k + 1., &sign));
}

/* DLMF 5.11.2 for x >= 10, and 5.5.2 below. */
double hist_stats_digamma(double x)
{
	double y, below = 0;

	if (!(x > 0))
		return NAN;
	for (; x < 10; x++)
		below += 1 / x;
	y = 1 / (x * x);
	return log(x) - 1 / (2 * x) - below -
	       y * (1 / 12. - y * (1 / 120. - y * (1 / 252. - y * (1 / 240. - y / 132))));
}

/* DLMF 5.15.8 and 5.15.5. */
double hist_stats_trigamma(double x)
{
	double y, below = 0;

	if (!(x > 0))
		return NAN;
	for (; x < 10; x++)
		below += 1 / (x * x);
	y = 1 / (x * x);
	return below + 1 / x + y / 2 +
	       y / x * (1 / 6. - y * (1 / 30. - y * (1 / 42. - y * (1 / 30. - y * 5 / 66))));
}

/* Bisection, because trigamma(x) is between 1/x and 1/x + 1/x^2. */
static double trigamma_inverse(double v)
{
	double low = 1 / v, high = 1 / v + 1 / sqrt(v), mid;
	int i;

	for (i = 0; i < 200; i++) {
		mid = low + (high - low) / 2;
		if (hist_stats_trigamma(mid) > v)
			low = mid;
		else
			high = mid;
	}
	return low + (high - low) / 2;
}

void hist_stats_prior(double *prior, double *prior_df, const double *variance, const double *df,
		      size_t n)
{
	double mean = 0, scatter = 0, sampling = 0, e;
	size_t i;

	*prior = *prior_df = 0;
	if (n < 2)
		return;
	for (i = 0; i < n; i++)
		mean += (log(variance[i]) - hist_stats_digamma(df[i] / 2) + log(df[i] / 2)) / n;
	for (i = 0; i < n; i++) {
		e = log(variance[i]) - hist_stats_digamma(df[i] / 2) + log(df[i] / 2) - mean;
		scatter += e * e / (n - 1);
		sampling += hist_stats_trigamma(df[i] / 2) / n;
	}
	if (scatter > sampling) {
		*prior_df = 2 * trigamma_inverse(scatter - sampling);
		*prior = exp(mean + hist_stats_digamma(*prior_df / 2) - log(*prior_df / 2));
	} else {
		*prior_df = INFINITY;
		*prior = exp(mean);
	}
}
