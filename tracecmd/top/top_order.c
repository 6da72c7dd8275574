// SPDX-License-Identifier: GPL-2.0
/*
 * top_order.c - select and sort the lines of a histogram
 *
 * The default order of an axis (log2, buckets, plain numbers) is by key, with the buckets without
 * hits between its rows.  Other keys are sorted by rate, highest first.
 */
#include <errno.h>
#include <string.h>

#include "lib/analysis/default_order.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/base/array.h"
#include "tracecmd/top/top_model.h"

/* Adjacent buckets without hits that get a line each. */
#define GAP_MAX 16

/* True if @entry was counted after the first snapshot. */
static bool top_is_counted(const struct top_hist *h, uint32_t entry)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	size_t at = (size_t)entry * schema->nvalues;
	unsigned int v;

	if (entry >= h->base.nentries)
		return true;
	for (v = 0; v < schema->nvalues; v++)
		if (h->last.values[at + v] != h->base.values[at + v])
			return true;
	return false;
}

const struct hist_column *top_sorted_by(const struct top_hist *h, bool *descending)
{
	const struct hist_columns *c = &h->columns;
	const struct hist_column *column = c->list;
	struct hist_row_order axis;

	if (h->column >= 0)
		column += h->column;
	else if (!hist_default_order_set_axis(hist_table_schema(h->table), &axis) &&
		 c->n > c->nkeys)
		column += c->nkeys;
	*descending = (column->kind != HIST_COLUMN_KEY) != h->reverse;
	return column;
}

const struct hist_column *top_rate_column(const struct top_hist *h)
{
	bool descending;
	const struct hist_column *sorted = top_sorted_by(h, &descending);
	int value = sorted->kind != HIST_COLUMN_KEY ? (int)sorted->index :
		    hist_row_find_main_value(hist_table_schema(h->table), NULL);
	unsigned int i;

	for (i = h->columns.nkeys; i < h->columns.n; i++) {
		const struct hist_column *column = &h->columns.list[i];

		if (column->kind == HIST_COLUMN_RATE && (int)column->index == value)
			return column;
	}
	return NULL;
}

/* The column called @name (of @len bytes), or -1. */
static int top_order_find_column(const struct top_hist *h, const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < h->columns.n; i++) {
		const char *title = h->columns.list[i].title;

		if (strlen(title) == len && !memcmp(title, name, len))
			return i;
	}
	return -1;
}

int top_sort(struct top_model *m, const char *text)
{
	static const char *const ways[] = { ".ascending", ".descending" };
	size_t len = strlen(text), end;
	int way = -1, column;
	unsigned int i, found = 0;

	for (i = 0; i < 2; i++) {
		end = strlen(ways[i]);
		if (len > end && !strcmp(text + len - end, ways[i])) {
			way = i;
			len -= end;
			break;
		}
	}
	for (i = 0; i < m->nhists; i++) {
		struct top_hist *h = &m->hists[i];

		column = top_order_find_column(h, text, len);
		if (column < 0)
			continue;
		h->column = column;
		h->reverse = way >= 0 &&
			     (way == 1) != (h->columns.list[column].kind != HIST_COLUMN_KEY);
		found++;
	}
	return found ? 0 : -ENOENT;
}

static bool top_order_matches_filter(const struct top_model *m, const struct top_hist *h,
				     uint32_t entry,
				     struct hist_strbuf *label)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	const struct hist_cell *cells = hist_table_cells(h->table, entry);
	unsigned int i;

	label->len = 0;
	for (i = 0; i < schema->nkeys; i++) {
		if (i)
			hist_strbuf_char(label, ' ');
		hist_label_put(label, h->table, i, &cells[i], m->flags);
	}
	hist_strbuf_char(label, '\0');
	return !label->error && strcasestr(label->data, m->filter);
}

static bool top_order_add_line(struct top_hist *h, struct top_line line)
{
	if (array_grow(&h->lines, &h->lines_room, (size_t)h->nlines + 1, sizeof(*h->lines)))
		return false;
	h->lines[h->nlines++] = line;
	return true;
}

