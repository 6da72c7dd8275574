// SPDX-License-Identifier: LGPL-2.1
/*
 * diff_verdict.c - compute the verdicts from the tests of all metrics
 *
 * Tests of one metric share the variances of their keys (hist_significance_pool()).  All gated
 * tests of a comparison are one family: more keys require stronger evidence for each
 * finding.  The verdict of each metric follows, and the verdict of a whole is the worst
 * verdict of its parts.
 *
 * A limit of the options or of the thresholds must be judged: by the samples of a key in each
 * histogram whose keys it applies to.  A limit that later sections replace for every key that it
 * matches was not asked for.  Limits and settings that nothing fits get a note.
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/diff/diff_private.h"
#include "lib/diff/diff_text.h"
#include "lib/diff/key_metrics.h"

static bool diff_verdict_is_judged(const struct hist_metric_result *m)
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
			if (like ? !m->has_budget && !strcmp(m->name, like->name)
				 : diff_verdict_is_judged(m))
				changes[n++] = &m->change;
		}
	}
	return n;
}

/*
 * diff_verdict_pool - pool the variances of each metric over the keys of a histogram
 * All keys have the same metrics, except budgets.  The sum of all keys has a different variance
 * and is not pooled.
 */
static int diff_verdict_pool(const struct hist_hist_result *h, double confidence,
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

static int diff_verdict_test_family(const struct hist_comparison *c, double confidence)
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
		ret = diff_verdict_pool(&c->hists[h], confidence, changes);
	for (h = 0, n = 0; h < c->nhists; h++)
		n += diff_verdict_collect_gated(changes + n, &c->hists[h], 0, c->hists[h].nkeys,
						NULL);
	if (!ret)
		ret = hist_significance_adjust_family(changes, n);
	free(changes);
	return ret;
}

