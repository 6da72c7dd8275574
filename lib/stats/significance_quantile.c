// SPDX-License-Identifier: LGPL-2.1
/*
 * significance_quantile.c - the change of a quantile, by the shares above a bucket boundary
 *
 * The replicates of a side are added up.  One walk over the boundaries of both sums selects the
 * boundary for the test.
 *
 * Invariant: what is shown holds for any place of the numbers inside their buckets.  Only the
 * verdict about narrow buckets places them evenly: ends that differ by a quarter at most leave an
 * error of a few percent, and almost none in a ratio of two sides of one shape.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/analysis/quantile.h"
#include "lib/stats/significance.h"

static int quantile_test_sum_distributions(struct hist_distribution *sum,
					   const struct hist_distribution *d, unsigned int n)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < n && !ret; i++)
		if (d[i].n)
			ret = hist_distribution_add(sum, &d[i]);
	return ret;
}

/* The distance of a share from the wanted one, by the logarithms of the odds. */
static double odds_distance(double share, double wanted)
{
	wanted = fmin(fmax(wanted, 1e-9), 1 - 1e-9);
	return fabs(log(share / (1 - share)) - log(wanted / (1 - wanted)));
}

/*
 * Set change->edge and *@bound to the boundary whose mean share of both sides is nearest to
 * @wanted.
 * The choice does not depend on which side has more above it.  -EINVAL if buckets overlap in part.
 */
static int choose_edge(struct hist_change *change, uint64_t *bound,
		       const struct hist_distribution *sums, double wanted)
{
	uint64_t flip = sums->is_signed ? UINT64_C(1) << 63 : 0;
	double below[2] = { 0 }, best = INFINITY, mean, distance;
	const struct hist_bucket *b[2];
	uint32_t at[2] = { 0 };
	uint64_t le;
	int s;

	while (at[0] < sums[0].n || at[1] < sums[1].n) {
		for (s = 0; s < 2; s++)
			b[s] = at[s] < sums[s].n ? &sums[s].buckets[at[s]] : NULL;
		if (b[0] && b[1] &&
		    (b[0]->le == b[1]->le ? b[0]->ge != b[1]->ge
					  : (b[0]->ge ^ flip) <= (b[1]->le ^ flip) &&
						    (b[1]->ge ^ flip) <= (b[0]->le ^ flip)))
			return -EINVAL;
		s = !b[0] || (b[1] && (b[1]->le ^ flip) < (b[0]->le ^ flip));
		le = b[s]->le;
		for (s = 0; s < 2; s++)
			if (b[s] && b[s]->le == le)
				below[s] += sums[s].buckets[at[s]++].count;
		mean = 1 - (below[0] / sums[0].total + below[1] / sums[1].total) / 2;
		distance = mean > 0 && mean < 1 ? odds_distance(mean, wanted) : INFINITY;
		if (distance >= best)
			continue;
		best = distance;
		*bound = le;
		change->has_edge = true;
		change->edge = hist_number_real(le, sums->is_signed);
		change->base_share = 1 - below[0] / sums[0].total;
		change->new_share = 1 - below[1] / sums[1].total;
	}
	return 0;
}

/* Compute the shares above @bound in @d.  Returns the number of replicates with counts. */
static unsigned int quantile_test_compute_shares(struct hist_replicate *r,
						 const struct hist_distribution *d,
						 unsigned int n, uint64_t bound, double mean)
{
	uint64_t above, at_most;
	unsigned int i, made = 0;

	for (i = 0; i < n; i++) {
		double total = d[i].total;

		if (!d[i].total)
			continue;
		hist_quantile_exceedance(&d[i], bound, &above, &at_most);
		r[made++] = (struct hist_replicate){ above / total, above / total, .5 / total,
						     (1 - mean) / mean / total };
	}
	return made;
}

static int quantile_test_test_shares(struct hist_change *change,
				     const struct hist_distribution *base,
				     unsigned int nbase, const struct hist_distribution *new_,
				     unsigned int nnew,
				     uint64_t bound)
{
	double mean = (change->base_share + change->new_share) / 2;
	struct hist_replicate *r = calloc((size_t)nbase + nnew, sizeof(*r));
	struct hist_change of_share;
	unsigned int n, m;
	int ret;

	if (!r)
		return -ENOMEM;
	n = quantile_test_compute_shares(r, base, nbase, bound, mean);
	m = quantile_test_compute_shares(r + n, new_, nnew, bound, mean);
	ret = hist_significance_test_change(&of_share, r, n, r + n, m);
	free(r);
	if (ret)
		return ret;
	change->tested = of_share.tested;
	change->direction = of_share.direction;
	change->test = of_share.test;
	return 0;
}

/* The ends of a narrow bucket differ by at most this factor. */
#define NARROW 1.25

/* The @p millionths quantile of numbers that are even inside its bucket; NAN if that is wide. */
static double quantile_test_place(const struct hist_distribution *d, uint32_t p)
{
	double left = p / (double)HIST_QUANTILE_ONE * d->total, ge, le;
	uint32_t i;

	for (i = 0; i + 1 < d->n && left > d->buckets[i].count; i++)
		left -= d->buckets[i].count;
	if (i == d->n)
		return NAN;
	ge = hist_number_real(d->buckets[i].ge, d->is_signed);
	le = hist_number_real(d->buckets[i].le, d->is_signed);
	if (!(ge > 0) || le > ge * NARROW)
		return NAN;
	return ge == le ? le : ge + (le - ge) * fmin(left / d->buckets[i].count, 1);
}

