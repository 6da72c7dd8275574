// SPDX-License-Identifier: LGPL-2.1
/*
 * budget.c - budgets of the new side alone (rules: significance.h)
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "lib/stats/significance.h"
#include "lib/stats/student_t.h"

static void say(char *why, size_t size, const char *text)
{
	if (why)
		snprintf(why, size, "%s", text);
}

int hist_judge_max(struct hist_budget *budget, const struct hist_replicate *new_,
		   unsigned int nnew, double limit, enum hist_verdict *verdict, char *why,
		   size_t size)
{
	struct hist_budget made;
	unsigned int i;

	if (!nnew)
		return -EINVAL;
	made = (struct hist_budget){ new_[0].low, new_[0].high, 0 };
	for (i = 1; i < nnew; i++) {
		made.low = fmax(made.low, new_[i].low);
		made.high = fmax(made.high, new_[i].high);
	}
	made.upper = made.high;

	say(why, size, "");
	*verdict = HIST_PASS;
	if (made.low > limit) {
		*verdict = HIST_REGRESSED;
	} else if (made.high > limit) {
		*verdict = HIST_INCONCLUSIVE;
		say(why, size, "the limit lies inside the bucket of the largest number: set it to an "
		    "edge, or record finer buckets");
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

int hist_judge_exceed(struct hist_budget *budget, const struct hist_exceed *new_,
		      unsigned int nnew, double share, double confidence,
		      enum hist_verdict *verdict, char *why, size_t size)
{
	struct hist_exceed all = { 0 };
	struct hist_budget made;
	unsigned int i;

	if (!nnew)
		return -EINVAL;
	for (i = 0; i < nnew; i++) {
		if (new_[i].at_least > new_[i].at_most || new_[i].at_most > new_[i].total)
			return -EINVAL;
		if (__builtin_add_overflow(all.total, new_[i].total, &all.total))
			return -EINVAL;
		all.at_least += new_[i].at_least;
		all.at_most += new_[i].at_most;
	}
	if (!all.total)
		return -ENODATA;

	made.low = (double)all.at_least / all.total;
	made.high = (double)all.at_most / all.total;
	made.upper = hist_stats_binomial_upper(all.at_most, all.total, confidence);
	if (nnew > 1)
		made.upper = fmin(1, fmax(made.upper, between_upper(new_, nnew, made.high, all.total,
								    confidence)));
	say(why, size, "");
	if (made.low > share) {
		*verdict = HIST_REGRESSED;
	} else if (made.upper <= share) {
		*verdict = HIST_PASS;
	} else {
		*verdict = HIST_INCONCLUSIVE;
		if (made.high > share)
			say(why, size, "the limit lies inside a bucket: set it to an edge, or record "
			    "finer buckets");
		else if (why)
			snprintf(why, size, "within the budget, but so few numbers leave up to %.3g %%: "
				 "record more", 100 * made.upper);
	}
	*budget = made;
	return 0;
}
