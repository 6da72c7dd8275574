// SPDX-License-Identifier: LGPL-2.1
/*
 * view_bars.c - the bars view: a bar for each row
 *
 *   next_comm    hitcount   share
 *   rcu_preempt        89  26.41% |###############################
 *
 * The longest bar fills the part of the line after the labels and numbers.  A value above
 * zero has at least the thinnest bar.  An axis (log2, buckets, numbers that are close
 * together) also shows the empty places between two rows, up to GAP_MAX places; a longer
 * gap is one line with their number.  Labels are cut if the bars would become too short.
 * Keys other than the axis make groups; each group shows its part of the axis below its
 * name.
 *
 * Invariant: no line is wider than the requested width, except for numbers.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/analysis/snapshot_view.h"
#include "lib/base/wide.h"
#include "lib/label/label.h"
#include "lib/label/unit.h"
#include "lib/report/ansi.h"
#include "lib/report/bar_groups.h"
#include "lib/report/disambiguate.h"
#include "lib/report/text/view_tree.h"
#include "lib/report/text_column.h"

#define GAP_MAX 16
#define BAR_MIN 10  /* columns that the labels leave for a bar */
#define BAR_LEAST 4 /* columns of a bar if the line is too short */
#define LABEL_MIN 16
#define FLUSH_AT (64u << 10)

struct bars_view {
	FILE *f;
	const struct hist_view *view;
	const struct hist_view_style *style;
	const struct hist_schema *schema;
	unsigned int flags;
	bool ambiguous_symbol[HIST_KEYS_MAX]; /* one symbol name has several addresses */
	bool exact[HIST_KEYS_MAX]; /* do not round durations: rounding makes some equal */
	unsigned int key[HIST_KEYS_MAX];      /* widths of the columns */
	unsigned int value;
	unsigned int bar;
	uint64_t max;
	int axis;     /* number of the key whose empty places are shown, or -1 */
	int only_key; /* grouped: the only key that a row shows; -1: all */
	struct hist_strbuf out, label;
};

static bool is_shown(const struct bars_view *v, unsigned int key)
{
	return v->only_key < 0 || (int)key == v->only_key;
}

static const struct hist_cell *row_cells(const struct bars_view *v, uint32_t row)
{
	return hist_table_cells(v->view->table, v->view->rows->entries[row]);
}

/* The value that is drawn; a negative value does not have a bar. */
static uint64_t entry_value(const struct bars_view *v, uint32_t entry)
{
	int value = v->view->rows->main_value;

	return value < 0 ? 0 : v->view->snap->values[(size_t)entry * v->schema->nvalues + value];
}

static bool is_below_zero(const struct bars_view *v, uint64_t value)
{
	int i = v->view->rows->main_value;

	return i >= 0 && v->schema->values[i].is_signed && value >> 63;
}

static void put_value(const struct bars_view *v, struct hist_strbuf *b, uint64_t value)
{
	const struct hist_value_desc *desc;

	if (v->view->rows->main_value < 0)
		return;
	desc = &v->schema->values[v->view->rows->main_value];
	if (desc->kind == HIST_VALUE_PERCENT)
		hist_view_share(b, value, 10000);
	else
		hist_strbuf_number(b, value, desc->is_signed);
}

static unsigned int put_label(struct bars_view *v, unsigned int key, const struct hist_cell *cell)
{
	enum hist_unit unit = hist_unit_of_key(&v->schema->keys[key]);
	struct hist_bounds bounds;

	v->label.len = 0;
	if (unit != HIST_UNIT_NONE) {
		hist_axis_bounds(&v->schema->keys[key], cell->num, &bounds);
		return hist_bucket_label(&v->label, &v->schema->keys[key], &bounds, v->exact[key]);
	}
	return hist_label(&v->label, v->view->table, key, cell,
			  v->flags | (v->ambiguous_symbol[key] ? HIST_LABEL_ADDRESS : 0));
}

static bool aligns_right(enum hist_key_kind kind)
{
	return !hist_key_has_string(kind);
}

/*
 * fit_labels - shrink the widest columns until the labels fit
 * They fit into half of the line, or into the line without @numbers and a bar of a fifth of the
 * line.
 */
