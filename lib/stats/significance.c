// SPDX-License-Identifier: LGPL-2.1
/*
 * significance.c - a t test on the logarithms of replicates, and the verdict (significance.h)
 *
 * hist_significance_test_change() reduces the replicates of one metric to a difference and a
 * variance.
 * hist_significance_pool() turns the variances of all keys into errors, p and intervals.
 * Invariant: bucket intervals widen the change and its confidence interval, never the reverse.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/stats/significance.h"
#include "lib/stats/student_t.h"

const char *hist_significance_verdict_name(enum hist_verdict verdict)
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

enum hist_verdict hist_significance_worse_verdict(enum hist_verdict a, enum hist_verdict b)
{
	return a > b ? a : b;
}

/* new_ / base - 1; infinite from 0, and 0 if only rounding makes a difference. */
static double significance_change_size(double new_, double base)
{
	double size = base > 0 ? new_ / base - 1 : new_ > 0 ? INFINITY : 0;

	return fabs(size) < 1e-12 ? 0 : size;
}

void hist_significance_set_sizes(struct hist_change *change)
{
	change->low = significance_change_size(change->new_low, change->base_high);
	change->high = significance_change_size(change->new_high, change->base_low);
	change->resolvable = !(change->low < 0 && change->high > 0);
	change->ci_low = -1;
	change->ci_high = INFINITY;
}

/* One side: the mean of the logarithms, and their sum of squares around it. */
struct side {
	double low, high; /* the geometric mean, as a bucket interval */
	double log, squares;
	double noise; /* variance of @log from counting alone */
};

static double significance_replicate_middle(const struct hist_replicate *r)
{
	return r->low / 2 + r->high / 2;
}

static int side_make(struct side *side, const struct hist_replicate *r, unsigned int n)
{
	double low = 0, high = 0, away, plain = 0;
	unsigned int i;

	*side = (struct side){ 0 };
	for (i = 0; i < n; i++) {
		if (!(r[i].low >= 0) || !(r[i].high >= r[i].low) || !isfinite(r[i].high) ||
		    !(r[i].least >= 0) || !(r[i].noise >= 0))
			return -EINVAL;
		low += r[i].low;
		high += r[i].high;
		plain += log(significance_replicate_middle(&r[i])) / n;
		side->log += log(significance_replicate_middle(&r[i]) + r[i].least) / n;
		side->noise += r[i].noise / n / n;
	}
	for (i = 0; i < n && isfinite(side->log); i++) {
		away = log(significance_replicate_middle(&r[i]) + r[i].least) - side->log;
		/* rounding can make equal numbers differ */
		if (fabs(away) > 1e-12)
			side->squares += away * away;
	}
	if (high > 0) {
		/* log(0) is not finite: use the logarithm with r->least */
		double mean = exp(isfinite(plain) ? plain : side->log);

		side->low = mean * low / (low / 2 + high / 2);
		side->high = mean * high / (low / 2 + high / 2);
	}
	return 0;
}

int hist_significance_test_change(struct hist_change *change, const struct hist_replicate *base,
				  unsigned int nbase, const struct hist_replicate *new_,
				  unsigned int nnew)
{
	struct hist_change made = HIST_CHANGE_UNKNOWN;
	struct hist_test *t = &made.test;
	struct side b, n;
	int ret;

	if (!nbase && !nnew)
		return -ENODATA;
	ret = side_make(&b, base, nbase);
	if (!ret)
		ret = side_make(&n, new_, nnew);
	if (ret)
		return ret;

	if (nbase) {
		made.base_low = b.low;
		made.base_high = b.high;
	}
	if (nnew) {
		made.new_low = n.low;
		made.new_high = n.high;
	}
	if (nbase && nnew) {
		hist_significance_set_sizes(&made);
		made.tested = nbase + nnew > 2 && isfinite(b.log) == isfinite(n.log);
	}
	if (made.tested && isfinite(b.log)) {
		t->difference = n.log - b.log;
		t->df = nbase + nnew - 2;
		t->variance = (b.squares + n.squares) / t->df;
		t->per_replicate = 1. / nbase + 1. / nnew;
		t->noise = b.noise + n.noise;
		if (fabs(t->difference) < 1e-12)
			t->difference = 0;
		made.direction = (t->difference > 0) - (t->difference < 0);
		/* two-sided p of the most one-sided way to deal the replicates to the sides */
		t->certain = 2 / hist_stats_choose(nbase + nnew, nnew);
	}
	*change = made;
	return 0;
}

/* Set p and the confidence interval, with the moderated @variance. */
static void significance_finish_change(struct hist_change *c, double variance, double df,
				       double confidence)
{
	double error = sqrt(fmax(variance * c->test.per_replicate, c->test.noise)), reach = 0;
	double low = log1p(c->low), high = log1p(c->high);

	if (error > 0)
		reach = error * hist_stats_t_quantile(1 - (1 - confidence) / 2, df);
	if (c->direction)
		c->p = error > 0 ? hist_stats_t_p(c->test.difference / error, df) :
				   fmin(1, c->test.certain);
	c->p_family = c->p;
	if (c->has_edge) /* the test is of shares; of the percentile only the size is known */
		return;
	c->ci_low = expm1((isfinite(low) ? low : c->test.difference) - reach);
	c->ci_high = expm1((isfinite(high) ? high : c->test.difference) + reach);
}