static void diff_verdict_judge_metric(struct hist_metric_result *m,
				      const struct hist_compare_options *options)
{
	struct hist_significance_options judge = options->judge;

	if (!diff_verdict_is_judged(m))
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

static unsigned int diff_verdict_judge_key(struct hist_key_result *key,
					   const struct hist_compare_options *options)
{
	unsigned int i, gated = 0;

	for (i = 0; i < key->nmetrics; i++)
		diff_verdict_judge_metric(&key->metrics[i], options);
	for (i = 0; i < key->nmetrics; i++) {
		if (!key->metrics[i].gated)
			continue;
		gated++;
		key->verdict = hist_significance_worse_verdict(key->verdict,
							       key->metrics[i].verdict);
	}
	return gated;
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

static int diff_verdict_compare_keys(const void *pa, const void *pb)
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

/* A histogram without a judged metric did not pass. */
static void diff_verdict_judge_nothing(struct hist_hist_result *h,
				       const struct hist_compare_options *options)
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
static void diff_verdict_judge_limits(struct hist_hist_result *h)
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
static bool diff_verdict_judge_hist(struct hist_hist_result *h,
				    const struct hist_compare_options *options)
{
	unsigned int gated = 0, of_key;
	uint32_t k, keep;

	if (h->verdict == HIST_INCOMPARABLE)
		return false;
	for (k = 0; k < h->nkeys; k++) {
		of_key = diff_verdict_judge_key(&h->keys[k], options);
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
	diff_verdict_judge_limits(h);
	if (!gated && !h->limits_open)
		diff_verdict_judge_nothing(h, options);
	if (!h->nkeys)
		return h->limits_judged;
	qsort(h->keys, h->nkeys, sizeof(*h->keys), diff_verdict_compare_keys);
	keep = options->top ? options->top + h->keys[0].whole : h->nkeys;
	while (h->nkeys > keep)
		diff_clear_key(&h->keys[--h->nkeys]);
	return gated || h->limits_judged;
}

/* True if a verdict about @h was asked for, by the options or by its sections. */
static bool diff_verdict_is_asked(const struct hist_hist_result *h,
				  const struct hist_compare_options *options)
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
		asked |= diff_verdict_is_asked(&c->hists[h], options);
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
static int diff_verdict_judge_decided(struct hist_comparison *c,
				      const struct hist_compare_options *options)
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
static int diff_verdict_judge_open(struct diff_state *comparing)
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

/* What is wrong with a limit that nothing fits. */
static const char *diff_verdict_explain_limit(const struct hist_limit_use *use)
{
	return use->misfits_unit ? "the budget has no effect, because no histogram measures a time"
				 : "the budget has no effect, because no histogram has an axis";
}

/* Note that the limit @id, named @where, has no effect; the first one is in c->error. */
static int diff_verdict_note_misfit(struct diff_state *c, unsigned int id, const char *where)
{
	const struct hist_limit_use *use = &c->limits[id];

	if (use->fits || !use->misfits)
		return 0;
	if (!c->unmatched)
		hist_error_set(c->error, -EINVAL, "%s: %s", where, diff_verdict_explain_limit(use));
	c->unmatched = true;
	return diff_add_note(c->c, "%s: %s", where, diff_verdict_explain_limit(use));
}

/* Note each limit that has no effect. */
static int diff_verdict_note_misfits(struct diff_state *c)
{
	const struct hist_thresholds *t = c->options->thresholds;
	struct hist_thresholds_setting s;
	unsigned int i, k, line;
	const char *text;
	char where[256];
	int ret;

	ret = diff_verdict_note_misfit(c, 0, "--max");
	for (i = 1; i < HIST_LIMIT_FILE && !ret; i++)
		ret = diff_verdict_note_misfit(c, i, "--exceed");
	for (i = 0; t && !hist_thresholds_section(t, i, &text, &line); i++) {
		for (k = 0; !ret && !hist_thresholds_setting(t, i, k, &s); k++) {
			snprintf(where, sizeof(where), "%s:%u: %s", c->options->thresholds_name,
				 s.line, s.name);
			if (s.is_limit)
				ret = diff_verdict_note_misfit(c, s.limit, where);
		}
	}
	return ret;
}

/* Fail with -EDOM and c->error if no histogram has numbers for a limit. */
static int diff_verdict_check_limits(struct diff_state *c)
{
	unsigned int i, n = hist_thresholds_limits(c->options->thresholds);
	bool fits = false;
	int ret;

	/* the limits of a histogram that is not comparable are unknown */
	for (i = 0; i < c->c->nhists; i++)
		if (c->c->hists[i].verdict == HIST_INCOMPARABLE)
			return 0;
	ret = diff_verdict_note_misfits(c);
	for (i = 0; i < n; i++)
		fits |= c->limits[i].fits;
	return ret ? ret : c->unmatched && !fits ? -EDOM : 0;
}

/*
 * True if a key of @section is there.  If the keys of a histogram were not measured, any may be.
 */
static bool diff_verdict_any_key(const struct diff_state *c, unsigned int section)
{
	const struct hist_hist_result *h = c->c->hists;
	unsigned int i;

	for (i = 0; i < c->c->nhists && !c->sections[section]; i++, h++)
		if (!h->keys_total &&
		    hist_thresholds_match_hist(c->options->thresholds, section, h->name, NULL))
			return true;
	return c->sections[section];
}

/* True if a metric of a key of @section matches @pattern, or if its keys were not measured. */
static bool diff_verdict_any_metric(const struct diff_state *c, unsigned int section,
				    const char *pattern)
{
	bool measured = false;
	unsigned int i, m;
	uint32_t k;

	for (i = 0; i < c->c->nhists; i++) {
		const struct hist_hist_result *h = &c->c->hists[i];

		for (k = 0; k < h->nkeys; k++) {
			if (!hist_thresholds_match_hist(c->options->thresholds, section, h->name,
							h->keys[k].label))
				continue;
			measured = true;
			for (m = 0; m < h->keys[k].nmetrics; m++)
				if (!fnmatch(pattern, h->keys[k].metrics[m].name, 0))
					return true;
		}
	}
	return !measured;
}

/* Add a note for each setting of @section whose pattern of metrics matches nothing. */
static int diff_verdict_note_settings(struct diff_state *c, unsigned int section)
{
	struct hist_thresholds_setting s;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && !hist_thresholds_setting(c->options->thresholds, section, i, &s); i++) {
		if (!s.metric || diff_verdict_any_metric(c, section, s.metric))
			continue;
		c->unmatched |= s.gates;
		ret = s.line ? diff_add_note(c->c, "%s:%u: no metric matches %s.%s",
					     c->options->thresholds_name, s.line, s.name, s.metric)
			     : diff_add_note(c->c, "--metric %s: no metric has this name",
					     s.metric);
	}
	return ret;
}

/* True if @section asks for a verdict about a histogram that is compared or might have been. */
static bool diff_verdict_asks(const struct diff_state *c, unsigned int section)
{
	const struct hist_thresholds *t = c->options->thresholds;
	struct hist_thresholds_setting s;
	bool chosen = !c->options->nevents, asks = false;
	unsigned int i;

	for (i = 0; i < c->c->nhists; i++) {
		chosen |= hist_thresholds_match_hist(t, section, c->c->hists[i].name, NULL);
		/* the verdict about it is incomparable */
		if (c->c->hists[i].verdict == HIST_INCOMPARABLE)
			return false;
	}
	for (i = 0; !hist_thresholds_setting(t, section, i, &s); i++)
		asks |= s.is_limit || (s.metric && s.gates);
	return chosen && asks;
}

/* Add a note for each section or setting that matches nothing, and set c->unmatched. */
static int diff_verdict_note_sections(struct diff_state *c)
{
	const char *text;
	unsigned int i, line;
	int ret = 0;

	for (i = 0; c->options->thresholds && !ret &&
		    !hist_thresholds_section(c->options->thresholds, i, &text, &line);
	     i++) {
		if (!c->sections[i])
			c->unmatched |= diff_verdict_asks(c, i);
		if (diff_verdict_any_key(c, i))
			ret = diff_verdict_note_settings(c, i);
		else
			ret = diff_add_note(c->c, "%s:%u: no histogram or key matches [%s]",
					    c->options->thresholds_name, line, text);
	}
	return ret;
}

int diff_set_verdicts(struct diff_state *comparing)
{
	const struct hist_compare_options *options = comparing->options;
	struct hist_comparison *c = comparing->c;
	bool regressed = false, judged = false;
	unsigned int h;
	int ret;

	/* before --top removes keys */
	ret = diff_verdict_check_limits(comparing);
	if (ret)
		return ret;
	ret = diff_verdict_note_sections(comparing);
	if (ret)
		return ret;
	ret = diff_verdict_test_family(c, options->judge.confidence);
	if (ret)
		return ret;
	for (h = 0; h < c->nhists; h++) {
		judged |= diff_verdict_judge_hist(&c->hists[h], options);
		regressed |= c->hists[h].verdict == HIST_REGRESSED;
		c->verdict = hist_significance_worse_verdict(c->verdict, c->hists[h].verdict);
	}
	ret = judged ? 0 : diff_verdict_judge_none(c, options);
	if (!ret)
		ret = diff_verdict_judge_decided(c, options);
	if (!ret)
		ret = diff_verdict_judge_open(comparing);
	/* a regression remains one, even if other histograms are incomparable */
	if (regressed)
		c->verdict = HIST_REGRESSED;
	return ret;
}