static void fit_labels(struct bars_view *v, unsigned int numbers)
{
	unsigned int width = v->style->width, limit = width / 2, sum = 0, i, widest;

	numbers += width / 5 > BAR_MIN ? width / 5 : BAR_MIN;
	if (width > numbers + limit)
		limit = width - numbers;
	if (limit < LABEL_MIN)
		limit = LABEL_MIN;
	for (i = 0; i < v->schema->nkeys; i++)
		sum += is_shown(v, i) ? v->key[i] + 2 : 0;
	while (sum > limit) {
		widest = 0;
		for (i = 1; i < v->schema->nkeys; i++)
			if (v->key[i] > v->key[widest])
				widest = i;
		if (v->key[widest] <= 8)
			break;
		v->key[widest]--;
		sum--;
	}
}

/* True if the gaps between the first and the last of @n entries are few enough to show. */
static bool is_dense(const struct bars_view *v, const uint32_t *entries, uint32_t n)
{
	uint64_t range;

	if (hist_key_traits(&v->schema->keys[v->axis])->range)
		return true;
	if (!n)
		return false;
	range = hist_table_cells(v->view->table, entries[n - 1])[v->axis].num -
		hist_table_cells(v->view->table, entries[0])[v->axis].num;
	return range < (uint64_t)n * 4 + 8;
}

/* The number of empty places between two rows of an axis. */
static uint64_t empty_between(const struct bars_view *v, uint64_t from, uint64_t to)
{
	uint64_t step = hist_key_step(&v->schema->keys[v->axis]);

	/* if the gap crosses zero, the bucket that is cut at zero is a partial step */
	return from == to ? 0 : (to - from) / step + ((to - from) % step != 0) - 1;
}

/* The next place of an axis, or zero after the last one. */
static uint64_t next_place(const struct bars_view *v, uint64_t from)
{
	uint64_t next = from + hist_key_step(&v->schema->keys[v->axis]);

	return next < from ? 0 : next;
}

/* Measure the labels of empty places, which may be longer than those of rows. */
static void measure_gaps(struct bars_view *v, const uint32_t *entries, uint32_t n)
{
	struct hist_cell cell = { 0 };
	uint64_t to, empty;
	unsigned int width;
	uint32_t i;

	if (v->axis < 0 || !is_dense(v, entries, n))
		return;
	for (i = 1; i < n; i++) {
		cell.num = hist_table_cells(v->view->table, entries[i - 1])[v->axis].num;
		to = hist_table_cells(v->view->table, entries[i])[v->axis].num;
		empty = empty_between(v, cell.num, to);
		while (empty <= GAP_MAX && empty--) {
			cell.num = next_place(v, cell.num);
			width = put_label(v, v->axis, &cell);
			if (width > v->key[v->axis])
				v->key[v->axis] = width;
		}
	}
}

/* @groups: NULL if the rows are one list. */
static int measure(struct bars_view *v, const struct bar_groups *groups)
{
	const struct hist_rows *rows = v->view->rows;
	unsigned int i, width, used = 4;
	uint64_t value;
	uint32_t row;
	int ret;

	for (i = 0; i < v->schema->nkeys; i++) {
		if (!is_shown(v, i))
			continue;
		ret = distinct_symbols(&v->ambiguous_symbol[i], NULL, v->view->table, i,
				       rows->entries, rows->n);
		if (!ret)
			ret = distinct_durations(&v->exact[i], v->view->table, i, rows->entries,
						 rows->n);
		if (ret)
			return ret;
		v->key[i] = hist_escape_width(v->schema->keys[i].name,
					      strlen(v->schema->keys[i].name), v->flags);
	}
	for (row = 0; row < rows->n; row++) {
		for (i = 0; i < v->schema->nkeys; i++) {
			if (!is_shown(v, i))
				continue;
			width = put_label(v, i, &row_cells(v, row)[i]);
			if (width > v->key[i])
				v->key[i] = width;
		}
		value = entry_value(v, rows->entries[row]);
		if (!is_below_zero(v, value) && value > v->max)
			v->max = value;
		v->label.len = 0;
		put_value(v, &v->label, value);
		if (v->label.len > v->value)
			v->value = v->label.len;
	}
	for (row = 0; groups && row < groups->n; row++)
		measure_gaps(v, groups->entries + groups->groups[row].first, groups->groups[row].n);
	if (!groups)
		measure_gaps(v, rows->entries, rows->n);
	if (rows->main_value >= 0) {
		width = strlen(v->schema->values[rows->main_value].name);
		if (v->value < width)
			v->value = width;
		if (rows->total > rows->n) {
			width = hist_u64_width(rows->rest[rows->main_value]);
			v->value = v->value < width ? width : v->value;
		}
	}
	used += v->value + (rows->has_shares ? 9 : 0);
	fit_labels(v, used);
	for (i = 0; i < v->schema->nkeys; i++)
		used += is_shown(v, i) ? v->key[i] + 2 : 0;
	v->bar = v->style->width > used + BAR_LEAST ? v->style->width - used : BAR_LEAST;
	return v->label.error;
}

