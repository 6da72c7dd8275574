// SPDX-License-Identifier: LGPL-2.1
/*
 * key_metrics.c - the keys of one histogram on both sides, and their metrics
 *
 * A key is one group of the common table, or several.  Groups with hits on only one side
 * are matched again by their stripped labels (hist_key_normalize_label()).  The sum of all keys is
 * one more key.
 *
 * The sums, hits and distributions of each replicate of a key are computed first, then one metric
 * after the other.  A budget (max, exceed) visits the rows of a key one by one, because each row
 * keeps its own maximum.
 *
 * Invariant: a number that a side does not have is NAN.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/axis.h"
#include "lib/analysis/rows.h"
#include "lib/base/array.h"
#include "lib/diff/diff_private.h"
#include "lib/diff/key_metrics.h"
#include "lib/diff/key_normalize.h"
#include "lib/label/label.h"
#include "lib/table/columns.h"

#define TRIMMED_NAME "trimmed mean"

static int key_metrics_init_side(struct hist_replicates *r, unsigned int nvalues)
{
	size_t n = r->n ? r->n : 1;

	r->sums = calloc(n * (nvalues ? nvalues : 1), sizeof(*r->sums));
	r->hits = calloc(n, sizeof(*r->hits));
	r->dists = calloc(n, sizeof(*r->dists));
	return r->sums && r->hits && r->dists ? 0 : -ENOMEM;
}

static void key_metrics_clear_side(struct hist_replicates *r)
{
	unsigned int i;

	for (i = 0; r->dists && i < r->n; i++)
		hist_distribution_free(&r->dists[i]);
	free(r->dists);
	free(r->sums);
	free(r->hits);
}

static int key_metrics_init(struct hist_key_metrics *s, const struct hist_table *table)
{
	unsigned int most = s->base.n > s->new_.n ? s->base.n : s->new_.n;
	int ret;

	s->rbase = calloc(most + 1, sizeof(*s->rbase));
	s->rnew = calloc(most + 1, sizeof(*s->rnew));
	s->exceeds = calloc(most + 1, sizeof(*s->exceeds));
	if (!s->rbase || !s->rnew || !s->exceeds)
		return -ENOMEM;
	ret = key_metrics_init_side(&s->base, s->schema->nvalues);
	if (ret)
		return ret;
	ret = key_metrics_init_side(&s->new_, s->schema->nvalues);
	if (ret)
		return ret;
	s->grouping = hist_grouping_new(table);
	return s->grouping ? hist_grouping_update(s->grouping) : -ENOMEM;
}

static void key_metrics_clear(struct hist_key_metrics *s)
{
	key_metrics_clear_side(&s->base);
	key_metrics_clear_side(&s->new_);
	free(s->rbase);
	free(s->rnew);
	free(s->exceeds);
	free(s->trimmed.buckets);
	hist_grouping_free(s->grouping);
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
static uint64_t key_metrics_sum_hits(const struct hist_key_metrics *s,
				     const struct hist_replicates *r)
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

static void key_metrics_set_hits(struct hist_key_metrics *s, struct hist_key_result *key,
				 const uint32_t *groups, uint32_t n)
{
	key_metrics_sum_replicates(s, &s->base, groups, n);
	key_metrics_sum_replicates(s, &s->new_, groups, n);
	key->base_hits = key_metrics_sum_hits(s, &s->base);
	key->new_hits = key_metrics_sum_hits(s, &s->new_);
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

/* --- one metric --- */

