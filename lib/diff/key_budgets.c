// SPDX-License-Identifier: LGPL-2.1
/*
 * key_budgets.c - the budgets (max, exceed) of one key, and whether each limit was judged
 *
 * The rows of a key are visited one by one, because each row keeps its own maximum.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/diff/key_budgets.h"

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

bool hist_key_budgets_possible(const struct hist_key_metrics *s)
{
	return s->hitcount >= 0 && (s->axis >= 0 || s->has_tops);
}

static bool key_budgets_convert(const struct hist_key_metrics *s, const struct hist_limit *limit,
				double *number)
{
	return hist_key_budgets_possible(s) && hist_threshold_convert_limit(limit, s->unit, number);
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
	s->limits[limit->id].misfits_unit |= !fits && hist_key_budgets_possible(s);
}

void hist_key_budgets_resolve(struct hist_key_metrics *s, const char *label)
{
	struct hist_gate gate = key_budgets_get_gate(s, label);
	unsigned int i, line;
	const char *text;

	if (gate.has_max)
		key_budgets_note_limit(s, &gate.max);
	for (i = 0; i < gate.nexceed; i++)
		key_budgets_note_limit(s, &gate.exceed[i].limit);
	for (i = 0; s->options->thresholds &&
		    !hist_thresholds_section(s->options->thresholds, i, &text, &line); i++)
		s->sections[i] |= hist_thresholds_match_hist(s->options->thresholds, i, s->name,
							     label);
}

void hist_key_budgets_add(struct hist_key_metrics *s, struct hist_key_result *key,
			  const uint32_t *groups, uint32_t n)
{
	struct hist_gate gate = key_budgets_get_gate(s, key->label);
	struct rows rows = { groups, n };
	struct hist_metric_result *m;
	char limit[40];
	double number;
	unsigned int i;

	if (gate.has_max && key_budgets_convert(s, &gate.max, &number)) {
		m = hist_key_metrics_add(s, key, HIST_METRIC_MAX, false, "max");
		m->budget = number;
		key_budgets_measure(s, m, rows, &gate.max, number);
	}
	for (i = 0; i < gate.nexceed; i++) {
		if (!key_budgets_convert(s, &gate.exceed[i].limit, &number))
			continue;
		hist_threshold_limit_text(&gate.exceed[i].limit, limit, sizeof(limit));
		m = hist_key_metrics_add(s, key, HIST_METRIC_EXCEED, false, "above %s", limit);
		m->budget = gate.exceed[i].share;
		key_budgets_measure(s, m, rows, &gate.exceed[i].limit, number);
	}
}

bool hist_key_budgets_decide(const struct hist_key_result *key, bool alone)
{
	const struct hist_metric_result *m;
	unsigned int i;

	for (i = 0; i < key->nmetrics; i++) {
		m = &key->metrics[i];
		if (!m->has_budget || !m->gated)
			continue;
		if (m->verdict == HIST_REGRESSED)
			return true;
		if (m->verdict == HIST_INCONCLUSIVE && (m->kind == HIST_METRIC_MAX || alone ||
							m->change.new_high > m->budget))
			return true;
	}
	return false;
}