int hist_significance_pool(struct hist_change *const *changes, size_t n, double confidence)
{
	double *variance, *df, prior, prior_df, all = 0;
	size_t i, scattered = 0;

	variance = calloc(n + 1, sizeof(*variance));
	df = calloc(n + 1, sizeof(*df));
	if (!variance || !df) {
		free(variance);
		free(df);
		return -ENOMEM;
	}
	for (i = 0; i < n; i++) {
		if (!changes[i]->tested || !(changes[i]->test.variance > 0))
			continue;
		variance[scattered] = changes[i]->test.variance;
		df[scattered++] = changes[i]->test.df;
		all += changes[i]->test.df;
	}
	hist_stats_prior(&prior, &prior_df, variance, df, scattered);
	for (i = 0; i < n; i++) {
		struct hist_change *c = changes[i];
		double own = c->test.variance, freedom = c->test.df;

		if (!c->tested)
			continue;
		if (!freedom) { /* nothing on both sides */
			c->ci_low = c->ci_high = 0;
			continue;
		}
		if (own > 0 && prior_df > 0) {
			own = isinf(prior_df) ? prior : (prior_df * prior + freedom * own) /
							(prior_df + freedom);
			freedom = fmin(prior_df + freedom, all);
		}
		significance_finish_change(c, own, freedom, confidence);
	}
	free(variance);
	free(df);
	return 0;
}

static int by_p(const void *pa, const void *pb)
{
	const struct hist_change *const *a = pa, *const *b = pb;

	return ((*a)->p > (*b)->p) - ((*a)->p < (*b)->p);
}

int hist_significance_adjust_family(struct hist_change *const *changes, size_t n)
{
	struct hist_change **tests = calloc(n + 1, sizeof(*tests));
	double largest = 0;
	size_t i, ntests = 0;

	if (!tests)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		changes[i]->p_family = 1;
		if (changes[i]->tested)
			tests[ntests++] = changes[i];
	}
	qsort(tests, ntests, sizeof(*tests), by_p);
	for (i = 0; i < ntests; i++) {
		/* none may be more significant than one before it */
		largest = fmax(largest, fmin(1, tests[i]->p * (ntests - i)));
		tests[i]->p_family = largest;
	}
	free(tests);
	return 0;
}

static void significance_format_percent(char *text, size_t size, double change)
{
	if (isinf(change))
		snprintf(text, size, "any size");
	else
		snprintf(text, size, "%+.*f %%", fabs(change) < .0995 ? 1 : 0, 100 * change);
}

static void significance_explain_verdict(const struct hist_change *c, double threshold,
					 bool significant, char *why,
					 size_t size)
{
	char low[32], high[32];
	/* smaller buckets do not help if the interval of a percentile excludes the threshold */
	bool buckets = !c->has_edge ? c->low < threshold && c->high > -threshold :
				      c->high >= threshold || c->low <= -threshold;

	significance_format_percent(low, sizeof(low), c->low);
	significance_format_percent(high, sizeof(high), c->high);
	if (!c->tested)
		snprintf(why, size, "too few samples to test\nrecord several runs of each side, or "
			 "more snapshots");
	else if (c->low < c->high && c->low < threshold && c->high > -threshold && buckets)
		snprintf(why, size, "the change is %ssignificant, but may be from %s to %s because "
			 "of the wide buckets\nrecord with smaller buckets%s",
			 significant ? "" : "not ", low, high,
			 c->has_edge ? "" : ", or record the sum of the samples");
	else if (significant)
		snprintf(why, size, "the change is significant, but its confidence interval "
			 "includes the threshold\nrecord more runs");
	else if (c->low >= threshold || c->high <= -threshold)
		snprintf(why, size, "the change exceeds the threshold, but is not significant (p = "
			 "%.2g)\nrecord more runs", c->p_family);
	else
		snprintf(why, size, "too much noise to exclude a change that exceeds the "
			 "threshold\nrecord more or longer runs");
}

/* @c with what the verdict is about in place of what is shown. */
static struct hist_change significance_judged(const struct hist_change *c)
{
	struct hist_change judged = *c;

	if (c->is_placed)
		judged.low = judged.high = c->placed;
	if (c->is_placed && !isnan(c->placed_ci_low)) {
		judged.ci_low = c->placed_ci_low;
		judged.ci_high = c->placed_ci_high;
	}
	return judged;
}

enum hist_verdict hist_significance_decide(const struct hist_change *change,
					   const struct hist_significance_options *options,
					   char *why,
					   size_t size)
{
	const struct hist_change judged = significance_judged(change), *c = &judged;
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
		significance_explain_verdict(c, threshold, significant, why, size);
	return HIST_INCONCLUSIVE;
}
