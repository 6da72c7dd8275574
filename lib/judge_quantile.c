// SPDX-License-Identifier: LGPL-2.1
/*
 * judge_quantile.c - the change of a quantile, by the shares above bucket edges
 *
 * One walk over the edges of all replicates, ascending.  At each edge the numbers not above it are
 * known for each replicate, and so the share above it for each side, with its error.
 * Invariant: no number is placed inside its bucket; all that is computed holds for any place.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <tracehist/judge.h>
#include <tracehist/quantile.h>
#include <tracehist/stats.h>

#include "judge_private.h"

struct replicate {
	const struct hist_distribution *d;
	uint32_t at;  /* first bucket above the edge */
	double total;
	double below; /* numbers that are not above the edge */
};

struct side {
	struct replicate *r; /* those with counts */
	unsigned int n;
	unsigned __int128 total, below; /* no count of any file overflows them */
	double df, t; /* Student's t for the two-sided interval */

	/* of the quantile: central bucket, and interval */
	double low, high, ci_low, ci_high;
	bool found, found_low, found_high;

	double share, variance; /* above the edge of the walk */
};

/* What the test uses. */
struct chosen {
	bool have;
	double distance;
	double edge;
	double share[2], variance[2];
};

static double number(const struct hist_distribution *d, uint64_t bound)
{
	return d->is_signed ? (double)(int64_t)bound : (double)bound;
}

static int side_make(struct side *side, const struct hist_distribution *d, unsigned int n,
		     double alpha)
{
	double squares = 0, all;
	unsigned int i;
	uint32_t k;

	*side = (struct side){ 0 };
	side->r = calloc(n ? n : 1, sizeof(*side->r));
	if (!side->r)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		struct replicate *r = &side->r[side->n];

		r->d = &d[i];
		for (k = 0; k < d[i].n; k++) {
			r->total += d[i].buckets[k].count;
			side->total += d[i].buckets[k].count;
		}
		squares += r->total * r->total;
		if (r->total > 0)
			side->n++;
	}
	if (!side->n)
		return -ENODATA;
	all = side->total;
	side->df = all / squares * all - 1;
	if (side->n > 1 && side->df > 1e-6)
		side->t = hist_stats_t_quantile(1 - alpha / 2, side->df);
	return 0;
}

/* The next edge of both sides: the lowest bucket that no replicate has passed. */
static bool next_bucket(const struct side *sides, struct hist_bucket *next, bool is_signed)
{
	uint64_t flip = is_signed ? 1ull << 63 : 0; /* makes signed bounds compare as unsigned */
	bool have = false;
	unsigned int s, i;

	for (s = 0; s < 2; s++) {
		for (i = 0; i < sides[s].n; i++) {
			const struct replicate *r = &sides[s].r[i];

			if (r->at == r->d->n)
				continue;
			if (!have || (r->d->buckets[r->at].le ^ flip) < (next->le ^ flip))
				*next = r->d->buckets[r->at];
			have = true;
		}
	}
	return have;
}

/* Takes @bucket in.  -EINVAL where a replicate has one that overlaps it in part. */
static int side_pass(struct side *side, const struct hist_bucket *bucket)
{
	unsigned int i;

	for (i = 0; i < side->n; i++) {
		struct replicate *r = &side->r[i];
		const struct hist_bucket *b;

		if (r->at == r->d->n)
			continue;
		b = &r->d->buckets[r->at];
		if (b->le == bucket->le) {
			if (b->ge != bucket->ge)
				return -EINVAL;
			r->below += b->count;
			side->below += b->count;
			r->at++;
		} else if (r->d->is_signed ? (int64_t)b->ge <= (int64_t)bucket->le :
					     b->ge <= bucket->le) {
			return -EINVAL;
		}
	}
	return 0;
}

/*
 * The share above the edge and its variance between replicates, as of a ratio: residuals
 * are what a replicate has above the edge beyond its part.
 */
static void side_share(struct side *side)
{
	double scatter = 0, all = side->total;
	unsigned int i;

	side->share = (double)(side->total - side->below) / all;
	for (i = 0; i < side->n; i++) {
		const struct replicate *r = &side->r[i];
		double away = r->total - r->below - side->share * r->total;

		scatter += away * away;
	}
	side->variance = 0;
	if (side->n > 1)
		side->variance = side->n / (side->n - 1.) * scatter / all / all;
}

/* Is this the bucket of the quantile, or an end of its interval? */
static void side_place(struct side *side, const struct hist_bucket *bucket, uint32_t p, double z)
{
	const struct hist_distribution *d = side->r[0].d;
	double above = 1 - p / (double)HIST_QUANTILE_ONE, n = side->total, k = side->share * n;
	double reach = side->t ? side->t * sqrt(side->variance) : 0;
	double middle = k + z * z / 2, spread = z * sqrt(k * (1 - side->share) + z * z / 4);
	double lower = fmin(side->share - reach, (middle - spread) / (n + z * z));
	double upper = fmax(side->share + reach, (middle + spread) / (n + z * z));

	/* rank ceil(p * n), and at least the first */
	if (!side->found && side->below > 0 &&
	    side->below * HIST_QUANTILE_ONE >= side->total * p) {
		side->found = true;
		side->low = number(d, bucket->ge);
		side->high = number(d, bucket->le);
		if (!side->found_low)
			side->ci_low = side->low;
		side->found_low = true;
	}
	if (!side->found_low && lower <= above) {
		side->found_low = true;
		side->ci_low = number(d, bucket->ge); /* below 0 is as 0 to judge_ratio() */
	}
	if (side->found && !side->found_high && upper <= above) {
		side->found_high = true;
		side->ci_high = number(d, bucket->le);
	}
}

