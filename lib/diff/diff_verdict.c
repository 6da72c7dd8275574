// SPDX-License-Identifier: LGPL-2.1
/*
 * diff_verdict.c - compute the verdicts from the tests of all metrics
 *
 * Tests of one metric share the variances of their keys (hist_significance_pool()).  All gated
 * tests of a comparison are one family: more keys require stronger evidence for each
 * finding.  The verdict of each metric follows, and the verdict of a whole is the worst
 * verdict of its parts.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/diff/diff_private.h"
#include "lib/diff/diff_text.h"

static bool is_judged(const struct hist_metric_result *m)
{
	return m->gated && !m->has_budget;
}

/*
 * Store the changes of the keys from @from to @to in @changes: of the metric @like, or of all
 * judged metrics if @like is NULL.  Returns their number.
 */
static size_t diff_verdict_collect_gated(struct hist_change **changes,
					 const struct hist_hist_result *h, uint32_t from,
					 uint32_t to, const struct hist_metric_result *like)
{
	struct hist_metric_result *m;
	unsigned int i;
	size_t n = 0;

	for (; from < to; from++) {
		for (i = 0; i < h->keys[from].nmetrics; i++) {
			m = &h->keys[from].metrics[i];
			if (like ? !m->has_budget && !strcmp(m->name, like->name) : is_judged(m))
				changes[n++] = &m->change;
		}
	}
	return n;
}

/*
 * pool_hist - pool the variances of each metric over the keys of a histogram
 * All keys have the same metrics, except budgets.  The sum of all keys has a different variance
 * and is not pooled.
 */
static int pool_hist(const struct hist_hist_result *h, double confidence,
		     struct hist_change **changes)
{
	const struct hist_metric_result *m;
	uint32_t from = 0, to;
	unsigned int i;
	int ret = 0;

	for (; from < h->nkeys && !ret; from = to) {
		to = h->keys[from].whole ? from + 1 : h->nkeys;
		for (i = 0; i < h->keys[from].nmetrics && !ret; i++) {
			m = &h->keys[from].metrics[i];
			if (!m->has_budget)
				ret = hist_significance_pool(
					changes,
					diff_verdict_collect_gated(changes, h, from, to, m),
					confidence);
		}
	}
	return ret;
}

static int test_family(const struct hist_comparison *c, double confidence)
{
	struct hist_change **changes;
	unsigned int h;
	size_t n = 0;
	uint32_t k;
	int ret = 0;

	for (h = 0; h < c->nhists; h++)
		for (k = 0; k < c->hists[h].nkeys; k++)
			n += c->hists[h].keys[k].nmetrics;
	changes = calloc(n + 1, sizeof(*changes));
	if (!changes)
		return -ENOMEM;
	for (h = 0; h < c->nhists && !ret; h++)
		ret = pool_hist(&c->hists[h], confidence, changes);
	for (h = 0, n = 0; h < c->nhists; h++)
		n += diff_verdict_collect_gated(changes + n, &c->hists[h], 0, c->hists[h].nkeys,
						NULL);
	if (!ret)
		ret = hist_significance_adjust_family(changes, n);
	free(changes);
	return ret;
}

static void judge_metric(struct hist_metric_result *m, const struct hist_compare_options *options)
{
	struct hist_significance_options judge = options->judge;

	if (!is_judged(m))
		return;
	judge.threshold = m->threshold;
	judge.worse = m->worse;
	m->verdict = hist_significance_decide(&m->change, &judge, m->why, sizeof(m->why));
	/* beside a judged trimmed mean, a percentile can only add a finding */
	if (m->kind == HIST_METRIC_QUANTILE && !m->decides && m->verdict != HIST_REGRESSED &&
	    m->verdict != HIST_IMPROVED) {
		m->gated = false;
		m->verdict = HIST_PASS;
		*m->why = '\0';
	}
}

static unsigned int judge_key(struct hist_key_result *key,
			      const struct hist_compare_options *options)
{
	unsigned int i, gated = 0;

	for (i = 0; i < key->nmetrics; i++)
		judge_metric(&key->metrics[i], options);
	for (i = 0; i < key->nmetrics; i++) {
		if (!key->metrics[i].gated)
			continue;
		gated++;
		key->verdict = hist_significance_worse_verdict(key->verdict,
							       key->metrics[i].verdict);
	}
	return gated;
}

double hist_diff_metric_size(const struct hist_metric_result *m)
{
	const struct hist_change *c = &m->change;

	if (!is_judged(m) || isnan(c->low))
		return 0;
	/* the end next to 0, if buckets give an interval */
	return c->low > 0 ? log1p(c->low) : c->high < 0 ? -log1p(c->high) : 0;
}

