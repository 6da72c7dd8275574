// SPDX-License-Identifier: LGPL-2.1
/*
 * key_metrics.c - the metrics of one key of a histogram, on both sides of a comparison
 *
 * The sums, hits and distributions of each replicate are computed first, then one metric
 * after the other.  A number that a side does not have is NAN.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/rows.h"
#include "lib/diff/key_metrics.h"
#include "lib/label/label.h"

static int replicates_init(struct hist_replicates *r, unsigned int nvalues)
{
	size_t n = r->n ? r->n : 1;

	r->sums = calloc(n * (nvalues ? nvalues : 1), sizeof(*r->sums));
	r->hits = calloc(n, sizeof(*r->hits));
	r->dists = calloc(n, sizeof(*r->dists));
	return r->sums && r->hits && r->dists ? 0 : -ENOMEM;
}

static void replicates_clear(struct hist_replicates *r)
{
	unsigned int i;

	for (i = 0; r->dists && i < r->n; i++)
		hist_distribution_free(&r->dists[i]);
	free(r->dists);
	free(r->sums);
	free(r->hits);
	free(r->blocks);
	memset(r, 0, sizeof(*r));
}

int hist_subject_init(struct hist_subject *s)
{
	unsigned int most = s->base.n > s->new_.n ? s->base.n : s->new_.n;
	int ret;

	s->rbase = calloc(most + 1, sizeof(*s->rbase));
	s->rnew = calloc(most + 1, sizeof(*s->rnew));
	s->exceeds = calloc(most + 1, sizeof(*s->exceeds));
	if (!s->rbase || !s->rnew || !s->exceeds)
		return -ENOMEM;
	ret = replicates_init(&s->base, s->schema->nvalues);
	return ret ? ret : replicates_init(&s->new_, s->schema->nvalues);
}

void hist_subject_clear(struct hist_subject *s)
{
	replicates_clear(&s->base);
	replicates_clear(&s->new_);
	free(s->rbase);
	free(s->rnew);
	free(s->exceeds);
	trimmed_clear(&s->trimmed);
}

/* --- the key's numbers in each replicate --- */

static uint64_t hits_of(const struct hist_subject *s, const struct hist_replicates *r,
			const uint32_t *groups, uint32_t n)
{
	unsigned int nvalues = s->schema->nvalues, i;
	uint64_t hits = 0, any = 0;
	const uint32_t *entries;
	uint32_t g, e, count;

	for (g = 0; g < n; g++) {
		entries = hist_grouping_entries(s->grouping, groups[g], &count);
		for (e = 0; e < count; e++) {
			for (i = 0; i < r->n; i++) {
				const uint64_t *values = r->blocks[i]->counts.values +
							 (size_t)entries[e] * nvalues;

				if (s->hitcount >= 0)
					hits += values[s->hitcount];
				else if (nvalues)
					any |= values[0];
			}
		}
	}
	return s->hitcount >= 0 ? hits : any ? UINT64_MAX : 0;
}

void hist_measure_hits(struct hist_subject *s, struct hist_key_result *key,
		       const uint32_t *groups, uint32_t n)
{
	key->base_hits = hits_of(s, &s->base, groups, n);
	key->new_hits = hits_of(s, &s->new_, groups, n);
}

static void sum_up(const struct hist_subject *s, struct hist_replicates *r,
		   const uint32_t *groups, uint32_t n)
{
	unsigned int nvalues = s->schema->nvalues, i, v;
	const uint64_t *values;
	const uint32_t *entries;
	uint32_t g, e, count;

	memset(r->sums, 0, (size_t)r->n * nvalues * sizeof(*r->sums));
	for (g = 0; g < n; g++) {
		entries = hist_grouping_entries(s->grouping, groups[g], &count);
		for (i = 0; i < r->n; i++) {
			for (e = 0; e < count; e++) {
				values = r->blocks[i]->counts.values + (size_t)entries[e] * nvalues;
				for (v = 0; v < nvalues; v++)
					r->sums[i * nvalues + v] += values[v];
			}
		}
	}
	for (i = 0; i < r->n; i++)
		r->hits[i] = s->hitcount < 0 ? 0 : r->sums[i * nvalues + s->hitcount];
}

