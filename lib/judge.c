// SPDX-License-Identifier: LGPL-2.1
/*
 * judge.c - the change of a rate or a mean, and the gate (methods: judge.h)
 *
 * Invariant: whatever the intervals of the replicates leave open makes the change and
 * its confidence interval wider, and p larger, never the reverse.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tracehist/judge.h>
#include <tracehist/stats.h>

#include "judge_private.h"

const char *hist_verdict_name(enum hist_verdict verdict)
{
	static const char *const names[] = {
		[HIST_PASS] = "pass",
		[HIST_IMPROVED] = "improved",
		[HIST_INCONCLUSIVE] = "inconclusive",
		[HIST_REGRESSED] = "regressed",
		[HIST_INCOMPARABLE] = "incomparable",
	};

	return names[verdict];
}

enum hist_verdict hist_verdict_worse(enum hist_verdict a, enum hist_verdict b)
{
	return a > b ? a : b;
}

double judge_ratio(double a, double b)
{
	if (b > 0)
		return a / b;
	return a > 0 ? INFINITY : 1;
}

/* new_ / base - 1, but none where rounding makes it. */
static double size_of(double new_, double base)
{
	double size = judge_ratio(new_, base) - 1;

	return fabs(size) < 1e-12 ? 0 : size;
}

void judge_sizes(struct hist_change *change)
{
	change->low = size_of(change->new_low, change->base_high);
	change->high = size_of(change->new_high, change->base_low);
	change->resolvable = !(change->low < 0 && change->high > 0);
	change->ci_low = -1;
	change->ci_high = INFINITY;
	change->p = 1;
	change->p_family = 1;
}

/* One side of hist_judge_change(). */
struct side {
	double low, high; /* the weighted mean */
	double error;	  /* its standard error */
	double weight, events;
	double df;
	bool open; /* some replicate is an interval */
};

static int side_make(struct side *side, const struct hist_replicate *r, unsigned int n)
{
	double squares = 0, middle, scatter = 0, open = 0, effective;
	unsigned int i;

	*side = (struct side){ 0 };
	if (!n)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		double weight = r[i].weight ? r[i].weight : 1;

		if (!(r[i].low >= 0) || !(r[i].high >= r[i].low) || !isfinite(r[i].high) ||
		    !(weight > 0) || !isfinite(weight) || !(r[i].events >= 0))
			return -EINVAL;
		side->weight += weight;
		side->low += r[i].low * weight;
		side->high += r[i].high * weight;
		side->events += r[i].events;
		squares += weight * weight;
	}
	side->low /= side->weight;
	side->high /= side->weight;
	effective = side->weight / squares * side->weight;
	side->df = effective - 1;
	if (n < 2)
		return 0;

	middle = side->low / 2 + side->high / 2;
	for (i = 0; i < n; i++) {
		double weight = r[i].weight ? r[i].weight : 1;
		double away = (r[i].low / 2 + r[i].high / 2 - middle) * weight;
		double half = (r[i].high - r[i].low) / 2 * weight;

		scatter += away * away;
		open += half * half;
	}
	/*
	 * Numbers anywhere in their intervals scatter no more than this: Minkowski's inequality,
	 * with the norm of taking the mean off.
	 */
	side->open = open > 0;
	side->error = sqrt(n / (n - 1.)) *
		      (sqrt(scatter) + sqrt(open) * sqrt(n / effective)) / side->weight;
	/* what rounding alone leaves of equal numbers is none */
	if (side->error < 1e-13 * side->high)
		side->error = 0;
	return 0;
}

/* Two-sided p of the most one-sided of all ways to deal the replicates to the sides. */
static double permutation_p(unsigned int n, unsigned int m)
{
	int sign;
	double ways = lgamma_r(n + m + 1., &sign) - lgamma_r(n + 1., &sign) -
		      lgamma_r(m + 1., &sign);

	return fmin(1, 2 * exp(-ways));
}

