// SPDX-License-Identifier: LGPL-2.1
/*
 * stats.c - distributions, bounds and random numbers (sources: stats.h)
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
 * The fraction of DLMF 8.17.22, by the algorithm of Lentz 1976 as modified by
 * Thompson and Barnett 1986.  Converges fast for x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d, f, step, term;
	unsigned int m, odd;

	d = 1 - (a + b) * x / (a + 1);
	if (fabs(d) < tiny)
		d = tiny;
	d = 1 / d;
	f = d;
	for (m = 1; m < 1000000; m++) {
		for (odd = 0; odd < 2; odd++) {
			if (odd)
				term = -(a + m) * (a + b + m) * x / (a + 2. * m) /
				       (a + 2. * m + 1);
			else
				term = m * (b - m) * x / (a + 2. * m - 1) / (a + 2. * m);
			d = 1 + term * d;
			if (fabs(d) < tiny)
				d = tiny;
			d = 1 / d;
			c = 1 + term / c;
			if (fabs(c) < tiny)
				c = tiny;
			step = c * d;
			f *= step;
		}
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

/* ln of what Stirling's formula leaves of the gamma function: DLMF 5.11.1; x >= 10. */
static double stirling_rest(double x)
{
	double y = 1 / (x * x);

	return (1 / 12. - y * (1 / 360. - y * (1 / 1260. - y * (1 / 1680. - y / 1188)))) / x;
}

/*
 * ln of x^a (1-x)^b / B(a, b).  Of large arguments the logarithms of gamma have no digits left
 * for their difference, so that is worked out before.
 */
static double beta_front(double a, double b, double x)
{
	double sum = a + b;
	int sign;

	if (b < a)
		return beta_front(b, a, 1 - x);
	if (b < 10) /* lgamma() itself writes the global signgam */
		return lgamma_r(sum, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) +
		       a * log(x) + b * log1p(-x);
	if (a < 10)
		return (b - .5) * log1p(a / b) + a * (log(sum) - 1) + stirling_rest(sum) -
		       stirling_rest(b) - lgamma_r(a, &sign) + a * log(x) + b * log1p(-x);
	return log(a / sum * b / (2 * M_PI)) / 2 + stirling_rest(sum) - stirling_rest(a) -
	       stirling_rest(b) + a * log(x / (a / sum)) + b * log((1 - x) / (b / sum));
}

double hist_stats_beta(double a, double b, double x)
{
	double front;

	if (!(a > 0) || !(b > 0) || !(x >= 0) || !(x <= 1))
		return NAN;
	if (x == 0 || x == 1)
		return x;
	front = exp(beta_front(a, b, x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
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

/* Twice the tail beyond t >= 0: DLMF 8.17 with x = df / (df + t^2), or its complement. */
static double t_tails(double t, double df)
{
	double square = t * t;

	if (isinf(square))
		return 0;
	if (square < df)
		return 1 - hist_stats_beta(.5, df / 2, square / (df + square));
	return hist_stats_beta(df / 2, .5, df / (df + square));
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

static uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

void hist_random_seed(struct hist_random *random, uint64_t seed)
{
	int i;

	for (i = 0; i < 4; i++)
		random->state[i] = splitmix64(&seed);
}

static uint64_t rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

uint64_t hist_random_next(struct hist_random *random)
{
	uint64_t *s = random->state;
	uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

double hist_random_unit(struct hist_random *random)
{
	return (hist_random_next(random) >> 11) * 0x1p-53;
}

uint32_t hist_random_below(struct hist_random *random, uint32_t n)
{
	uint64_t product = (hist_random_next(random) >> 32) * n;

	if ((uint32_t)product < n)
		while ((uint32_t)product < -n % n)
			product = (hist_random_next(random) >> 32) * n;
	return product >> 32;
}