static int distribute(const struct hist_subject *s, struct hist_replicates *r,
		      const uint32_t *groups, uint32_t n)
{
	struct hist_distribution part = { 0 };
	unsigned int i;
	uint32_t g;
	int ret = 0;

	for (i = 0; i < r->n && !ret; i++) {
		const struct hist_snapshot *counts = &r->blocks[i]->counts;

		ret = hist_distribution_make(&r->dists[i], s->grouping, groups[0], counts,
					     s->hitcount);
		for (g = 1; g < n && !ret; g++) {
			ret = hist_distribution_make(&part, s->grouping, groups[g], counts,
						     s->hitcount);
			if (!ret && part.n)
				ret = hist_distribution_add(&r->dists[i], &part);
		}
	}
	hist_distribution_free(&part);
	return ret;
}

/* --- metrics --- */

/* Add a metric to @key, with the thresholds that apply to it. */
static struct hist_metric_result *add_metric(const struct hist_subject *s,
					     struct hist_key_result *key,
					     enum hist_metric_kind kind, bool gated,
					     const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

static struct hist_metric_result *add_metric(const struct hist_subject *s,
					     struct hist_key_result *key,
					     enum hist_metric_kind kind, bool gated,
					     const char *fmt, ...)
{
	struct hist_metric_result *m = &key->metrics[key->nmetrics++];
	struct hist_gate gate = s->options->gate;
	va_list args;

	memset(m, 0, sizeof(*m));
	m->kind = kind;
	va_start(args, fmt);
	vsnprintf(m->name, sizeof(m->name), fmt, args);
	va_end(args);
	hist_thresholds_apply(s->options->thresholds, &gate, s->name, key->label, m->name);
	m->threshold = gate.threshold;
	m->worse = gate.worse;
	m->gated = gated && gate.worse != HIST_WORSE_NONE && key->presence != HIST_NEW &&
		   key->presence != HIST_VANISHED;
	m->change = (struct hist_change){
		.base_low = NAN, .base_high = NAN, .new_low = NAN, .new_high = NAN,
		.low = NAN, .high = NAN, .ci_low = NAN, .ci_high = NAN, .p = 1, .p_family = 1,
		.resolvable = true,
	};
	return m;
}

/* A metric that only one side has: its number is shown. */
static int one_sided(struct hist_metric_result *m, const struct hist_change *self, bool is_new)
{
	if (is_new) {
		m->change.new_low = self->new_low;
		m->change.new_high = self->new_high;
	} else {
		m->change.base_low = self->base_low;
		m->change.base_high = self->base_high;
	}
	m->gated = false;
	return 0;
}

/* @nbase and @nnew replicates are in s->rbase and s->rnew. */
static int judge_change(struct hist_subject *s, struct hist_metric_result *m, unsigned int nbase,
			unsigned int nnew)
{
	const struct hist_replicate *one = nnew ? s->rnew : s->rbase;
	unsigned int n = nnew ? nnew : nbase;
	struct hist_change change;
	int ret;

	if (!nbase && !nnew) {
		m->gated = false;
		return 0;
	}
	ret = nbase && nnew ?
		      hist_judge_change(&change, s->rbase, nbase, s->rnew, nnew) :
		      hist_judge_change(&change, one, n, one, n);
	if (ret == -EINVAL) { /* a negative number: the ratio is undefined */
		m->gated = false;
		return 0;
	}
	if (ret)
		return ret;
	if (!nbase || !nnew)
		return one_sided(m, &change, nnew != 0);
	m->change = change;
	m->change.tested &= s->tested;
	return 0;
}

static double signed_or_not(uint64_t v, bool is_signed)
{
	return is_signed ? (double)(int64_t)v : (double)v;
}

/* The mean that one hit adds to a value, over all replicates. */
static double of_one_hit(const struct hist_subject *s, unsigned int value)
{
	const struct hist_replicates *sides[] = { &s->base, &s->new_ };
	bool is_signed = s->schema->values[value].is_signed;
	double sum = 0, hits = 0;
	unsigned int side, i;

	for (side = 0; side < 2; side++) {
		for (i = 0; i < sides[side]->n; i++) {
			sum += signed_or_not(sides[side]->sums[i * s->schema->nvalues + value],
					     is_signed);
			hits += sides[side]->hits[i];
		}
	}
	return hits > 0 ? fmax(0, sum / hits) : 1;
}

static unsigned int rates(const struct hist_subject *s, const struct hist_replicates *r,
			  struct hist_replicate *out, unsigned int value)
{
	bool is_signed = s->schema->values[value].is_signed;
	double rate, seconds, least = of_one_hit(s, value) / 2;
	unsigned int i, n = 0;

	for (i = 0; i < r->n; i++) {
		seconds = r->blocks[i]->seconds;
		if (!(seconds > 0))
			continue;
		rate = signed_or_not(r->sums[i * s->schema->nvalues + value], is_signed) / seconds;
		out[n++] = (struct hist_replicate){
			.low = rate, .high = rate, .least = least / seconds,
			.noise = s->hitcount < 0 ? 0 : 1 / (r->hits[i] + .5),
		};
	}
	return n;
}

static unsigned int means(const struct hist_subject *s, const struct hist_replicates *r,
			  struct hist_replicate *out, unsigned int value)
{
	bool is_signed = s->schema->values[value].is_signed;
	unsigned int i, n = 0;
	double mean;

	for (i = 0; i < r->n; i++) {
		if (!r->hits[i])
			continue;
		mean = signed_or_not(r->sums[i * s->schema->nvalues + value], is_signed) /
		       r->hits[i];
		out[n++] = (struct hist_replicate){ mean, mean, .5 / r->hits[i], 0 };
	}
	return n;
}

static unsigned int trimmed_means(const struct hist_subject *s, const struct hist_replicates *r,
				  struct hist_replicate *out)
{
	unsigned int i, n = 0;

	for (i = 0; i < r->n; i++)
		n += trimmed_mean(&out[n], &s->trimmed, r->blocks[i]->counts.values);
	return n;
}

static void escaped_title(const struct hist_subject *s, unsigned int value, char *buf, size_t len)
{
	char title[128];

	hist_value_title(s->schema, value, title, sizeof(title));
	hist_escape_short(buf, len, title);
}

/* Rates gate without an axis, except of values that count time: their mean gates. */
static int measure_rate(struct hist_subject *s, struct hist_key_result *key, unsigned int value,
			bool gated)
{
	bool is_duration = hist_unit_of_value(&s->schema->values[value]) != HIST_UNIT_NONE;
	bool gates = gated && s->axis < 0 && (!is_duration || s->hitcount < 0);
	struct hist_metric_result *m;
	char title[56];

	escaped_title(s, value, title, sizeof(title));
	m = add_metric(s, key, HIST_METRIC_RATE, gates, "%s/s", title);
	m->unit = hist_unit_of_value(&s->schema->values[value]);
	return judge_change(s, m, key->presence == HIST_NEW ? 0 : rates(s, &s->base, s->rbase, value),
			    key->presence == HIST_VANISHED ? 0 : rates(s, &s->new_, s->rnew, value));
}

static int measure_mean(struct hist_subject *s, struct hist_key_result *key, unsigned int value,
			bool gated)
{
	bool is_duration = hist_unit_of_value(&s->schema->values[value]) != HIST_UNIT_NONE;
	struct hist_metric_result *m;
	char title[56];

	escaped_title(s, value, title, sizeof(title));
	m = add_metric(s, key, HIST_METRIC_MEAN, gated && s->axis < 0 && is_duration, "mean %s",
		       title);
	m->unit = hist_unit_of_value(&s->schema->values[value]);
	return judge_change(s, m, means(s, &s->base, s->rbase, value),
			    means(s, &s->new_, s->rnew, value));
}

static int measure_trimmed(struct hist_subject *s, struct hist_key_result *key,
			   const uint32_t *groups, uint32_t n, bool gated)
{
	struct hist_metric_result *m = add_metric(s, key, HIST_METRIC_MEAN, gated, "trimmed mean");
	int ret = trimmed_set(&s->trimmed, s->grouping, groups, n);

	m->unit = s->unit;
	return ret ? ret : judge_change(s, m, trimmed_means(s, &s->base, s->rbase),
					trimmed_means(s, &s->new_, s->rnew));
}

static bool has_counts(const struct hist_replicates *r)
{
	unsigned int i;

	for (i = 0; i < r->n; i++)
		if (r->dists[i].total)
			return true;
	return false;
}

static int measure_quantile(struct hist_subject *s, struct hist_key_result *key, uint32_t p,
			    bool gated)
{
	struct hist_metric_result *m;
	bool has_base = has_counts(&s->base), has_new = has_counts(&s->new_);
	const struct hist_replicates *one = has_new ? &s->new_ : &s->base;
	struct hist_change change;
	int ret;

	/* the trimmed mean covers the lower percentiles */
	gated = gated && p > TRIMMED_KEPT * HIST_QUANTILE_ONE;
	m = add_metric(s, key, HIST_METRIC_QUANTILE, gated, "p%g", p / 10000.0);
	m->p = p;
	m->unit = s->unit;
	if (has_base && has_new)
		ret = hist_judge_quantile(&change, s->base.dists, s->base.n, s->new_.dists,
					  s->new_.n, p);
	else
		ret = hist_judge_quantile(&change, one->dists, one->n, one->dists, one->n, p);
	/* no numbers, or a negative one: the ratio is undefined */
	if (ret == -ENODATA || ret == -EDOM || ret == -EINVAL) {
		m->gated = false;
		return 0;
	}
	if (ret)
		return ret;
	if (!has_base || !has_new)
		return one_sided(m, &change, has_new);
	m->change = change;
	m->change.tested &= s->tested;
	return 0;
}

/* The largest number of each replicate. */
static unsigned int largest(const struct hist_replicates *r, struct hist_replicate *out)
{
	struct hist_quantile q;
	unsigned int i, n = 0;

	for (i = 0; i < r->n; i++) {
		const struct hist_distribution *d = &r->dists[i];

		if (!hist_quantile(d, HIST_QUANTILE_ONE, &q))
			out[n++] = (struct hist_replicate){
				.low = signed_or_not(q.low, d->is_signed),
				.high = signed_or_not(q.high, d->is_signed),
			};
	}
	return n;
}

static int measure_max(struct hist_subject *s, struct hist_key_result *key, double limit)
{
	struct hist_metric_result *m;
	enum hist_verdict verdict;
	struct hist_budget budget;
	unsigned int n;

	m = add_metric(s, key, HIST_METRIC_MAX, false, "max");
	m->unit = s->unit;
	m->has_budget = true;
	m->budget = limit;
	n = largest(&s->base, s->rbase);
	if (n && !hist_judge_max(&budget, s->rbase, n, limit, &verdict, NULL, 0)) {
		m->change.base_low = budget.low;
		m->change.base_high = budget.high;
	}
	n = largest(&s->new_, s->rnew);
	if (n && !hist_judge_max(&budget, s->rnew, n, limit, &m->verdict, m->why, sizeof(m->why))) {
		m->gated = true;
		m->change.new_low = budget.low;
		m->change.new_high = budget.high;
	}
	return 0;
}

static bool judge_exceed(struct hist_subject *s, const struct hist_replicates *r, double number,
			 double share, struct hist_budget *budget, enum hist_verdict *verdict,
			 char *why, size_t why_len)
{
	bool is_signed = r->n && r->dists[0].is_signed;
	uint64_t limit = is_signed ? (uint64_t)(int64_t)number :
			 number < 1.8e19 ? (uint64_t)number : UINT64_MAX;
	unsigned int i;

	for (i = 0; i < r->n; i++) {
		hist_exceedance(&r->dists[i], limit, &s->exceeds[i].at_least,
				&s->exceeds[i].at_most);
		s->exceeds[i].total = r->dists[i].total;
	}
	return !hist_judge_exceed(budget, s->exceeds, r->n, share, s->options->judge.confidence,
				  verdict, why, why_len);
}

static int measure_exceed(struct hist_subject *s, struct hist_key_result *key,
			  const struct hist_exceed_limit *limit, double number)
{
	struct hist_strbuf b = { 0 };
	struct hist_metric_result *m;
	enum hist_verdict verdict;
	struct hist_budget budget;
	int ret;

	hist_limit_put(&b, &limit->limit);
	if (b.error) {
		ret = b.error;
		hist_strbuf_free(&b);
		return ret;
	}
	m = add_metric(s, key, HIST_METRIC_EXCEED, false, "above %.*s", (int)b.len, b.data);
	hist_strbuf_free(&b);
	m->has_budget = true;
	m->budget = limit->share;
	if (judge_exceed(s, &s->base, number, limit->share, &budget, &verdict, NULL, 0)) {
		m->change.base_low = budget.low;
		m->change.base_high = budget.high;
	}
	if (judge_exceed(s, &s->new_, number, limit->share, &budget, &m->verdict, m->why,
			 sizeof(m->why))) {
		m->gated = true;
		m->change.new_low = budget.low;
		m->change.new_high = budget.high;
	}
	return 0;
}

static int measure_budgets(struct hist_subject *s, struct hist_key_result *key)
{
	struct hist_gate gate = s->options->gate;
	double number;
	unsigned int i;
	int ret = 0;

	hist_thresholds_apply(s->options->thresholds, &gate, s->name, key->label, NULL);
	if (gate.has_max) {
		if (hist_limit_on(&gate.max, s->unit, &number)) {
			s->applied = true;
			ret = measure_max(s, key, number);
		} else {
			s->limit_has_unit = true;
		}
	}
	for (i = 0; i < gate.nexceed && !ret; i++) {
		if (hist_limit_on(&gate.exceed[i].limit, s->unit, &number)) {
			s->applied = true;
			ret = measure_exceed(s, key, &gate.exceed[i], number);
		} else {
			s->limit_has_unit = true;
		}
	}
	return ret;
}

static int measure_axis(struct hist_subject *s, struct hist_key_result *key,
			const uint32_t *groups, uint32_t n, bool gated)
{
	unsigned int i;
	int ret;

	ret = distribute(s, &s->base, groups, n);
	if (!ret)
		ret = distribute(s, &s->new_, groups, n);
	if (!ret)
		ret = measure_trimmed(s, key, groups, n, gated);
	for (i = 0; i < s->options->nquantiles && !ret; i++)
		ret = measure_quantile(s, key, s->options->quantiles[i], gated);
	return ret ? ret : measure_budgets(s, key);
}

/* Most metrics of a key: rate and mean of each value; trimmed mean, percentiles, budgets. */
static size_t metrics_most(const struct hist_subject *s)
{
	size_t n = 2 * s->schema->nvalues + 1;

	return s->axis < 0 ? n : n + s->options->nquantiles + 2 + HIST_EXCEED_MAX;
}

int hist_measure_key(struct hist_subject *s, struct hist_key_result *key, const uint32_t *groups,
		     uint32_t n, bool gated)
{
	const struct hist_schema *schema = s->schema;
	unsigned int v;
	int ret = 0;

	key->metrics = calloc(metrics_most(s), sizeof(*key->metrics));
	if (!key->metrics)
		return -ENOMEM;
	sum_up(s, &s->base, groups, n);
	sum_up(s, &s->new_, groups, n);
	if (s->axis >= 0)
		ret = measure_axis(s, key, groups, n, gated);
	for (v = 0; v < schema->nvalues && !ret; v++) {
		if (!hist_value_is_sum(schema->values[v].kind) || (int)v == s->axis_sum)
			continue;
		if (s->is_time)
			ret = measure_rate(s, key, v, gated);
		if (!ret && (int)v != s->hitcount && s->hitcount >= 0)
			ret = measure_mean(s, key, v, gated);
	}
	return ret;
}
