// SPDX-License-Identifier: LGPL-2.1
/*
 * stats.c - distributions and bounds (sources: stats.h)
 *
 * All comes down to the incomplete beta function: Student's t and the binomial
 * bounds are its values and its inverse.  Tails are computed as tails, never as
 * one less the rest, so a p of 1e-30 has its digits.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <tracehist/stats.h>

/*
 * The fraction of hist_stats_beta(), less x^a y^b / B(a, b), with y = 1 - x: by the algorithm of
 * Lentz 1976 as modified by Thompson and Barnett 1986.  @beyond is a - (a + b) x, in
 * which alone digits can cancel, and not below 0.
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

/* ln of what Stirling's formula leaves of the gamma function: DLMF 5.11.1; x >= 10. */
static double stirling_rest(double x)
{
	double y = 1 / (x * x);

	return (1 / 12. - y * (1 / 360. - y * (1 / 1260. - y * (1 / 1680. - y / 1188)))) / x;
}

/*
 * ln of x^a y^b / B(a, b).  Of large arguments the logarithms of gamma have no digits left
 * for their difference, so that is worked out before.
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

/* Of x and y = 1 - x, each with all its digits. */
static double beta_of(double a, double b, double x, double y)
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
	return x == 0 || x == 1 ? x : beta_of(a, b, x, 1 - x);
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
	/* Newton on the logarithm of the tail, which is concave: no start can diverge */
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

/* Twice the tail beyond t >= 0. */
static double t_tails(double t, double df)
{
	double square = t * t;

	if (square == 0 || isinf(square))
		return square == 0;
	return beta_of(df / 2, .5, df / (df + square), square / (df + square));
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
	 * Newton on log(tails) over log(t), concave and nearly straight far out.  The normal
	 * quantile is nearer to the middle than the root: the first step is the only one too long.
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

double hist_stats_welch_df(double v1, double df1, double v2, double df2)
{
	double v = v1 + v2;

	if (!(v1 >= 0) || !(v2 >= 0) || !(df1 > 0) || !(df2 > 0))
		return NAN;
	if (v == 0)
		return df1 + df2;
	/* of shares, so that no square over- or underflows */
	return 1 / (v1 / v * (v1 / v) / df1 + v2 / v * (v2 / v) / df2);
}

/* The x with I_x(a, b) = p, by bisection: of two doubles nothing is left between. */
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

/* Wilson's score bound with continuity correction; @side is +1 or -1. */
static double score_bound(double k, double n, double confidence, int side)
{
	double z = hist_stats_normal_quantile(confidence);
	double p, zz = z * z;

	k += side * .5;
	p = k / n;
	return (k + zz / 2 + side * z * sqrt(n * p * (1 - p) + zz / 4)) / (n + zz);
}

static int bad_share(uint64_t k, uint64_t n, double confidence)
{
	return !n || k > n || !(confidence > 0) || !(confidence < 1);
}

double hist_stats_binomial_upper(uint64_t k, uint64_t n, double confidence)
{
	if (bad_share(k, n, confidence))
		return NAN;
	if (k == n)
		return 1;
	if (!k)
		return -expm1(log1p(-confidence) / n);
	if (k > HIST_BINOMIAL_EXACT && n - k > HIST_BINOMIAL_EXACT)
		return score_bound(k, n, confidence, 1);
	return beta_inverse(confidence, k + 1., n - k);
}

double hist_stats_binomial_lower(uint64_t k, uint64_t n, double confidence)
{
	if (bad_share(k, n, confidence))
		return NAN;
	if (!k)
		return 0;
	if (k == n)
		return exp(log1p(-confidence) / n);
	if (k > HIST_BINOMIAL_EXACT && n - k > HIST_BINOMIAL_EXACT)
		return score_bound(k, n, confidence, -1);
	return beta_inverse(1 - confidence, k, n - k + 1.);
}

struct ranked {
	double p;
	size_t at;
};

static int by_p(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

int hist_stats_holm(double *p, size_t n)
{
	struct ranked *rank;
	double largest = 0;
	size_t i;

	if (!n)
		return 0;
	rank = calloc(n, sizeof(*rank));
	if (!rank)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		rank[i].p = p[i];
		rank[i].at = i;
	}
	qsort(rank, n, sizeof(*rank), by_p);
	for (i = 0; i < n; i++) {
		/* none may be more significant than one before it */
		largest = fmax(largest, fmin(1, rank[i].p * (n - i)));
		p[rank[i].at] = largest;
	}
	free(rank);
	return 0;
}