/* How far a share is from the wanted one, by the logarithm of the odds. */
static double odds_distance(double share, double wanted)
{
	wanted = fmin(fmax(wanted, 1e-9), 1 - 1e-9);
	return fabs(log(share / (1 - share)) - log(wanted / (1 - wanted)));
}

/* Keeps the edge if it is the nearest so far.  Which side has more above it plays no part. */
static void choose(struct chosen *chosen, const struct side *sides, double edge, double wanted)
{
	double mean = (sides[0].share + sides[1].share) / 2, distance;
	int s;

	if (!(mean > 0) || !(mean < 1))
		return;
	distance = odds_distance(mean, wanted);
	if (chosen->have && distance >= chosen->distance)
		return;
	chosen->have = true;
	chosen->distance = distance;
	chosen->edge = edge;
	for (s = 0; s < 2; s++) {
		chosen->share[s] = sides[s].share;
		chosen->variance[s] = sides[s].variance;
	}
}

static void test(struct hist_change *change, const struct side *sides, const struct chosen *chosen)
{
	double n0 = sides[0].total, n1 = sides[1].total, pooled, counting, error, df;
	double difference = chosen->share[1] - chosen->share[0];

	change->has_edge = chosen->have;
	if (!chosen->have)
		return;
	change->edge = chosen->edge;
	change->base_share = chosen->share[0];
	change->new_share = chosen->share[1];
	if (!change->tested || !difference)
		return;
	pooled = (chosen->share[0] * n0 + chosen->share[1] * n1) / (n0 + n1);
	counting = pooled * (1 - pooled) * (1 / n0 + 1 / n1);
	error = sqrt(fmax(chosen->variance[0] + chosen->variance[1], counting));
	df = hist_stats_welch_df(chosen->variance[0], sides[0].df, chosen->variance[1],
				 sides[1].df);
	change->direction = (difference > 0) - (difference < 0);
	change->p = hist_stats_t_p(difference / error, df);
}

/* ln(high / low), and 0 for two zeros. */
static double span(double low, double high)
{
	return log(judge_ratio(high, low));
}

/* MOVER: the distances to the ends of both sides' intervals add as squares do. */
static void join(struct hist_change *change, const struct side *base, const struct side *new_)
{
	double down = hypot(span(new_->ci_low, new_->low), span(base->high, base->ci_high));
	double up = hypot(span(new_->high, new_->ci_high), span(base->ci_low, base->low));

	change->ci_low = isinf(down) ? -1 : (change->low + 1) * exp(-down) - 1;
	change->ci_high = isinf(up) ? INFINITY : (change->high + 1) * exp(up) - 1;
}

int hist_judge_quantile(struct hist_change *change, const struct hist_distribution *base,
			unsigned int nbase, const struct hist_distribution *new_,
			unsigned int nnew, uint32_t p, const struct hist_judge_options *options)
{
	double alpha = 1 - options->confidence, z = hist_stats_normal_quantile(1 - alpha / 2);
	double wanted = 1 - p / (double)HIST_QUANTILE_ONE;
	struct side sides[2] = { 0 };
	struct hist_change made = { 0 };
	struct chosen chosen = { 0 };
	struct hist_bucket bucket = { 0 };
	bool is_signed;
	unsigned int s, i;
	int ret;

	if (p > HIST_QUANTILE_ONE)
		return -EINVAL;
	ret = side_make(&sides[0], base, nbase, alpha);
	if (!ret)
		ret = side_make(&sides[1], new_, nnew, alpha);
	if (ret)
		goto out;
	is_signed = sides[0].r[0].d->is_signed;
	ret = -EINVAL;
	for (s = 0; s < 2; s++)
		for (i = 0; i < sides[s].n; i++)
			if (sides[s].r[i].d->is_signed != is_signed)
				goto out;

	for (s = 0; s < 2; s++)
		sides[s].ci_high = INFINITY;
	while (next_bucket(sides, &bucket, is_signed)) {
		for (s = 0; s < 2; s++) {
			ret = side_pass(&sides[s], &bucket);
			if (ret)
				goto out;
			side_share(&sides[s]);
			side_place(&sides[s], &bucket, p, z);
		}
		choose(&chosen, sides, number(sides[0].r[0].d, bucket.le), wanted);
	}
	ret = -EDOM;
	if (sides[0].low < 0 || sides[1].low < 0)
		goto out;

	made.base_low = sides[0].low;
	made.base_high = sides[0].high;
	made.new_low = sides[1].low;
	made.new_high = sides[1].high;
	judge_sizes(&made);
	made.tested = sides[0].t > 0 && sides[1].t > 0;
	test(&made, sides, &chosen);
	if (made.tested)
		join(&made, &sides[0], &sides[1]);
	made.p_family = made.p;
	*change = made;
	ret = 0;
out:
	free(sides[0].r);
	free(sides[1].r);
	return ret;
}