/* Write v->label, which is @width columns wide, into a column of @column. */
static void put_column(struct bars_view *v, unsigned int width, unsigned int column, bool right)
{
	column_put(&v->out, &v->label, width, column, right, !v->style->utf8);
}

static void put_text(struct bars_view *v, const char *s, unsigned int column, bool right)
{
	unsigned int width;

	v->label.len = 0;
	width = hist_escape(&v->label, s, strlen(s), v->flags);
	put_column(v, width, column, right);
}

static void head(struct bars_view *v)
{
	const struct hist_rows *rows = v->view->rows;
	unsigned int i;

	for (i = 0; i < v->schema->nkeys; i++) {
		if (!is_shown(v, i))
			continue;
		hist_strbuf_add(&v->out, "  ", 2);
		put_text(v, v->schema->keys[i].name, v->key[i],
			 aligns_right(v->schema->keys[i].kind));
	}
	if (rows->main_value >= 0) {
		hist_strbuf_add(&v->out, "  ", 2);
		put_text(v, v->schema->values[rows->main_value].name, v->value, true);
	}
	if (rows->has_shares)
		hist_strbuf_str(&v->out, "    share");
	hist_strbuf_char(&v->out, '\n');
}

static void put_bar(struct bars_view *v, uint64_t value)
{
	struct hist_strbuf *b = &v->out;
	uint64_t eighths, full;

	hist_strbuf_add(b, " |", 2);
	if (!value || !v->max || is_below_zero(v, value))
		return;
	eighths = hist_mul_div(value, v->bar * 8, 0, v->max);
	colour_begin(b, v->style, COLOUR_BAR);
	if (v->style->utf8) {
		if (!eighths)
			eighths = 1;
		for (full = eighths / 8; full; full--)
			hist_strbuf_add(b, "\xe2\x96\x88", 3);
		/* U+2588 is the full block; U+2589 to U+258F are 7/8 to 1/8 of it */
		if (eighths % 8) {
			const char block[3] = { '\xe2', '\x96', (char)(0x90 - eighths % 8) };

			hist_strbuf_add(b, block, 3);
		}
	} else {
		full = (eighths + 4) / 8;
		if (full)
			hist_strbuf_fill(b, '#', full);
		else
			hist_strbuf_char(b, '.');
	}
	colour_end(b, v->style);
}

static void put_numbers(struct bars_view *v, uint64_t value)
{
	const struct hist_rows *rows = v->view->rows;
	unsigned int width;

	if (rows->main_value >= 0) {
		v->label.len = 0;
		put_value(v, &v->label, value);
		width = v->label.len;
		hist_strbuf_add(&v->out, "  ", 2);
		put_column(v, width, v->value, true);
	}
	if (rows->has_shares) {
		hist_strbuf_add(&v->out, "  ", 2);
		hist_view_share(&v->out, value, rows->totals[rows->main_value]);
	}
}

static void put_row(struct bars_view *v, const struct hist_cell *cells, uint64_t value)
{
	unsigned int i, width;

	for (i = 0; i < v->schema->nkeys; i++) {
		if (!is_shown(v, i))
			continue;
		hist_strbuf_add(&v->out, "  ", 2);
		width = put_label(v, i, &cells[i]);
		put_column(v, width, v->key[i], aligns_right(v->schema->keys[i].kind));
	}
	put_numbers(v, value);
	put_bar(v, value);
	hist_strbuf_char(&v->out, '\n');
	if (v->out.len >= FLUSH_AT)
		hist_strbuf_flush(&v->out, v->f);
}

/* Write the empty places between two rows of an axis. */
static void put_gap(struct bars_view *v, uint64_t from, uint64_t to)
{
	uint64_t empty = empty_between(v, from, to);
	struct hist_cell cells[HIST_KEYS_MAX] = { 0 };

	if (empty > GAP_MAX) {
		v->label.len = 0;
		hist_strbuf_str(&v->label, "...");
		hist_strbuf_add(&v->out, "  ", 2);
		put_column(v, 3, v->key[v->axis], true);
		hist_strbuf_printf(&v->out, "  (%" PRIu64 " empty)\n", empty);
		return;
	}
	while (empty--) {
		from = next_place(v, from);
		cells[v->axis].num = from;
		put_row(v, cells, 0);
	}
}

