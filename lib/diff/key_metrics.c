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

#include "lib/analysis/axis.h"
#include "lib/analysis/rows.h"
#include "lib/diff/key_budgets.h"
#include "lib/diff/key_metrics.h"
#include "lib/label/label.h"
#include "lib/table/columns.h"

#define TRIMMED_NAME "trimmed mean"

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

int hist_key_metrics_init(struct hist_key_metrics *s)
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

void hist_key_metrics_clear(struct hist_key_metrics *s)
{
	replicates_clear(&s->base);
	replicates_clear(&s->new_);
	free(s->rbase);
	free(s->rnew);
	free(s->exceeds);
	trimmed_clear(&s->trimmed);
}

/* --- the key's numbers in each replicate --- */

static void key_metrics_sum_replicates(const struct hist_key_metrics *s, struct hist_replicates *r,
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

/* The sum of r->hits.  Without hitcount: UINT64_MAX if the first value is not 0. */
static uint64_t all_hits(const struct hist_key_metrics *s, const struct hist_replicates *r)
{
	uint64_t hits = 0;
	unsigned int i;

	for (i = 0; i < r->n; i++) {
		hits += r->hits[i];
		if (s->hitcount < 0 && s->schema->nvalues && r->sums[i * s->schema->nvalues])
			hits = UINT64_MAX;
	}
	return hits;
}

void hist_key_metrics_set_hits(struct hist_key_metrics *s, struct hist_key_result *key,
			       const uint32_t *groups, uint32_t n)
{
	key_metrics_sum_replicates(s, &s->base, groups, n);
	key_metrics_sum_replicates(s, &s->new_, groups, n);
	key->base_hits = all_hits(s, &s->base);
	key->new_hits = all_hits(s, &s->new_);
}

static int key_metrics_make_distributions(const struct hist_key_metrics *s,
					  struct hist_replicates *r,
					  const uint32_t *groups, uint32_t n)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < r->n && !ret; i++)
		ret = hist_distribution_make(&r->dists[i], s->grouping, groups, n,
					     &r->blocks[i]->counts, s->hitcount);
	return ret;
}

/* --- metrics --- */

struct hist_metric_result *hist_key_metrics_add(const struct hist_key_metrics *s,
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
	m->change = HIST_CHANGE_UNKNOWN;
	return m;
}

/* True if the thresholds file asks for a verdict about @m, which otherwise is only shown. */
static bool key_metrics_is_named(const struct hist_key_metrics *s,
				 const struct hist_key_result *key, const char *metric)
{
	return hist_thresholds_names_metric(s->options->thresholds, s->name, key->label, metric);
}

/*
 * Complete @m, whose change was judged with the result @ret.  It gates only if both sides have
 * numbers and none is negative, because otherwise the ratio is undefined.
 */
static int end_metric(const struct hist_key_metrics *s, struct hist_metric_result *m, int ret)
{
	m->change.tested &= s->tested;
	m->gated &= !isnan(m->change.low);
	return ret == -ENODATA || ret == -EDOM || ret == -EINVAL ? 0 : ret;
}

/* @nbase and @nnew replicates are in s->rbase and s->rnew. */
static int judge_change(struct hist_key_metrics *s, struct hist_metric_result *m,
			unsigned int nbase,
			unsigned int nnew)
{
	return end_metric(s, m, hist_significance_test_change(&m->change, s->rbase, nbase, s->rnew,
							      nnew));
}

/* The mean that one hit adds to a value, over all replicates. */
static double key_metrics_one_hit(const struct hist_key_metrics *s, unsigned int value)
{
	const struct hist_replicates *sides[] = { &s->base, &s->new_ };
	bool is_signed = s->schema->values[value].is_signed;
	double sum = 0, hits = 0;
	unsigned int side, i;

	for (side = 0; side < 2; side++) {
		for (i = 0; i < sides[side]->n; i++) {
			sum += hist_number_real(sides[side]->sums[i * s->schema->nvalues + value],
					     is_signed);
			hits += sides[side]->hits[i];
		}
	}
	return hits > 0 ? fmax(0, sum / hits) : 1;
}