/* Set the ends of the quantile of one side, if it has counts.  -EDOM if it is below zero. */
static int measure_side(double *low, double *high, const struct hist_distribution *sum, uint32_t p)
{
	struct hist_quantile q;
	int ret = hist_quantile(sum, p, &q);

	if (ret)
		return ret == -ENODATA ? 0 : ret;
	*low = hist_number_real(q.low, sum->is_signed);
	*high = hist_number_real(q.high, sum->is_signed);
	return *low < 0 ? -EDOM : 0;
}

int hist_significance_test_quantile(struct hist_change *change,
				    const struct hist_distribution *base,
				    unsigned int nbase, const struct hist_distribution *new_,
				    unsigned int nnew, uint32_t p)
{
	struct hist_change made = HIST_CHANGE_UNKNOWN;
	struct hist_distribution sums[2] = { 0 };
	bool both;
	uint64_t bound = 0;
	int ret;

	ret = quantile_test_sum_distributions(&sums[0], base, nbase);
	if (!ret)
		ret = quantile_test_sum_distributions(&sums[1], new_, nnew);
	if (!ret && !sums[0].n && !sums[1].n)
		ret = -ENODATA;
	both = sums[0].n && sums[1].n;
	if (!ret && both && sums[0].is_signed != sums[1].is_signed)
		ret = -EINVAL;
	if (!ret)
		ret = measure_side(&made.base_low, &made.base_high, &sums[0], p);
	if (!ret)
		ret = measure_side(&made.new_low, &made.new_high, &sums[1], p);
	if (!ret && both) {
		hist_significance_set_sizes(&made);
		made.ci_low = made.ci_high = NAN;
		made.placed =
			quantile_test_place(&sums[1], p) / quantile_test_place(&sums[0], p) - 1;
		made.is_placed = !isnan(made.placed);
		ret = choose_edge(&made, &bound, sums, 1 - p / (double)HIST_QUANTILE_ONE);
	}
	if (!ret && made.has_edge)
		ret = quantile_test_test_shares(&made, base, nbase, new_, nnew, bound);
	if (!ret)
		*change = made;
	hist_distribution_free(&sums[0]);
	hist_distribution_free(&sums[1]);
	return ret;
}

/* The quantile of each replicate with counts, or where it is placed.  Returns their number. */
static unsigned int quantile_test_collect(struct hist_replicate *r,
					  const struct hist_distribution *d, unsigned int n,
					  uint32_t p, bool placed)
{
	struct hist_quantile q;
	unsigned int i, made = 0;

	for (i = 0; i < n; i++) {
		if (hist_quantile(&d[i], p, &q))
			continue;
		r[made] = (struct hist_replicate){
			.low = hist_number_real(q.low, d[i].is_signed),
			.high = hist_number_real(q.high, d[i].is_signed),
		};
		if (placed)
			r[made].low = r[made].high = quantile_test_place(&d[i], p);
		made++;
	}
	return made;
}

/* Test the quantiles of single replicates, with a confidence interval.  -EINVAL: one is NAN. */
static int quantile_test_bound(struct hist_change *bound, const struct hist_distribution *base,
			       unsigned int nbase, const struct hist_distribution *new_,
			       unsigned int nnew, uint32_t p, double confidence, bool placed)
{
	struct hist_replicate *r = calloc((size_t)nbase + nnew + 1, sizeof(*r));
	unsigned int n, m;
	int ret;

	if (!r)
		return -ENOMEM;
	n = quantile_test_collect(r, base, nbase, p, placed);
	m = quantile_test_collect(r + n, new_, nnew, p, placed);
	ret = hist_significance_test_change(bound, r, n, r + n, m);
	free(r);
	if (!ret && n && m)
		ret = hist_significance_pool(&bound, 1, confidence);
	return ret;
}

int hist_significance_bound_quantile(struct hist_change *change,
				     const struct hist_distribution *base, unsigned int nbase,
				     const struct hist_distribution *new_, unsigned int nnew,
				     uint32_t p, double confidence)
{
	struct hist_change bound = HIST_CHANGE_UNKNOWN, placed = HIST_CHANGE_UNKNOWN;
	int ret = quantile_test_bound(&bound, base, nbase, new_, nnew, p, confidence, false);

	if (ret || isnan(bound.low))
		return ret;
	if (!change->has_edge) {
		change->tested = bound.tested;
		change->direction = bound.direction;
		change->test = bound.test;
	}
	change->ci_low = bound.ci_low;
	change->ci_high = bound.ci_high;
	if (!change->is_placed)
		return 0;
	ret = quantile_test_bound(&placed, base, nbase, new_, nnew, p, confidence, true);
	change->placed_ci_low = placed.ci_low;
	change->placed_ci_high = placed.ci_high;
	return ret == -EINVAL ? 0 : ret;
}