static struct hist_metric_result *key_metrics_add(const struct hist_key_metrics *s,
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

/* --- budgets --- */

/* The numbers that one row of a block counted. */
struct row {
	uint64_t hits;
	double low, high; /* all of them */
	double top;	  /* the largest is at least this */
};

/* False if the row was not hit in the block. */
static bool key_budgets_get_row(const struct hist_key_metrics *s, const struct hist_batch *block,
				uint32_t entry, struct row *row)
{
	const struct hist_cell *cells = hist_table_cells(hist_grouping_table(s->grouping), entry);
	const struct hist_key_desc *key = s->axis < 0 ? NULL : &s->schema->keys[s->axis];
	struct hist_bounds bounds = { .ge = 0, .le = UINT64_MAX };
	bool is_signed = key && key->is_signed;
	const struct hist_top *top;

	if (entry >= block->counts.nentries)
		return false;
	row->hits = block->counts.values[(size_t)entry * s->schema->nvalues + s->hitcount];
	if (key)
		hist_axis_get_bounds(key, cells[s->axis].num, &bounds);
	row->low = row->top = hist_number_real(bounds.ge, is_signed);
	row->high = hist_number_real(bounds.le, is_signed);
	/* the last bucket of a signed axis also holds the smallest number */
	if (row->high < row->low)
		row->high = INFINITY;
	top = s->has_tops && block->tops && entry < block->tops_room ? &block->tops[entry] : NULL;
	if (!top)
		return row->hits;
	if (top->least > row->top)
		row->top = top->least;
	if (top->most >= row->low && top->most < row->high)
		row->high = top->most;
	/* the kernel's buckets of large numbers can be too low, but not the maximum */
	if (row->high < row->top)
		row->high = row->top;
	return row->hits || top->least;
}

struct rows {
	const uint32_t *groups;
	uint32_t n;
};

/* The largest number of each replicate with hits, in @out.  Returns their number. */
static unsigned int key_budgets_find_largest(const struct hist_key_metrics *s,
					     const struct hist_replicates *r, struct rows rows,
					     struct hist_replicate *out)
{
	const uint32_t *entries;
	unsigned int i, n = 0;
	uint32_t g, e, count;
	bool any;
	struct row row;

	for (i = 0; i < r->n; i++) {
		out[n] = (struct hist_replicate){ .low = -INFINITY, .high = -INFINITY };
		any = false;
		for (g = 0; g < rows.n; g++) {
			entries = hist_grouping_entries(s->grouping, rows.groups[g], &count);
			for (e = 0; e < count; e++) {
				if (!key_budgets_get_row(s, r->blocks[i], entries[e], &row))
					continue;
				any = true;
				out[n].low = fmax(out[n].low, row.top);
				out[n].high = fmax(out[n].high, row.high);
			}
		}
		n += any;
	}
	return n;
}

/* How many numbers of each replicate are above @limit, in @out. */
static void key_budgets_count_exceeding(const struct hist_key_metrics *s,
					const struct hist_replicates *r, struct rows rows,
					double limit, struct hist_exceed *out)
{
	const uint32_t *entries;
	uint32_t g, e, count;
	unsigned int i;
	struct row row;

	memset(out, 0, r->n * sizeof(*out));
	for (i = 0; i < r->n; i++) {
		for (g = 0; g < rows.n; g++) {
			entries = hist_grouping_entries(s->grouping, rows.groups[g], &count);
			for (e = 0; e < count; e++) {
				if (!key_budgets_get_row(s, r->blocks[i], entries[e], &row))
					continue;
				out[i].total += row.hits;
				if (row.high > limit)
					out[i].at_most += row.hits;
				if (row.low > limit)
					out[i].at_least += row.hits;
				else if (row.top > limit && row.hits)
					out[i].at_least++;
			}
		}
	}
}

/* Compare one side with the limit @number of the budget @m; false if it has no numbers. */
static bool key_budgets_judge(struct hist_key_metrics *s, const struct hist_replicates *r,
			      struct rows rows, const struct hist_metric_result *m, double number,
			      uint64_t unseen, struct hist_budget *budget)
{
	if (m->kind == HIST_METRIC_MAX)
		return !hist_budget_check_max(
			budget, s->rnew, key_budgets_find_largest(s, r, rows, s->rnew), number);
	key_budgets_count_exceeding(s, r, rows, number, s->exceeds);
	if (r->n && s->exceeds[0].total) {
		s->exceeds[0].total += unseen;
		s->exceeds[0].at_most += unseen;
	}
	return !hist_budget_check_exceed(budget, s->exceeds, r->n, m->budget,
					 s->options->judge.confidence);
}

/* What was not seen may exceed a budget that all samples keep. */
static void key_budgets_judge_unseen(struct hist_key_metrics *s, struct rows rows,
				     struct hist_metric_result *m, double number)
{
	struct hist_budget budget;

	if (m->verdict != HIST_PASS || !*s->unseen)
		return;
	if (m->kind == HIST_METRIC_EXCEED && s->unseen_hits < UINT64_MAX &&
	    key_budgets_judge(s, &s->new_, rows, m, number, s->unseen_hits, &budget) &&
	    budget.verdict == HIST_PASS)
		return;
	m->verdict = HIST_INCONCLUSIVE;
	strcpy(m->why, s->unseen);
}

/* Complete the budget @m, whose limit is @number. */
static void key_budgets_measure(struct hist_key_metrics *s, struct hist_metric_result *m,
				struct rows rows, const struct hist_limit *limit, double number)
{
	struct hist_budget side;

	m->has_budget = true;
	m->unit = s->unit;
	if (key_budgets_judge(s, &s->base, rows, m, number, 0, &side)) {
		m->change.base_low = side.low;
		m->change.base_high = side.high;
	}
	if (!key_budgets_judge(s, &s->new_, rows, m, number, 0, &side))
		return;
	m->gated = true;
	m->change.new_low = side.low;
	m->change.new_high = side.high;
	m->verdict = side.verdict;
	strcpy(m->why, side.why);
	key_budgets_judge_unseen(s, rows, m, number);
	s->limits[limit->id].judged |= m->verdict != HIST_INCONCLUSIVE;
}

static bool key_budgets_possible(const struct hist_key_metrics *s)
{
	return s->hitcount >= 0 && (s->axis >= 0 || s->has_tops);
}

static bool key_budgets_convert(const struct hist_key_metrics *s, const struct hist_limit *limit,
				double *number)
{
	return key_budgets_possible(s) && hist_threshold_convert_limit(limit, s->unit, number);
}

static struct hist_gate key_budgets_get_gate(const struct hist_key_metrics *s, const char *label)
{
	struct hist_gate gate = s->options->gate;

	hist_thresholds_apply(s->options->thresholds, &gate, s->name, label, NULL);
	return gate;
}

static void key_budgets_note_limit(struct hist_key_metrics *s, const struct hist_limit *limit)
{
	double number;
	bool fits = key_budgets_convert(s, limit, &number);

	s->limits[limit->id].fits |= fits;
	s->limits[limit->id].misfits |= !fits;
	s->limits[limit->id].misfits_unit |= !fits && key_budgets_possible(s);
}

static void key_budgets_resolve(struct hist_key_metrics *s, const char *label)
{
	struct hist_gate gate = key_budgets_get_gate(s, label);
	unsigned int i, line;
	const char *text;

	if (gate.has_max)
		key_budgets_note_limit(s, &gate.max);
	for (i = 0; i < gate.nexceed; i++)
		key_budgets_note_limit(s, &gate.exceed[i].limit);
	for (i = 0; s->options->thresholds &&
		    !hist_thresholds_section(s->options->thresholds, i, &text, &line);
	     i++)
		s->sections[i] |=
			hist_thresholds_match_hist(s->options->thresholds, i, s->name, label);
}

/* The largest number of one side, or nothing if there is none. */
static void key_budgets_set_largest(const struct hist_key_metrics *s,
				    const struct hist_replicates *r, struct rows rows,
				    struct hist_replicate *each, double *low, double *high)
{
	unsigned int i, n = key_budgets_find_largest(s, r, rows, each);

	for (i = 0; i < n; i++) {
		*low = i ? fmax(*low, each[i].low) : each[i].low;
		*high = i ? fmax(*high, each[i].high) : each[i].high;
	}
}

/* Show the maximum that rows keep, which no budget limits. */
static void key_budgets_add_largest(struct hist_key_metrics *s, struct hist_key_result *key,
				    struct rows rows)
{
	struct hist_metric_result *m = key_metrics_add(s, key, HIST_METRIC_LARGEST, false, "max");
	struct hist_change *c = &m->change;

	m->unit = s->unit;
	key_budgets_set_largest(s, &s->base, rows, s->rbase, &c->base_low, &c->base_high);
	key_budgets_set_largest(s, &s->new_, rows, s->rnew, &c->new_low, &c->new_high);
	/* one number is no sample, so it is not tested */
	if (c->base_low == c->base_high && c->new_low == c->new_high && c->base_low > 0)
		c->low = c->high = c->new_low / c->base_low - 1;
}

static void key_budgets_add(struct hist_key_metrics *s, struct hist_key_result *key,
			    const uint32_t *groups, uint32_t n)
{
	struct hist_gate gate = key_budgets_get_gate(s, key->label);
	struct rows rows = { groups, n };
	struct hist_metric_result *m;
	char limit[40];
	double number;
	unsigned int i;

	if (gate.has_max && key_budgets_convert(s, &gate.max, &number)) {
		m = key_metrics_add(s, key, HIST_METRIC_MAX, false, "max");
		m->budget = number;
		key_budgets_measure(s, m, rows, &gate.max, number);
	} else if (s->has_tops && key_budgets_possible(s)) {
		key_budgets_add_largest(s, key, rows);
	}
	for (i = 0; i < gate.nexceed; i++) {
		if (!key_budgets_convert(s, &gate.exceed[i].limit, &number))
			continue;
		hist_threshold_limit_text(&gate.exceed[i].limit, limit, sizeof(limit));
		m = key_metrics_add(s, key, HIST_METRIC_EXCEED, false, "above %s", limit);
		m->budget = gate.exceed[i].share;
		key_budgets_measure(s, m, rows, &gate.exceed[i].limit, number);
	}
}

static bool key_budgets_decide(const struct hist_key_result *key, bool alone)
{
	const struct hist_metric_result *m;
	unsigned int i;

	for (i = 0; i < key->nmetrics; i++) {
		m = &key->metrics[i];
		if (!m->has_budget || !m->gated)
			continue;
		if (m->verdict == HIST_REGRESSED)
			return true;
		if (m->verdict == HIST_INCONCLUSIVE &&
		    (m->kind == HIST_METRIC_MAX || alone || m->change.new_high > m->budget))
			return true;
	}
	return false;
}

/* --- metrics of values and of the axis --- */

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
static int key_metrics_end_metric(const struct hist_key_metrics *s, struct hist_metric_result *m,
				  int ret)
{
	m->change.tested &= s->tested;
	m->gated &= !isnan(m->change.low);
	return ret == -ENODATA || ret == -EDOM || ret == -EINVAL ? 0 : ret;
}

/* @nbase and @nnew replicates are in s->rbase and s->rnew. */
static int key_metrics_judge_change(struct hist_key_metrics *s, struct hist_metric_result *m,
				    unsigned int nbase, unsigned int nnew)
{
	return key_metrics_end_metric(
		s, m, hist_significance_test_change(&m->change, s->rbase, nbase, s->rnew, nnew));
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

static int key_metrics_by_place(const void *pa, const void *pb)
{
	const struct trimmed_bucket *a = pa, *b = pb;

	return (a->bounds.ge > b->bounds.ge) - (a->bounds.ge < b->bounds.ge);
}

/* Set the buckets of the key of @groups; memory is used again. */
static int key_metrics_set_buckets(struct trimmed *t, const struct hist_grouping *grouping,
				   const uint32_t *groups, uint32_t n)
{
	const struct hist_table *table = hist_grouping_table(grouping);
	const struct hist_schema *schema = hist_table_schema(table);
	int axis = hist_grouping_axis(grouping);
	struct trimmed_bucket *p;
	const uint32_t *entries;
	unsigned int sum;
	uint32_t g, e, count;

	t->is_signed = schema->keys[axis].is_signed;
	t->nvalues = schema->nvalues;
	t->hitcount = hist_schema_hitcount(schema);
	t->sum = hist_axis_find_sum(schema, &sum) ? (int)sum : -1;
	t->n = 0;
	for (g = 0; g < n; g++) {
		entries = hist_grouping_entries(grouping, groups[g], &count);
		if (array_grow(&t->buckets, &t->room, (size_t)t->n + count, sizeof(*p)))
			return -ENOMEM;
		for (e = 0; e < count; e++) {
			p = &t->buckets[t->n++];
			p->entry = entries[e];
			hist_axis_get_bounds(&schema->keys[axis],
					     hist_table_cells(table, entries[e])[axis].num,
					     &p->bounds);
		}
	}
	/* numbers below zero do not have a mean, so that their order does not matter */
	if (n > 1)
		qsort(t->buckets, t->n, sizeof(*t->buckets), key_metrics_by_place);
	return 0;
}

static unsigned int key_metrics_put_trimmed(const struct hist_key_metrics *s,
					    const struct hist_replicates *r,
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
static int key_metrics_add_value(struct hist_key_metrics *s, struct hist_key_result *key,
				 unsigned int value, bool mean, bool gated)
{
	enum hist_unit unit = hist_unit_from_value(&s->schema->values[value]);
	bool by_mean = hist_unit_is_time(unit) && s->hitcount >= 0;
	struct hist_metric_result *m;
	char name[128];

	key_metrics_name_value(s->schema, value, mean, name, sizeof(name));
	m = key_metrics_add(
		s, key, mean ? HIST_METRIC_MEAN : HIST_METRIC_RATE,
		gated && ((s->axis < 0 && mean == by_mean) || key_metrics_is_named(s, key, name)),
		"%s", name);
	m->unit = unit;
	return key_metrics_judge_change(
		s, m,
		key->presence == HIST_NEW
			? 0
			: key_metrics_put_ratios(s, &s->base, s->rbase, value, mean),
		key->presence == HIST_VANISHED
			? 0
			: key_metrics_put_ratios(s, &s->new_, s->rnew, value, mean));
}

static int key_metrics_add_trimmed(struct hist_key_metrics *s, struct hist_key_result *key,
				   const uint32_t *groups, uint32_t n, bool gated)
{
	struct hist_metric_result *m =
		key_metrics_add(s, key, HIST_METRIC_MEAN, gated, TRIMMED_NAME);
	int ret = key_metrics_set_buckets(&s->trimmed, s->grouping, groups, n);

	m->unit = s->unit;
	return ret ? ret
		   : key_metrics_judge_change(s, m, key_metrics_put_trimmed(s, &s->base, s->rbase),
					      key_metrics_put_trimmed(s, &s->new_, s->rnew));
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
	m = key_metrics_add(s, key, HIST_METRIC_QUANTILE, gated, "%s", name);
	m->p = p;
	m->unit = s->unit;
	m->decides = decides && m->gated;
	ret = hist_significance_test_quantile(&m->change, s->base.dists, s->base.n,
					      s->new_.dists, s->new_.n, p);
	if (!ret && m->decides)
		ret = hist_significance_bound_quantile(&m->change, s->base.dists, s->base.n,
						       s->new_.dists, s->new_.n, p,
						       s->options->judge.confidence);
	return key_metrics_end_metric(s, m, ret);
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

static int key_metrics_compute(struct hist_key_metrics *s, struct hist_key_result *key,
			       const uint32_t *groups, uint32_t n, bool gated)
{
	const struct hist_schema *schema = s->schema;
	/* rate and mean of each value; trimmed mean, percentiles; budgets, or the maximum */
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
		key_budgets_add(s, key, groups, n);
	for (v = 0; v < schema->nvalues && !ret; v++) {
		if (key_metrics_has_value(schema, v, false, s->axis_sum, s->is_time))
			ret = key_metrics_add_value(s, key, v, false, gated);
		if (!ret && key_metrics_has_value(schema, v, true, s->axis_sum, s->is_time))
			ret = key_metrics_add_value(s, key, v, true, gated);
	}
	return ret;
}

/* --- keys --- */

/* A group with hits on one side only, or a key that consists of such groups. */
struct one_sided {
	uint32_t group, stripped;
	bool in_base;
};

struct keys {
	struct hist_key_metrics *s;
	struct hist_hist_result *h;
	struct one_sided *singles;
	uint32_t nsingles;
	struct hist_table *words; /* its strings are the stripped labels */
	uint32_t *groups;	  /* has room for all groups */
};

static char *key_metrics_make_label(const struct keys *k, uint32_t group)
{
	struct hist_strbuf b = { 0 };

	hist_grouping_label(&b, k->s->grouping, group, 0);
	return hist_strbuf_string(&b);
}

/*
 * key_metrics_has_few - true if a key has fewer hits than min-hits
 * With an axis both sides need min-hits, to compare their distributions.  A rate needs min-hits
 * on one side.
 */
static bool key_metrics_has_few(const struct hist_key_metrics *s, const struct hist_key_result *key,
				const struct hist_gate *gate)
{
	uint64_t most = key->base_hits > key->new_hits ? key->base_hits : key->new_hits;
	uint64_t least = key->base_hits < key->new_hits ? key->base_hits : key->new_hits;

	if (s->axis < 0 || key->presence == HIST_NEW || key->presence == HIST_VANISHED)
		return most < gate->min_hits;
	return least < gate->min_hits;
}

/* Takes ownership of @label and @old_label, even on failure. */
static int key_metrics_add_key(struct keys *k, const uint32_t *groups, uint32_t n, char *label,
			       char *old_label)
{
	struct hist_gate gate = k->s->options->gate;
	struct hist_hist_result *h = k->h;
	struct hist_key_result key = { .label = label, .old_label = old_label };
	bool is_kept, wanted;
	int ret = 0;

	if (!label) {
		free(old_label);
		return -ENOMEM;
	}
	key_metrics_set_hits(k->s, &key, groups, n);
	if (old_label)
		key.presence = HIST_RENAMED;
	else if (!key.base_hits)
		key.presence = HIST_NEW;
	else if (!key.new_hits)
		key.presence = HIST_VANISHED;
	h->appeared += key.presence == HIST_NEW;
	h->vanished += key.presence == HIST_VANISHED;
	h->renamed += key.presence == HIST_RENAMED;
	h->keys_total++;
	key_budgets_resolve(k->s, key.label);
	hist_thresholds_apply(k->s->options->thresholds, &gate, k->s->name, key.label, NULL);
	key.few = key_metrics_has_few(k->s, &key, &gate);
	wanted = gate.worse != HIST_WORSE_NONE ||
		 hist_thresholds_names_metric(k->s->options->thresholds, k->s->name, key.label,
					      NULL);
	h->wanted |= wanted;
	if (wanted && h->presence == HIST_BOTH)
		h->to_decide += diff_key_weight(&key);
	h->few += key.few;
	/* budgets apply to keys with few hits, too */
	if (!key.few || key_budgets_possible(k->s))
		ret = key_metrics_compute(k->s, &key, groups, n, !key.few);
	/* the sum of all keys is the first */
	is_kept = !ret && (!key.few || key_budgets_decide(&key, !h->nkeys || !h->keys->whole));
	if (is_kept)
		ret = array_add(&h->keys, h->nkeys, sizeof(*h->keys));
	if (is_kept && !ret)
		h->keys[h->nkeys++] = key;
	else
		diff_clear_key(&key);
	return ret;
}

/* Add the sum of all keys, measured and listed first. */
static int key_metrics_add_whole(struct keys *k, uint32_t n)
{
	struct hist_hist_result *h = k->h;
	struct hist_key_result *key;
	uint32_t g;

	if (array_add(&h->keys, 0, sizeof(*h->keys)))
		return -ENOMEM;
	for (g = 0; g < n; g++)
		k->groups[g] = g;
	key = memset(&h->keys[h->nkeys++], 0, sizeof(*key));
	key->whole = true;
	key->label = strdup(DIFF_WHOLE);
	if (!key->label)
		return -ENOMEM;
	key_budgets_resolve(k->s, key->label);
	key_metrics_set_hits(k->s, key, k->groups, n);
	/*
	 * With an axis the whole is not gated: a different mix of keys would look like a
	 * different distribution.  Rates add up.
	 */
	return key_metrics_compute(k->s, key, k->groups, n, k->s->axis < 0);
}

static int key_metrics_add_single(struct keys *k, uint32_t group, bool in_base, const char *label)
{
	struct one_sided *p;
	struct hist_strbuf b = { 0 };
	int ret;

	if (array_add(&k->singles, k->nsingles, sizeof(*k->singles)))
		return -ENOMEM;
	p = &k->singles[k->nsingles];
	*p = (struct one_sided){ .group = group, .in_base = in_base };
	hist_key_normalize_label(&b, label, strlen(label));
	ret = b.error ? b.error
		      : hist_table_intern(k->words, b.data ? b.data : "", b.len, &p->stripped);
	hist_strbuf_free(&b);
	k->nsingles += !ret;
	return ret;
}

/* Order by stripped label, then base before new, then by the order of the table. */
static int key_metrics_compare_singles(const void *pa, const void *pb)
{
	const struct one_sided *a = pa, *b = pb;

	if (a->stripped != b->stripped)
		return a->stripped < b->stripped ? -1 : 1;
	if (a->in_base != b->in_base)
		return a->in_base ? -1 : 1;
	return a->group < b->group ? -1 : a->group > b->group;
}

/* The name of @n groups: the label of one group, or the common stripped label of several. */
static char *key_metrics_make_name(struct keys *k, const struct one_sided *singles, uint32_t n)
{
	if (n == 1)
		return key_metrics_make_label(k, singles->group);
	return strdup(hist_table_string(k->words, singles->stripped, NULL));
}

/* Add the keys of one run of singles with the same stripped label. */
static int key_metrics_add_singles(struct keys *k, const struct one_sided *singles, uint32_t n)
{
	uint32_t in_base = 0, i;
	char *old;
	int ret = 0;

	while (in_base < n && singles[in_base].in_base)
		in_base++;
	for (i = 0; i < n; i++)
		k->groups[i] = singles[i].group;
	if (in_base && in_base < n) {
		old = key_metrics_make_name(k, singles, in_base);
		return old ? key_metrics_add_key(
				     k, k->groups, n,
				     key_metrics_make_name(k, singles + in_base, n - in_base), old)
			   : -ENOMEM;
	}
	for (i = 0; i < n && !ret; i++)
		ret = key_metrics_add_key(k, &singles[i].group, 1,
					  key_metrics_make_label(k, singles[i].group), NULL);
	return ret;
}

static int key_metrics_add_groups(struct keys *k, uint32_t n)
{
	struct hist_key_result hits = { 0 };
	uint32_t g, i, end;
	char *label;
	int ret = 0;

	for (g = 0; g < n && !ret; g++) {
		key_metrics_set_hits(k->s, &hits, &g, 1);
		if (!hits.base_hits && !hits.new_hits)
			continue;
		label = key_metrics_make_label(k, g);
		if (!label)
			return -ENOMEM;
		if (hits.base_hits && hits.new_hits) {
			ret = key_metrics_add_key(k, &g, 1, label, NULL);
			continue;
		}
		ret = key_metrics_add_single(k, g, hits.base_hits != 0, label);
		free(label);
	}
	if (k->nsingles)
		qsort(k->singles, k->nsingles, sizeof(*k->singles), key_metrics_compare_singles);
	for (i = 0; i < k->nsingles && !ret; i = end) {
		for (end = i;
		     end < k->nsingles && k->singles[end].stripped == k->singles[i].stripped; end++)
			;
		ret = key_metrics_add_singles(k, k->singles + i, end - i);
	}
	return ret;
}

/* Compute the keys; the caller frees @k. */
static int key_metrics_add_keys(struct keys *k, const struct hist_table *table)
{
	uint32_t n = hist_grouping_count(k->s->grouping);
	int ret;

	k->words = hist_table_new(hist_table_schema(table));
	k->groups = malloc((n ? n : 1) * sizeof(*k->groups));
	if (!k->words || !k->groups)
		return -ENOMEM;
	if (n > 1) {
		ret = key_metrics_add_whole(k, n);
		if (ret)
			return ret;
	}
	ret = key_metrics_add_groups(k, n);
	/* the limits of a histogram without hits */
	if (!ret && !k->h->keys_total)
		key_budgets_resolve(k->s, DIFF_WHOLE);
	return ret;
}

int hist_key_metrics_compare(struct hist_key_metrics *s, struct hist_hist_result *h,
			     const struct hist_key_normalizer *match)
{
	const struct hist_table *table = hist_key_normalize_table(match);
	struct keys k = { .s = s, .h = h };
	int ret;

	ret = key_metrics_init(s, table);
	if (!ret)
		ret = key_metrics_add_keys(&k, table);
	hist_table_free(k.words);
	free(k.groups);
	free(k.singles);
	key_metrics_clear(s);
	return ret;
}