/* The largest change among the metrics that have the verdict of the key. */
static double diff_verdict_find_key_size(const struct hist_key_result *key)
{
	double size = 0;
	unsigned int i;

	for (i = 0; i < key->nmetrics; i++)
		if (key->metrics[i].verdict == key->verdict)
			size = fmax(size, hist_diff_metric_size(&key->metrics[i]));
	return size;
}

static int diff_verdict_rank_key(const struct hist_key_result *key)
{
	bool one_sided = key->presence == HIST_NEW || key->presence == HIST_VANISHED;

	return 2 * key->verdict + (one_sided && key->verdict == HIST_PASS);
}

static int compare_results(const void *pa, const void *pb)
{
	const struct hist_key_result *a = pa, *b = pb;
	double sa, sb;
	uint64_t ha, hb;

	if (a->whole != b->whole)
		return a->whole ? -1 : 1;
	if (diff_verdict_rank_key(a) != diff_verdict_rank_key(b))
		return diff_verdict_rank_key(a) > diff_verdict_rank_key(b) ? -1 : 1;
	sa = diff_verdict_find_key_size(a);
	sb = diff_verdict_find_key_size(b);
	if (sa != sb)
		return sa > sb ? -1 : 1;
	ha = a->base_hits > a->new_hits ? a->base_hits : a->new_hits;
	hb = b->base_hits > b->new_hits ? b->base_hits : b->new_hits;
	if (ha != hb)
		return ha > hb ? -1 : 1;
	return strcmp(a->label, b->label);
}

/* The weight of a key in h->decided and h->to_decide: its hits. */
double diff_key_weight(const struct hist_key_result *key)
{
	/* without hitcount the hits are unknown */
	if (key->base_hits == UINT64_MAX || key->new_hits == UINT64_MAX)
		return 1;
	return (double)key->base_hits + key->new_hits;
}

/* A histogram without a judged metric did not pass. */
static void judge_nothing(struct hist_hist_result *h, const struct hist_compare_options *options)
{
	struct hist_gate gate = options->gate;

	hist_thresholds_apply(options->thresholds, &gate, h->name, DIFF_WHOLE, NULL);
	if ((gate.worse == HIST_WORSE_NONE && !h->wanted) || h->presence == HIST_NEW)
		return;
	h->verdict = hist_significance_worse_verdict(h->verdict, HIST_INCONCLUSIVE);
	if (!h->base.hits && !h->new_.hits) {
		diff_add_reason(h, "no hits on either side\ncheck that the workload ran");
		h->to_decide = 1;
	} else if (!h->base.hits || !h->new_.hits) {
		return;
	} else if (h->few) {
		diff_add_reason(h,
				"no key has at least %" PRIu64 " hit%s on both sides\nrecord "
				"longer, or reduce --min-hits", gate.min_hits,
				text_plural(gate.min_hits));
	} else if (gate.worse == HIST_WORSE_NONE && h->base.hits && h->new_.hits) {
		diff_add_reason(h, "no metric to judge: none of the worse.METRIC settings matches "
				"a metric of this histogram");
	} else {
		diff_add_reason(h, "no key has samples to compare on both sides");
	}
}

/* A histogram with a budget that is not decided did not pass. */
static void judge_limits(struct hist_hist_result *h)
{
	const struct hist_metric_result *m;
	bool told = false;
	unsigned int i;
	uint32_t k;

	for (k = 0; k < h->nkeys; k++) {
		for (i = 0; i < h->keys[k].nmetrics; i++) {
			m = &h->keys[k].metrics[i];
			told |= m->has_budget && m->gated && m->verdict == HIST_INCONCLUSIVE;
		}
	}
	if (h->limits_open && !told && h->new_.hits)
		diff_add_reason(h, "a budget applies to no samples of NEW, or to too few\nrecord "
				"longer, or check that the workload ran");
	h->limits_open |= told;
	if (h->limits_open)
		h->verdict = hist_significance_worse_verdict(h->verdict, HIST_INCONCLUSIVE);
}

/* Returns true if anything was judged. */
static bool judge_hist(struct hist_hist_result *h, const struct hist_compare_options *options)
{
	unsigned int gated = 0, of_key;
	uint32_t k, keep;

	if (h->verdict == HIST_INCOMPARABLE)
		return false;
	for (k = 0; k < h->nkeys; k++) {
		of_key = judge_key(&h->keys[k], options);
		gated += of_key;
		h->verdict = hist_significance_worse_verdict(h->verdict, h->keys[k].verdict);
		if (h->keys[k].whole || !of_key)
			continue;
		h->counts[h->keys[k].verdict]++;
		if (h->keys[k].verdict != HIST_INCONCLUSIVE && !h->keys[k].few)
			h->decided += diff_key_weight(&h->keys[k]);
	}
	if (h->presence == HIST_BOTH && !h->base.hits != !h->new_.hits)
		diff_add_reason(h, "no hits in %s\ncheck that the workload ran",
				h->base.hits ? "NEW" : "BASE");
	judge_limits(h);
	if (!gated && !h->limits_open)
		judge_nothing(h, options);
	if (!h->nkeys)
		return h->limits_judged;
	qsort(h->keys, h->nkeys, sizeof(*h->keys), compare_results);
	keep = options->top ? options->top + h->keys[0].whole : h->nkeys;
	while (h->nkeys > keep)
		diff_clear_key(&h->keys[--h->nkeys]);
	return gated || h->limits_judged;
}