/* The rates of a value, or its means per hit. */
static unsigned int key_metrics_put_ratios(const struct hist_key_metrics *s,
					   const struct hist_replicates *r,
					   struct hist_replicate *out, unsigned int value,
					   bool mean)
{
	bool is_signed = s->schema->values[value].is_signed;
	double ratio, per, least = mean ? .5 : key_metrics_one_hit(s, value) / 2;
	unsigned int i, n = 0;

	for (i = 0; i < r->n; i++) {
		per = mean ? r->hits[i] : r->blocks[i]->seconds;
		if (!(per > 0))
			continue;
		ratio = hist_number_real(r->sums[i * s->schema->nvalues + value], is_signed) / per;
		out[n++] = (struct hist_replicate){
			.low = ratio, .high = ratio, .least = least / per,
			.noise = mean || s->hitcount < 0 ? 0 : 1 / (r->hits[i] + .5),
		};
	}
	return n;
}

static unsigned int trimmed_means(const struct hist_key_metrics *s, const struct hist_replicates *r,
				  struct hist_replicate *out)
{
	unsigned int i, n = 0;

	for (i = 0; i < r->n; i++)
		n += trimmed_mean(&out[n], &s->trimmed, r->blocks[i]->counts.values);
	return n;
}

/* "bytes_req/s", or "mean bytes_req" */
static void key_metrics_name_value(const struct hist_schema *schema, unsigned int value, bool mean,
				   char *name, size_t len)
{
	char full[128], title[56];

	hist_column_format_value(schema, value, full, sizeof(full));
	hist_escape_short(title, sizeof(title), full);
	snprintf(name, len, mean ? "mean %s" : "%s/s", title);
}

/* True if a value has the rate, or the mean per hit; @axis_sum: the sum over the axis, or -1. */
static bool key_metrics_has_value(const struct hist_schema *schema, unsigned int value, bool mean,
				  int axis_sum, bool is_time)
{
	int hitcount = hist_schema_hitcount(schema);

	if (!hist_value_is_sum(schema->values[value].kind) || (int)value == axis_sum)
		return false;
	return mean ? (int)value != hitcount && hitcount >= 0 : is_time;
}

int hist_key_metrics_list(struct names *names, const struct hist_schema *schema, bool is_time,
			  const uint32_t *quantiles, unsigned int nquantiles)
{
	bool axis = hist_schema_hitcount(schema) >= 0 && hist_axis_key(schema) >= 0;
	unsigned int i, sum, mean;
	int ret = 0, axis_sum = -1;
	char name[128];

	if (axis) {
		ret = names_add_new(names, TRIMMED_NAME, strlen(TRIMMED_NAME));
		if (hist_axis_find_sum(schema, &sum))
			axis_sum = sum;
	}
	for (i = 0; axis && i < nquantiles && !ret; i++) {
		hist_quantile_name(name, quantiles[i]);
		ret = names_add_new(names, name, strlen(name));
	}
	for (i = 0; i < schema->nvalues; i++) {
		for (mean = 0; mean < 2 && !ret; mean++) {
			if (!key_metrics_has_value(schema, i, mean, axis_sum, is_time))
				continue;
			key_metrics_name_value(schema, i, mean, name, sizeof(name));
			ret = names_add_new(names, name, strlen(name));
		}
	}
	return ret;
}

/*
 * Add the rate of a value, or its mean per hit.  Without an axis, the mean gates for values that
 * count time, and the rate for all others.
 */
static int measure_value(struct hist_key_metrics *s, struct hist_key_result *key,
			 unsigned int value,
			 bool mean, bool gated)
{
	enum hist_unit unit = hist_unit_from_value(&s->schema->values[value]);
	bool by_mean = unit != HIST_UNIT_NONE && s->hitcount >= 0;
	struct hist_metric_result *m;
	char name[128];

	key_metrics_name_value(s->schema, value, mean, name, sizeof(name));
	m = hist_key_metrics_add(s, key, mean ? HIST_METRIC_MEAN : HIST_METRIC_RATE,
		       gated && ((s->axis < 0 && mean == by_mean) ||
				 key_metrics_is_named(s, key, name)), "%s", name);
	m->unit = unit;
	return judge_change(s, m, key->presence == HIST_NEW ? 0 :
				  key_metrics_put_ratios(s, &s->base, s->rbase, value, mean),
			    key->presence == HIST_VANISHED ? 0 :
				  key_metrics_put_ratios(s, &s->new_, s->rnew, value, mean));
}