static void rest(struct bars_view *v)
{
	const struct hist_rows *rows = v->view->rows;
	unsigned int i, width = 0;
	size_t start = v->out.len;

	for (i = 0; i < v->schema->nkeys; i++)
		width += is_shown(v, i) ? v->key[i] + 2 : 0;
	hist_strbuf_printf(&v->out, "  %" PRIu32 " more", rows->total - rows->n);
	hist_strbuf_pad(&v->out, v->out.len - start, width);
	if (rows->main_value >= 0 && hist_value_is_sum(v->schema->values[rows->main_value].kind))
		put_numbers(v, rows->rest[rows->main_value]);
	hist_strbuf_char(&v->out, '\n');
}

static void print_entries(struct bars_view *v, const uint32_t *entries, uint32_t n)
{
	bool gaps = v->axis >= 0 && is_dense(v, entries, n);
	const struct hist_cell *cells, *before = NULL;
	uint32_t i;

	for (i = 0; i < n && !v->out.error; i++) {
		cells = hist_table_cells(v->view->table, entries[i]);
		if (before && gaps)
			put_gap(v, before[v->axis].num, cells[v->axis].num);
		put_row(v, cells, entry_value(v, entries[i]));
		before = cells;
	}
}

static void print_rows(struct bars_view *v)
{
	const struct hist_rows *rows = v->view->rows;

	if (rows->n)
		head(v);
	print_entries(v, rows->entries, rows->n);
	if (rows->total > rows->n)
		rest(v);
}

/* "name / name  89  26.41%" */
static void group_head(struct bars_view *v, const char *lead, uint64_t total, uint64_t whole)
{
	/* two blanks, the sum, one more, "100.00%" */
	unsigned int used = 2 + hist_u64_width(total) + 1 + 7;

	hist_strbuf_str(&v->out, lead);
	column_title(&v->out, &v->label, v->style->width > used + LABEL_MIN ?
		     v->style->width - used : LABEL_MIN, !v->style->utf8);
	if (v->view->rows->main_value >= 0)
		hist_strbuf_printf(&v->out, "  %" PRIu64, total);
	if (v->view->rows->has_shares) {
		hist_strbuf_char(&v->out, ' ');
		hist_view_share(&v->out, total, whole);
	}
	hist_strbuf_char(&v->out, '\n');
}

static void print_groups(struct bars_view *v, const struct bar_groups *g)
{
	uint64_t rest = 0;
	uint32_t i;

	if (g->n)
		head(v);
	for (i = 0; i < g->n && !v->out.error; i++) {
		if (v->view->top && i >= v->view->top) {
			if (__builtin_add_overflow(rest, g->groups[i].total, &rest))
				rest = UINT64_MAX;
			continue;
		}
		v->label.len = 0;
		hist_grouping_label(&v->label, g->grouping, g->groups[i].group,
				    v->flags | HIST_LABEL_KEYS |
				    (g->ambiguous ? HIST_LABEL_ADDRESS : 0));
		group_head(v, i ? "\n" : "", g->groups[i].total, g->total);
		print_entries(v, g->entries + g->groups[i].first, g->groups[i].n);
	}
	if (v->view->top && g->n > v->view->top) {
		v->label.len = 0;
		hist_strbuf_printf(&v->label, "%" PRIu32 " more groups", g->n - v->view->top);
		group_head(v, "\n", rest, g->total);
	}
}

int hist_view_bars(FILE *f, const struct hist_view *view, const struct hist_view_style *style)
{
	struct bars_view v = {
		.f = f,
		.view = view,
		.style = style,
		.schema = hist_table_schema(view->table),
		.flags = style->utf8 ? 0 : HIST_ESCAPE_ASCII,
		.axis = view->axis_order ? 0 : -1,
		.only_key = -1,
	};
	struct bar_groups groups = { 0 };
	int ret = 0;

	if (hist_view_is_tree(view))
		return hist_view_tree(f, view, style);
	hist_view_header(&v.out, view, style);
	if (view->grouped) {
		v.axis = v.only_key = hist_axis_key(v.schema);
		ret = bar_groups_make(&groups, view);
	}
	if (!ret)
		ret = measure(&v, view->grouped ? &groups : NULL);
	if (!ret) {
		if (view->grouped)
			print_groups(&v, &groups);
		else
			print_rows(&v);
		hist_view_totals(&v.out, view);
		ret = hist_strbuf_flush(&v.out, f);
		if (!ret)
			ret = v.label.error;
	}
	bar_groups_free(&groups);
	hist_strbuf_free(&v.out);
	hist_strbuf_free(&v.label);
	return ret;
}
