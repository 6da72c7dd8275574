// SPDX-License-Identifier: GPL-2.0
/*
 * compare.c - match the rows of two sets of figures
 *
 * Buckets match by their bounds. Keys of one recording match by their labels with addresses, and
 * keys of two recordings by their names, because a reboot moves the addresses. Both lists are
 * sorted and merged; keys of one name are added up.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/compare/compare.h"
#include "lib/base/error.h"
#include "lib/base/saturate.h"

static bool compare_schemas_match(const struct hist_schema *a, const struct hist_schema *b)
{
	unsigned int k;

	if (a->nkeys != b->nkeys)
		return false;
	for (k = 0; k < a->nkeys; k++)
		if (strcmp(a->keys[k].name, b->keys[k].name) ||
		    a->keys[k].kind != b->keys[k].kind || a->keys[k].bucket != b->keys[k].bucket ||
		    a->keys[k].is_signed != b->keys[k].is_signed)
			return false;
	return true;
}

static int compare_check(const struct panel_data *a, const struct panel_data *b,
			 struct hist_error *error)
{
	if (a->value < 0 || b->value < 0)
		return hist_error_set(
			error, -EOPNOTSUPP,
			"the histogram has neither a hit count nor the sum of a field");
	if (!compare_schemas_match(a->schema, b->schema))
		return hist_error_set(error, -EOPNOTSUPP,
				      "the histograms before and after have different keys");
	if (strcmp(a->schema->values[a->value].name, b->schema->values[b->value].name))
		return hist_error_set(error, -EOPNOTSUPP,
				      "the values differ. Select %s, the value of \"before\"",
				      a->schema->values[a->value].name);
	if (a->by_axis && (a->by_axis->merged || b->by_axis->merged))
		return hist_error_set(
			error, -EOPNOTSUPP,
			"%s has too many different numbers. Count with the key %s.log2 or "
			"%s.buckets=N",
			a->schema->keys[a->axis].name, a->schema->keys[a->axis].name,
			a->schema->keys[a->axis].name);
	return 0;
}

/* The recorded time; 0: not known. */
static double compare_seconds(const struct panel_data *f)
{
	if (!f->ns || !f->view.difference || f->view.from_nothing ||
	    f->view.snap->time <= f->view.from_time)
		return 0;
	return (f->view.snap->time - f->view.from_time) / 1e9;
}

static uint64_t compare_entry_count(const struct panel_data *f, uint32_t entry)
{
	return f->view.snap->values[(size_t)entry * f->schema->nvalues + f->value];
}

/* --- buckets --- */

static int compare_buckets(const void *a, const void *b, void *is_signed)
{
	const struct compared_row *x = a, *y = b;

	if (x->ge == y->ge)
		return 0;
	return hist_number_is_less(x->ge, y->ge, *(bool *)is_signed) ? -1 : 1;
}

/* Both lists, sorted; rows with the same bounds become one. */
static int compare_add_buckets(struct compared *c)
{
	bool is_signed = c->side[BEFORE]->by_axis->is_signed;
	uint32_t all = 0, i, n = 0;
	int s;

	c->rows = calloc(c->side[BEFORE]->by_axis->nrows + c->side[AFTER]->by_axis->nrows + 1,
			 sizeof(*c->rows));
	if (!c->rows)
		return -ENOMEM;
	for (s = 0; s < SIDES; s++) {
		const struct hist_heatmap *axis = c->side[s]->by_axis;

		for (i = 0; i < axis->nrows; i++) {
			if (axis->rows[i].empty)
				continue;
			c->rows[all] = (struct compared_row){ .ge = axis->rows[i].ge,
							      .le = axis->rows[i].le };
			c->rows[all++].count[s] = axis->rows[i].total;
		}
	}
	qsort_r(c->rows, all, sizeof(*c->rows), compare_buckets, &is_signed);
	for (i = 0; i < all; i++) {
		if (!n || c->rows[n - 1].ge != c->rows[i].ge) {
			c->rows[n++] = c->rows[i];
			continue;
		}
		for (s = 0; s < SIDES; s++)
			c->rows[n - 1].count[s] += c->rows[i].count[s];
	}
	c->n = n;
	return 0;
}

/* --- keys --- */

struct labelled {
	char *label;
	int side;
	uint32_t entry;
};

static int compare_labels(const void *a, const void *b)
{
	const struct labelled *x = a, *y = b;
	int cmp = strcmp(x->label, y->label);

	return cmp ? cmp : x->side - y->side;
}