/* True if a verdict about @h was asked for, by the options or by its sections. */
static bool is_asked(const struct hist_hist_result *h, const struct hist_compare_options *options)
{
	struct hist_gate gate = options->gate;

	hist_thresholds_apply(options->thresholds, &gate, h->name, DIFF_WHOLE, NULL);
	return h->wanted || gate.worse != HIST_WORSE_NONE || gate.has_max || gate.nexceed;
}

/*
 * diff_verdict_judge_none - the verdict if nothing at all was judged
 * A gate that judged nothing must not pass.  --worse none without budgets is not a gate.
 */
static int diff_verdict_judge_none(struct hist_comparison *c,
				   const struct hist_compare_options *options)
{
	bool asked = hist_thresholds_gates(options->thresholds);
	unsigned int h;

	if (c->verdict == HIST_INCOMPARABLE)
		return 0;
	for (h = 0; h < c->nhists; h++)
		asked |= is_asked(&c->hists[h], options);
	if (!asked)
		return diff_add_note(c, "nothing was judged: --worse is none, and no budget is "
					"set");
	for (h = 0; h < c->nhists; h++) {
		if (c->hists[h].verdict != HIST_PASS)
			continue;
		c->hists[h].verdict = HIST_INCONCLUSIVE;
		diff_add_reason(&c->hists[h], "nothing was judged: none of the settings and "
				"budgets applies");
		c->hists[h].to_decide = fmax(1, c->hists[h].to_decide);
	}
	c->verdict = hist_significance_worse_verdict(c->verdict, HIST_INCONCLUSIVE);
	return 0;
}

/* A comparison with verdicts for less than min_decided of the hits did not pass. */
static int judge_decided(struct hist_comparison *c, const struct hist_compare_options *options)
{
	double decided = 0, of = 0;
	unsigned int h;

	for (h = 0; h < c->nhists; h++) {
		if (c->hists[h].verdict == HIST_INCOMPARABLE)
			continue;
		decided += c->hists[h].decided;
		of += c->hists[h].to_decide;
	}
	c->min_decided = options->min_decided;
	c->decided = of > 0 ? decided / of : 1;
	if (c->decided >= c->min_decided)
		return 0;
	c->undecided = true;
	c->verdict = hist_significance_worse_verdict(c->verdict, HIST_INCONCLUSIVE);
	return diff_add_note(c, "the keys with a conclusive verdict account for only %.3g %% of "
			     "the hits (--min-decided %g)\nrecord more or longer runs",
			     c->decided * 100, c->min_decided * 100);
}

/* A comparison with a limit that is not decided, or fits nothing, did not pass. */
static int judge_open(struct diff_state *comparing)
{
	struct hist_comparison *c = comparing->c;
	bool open = comparing->unmatched;
	unsigned int h;

	for (h = 0; h < c->nhists; h++)
		open |= c->hists[h].limits_open;
	if (!open)
		return 0;
	c->undecided = true;
	c->verdict = hist_significance_worse_verdict(c->verdict, HIST_INCONCLUSIVE);
	return c->verdict == HIST_INCONCLUSIVE ?
		diff_add_note(c, "%s, so the comparison does not pass", DIFF_UNDECIDED) : 0;
}

int diff_set_verdicts(struct diff_state *comparing)
{
	const struct hist_compare_options *options = comparing->options;
	struct hist_comparison *c = comparing->c;
	bool regressed = false, judged = false;
	unsigned int h;
	int ret;

	ret = test_family(c, options->judge.confidence);
	if (ret)
		return ret;
	for (h = 0; h < c->nhists; h++) {
		judged |= judge_hist(&c->hists[h], options);
		regressed |= c->hists[h].verdict == HIST_REGRESSED;
		c->verdict = hist_significance_worse_verdict(c->verdict, c->hists[h].verdict);
	}
	ret = judged ? 0 : diff_verdict_judge_none(c, options);
	if (!ret)
		ret = judge_decided(c, options);
	if (!ret)
		ret = judge_open(comparing);
	/* a regression remains one, even if other histograms are incomparable */
	if (regressed)
		c->verdict = HIST_REGRESSED;
	return ret;
}