/* Add the buckets without hits between two rows of an axis. */
static bool add_gap(struct top_hist *h, uint64_t from, uint64_t to)
{
	const struct hist_key_desc *key = &hist_table_schema(h->table)->keys[0];
	uint64_t step = hist_key_step(key);
	uint64_t empty = (to - from) / step - ((to - from) % step == 0);

	if (to - from <= step)
		return true;
	if (empty > GAP_MAX)
		return top_order_add_line(h, (struct top_line){ HIST_NO_ENTRY, 0, empty });
	while (empty--) {
		/* a bucket that spans zero begins at zero */
		from = from + step < from ? 0 : from + step;
		if (!top_order_add_line(h, (struct top_line){ HIST_NO_ENTRY, from, 0 }))
			return false;
	}
	return true;
}

/* True if buckets without hits are shown: the rows are an axis in ascending order. */
static bool has_gaps(const struct top_model *m, const struct top_hist *h,
		     const struct hist_column *column, bool descending)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	const uint32_t *entries = h->rows.entries;
	struct hist_row_order axis;
	uint64_t range;

	if (top_shown_view(m, h) == TOP_TABLE || m->filter[0] || column->kind != HIST_COLUMN_KEY ||
	    descending || !h->rows.n || !hist_default_order_set_axis(schema, &axis))
		return false;
	if (hist_key_traits(&schema->keys[0])->range)
		return true;
	range = hist_table_cells(h->table, entries[h->rows.n - 1])[0].num -
		hist_table_cells(h->table, entries[0])[0].num;
	return range < (uint64_t)h->rows.n * 4 + 8;
}

static int fill_lines(struct top_model *m, struct top_hist *h, bool gaps)
{
	struct hist_strbuf label = { 0 };
	const uint32_t *entries = h->rows.entries;
	int ret = 0;
	uint32_t i;

	h->nlines = 0;
	h->hidden = 0;
	for (i = 0; i < h->rows.n && !ret; i++) {
		if (m->filter[0] && !top_order_matches_filter(m, h, entries[i], &label)) {
			h->hidden++;
			ret = label.error;
			continue;
		}
		if (i && gaps && !add_gap(h, hist_table_cells(h->table, entries[i - 1])[0].num,
					  hist_table_cells(h->table, entries[i])[0].num))
			ret = -ENOMEM;
		if (!ret && !top_order_add_line(h, (struct top_line){ entries[i], 0, 0 }))
			ret = -ENOMEM;
	}
	hist_strbuf_free(&label);
	return ret;
}

/* Drop keys that only the set-up counted. */
static void drop_uncounted(struct top_hist *h)
{
	uint32_t i, n = 0;

	for (i = 0; i < h->rows.n; i++)
		if (top_is_counted(h, h->rows.entries[i]))
			h->rows.entries[n++] = h->rows.entries[i];
	h->rows.n = n;
}

static int top_order_select_worst(const struct top_model *m, struct top_hist *h)
{
	const struct hist_series_info info = top_describe(m, h);
	const struct hist_view view = {
		.info = &info, .table = h->table, .snap = &h->total, .whole = &h->last,
		.difference = true, .from_seq = h->base.seq, .from_entries = h->base.nentries,
	};

	return hist_worst_select(&h->worst, &view);
}

int top_arrange(struct top_model *m, struct top_hist *h)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	const struct top_interval *interval = top_interval(h, 0);
	const struct hist_snapshot *snap = &h->total;
	struct hist_row_order order = { .n = 1 };
	struct hist_selection selection = { .order = &order };
	const struct hist_column *column;
	bool descending, by_key;
	int ret;

	ret = top_order_select_worst(m, h);
	if (!ret)
		ret = top_groups_select(m, h);
	if (ret || top_shown_view(m, h) == TOP_SUMMARY)
		return ret ? ret : top_groups_arrange(m, h);
	column = top_sorted_by(h, &descending);
	by_key = column->kind == HIST_COLUMN_KEY;
	order.sorts[0].is_key = by_key;
	order.sorts[0].index = column->index;
	order.sorts[0].descending = descending;
	order.sorts[0].by_name = by_key && hist_key_has_string(schema->keys[column->index].kind);
	if (column->kind == HIST_COLUMN_RATE && interval)
		snap = &interval->diff;
	ret = hist_rows_select(&h->rows, h->table, snap, &selection);
	if (!ret)
		drop_uncounted(h);
	return ret ? ret : fill_lines(m, h, has_gaps(m, h, column, descending));
}