/* Squared relative error; of a rate at least that of counting. */
static double relative_variance(const struct side *side)
{
	double relative = side->error / side->low;

	return fmax(relative * relative, side->events > 0 ? 1 / side->events : 0);
}

/* Of errors that are bounds only, Satterthwaite's weights say nothing: the fewer of the two. */
static double freedom(const struct side *base, double v0, const struct side *new_, double v1)
{
	if (base->open || new_->open)
		return fmin(base->df, new_->df);
	return hist_stats_welch_df(v0, base->df, v1, new_->df);
}

static void test_ratio(struct hist_change *change, const struct side *base,
		       const struct side *new_, double alpha, double certain)
{
	double v0 = relative_variance(base), v1 = relative_variance(new_);
	double df = freedom(base, v0, new_, v1);
	double error = sqrt(v0 + v1), nearest = 0, reach = 0;

	if (error > 0)
		reach = error * hist_stats_t_quantile(1 - alpha / 2, df);
	change->ci_low = expm1(log1p(change->low) - reach);
	change->ci_high = expm1(log1p(change->high) + reach);
	if (change->low > 0)
		nearest = log1p(change->low);
	else if (change->high < 0)
		nearest = log1p(change->high);
	change->direction = (nearest > 0) - (nearest < 0);
	if (nearest)
		change->p = error > 0 ? hist_stats_t_p(nearest / error, df) : certain;
}

/* Bounds of one side at the one-sided risk @alpha; @unit is what one event adds. */
static double side_lower(const struct side *side, double alpha)
{
	if (!(side->low > 0))
		return 0;
	return side->low * exp(-hist_stats_t_quantile(1 - alpha, side->df) *
			       sqrt(relative_variance(side)));
}

static double side_upper(const struct side *side, double alpha, double unit)
{
	double t = hist_stats_t_quantile(1 - alpha, side->df);

	if (side->low > 0)
		return side->high * exp(t * sqrt(relative_variance(side)));
	if (side->high > 0)
		return side->high + t * side->error - unit * log(alpha) / side->weight;
	return -unit * log(alpha) / side->weight;
}

static void test_difference(struct hist_change *change, const struct side *base,
			    const struct side *new_, double alpha, double certain)
{
	double v0 = base->error * base->error, v1 = new_->error * new_->error;
	double events = base->events + new_->events, weight = base->weight + new_->weight;
	double unit = 0, counting, error, nearest = 0;
	double df = freedom(base, v0, new_, v1);

	if (!(base->high > 0) && !(new_->high > 0)) {
		change->ci_low = change->ci_high = 0;
		return;
	}
	if (events > 0)
		unit = (base->high * base->weight + new_->high * new_->weight) / events;
	counting = unit * unit * events / weight * (1 / base->weight + 1 / new_->weight);
	error = sqrt(fmax(v0 + v1, counting));

	if (new_->low > base->high)
		nearest = new_->low - base->high;
	else if (new_->high < base->low)
		nearest = new_->high - base->low;
	change->direction = (nearest > 0) - (nearest < 0);
	if (nearest)
		change->p = error > 0 ? hist_stats_t_p(nearest / error, df) : certain;

	/* both bounds of an end hold at once: half the risk for each */
	change->ci_low = judge_ratio(side_lower(new_, alpha / 4),
				     side_upper(base, alpha / 4, unit)) - 1;
	change->ci_high = judge_ratio(side_upper(new_, alpha / 4, unit),
				      side_lower(base, alpha / 4)) - 1;
}

int hist_judge_change(struct hist_change *change, const struct hist_replicate *base,
		      unsigned int nbase, const struct hist_replicate *new_, unsigned int nnew,
		      const struct hist_judge_options *options)
{
	double alpha = 1 - options->confidence, certain = permutation_p(nbase, nnew);
	struct hist_change made = { 0 };
	struct side b, n;
	int ret;

	ret = side_make(&b, base, nbase);
	if (!ret)
		ret = side_make(&n, new_, nnew);
	if (ret)
		return ret;

	made.base_low = b.low;
	made.base_high = b.high;
	made.new_low = n.low;
	made.new_high = n.high;
	judge_sizes(&made);
	/* one weight may outweigh all others so far that no freedom is left */
	made.tested = nbase > 1 && nnew > 1 && b.df > 1e-6 && n.df > 1e-6;
	if (made.tested && b.low > 0 && n.low > 0)
		test_ratio(&made, &b, &n, alpha, certain);
	else if (made.tested)
		test_difference(&made, &b, &n, alpha, certain);
	made.p_family = made.p;
	*change = made;
	return 0;
}