static int key_metrics_add_trimmed(struct hist_key_metrics *s, struct hist_key_result *key,
				   const uint32_t *groups, uint32_t n, bool gated)
{
	struct hist_metric_result *m =
		hist_key_metrics_add(s, key, HIST_METRIC_MEAN, gated, TRIMMED_NAME);
	int ret = trimmed_set(&s->trimmed, s->grouping, groups, n);

	m->unit = s->unit;
	return ret ? ret : judge_change(s, m, trimmed_means(s, &s->base, s->rbase),
					trimmed_means(s, &s->new_, s->rnew));
}

/* @decides: no other metric of the axis is judged. */
static int key_metrics_add_quantile(struct hist_key_metrics *s, struct hist_key_result *key,
				    uint32_t p, bool gated, bool decides)
{
	struct hist_metric_result *m;
	char name[HIST_QUANTILE_NAME];
	int ret;

	/* the trimmed mean covers the lower percentiles */
	hist_quantile_name(name, p);
	gated = gated && (p > TRIMMED_KEPT * HIST_QUANTILE_ONE ||
			  key_metrics_is_named(s, key, name));
	m = hist_key_metrics_add(s, key, HIST_METRIC_QUANTILE, gated, "%s", name);
	m->p = p;
	m->unit = s->unit;
	m->decides = decides && m->gated;
	ret = hist_significance_test_quantile(&m->change, s->base.dists, s->base.n,
					      s->new_.dists, s->new_.n, p);
	if (!ret && m->decides)
		ret = hist_significance_bound_quantile(&m->change, s->base.dists, s->base.n,
						       s->new_.dists, s->new_.n, p,
						       s->options->judge.confidence);
	return end_metric(s, m, ret);
}

static int key_metrics_add_axis(struct hist_key_metrics *s, struct hist_key_result *key,
				const uint32_t *groups, uint32_t n, bool gated)
{
	unsigned int i;
	bool decides;
	int ret;

	ret = key_metrics_make_distributions(s, &s->base, groups, n);
	if (!ret)
		ret = key_metrics_make_distributions(s, &s->new_, groups, n);
	if (!ret)
		ret = key_metrics_add_trimmed(s, key, groups, n, gated);
	decides = !ret && !key->metrics[0].gated;
	for (i = 0; i < s->options->nquantiles && !ret; i++)
		ret = key_metrics_add_quantile(s, key, s->options->quantiles[i], gated, decides);
	return ret;
}

int hist_key_metrics_compute(struct hist_key_metrics *s, struct hist_key_result *key,
			     const uint32_t *groups,
			     uint32_t n, bool gated)
{
	const struct hist_schema *schema = s->schema;
	/* rate and mean of each value; trimmed mean, percentiles; budgets */
	size_t most = 2 * schema->nvalues + 1 +
		      (s->axis < 0 ? 0 : s->options->nquantiles + 1) + 1 + HIST_EXCEED_MAX;
	unsigned int v;
	int ret = 0;

	key->metrics = calloc(most, sizeof(*key->metrics));
	if (!key->metrics)
		return -ENOMEM;
	if (s->axis >= 0)
		ret = key_metrics_add_axis(s, key, groups, n, gated);
	if (!ret)
		hist_key_budgets_add(s, key, groups, n);
	for (v = 0; v < schema->nvalues && !ret; v++) {
		if (key_metrics_has_value(schema, v, false, s->axis_sum, s->is_time))
			ret = measure_value(s, key, v, false, gated);
		if (!ret && key_metrics_has_value(schema, v, true, s->axis_sum, s->is_time))
			ret = measure_value(s, key, v, true, gated);
	}
	return ret;
}
