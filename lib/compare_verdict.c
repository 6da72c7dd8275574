// SPDX-License-Identifier: LGPL-2.1
/*
 * compare_verdict.c - from the tests of all metrics to one verdict
 *
 * All gated tests of a comparison are one family, so that the more keys there are,
 * the surer each finding has to be.  Only then come the verdicts: of a metric, and
 * from there upwards the worst of the parts.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_private.h"

static struct hist_metric_result *next_metric(const struct hist_comparison *c, unsigned int *h,
					      uint32_t *k, unsigned int *m)
{
	for (; *h < c->nhists; (*h)++, *k = 0) {
		for (; *k < c->hists[*h].nkeys; (*k)++, *m = 0) {
			if (*m < c->hists[*h].keys[*k].nmetrics)
				return &c->hists[*h].keys[*k].metrics[(*m)++];
		}
	}
	return NULL;
}

static int test_family(const struct hist_comparison *c)
{
	struct hist_metric_result *metric;
	struct hist_change **changes;
	unsigned int h = 0, m = 0;
	uint32_t k = 0;
	size_t n = 0;
	int ret;

	while ((metric = next_metric(c, &h, &k, &m)))
		n += metric->gated && !metric->has_budget;
	changes = calloc(n + 1, sizeof(*changes));
	if (!changes)
		return -ENOMEM;
	h = m = 0;
	k = 0;
	n = 0;
	while ((metric = next_metric(c, &h, &k, &m)))
		if (metric->gated && !metric->has_budget)
			changes[n++] = &metric->change;
	ret = hist_judge_family(changes, n);
	free(changes);
	return ret;
}

static void judge_metric(struct hist_metric_result *m, const struct hist_compare_options *options)
{
	struct hist_judge_options judge = options->judge;

	if (m->has_budget)
		return;
	judge.threshold = m->threshold;
	judge.worse = m->worse;
	if (m->gated)
		m->verdict = hist_judge_verdict(&m->change, &judge, m->why, sizeof(m->why));
}

/* Where the mean is known, a percentile that stays in its bucket has nothing to add. */
static void spare_unresolved(struct hist_key_result *key)
{
	struct hist_metric_result *m;
	bool mean = false;
	unsigned int i;

	for (i = 0; i < key->nmetrics; i++) {
		m = &key->metrics[i];
		mean |= m->kind == HIST_METRIC_MEAN && m->gated && m->verdict != HIST_INCONCLUSIVE;
	}
	for (i = 0; mean && i < key->nmetrics; i++) {
		m = &key->metrics[i];
		if (m->kind == HIST_METRIC_QUANTILE && m->gated && !m->change.resolvable &&
		    m->verdict == HIST_INCONCLUSIVE) {
			m->gated = false;
			m->verdict = HIST_PASS;
		}
	}
}

static unsigned int judge_key(struct hist_key_result *key,
			      const struct hist_compare_options *options)
{
	unsigned int i, gated = 0;

	for (i = 0; i < key->nmetrics; i++)
		judge_metric(&key->metrics[i], options);
	spare_unresolved(key);
	for (i = 0; i < key->nmetrics; i++) {
		if (!key->metrics[i].gated)
			continue;
		gated++;
		key->verdict = hist_verdict_worse(key->verdict, key->metrics[i].verdict);
	}
	return gated;
}

/* The largest change among what gates, as a distance on the logarithm. */
static double size_of(const struct hist_key_result *key)
{
	double size = 0, by;
	unsigned int i;

	for (i = 0; i < key->nmetrics; i++) {
		const struct hist_change *c = &key->metrics[i].change;

		if (!key->metrics[i].gated || isnan(c->low) || key->metrics[i].has_budget)
			continue;
		/* what is sure of it, where buckets leave it open */
		by = c->low > 0 ? log1p(c->low) : c->high < 0 ? -log1p(c->high) : 0;
		size = fmax(size, by);
	}
	return size;
}

static int rank(const struct hist_key_result *key)
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
	if (rank(a) != rank(b))
		return rank(a) > rank(b) ? -1 : 1;
	sa = size_of(a);
	sb = size_of(b);
	if (sa != sb)
		return sa > sb ? -1 : 1;
	ha = a->base_hits > a->new_hits ? a->base_hits : a->new_hits;
	hb = b->base_hits > b->new_hits ? b->base_hits : b->new_hits;
	if (ha != hb)
		return ha > hb ? -1 : 1;
	return strcmp(a->label, b->label);
}

/* A histogram in which nothing could be judged has not passed. */
static void judge_nothing(struct hist_hist_result *h, const struct hist_compare_options *options)
{
	struct hist_gate gate = options->gate;

	hist_thresholds_apply(options->thresholds, &gate, h->name, "all keys", NULL);
	if (gate.worse == HIST_WORSE_NONE || h->presence == HIST_NEW)
		return;
	h->verdict = hist_verdict_worse(h->verdict, HIST_INCONCLUSIVE);
	if (!h->base.hits && !h->new_.hits)
		compare_why(h, "no hits on either side: was the load run?");
	else if (!h->base.hits || !h->new_.hits)
		return;
	else if (h->few)
		compare_why(h, "no key has %" PRIu64 " hits on both sides, so none is judged: record "
			    "longer, or give --min-hits", gate.min_hits);
	else
		compare_why(h, "no key is on both sides with numbers to compare");
}

static void judge_hist(struct hist_hist_result *h, const struct hist_compare_options *options)
{
	unsigned int gated = 0, of_key;
	uint32_t k, keep;

	if (h->verdict == HIST_INCOMPARABLE)
		return;
	for (k = 0; k < h->nkeys; k++) {
		of_key = judge_key(&h->keys[k], options);
		gated += of_key;
		h->verdict = hist_verdict_worse(h->verdict, h->keys[k].verdict);
		if (!h->keys[k].whole && of_key)
			h->counts[h->keys[k].verdict]++;
	}
	if (h->presence == HIST_BOTH && !h->base.hits != !h->new_.hits)
		compare_why(h, "no hits in %s: was the load run?", h->base.hits ? "new" : "base");
	if (!gated)
		judge_nothing(h, options);
	if (!h->nkeys)
		return;
	qsort(h->keys, h->nkeys, sizeof(*h->keys), compare_results);
	keep = options->top ? options->top + h->keys[0].whole : h->nkeys;
	while (h->nkeys > keep)
		compare_key_clear(&h->keys[--h->nkeys]);
}

int compare_verdicts(struct hist_comparison *c, const struct hist_compare_options *options)
{
	bool regressed = false;
	unsigned int h;
	int ret;

	ret = test_family(c);
	if (ret)
		return ret;
	for (h = 0; h < c->nhists; h++) {
		judge_hist(&c->hists[h], options);
		regressed |= c->hists[h].verdict == HIST_REGRESSED;
		c->verdict = hist_verdict_worse(c->verdict, c->hists[h].verdict);
	}
	/* what was found stands, whatever else could not be compared */
	if (regressed)
		c->verdict = HIST_REGRESSED;
	return 0;
}