int hist_judge_family(struct hist_change *const *changes, size_t n)
{
	double *p = NULL;
	size_t i, tests = 0;
	int ret;

	if (!n)
		return 0;
	p = calloc(n, sizeof(*p));
	if (!p)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		if (changes[i]->tested)
			p[tests++] = changes[i]->p;
	ret = hist_stats_holm(p, tests);
	if (!ret)
		for (i = 0, tests = 0; i < n; i++)
			changes[i]->p_family = changes[i]->tested ? p[tests++] : 1;
	free(p);
	return ret;
}

static void say_percent(char *text, size_t size, double change)
{
	if (isinf(change))
		snprintf(text, size, "any size");
	else
		snprintf(text, size, "%+.*f %%", fabs(change) < .0995 ? 1 : 0, 100 * change);
}

#define WAY_OUT "record finer buckets, or the sum for the mean"

static void explain(const struct hist_change *c, double threshold, bool significant, char *why,
		    size_t size)
{
	const char *ways = c->direction > 0 ? "rose" : "fell";
	bool hidden = c->low < threshold && c->high >= threshold;
	char low[32], high[32];

	if (!hidden)
		hidden = c->high > -threshold && c->low <= -threshold;
	say_percent(low, sizeof(low), c->low);
	say_percent(high, sizeof(high), c->high);
	if (!c->tested)
		snprintf(why, size, "too few replicates to test: record several runs a side, or "
			 "more snapshots");
	else if (!c->resolvable && significant && c->has_edge)
		snprintf(why, size, "in one bucket on both sides, but the share above its edge "
			 "%s (p = %.2g): " WAY_OUT, ways, c->p_family);
	else if (!c->resolvable)
		snprintf(why, size, "in one bucket on both sides, which hides %s to %s: " WAY_OUT,
			 low, high);
	else if (significant && hidden && c->low < c->high)
		snprintf(why, size, "it moved to another bucket, by %s to %s: " WAY_OUT, low, high);
	else if (significant)
		snprintf(why, size, "the change is no chance, but its interval reaches to both "
			 "sides of the threshold: record more runs");
	else if (c->low >= threshold || c->high <= -threshold)
		snprintf(why, size, "over the threshold, but it may be chance (p = %.2g): record "
			 "more runs", c->p_family);
	else
		snprintf(why, size, "too much noise to exclude a change of the threshold: record "
			 "more or longer runs");
}

enum hist_verdict hist_judge_verdict(const struct hist_change *c,
				     const struct hist_judge_options *options, char *why,
				     size_t size)
{
	double threshold = options->threshold;
	bool significant = c->tested && c->p_family < 1 - options->confidence;
	bool higher_bad = options->worse != HIST_WORSE_LOWER;
	bool lower_bad = options->worse != HIST_WORSE_HIGHER;
	bool up = significant && c->direction > 0 && c->low >= threshold;
	bool down = significant && c->direction < 0 && c->high <= -threshold;

	if (why && size)
		*why = '\0';
	if (options->worse == HIST_WORSE_NONE)
		return HIST_PASS;
	if ((up && higher_bad) || (down && lower_bad))
		return HIST_REGRESSED;
	if (up || down)
		return HIST_IMPROVED;
	if (c->tested && !(higher_bad && c->ci_high >= threshold) &&
	    !(lower_bad && c->ci_low <= -threshold))
		return HIST_PASS;
	if (why)
		explain(c, threshold, significant, why, size);
	return HIST_INCONCLUSIVE;
}