static void compare_put_key(struct hist_strbuf *b, const struct compared *c, int side,
			    uint32_t entry, bool exact)
{
	const struct panel_data *f = c->side[side];

	if (c->by_name)
		panel_put_keys(b, f->view.table, entry, 0);
	else
		panel_put_label(b, f, entry, exact);
}

static int compare_label_entries(struct labelled *list, uint32_t *n, const struct compared *c,
				 int side)
{
	const struct panel_data *f = c->side[side];
	struct hist_strbuf text = { 0 };
	uint32_t i;
	int ret = 0;

	for (i = 0; i < f->rows.n && !ret; i++) {
		compare_put_key(hist_strbuf_clear(&text), c, side, f->rows.entries[i], true);
		hist_strbuf_char(&text, '\0');
		list[*n] = (struct labelled){ text.error ? NULL : strdup(text.data), side,
					      f->rows.entries[i] };
		ret = list[*n].label ? 0 : -ENOMEM;
		*n += !ret;
	}
	hist_strbuf_free(&text);
	return ret;
}

static int compare_changes(const void *a, const void *b)
{
	const struct compared_row *x = a, *y = b;
	const double dx = fabs(x->rate[AFTER] - x->rate[BEFORE]);
	const double dy = fabs(y->rate[AFTER] - y->rate[BEFORE]);

	return dx > dy ? -1 : dx < dy;
}

static int compare_add_keys(struct compared *c)
{
	const size_t room = (size_t)c->side[BEFORE]->rows.n + c->side[AFTER]->rows.n + 1;
	struct labelled *list = calloc(room, sizeof(*list));
	uint32_t n = 0, i;
	int ret, s;

	c->rows = calloc(room, sizeof(*c->rows));
	ret = list && c->rows ? 0 : -ENOMEM;
	for (s = 0; s < SIDES && !ret; s++)
		ret = compare_label_entries(list, &n, c, s);
	if (!ret)
		qsort(list, n, sizeof(*list), compare_labels);
	for (i = 0; i < n && !ret; i++) {
		struct compared_row *row = &c->rows[c->n];

		if (i && !strcmp(list[i - 1].label, list[i].label))
			row--;
		else
			*row = (struct compared_row){ .entry = { HIST_NO_ENTRY, HIST_NO_ENTRY } };
		row->entry[list[i].side] = list[i].entry;
		row->count[list[i].side] = saturating_add(row->count[list[i].side],
			compare_entry_count(c->side[list[i].side], list[i].entry));
		c->n = row - c->rows + 1;
	}
	for (i = 0; i < n; i++)
		free(list[i].label);
	free(list);
	return ret;
}

static void compare_set_rates(struct compared *c)
{
	uint32_t i;
	int s;

	for (s = 0; s < SIDES; s++) {
		c->seconds[s] = compare_seconds(c->side[s]);
		for (i = 0; i < c->n; i++)
			c->total[s] = saturating_add(c->total[s], c->rows[i].count[s]);
	}
	c->has_rates = c->seconds[BEFORE] > 0 && c->seconds[AFTER] > 0;
	for (s = 0; s < SIDES; s++) {
		const double by = c->has_rates ? c->seconds[s] : (double)c->total[s];

		for (i = 0; i < c->n; i++)
			c->rows[i].rate[s] = by > 0 ? c->rows[i].count[s] / by : 0;
	}
}

int compare_make(struct compared **result, const struct panel_data *before,
		 const struct panel_data *after, struct hist_error *error)
{
	struct compared *c;
	int ret = compare_check(before, after, error);

	if (ret)
		return ret;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->side[BEFORE] = before;
	c->side[AFTER] = after;
	c->has_axis = before->by_axis && after->by_axis;
	c->by_name = before->query.recording != after->query.recording;
	ret = c->has_axis ? compare_add_buckets(c) : compare_add_keys(c);
	if (ret) {
		compare_free(c);
		return ret;
	}
	compare_set_rates(c);
	if (!c->has_axis && c->n)
		qsort(c->rows, c->n, sizeof(*c->rows), compare_changes);
	*result = c;
	return 0;
}

void compare_free(struct compared *c)
{
	if (!c)
		return;
	free(c->rows);
	free(c);
}

void compare_put_label(struct hist_strbuf *b, const struct compared *c, uint32_t row, bool exact)
{
	const struct compared_row *r = &c->rows[row];
	const int side = r->entry[AFTER] != HIST_NO_ENTRY ? AFTER : BEFORE;
	const struct hist_heat_row bucket = { .ge = r->ge, .le = r->le };

	if (c->has_axis)
		panel_put_axis_label(b, c->side[AFTER], &bucket);
	else
		compare_put_key(b, c, side, r->entry[side], exact);
}
