/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * key_budgets.h - the budgets (max, exceed) of one key, and whether each limit was judged
 *
 * A budget needs numbers: those of the axis or, without an axis, the maximum that the histogram
 * keeps for each row (onmax()).  The maximum also tells where in its bucket the largest number is.
 */
#ifndef LIB_DIFF_KEY_BUDGETS_H
#define LIB_DIFF_KEY_BUDGETS_H

#include "lib/diff/key_metrics.h"

/* What became of a limit of the options or of the thresholds, in one histogram or in all. */
struct hist_limit_use {
	bool fits; /* it applies to a key, and the histogram has numbers of its unit */
	bool misfits; /* it applies to a key, and the histogram does not have such numbers */
	bool misfits_unit; /* the histogram has numbers, but they are not a time */
	bool judged; /* the samples of a key decided about it */
};

/* True if the histogram has numbers. */
bool hist_key_budgets_possible(const struct hist_key_metrics *s);

/* Note in s->limits and s->sections what applies to the key @label. */
void hist_key_budgets_resolve(struct hist_key_metrics *s, const char *label);

/* Add a metric to @key for each budget that applies.  Call hist_key_metrics_set_hits() first. */
void hist_key_budgets_add(struct hist_key_metrics *s, struct hist_key_result *key,
			  const uint32_t *groups, uint32_t n);

/*
 * hist_key_budgets_decide - true if a budget decides about @key, which has few hits
 * One hit is enough to exceed a budget, or to leave open if the largest number exceeds it.  Few
 * hits leave every small share open: this counts only if @alone, without the sum of all keys.
 */
bool hist_key_budgets_decide(const struct hist_key_result *key, bool alone);

#endif
