// SPDX-License-Identifier: LGPL-2.1
/*
 * budget.c - budgets, which judge one side alone (rules: significance.h)
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "lib/stats/significance.h"
#include "lib/stats/student_t.h"

static const char inside_bucket[] = "the budget is inside a bucket that has samples\nset the "
				    "budget to a bucket boundary, or record with smaller buckets";

int hist_budget_check_max(struct hist_budget *budget, const struct hist_replicate *r,
			  unsigned int n,
			  double limit)
{
	struct hist_budget made = { .low = -INFINITY, .high = -INFINITY };
	unsigned int i;

	if (!n)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		made.low = fmax(made.low, r[i].low);
		made.high = fmax(made.high, r[i].high);
	}
	if (made.low > limit) {
		made.verdict = HIST_REGRESSED;
	} else if (made.high > limit) {
		made.verdict = HIST_INCONCLUSIVE;
		snprintf(made.why, sizeof(made.why), "%s", inside_bucket);
	}
	*budget = made;
	return 0;
}

/* Upper bound of a mean of shares that differ between replicates, by Student's t. */
static double between_upper(const struct hist_exceed *r, unsigned int n, double share, double all,
			    double confidence)
{
	double scatter = 0, squares = 0, df;
	unsigned int i;

	for (i = 0; i < n; i++) {
		double away = r[i].at_most - share * r[i].total;

		scatter += away * away;
		squares += (double)r[i].total * r[i].total;
	}
	df = all / squares * all - 1;
	if (!(scatter > 0) || !(df > 1e-6))
		return share;
	return share + hist_stats_t_quantile(confidence, df) * sqrt(n / (n - 1.) * scatter) / all;
}

int hist_budget_check_exceed(struct hist_budget *budget, const struct hist_exceed *r,
			     unsigned int n,
			     double share, double confidence)
{
	struct hist_budget made = { 0 };
	struct hist_exceed all = { 0 };
	unsigned int i;

	if (!n)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		if (r[i].at_least > r[i].at_most || r[i].at_most > r[i].total ||
		    __builtin_add_overflow(all.total, r[i].total, &all.total))
			return -EINVAL;
		all.at_least += r[i].at_least;
		all.at_most += r[i].at_most;
	}
	if (!all.total)
		return -ENODATA;
	made.low = (double)all.at_least / all.total;
	made.high = (double)all.at_most / all.total;
	made.upper = hist_stats_binomial_upper(all.at_most, all.total, confidence);
	if (n > 1)
		made.upper = fmin(1, fmax(made.upper, between_upper(r, n, made.high, all.total,
								    confidence)));
	if (made.low > share) {
		made.verdict = HIST_REGRESSED;
	} else if (!(made.upper <= share)) {
		made.verdict = HIST_INCONCLUSIVE;
		if (made.high > share)
			snprintf(made.why, sizeof(made.why), "%s", inside_bucket);
		else
			snprintf(made.why, sizeof(made.why), "within the budget, but with so few "
				 "samples the true share may be up to %.3g %%\nrecord "
				 "longer", 100 * made.upper);
	}
	*budget = made;
	return 0;
}
