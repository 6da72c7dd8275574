// SPDX-License-Identifier: LGPL-2.1
/*
 * view_bars.c - the bars view: a bar for each row, or a call tree if a key is a stack
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

#include "lib/base/saturate.h"
#include "lib/base/text.h"
#include "lib/base/wide.h"
#include "lib/hist/key_names.h"
#include "lib/label/cut.h"
#include "lib/report/ansi.h"
#include "lib/report/call_tree.h"
#include "lib/report/text/text_view.h"
#include "lib/table/label_details.h"

#define GAP_MAX 16
#define BAR_MIN 10  /* columns that the labels leave for a bar */
#define BAR_LEAST 4 /* columns of a bar if the line is too short */
#define LABEL_MIN 16
#define TREE_NAME_LEAST 16

/*
 * --- groups: the rows by all keys except the axis ---
 *
 * The grouping lists the entries of each group in the order of the axis.  Entries that are
 * not rows (unchanged in a difference) are skipped.
 */

struct bar_group {
	uint32_t group;	   /* number in the grouping */
	uint64_t total;	   /* of the main value; saturates */
	uint32_t first, n; /* of bar_groups.entries */
};

/* Begin with all zero. */
struct bar_groups {
	struct hist_grouping *grouping;
	uint32_t *entries;	  /* sorted by group, then ascending on the axis */
	struct bar_group *groups; /* only groups with rows, largest first */
	uint32_t n;
	uint64_t total; /* of all groups; saturates */
	struct label_details details; /* of the labels of the groups */
};

static int bar_groups_compare_totals(const void *a, const void *b)
{
	const struct bar_group *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->group < y->group ? -1 : x->group != y->group;
}

static void bar_groups_take(struct bar_groups *g, const struct hist_view *view, uint32_t group,
			    const bool *is_row, uint32_t *used)
{
	struct bar_group made = { .group = group, .first = *used };
	const uint32_t *entries;
	uint32_t i, n;

	entries = hist_grouping_entries(g->grouping, group, &n);
	for (i = 0; i < n; i++) {
		if (!is_row[entries[i]])
			continue;
		g->entries[(*used)++] = entries[i];
		made.n++;
		made.total = saturating_add(made.total, hist_rows_amount(view->rows, view->table,
									 view->snap, entries[i]));
	}
	if (!made.n)
		return;
	g->groups[g->n++] = made;
	g->total = saturating_add(g->total, made.total);
}

/* The details that the labels of the groups need, by the first entry of each. */
static int bar_groups_find_details(struct bar_groups *g, const struct hist_table *table)
{
	uint32_t i, *first = calloc(g->n + 1, sizeof(*first));
	int ret;

	if (!first)
		return -ENOMEM;
	for (i = 0; i < g->n; i++)
		first[i] = g->entries[g->groups[i].first];
	ret = label_details_make(&g->details, table, first, g->n);
	free(first);
	return ret;
}

/* Group the rows.  0, -ENOMEM or -E2BIG. */
static int bar_groups_make(struct bar_groups *g, const struct hist_view *view)
{
	uint32_t i, count, used = 0, all = hist_table_entries(view->table);
	bool *is_row = calloc(all ? all : 1, sizeof(*is_row));
	int ret = -ENOMEM;

	g->grouping = hist_grouping_new(view->table);
	if (!is_row || !g->grouping)
		goto out;
	ret = hist_grouping_update(g->grouping);
	if (ret)
		goto out;
	count = hist_grouping_count(g->grouping);
	g->entries = calloc(all ? all : 1, sizeof(*g->entries));
	g->groups = calloc(count ? count : 1, sizeof(*g->groups));
	ret = g->entries && g->groups ? 0 : -ENOMEM;
	if (ret)
		goto out;
	for (i = 0; i < view->rows->n; i++)
		is_row[view->rows->entries[i]] = true;
	for (i = 0; i < count; i++)
		bar_groups_take(g, view, i, is_row, &used);
	ret = bar_groups_find_details(g, view->table);
	qsort(g->groups, g->n, sizeof(*g->groups), bar_groups_compare_totals);
out:
	free(is_row);
	return ret;
}

static void bar_groups_free(struct bar_groups *g)
{
	hist_grouping_free(g->grouping);
	free(g->entries);
	free(g->groups);
	label_details_free(&g->details);
}

/* Write two blanks and the share, in nine columns, if the view has shares. */
static void view_bars_put_share(struct text_view *t, uint64_t part)
{
	const struct hist_rows *rows = t->view->rows;

	if (!rows->has_shares)
		return;
	hist_strbuf_add(&t->out, "  ", 2);
	hist_view_put_share(&t->out, part, rows->totals[rows->main_value]);
}

/* --- bars --- */

struct bars_view {
	struct text_view t;
	struct label_details details;	      /* of the labels of the rows */
	unsigned int key[HIST_KEYS_MAX];      /* widths of the columns */
	struct hist_cut labels[HIST_KEYS_MAX]; /* of the rows, if some are wider than the column */
	unsigned int value;
	unsigned int bar;
	uint64_t max;
	int axis;     /* number of the key whose empty places are shown, or -1 */
	unsigned int first_key,
		end_key; /* the keys that a row shows: all, or the axis if grouped */
};

static uint64_t axis_number(const struct bars_view *v, uint32_t entry)
{
	return hist_table_cells(v->t.view->table, entry)[v->axis].num;
}

/* The value that is drawn; a negative value does not have a bar. */
static uint64_t entry_value(const struct bars_view *v, uint32_t entry)
{
	int value = v->t.view->rows->main_value;

	return value < 0 ? 0
			 : v->t.view->snap->values[(size_t)entry * v->t.schema->nvalues + value];
}

static bool view_bars_is_negative(const struct bars_view *v, uint64_t value)
{
	int i = v->t.view->rows->main_value;

	return i >= 0 && v->t.schema->values[i].is_signed && value >> 63;
}

/* Set t.text to the number of @value.  Returns its width. */
static unsigned int value_text(struct bars_view *v, uint64_t value)
{
	int i = v->t.view->rows->main_value;
	struct hist_strbuf *b = text_clear(&v->t);

	if (i >= 0 && v->t.schema->values[i].kind == HIST_VALUE_PERCENT)
		hist_view_put_share(b, value, 10000);
	else if (i >= 0)
		hist_strbuf_number(b, value, v->t.schema->values[i].is_signed);
	return b->len;
}

/* Set t.text to the label of a cell.  Returns its width. */
static unsigned int view_bars_put_label(struct bars_view *v, unsigned int key,
					const struct hist_cell *cell)
{
	return label_details_put(&v->details, text_clear(&v->t), v->t.view->table, key, cell, false,
				 v->t.flags);
}

/* Columns of the keys that are shown. */
static unsigned int view_bars_keys_width(const struct bars_view *v)
{
	unsigned int i, width = 0;

	for (i = v->first_key; i < v->end_key; i++)
		width += v->key[i] + 2;
	return width;
}

/*
 * fit_labels - shrink the widest columns until the labels fit
 * They fit into half of the line, or into the line without @numbers and a bar of a fifth of the
 * line.
 */
static void fit_labels(struct bars_view *v, unsigned int numbers)
{
	unsigned int width = v->t.style->width, limit = width / 2, sum = view_bars_keys_width(v), i,
		widest;

	numbers += width / 5 > BAR_MIN ? width / 5 : BAR_MIN;
	if (width > numbers + limit)
		limit = width - numbers;
	if (limit < LABEL_MIN)
		limit = LABEL_MIN;
	while (sum > limit) {
		widest = 0;
		for (i = 1; i < v->t.schema->nkeys; i++)
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

	if (hist_key_traits(&v->t.schema->keys[v->axis])->range)
		return true;
	if (!n)
		return false;
	range = axis_number(v, entries[n - 1]) - axis_number(v, entries[0]);
	return range < (uint64_t)n * 4 + 8;
}

/* The number of empty places between two rows of an axis. */
static uint64_t empty_between(const struct bars_view *v, uint64_t from, uint64_t to)
{
	uint64_t step = hist_key_step(&v->t.schema->keys[v->axis]);

	/* if the gap crosses zero, the bucket that is cut at zero is a partial step */
	return from == to ? 0 : (to - from) / step + ((to - from) % step != 0) - 1;
}

/* The next place of an axis, or zero after the last one. */
static uint64_t next_place(const struct bars_view *v, uint64_t from)
{
	uint64_t next = from + hist_key_step(&v->t.schema->keys[v->axis]);

	return next < from ? 0 : next;
}

/* Measure the labels of empty places, which may be longer than those of rows. */
static void view_bars_measure_gaps(struct bars_view *v, const uint32_t *entries, uint32_t n)
{
	struct hist_cell cell = { .str = HIST_NO_STRING };
	uint64_t empty;
	uint32_t i;

	if (v->axis < 0 || !is_dense(v, entries, n))
		return;
	for (i = 1; i < n; i++) {
		cell.num = axis_number(v, entries[i - 1]);
		empty = empty_between(v, cell.num, axis_number(v, entries[i]));
		while (empty <= GAP_MAX && empty--) {
			cell.num = next_place(v, cell.num);
			text_widen(&v->key[v->axis], view_bars_put_label(v, v->axis, &cell));
		}
	}
}

static int view_bars_measure_keys(struct bars_view *v)
{
	const struct hist_rows *rows = v->t.view->rows;
	const struct hist_table *table = v->t.view->table;
	unsigned int i;
	uint32_t row;
	int ret;

	ret = label_details_make(&v->details, table, rows->entries, rows->n);
	if (ret)
		return ret;
	for (i = v->first_key; i < v->end_key; i++) {
		v->key[i] = text_name(&v->t, v->t.schema->keys[i].name);
		for (row = 0; row < rows->n; row++)
			text_widen(&v->key[i],
				   view_bars_put_label(
					   v, i, &hist_table_cells(table, rows->entries[row])[i]));
	}
	return 0;
}

static void measure_values(struct bars_view *v)
{
	const struct hist_rows *rows = v->t.view->rows;
	uint64_t value;
	uint32_t row;

	for (row = 0; row < rows->n; row++) {
		value = entry_value(v, rows->entries[row]);
		if (!view_bars_is_negative(v, value) && value > v->max)
			v->max = value;
		text_widen(&v->value, value_text(v, value));
	}
	if (rows->main_value < 0)
		return;
	text_widen(&v->value, strlen(v->t.schema->values[rows->main_value].name));
	if (rows->total > rows->n)
		text_widen(&v->value, hist_strbuf_u64_width(rows->rest[rows->main_value]));
}

/* Cut the labels of key @key of all rows to its column. */
static int view_bars_cut_labels(struct bars_view *v, unsigned int key)
{
	const struct hist_rows *rows = v->t.view->rows;
	struct hist_cut *cut = &v->labels[key];
	uint32_t row;

	hist_cut_init(cut, hist_cut_columns, NULL,
		      v->t.style->utf8 ? HIST_CUT_MARK : HIST_CUT_MARK_ASCII);
	for (row = 0; row < rows->n; row++) {
		view_bars_put_label(v, key,
				    &hist_table_cells(v->t.view->table, rows->entries[row])[key]);
		hist_cut_add(cut, &v->t.text);
	}
	return hist_cut_fit(cut, v->key[key]);
}

/* @groups: NULL if the rows are one list. */
static int view_bars_measure_columns(struct bars_view *v, const struct bar_groups *groups)
{
	const struct hist_rows *rows = v->t.view->rows;
	unsigned int used = 4, widths[HIST_KEYS_MAX], key;
	uint32_t i;
	int ret;

	ret = view_bars_measure_keys(v);
	if (ret)
		return ret;
	measure_values(v);
	for (i = 0; groups && i < groups->n; i++)
		view_bars_measure_gaps(v, groups->entries + groups->groups[i].first,
				       groups->groups[i].n);
	if (!groups)
		view_bars_measure_gaps(v, rows->entries, rows->n);
	used += v->value + (rows->has_shares ? 9 : 0);
	memcpy(widths, v->key, sizeof(widths));
	fit_labels(v, used);
	used += view_bars_keys_width(v);
	v->bar = v->t.style->width > used + BAR_LEAST ? v->t.style->width - used : BAR_LEAST;
	for (key = v->first_key; key < v->end_key && !ret && !groups; key++)
		if (v->key[key] < widths[key])
			ret = view_bars_cut_labels(v, key);
	return ret ? ret : v->t.text.error;
}

static void view_bars_put_head(struct bars_view *v)
{
	const struct hist_rows *rows = v->t.view->rows;
	unsigned int i, width;

	for (i = v->first_key; i < v->end_key; i++) {
		width = text_name(&v->t, v->t.schema->keys[i].name);
		text_column(&v->t, width, v->key[i],
			    !hist_key_shows_text(&v->t.schema->keys[i]));
	}
	if (rows->main_value >= 0) {
		width = text_name(&v->t, v->t.schema->values[rows->main_value].name);
		text_column(&v->t, width, v->value, true);
	}
	hist_strbuf_str(&v->t.out, rows->has_shares ? "    share\n" : "\n");
}

static void view_bars_put_bar(struct bars_view *v, uint64_t value)
{
	struct hist_strbuf *b = &v->t.out;
	uint64_t eighths, full;

	hist_strbuf_add(b, " |", 2);
	if (!value || !v->max || view_bars_is_negative(v, value))
		return;
	eighths = hist_mul_div(value, v->bar * 8, 0, v->max);
	ansi_begin(b, v->t.style, ANSI_BAR);
	if (v->t.style->utf8) {
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
	ansi_end(b, v->t.style, ANSI_BAR);
}

static void view_bars_put_numbers(struct bars_view *v, uint64_t value)
{
	unsigned int width;

	if (v->t.view->rows->main_value >= 0) {
		width = value_text(v, value);
		text_column(&v->t, width, v->value, true);
	}
	view_bars_put_share(&v->t, value);
}

/*
 * Set t.text to the label of a cell, as it is shown; @row: its row, or HIST_NO_ENTRY.  Returns its
 * width.
 */
static unsigned int view_bars_put_key(struct bars_view *v, unsigned int key,
				      const struct hist_cell *cell, uint32_t row)
{
	const char *text;

	if (row >= v->labels[key].n)
		return view_bars_put_label(v, key, cell);
	text = hist_cut_text(&v->labels[key], row);
	hist_strbuf_str(text_clear(&v->t), text);
	return hist_cut_columns(NULL, text, strlen(text));
}

static void view_bars_put_row(struct bars_view *v, const struct hist_cell *cells, uint64_t value,
			      uint32_t row)
{
	unsigned int i, width;

	for (i = v->first_key; i < v->end_key; i++) {
		width = view_bars_put_key(v, i, &cells[i], row);
		text_column(&v->t, width, v->key[i],
			    !hist_key_shows_text(&v->t.schema->keys[i]));
	}
	view_bars_put_numbers(v, value);
	view_bars_put_bar(v, value);
	text_line(&v->t);
}

/* Write the empty places between two rows of an axis. */
static void put_gap(struct bars_view *v, uint64_t from, uint64_t to)
{
	uint64_t empty = empty_between(v, from, to);
	struct hist_cell cells[HIST_KEYS_MAX] = { 0 };

	if (empty > GAP_MAX) {
		hist_strbuf_str(text_clear(&v->t), "...");
		text_column(&v->t, 3, v->key[v->axis], true);
		hist_strbuf_printf(&v->t.out, "  (%" PRIu64 " empty)\n", empty);
		return;
	}
	while (empty--) {
		from = next_place(v, from);
		cells[v->axis].num = from;
		view_bars_put_row(v, cells, 0, HIST_NO_ENTRY);
	}
}

static void view_bars_put_rest(struct bars_view *v)
{
	const struct hist_rows *rows = v->t.view->rows;
	size_t start = v->t.out.len;

	hist_strbuf_printf(&v->t.out, "  %" PRIu32 " more", rows->total - rows->n);
	hist_strbuf_pad(&v->t.out, v->t.out.len - start, view_bars_keys_width(v));
	if (rows->main_value >= 0 && hist_value_is_sum(v->t.schema->values[rows->main_value].kind))
		view_bars_put_numbers(v, rows->rest[rows->main_value]);
	hist_strbuf_char(&v->t.out, '\n');
}

static void print_entries(struct bars_view *v, const uint32_t *entries, uint32_t n)
{
	bool gaps = v->axis >= 0 && is_dense(v, entries, n);
	const struct hist_cell *cells, *before = NULL;
	uint32_t i;

	for (i = 0; i < n && !v->t.out.error; i++) {
		cells = hist_table_cells(v->t.view->table, entries[i]);
		if (before && gaps)
			put_gap(v, before[v->axis].num, cells[v->axis].num);
		view_bars_put_row(v, cells, entry_value(v, entries[i]), i);
		before = cells;
	}
}

static void view_bars_print_rows(struct bars_view *v)
{
	const struct hist_rows *rows = v->t.view->rows;

	if (rows->n)
		view_bars_put_head(v);
	print_entries(v, rows->entries, rows->n);
	if (rows->total > rows->n)
		view_bars_put_rest(v);
}

static void print_groups(struct bars_view *v, const struct bar_groups *g)
{
	uint64_t rest = 0;
	unsigned int flags;
	uint32_t i;

	if (g->n)
		view_bars_put_head(v);
	for (i = 0; i < g->n && !v->t.out.error; i++) {
		if (v->t.view->top && i >= v->t.view->top) {
			rest = saturating_add(rest, g->groups[i].total);
			continue;
		}
		flags = label_details_group_flags(&g->details, v->t.view->table,
						  g->entries[g->groups[i].first]);
		hist_grouping_label(text_clear(&v->t), g->grouping, g->groups[i].group,
				    v->t.flags | HIST_LABEL_KEYS | flags);
		hist_strbuf_str(&v->t.out, i ? "\n" : "");
		text_group(&v->t, g->groups[i].total, g->total);
		print_entries(v, g->entries + g->groups[i].first, g->groups[i].n);
	}
	if (v->t.view->top && g->n > v->t.view->top) {
		hist_strbuf_char(&v->t.out, '\n');
		hist_strbuf_printf(text_clear(&v->t), "%" PRIu32 " more group%s",
				   g->n - v->t.view->top, text_plural(g->n - v->t.view->top));
		text_group(&v->t, rest, g->total);
	}
}

/*
 * --- a tree of stacks, callees below their callers ---
 *
 *   hitcount    share
 *         89   26.41%  do_idle
 *         60   17.80%    schedule_idle
 *                        schedule
 *         29    8.61%    cpuidle_idle_call
 *
 * A function with one callee, in which no stack ends, forms a chain with the callee.  The frames
 * of a chain are below each other, with one number.  The walk follows the links of the nodes
 * and does not recurse, because the depth of a hostile stack is not limited.
 */

struct tree_view {
	struct text_view t;
	struct call_tree tree;
	unsigned int number; /* width of the sums */
	unsigned int used;   /* columns before the names */
};

static void view_tree_put_name(struct tree_view *v, uint32_t at, unsigned int depth)
{
	unsigned int width = v->t.style->width, indent = depth * 2, room;

	room = width > v->used + TREE_NAME_LEAST ? width - v->used : TREE_NAME_LEAST;
	/* limit the indentation, to keep room for names */
	if (indent > room / 2)
		indent = room / 2;
	hist_strbuf_fill(&v->t.out, ' ', indent);
	hist_strbuf_str(text_clear(&v->t), call_tree_name(&v->tree, at));
	room -= indent;
	text_column_put_title(&v->t.out, &v->t.text, room, !v->t.style->utf8);
	text_line(&v->t);
}

static void view_tree_put_numbers(struct tree_view *v, const struct call_node *node)
{
	hist_strbuf_add(&v->t.out, "  ", 2);
	text_u64(&v->t, node->total, v->number);
	view_bars_put_share(&v->t, node->total);
	hist_strbuf_add(&v->t.out, "  ", 2);
}

/* The only child of @at, if no stack ends in @at and @at is not a root of the other keys. */
static uint32_t view_tree_find_chained(const struct tree_view *v, uint32_t at)
{
	const struct call_node *node = &v->tree.nodes[at];
	const struct call_node *child;
	bool keys = hist_table_schema(v->t.view->table)->nkeys > 1;

	if (node->child == CALL_TREE_NONE || (keys && node->parent == 0))
		return CALL_TREE_NONE;
	child = &v->tree.nodes[node->child];
	return child->next == CALL_TREE_NONE && child->total == node->total ? node->child
									    : CALL_TREE_NONE;
}

static void view_tree_put_nodes(struct tree_view *v)
{
	const struct call_tree *t = &v->tree;
	unsigned int depth = 0;
	uint32_t at = t->nodes[0].child, top, next;

	/* the depth of a node is not stored; a chain is one level */
	while (at != CALL_TREE_NONE && !v->t.out.error) {
		view_tree_put_numbers(v, &t->nodes[at]);
		view_tree_put_name(v, at, depth);
		while ((next = view_tree_find_chained(v, at)) != CALL_TREE_NONE) {
			at = next;
			hist_strbuf_fill(&v->t.out, ' ', v->used);
			view_tree_put_name(v, at, depth);
		}
		if (t->nodes[at].child != CALL_TREE_NONE) {
			at = t->nodes[at].child;
			depth++;
			continue;
		}
		while (at && t->nodes[at].next == CALL_TREE_NONE) {
			/* go to the first frame of the chain, then to its parent */
			for (top = t->nodes[at].parent; top && view_tree_find_chained(v, top) == at;
			     top = t->nodes[top].parent)
				at = top;
			if (t->nodes[at].next != CALL_TREE_NONE)
				break;
			at = top;
			depth--;
		}
		at = at ? t->nodes[at].next : CALL_TREE_NONE;
	}
}

static void view_tree_put_rest(struct tree_view *v)
{
	const struct hist_rows *rows = v->t.view->rows;
	const struct call_node rest = { .total = rows->rest[rows->main_value] };

	if (rows->total == rows->n)
		return;
	view_tree_put_numbers(v, &rest);
	hist_strbuf_printf(&v->t.out, "(%" PRIu32 " more stack%s)\n", rows->total - rows->n,
			   text_plural(rows->total - rows->n));
}

static void view_tree_put_head(struct tree_view *v)
{
	const struct hist_rows *rows = v->t.view->rows;
	unsigned int width = text_name(&v->t, v->t.schema->values[rows->main_value].name);

	v->number = width;
	text_widen(&v->number, hist_strbuf_u64_width(v->tree.nodes[0].total));
	v->used = 2 + v->number + (rows->has_shares ? 9 : 0) + 2;
	if (!rows->n)
		return;
	text_column(&v->t, width, v->number, true);
	hist_strbuf_str(&v->t.out, rows->has_shares ? "    share\n" : "\n");
}

/* True if a key is a stack, and the value to show is a sum. */
static bool view_tree_is_possible(const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	int value = view->rows->main_value;

	return hist_schema_stack_key(schema) >= 0 && value >= 0 &&
	       hist_value_is_sum(schema->values[value].kind);
}

static int view_tree_print(FILE *f, const struct hist_view *view,
			   const struct hist_view_style *style)
{
	struct tree_view v = { .t = text_begin(f, view, style) };
	int ret;

	hist_view_put_header(&v.t.out, view, style);
	hist_view_end_header(&v.t.out);
	ret = call_tree_make(&v.tree, view, v.t.flags);
	if (!ret) {
		view_tree_put_head(&v);
		view_tree_put_nodes(&v);
		view_tree_put_rest(&v);
	}
	call_tree_free(&v.tree);
	return text_end(&v.t, ret);
}

/* --- the view --- */

int hist_view_bars(FILE *f, const struct hist_view *view, const struct hist_view_style *style,
		   const struct hist_strbuf *summary)
{
	struct bars_view v = {
		.t = text_begin(f, view, style),
		.axis = view->axis_order ? 0 : -1,
	};
	struct bar_groups groups = { 0 };
	unsigned int key;
	int ret = 0;

	if (view_tree_is_possible(view))
		return view_tree_print(f, view, style);
	v.end_key = v.t.schema->nkeys;
	hist_view_put_header(&v.t.out, view, style);
	hist_view_end_header(&v.t.out);
	if (summary)
		hist_strbuf_append(&v.t.out, summary);
	if (view->grouped) {
		v.first_key = v.axis = hist_axis_key(v.t.schema);
		v.end_key = v.axis + 1;
		ret = bar_groups_make(&groups, view);
	}
	if (!ret)
		ret = view_bars_measure_columns(&v, view->grouped ? &groups : NULL);
	if (!ret && view->grouped)
		print_groups(&v, &groups);
	else if (!ret)
		view_bars_print_rows(&v);
	bar_groups_free(&groups);
	label_details_free(&v.details);
	for (key = 0; key < HIST_KEYS_MAX; key++)
		hist_cut_free(&v.labels[key]);
	return text_end(&v.t, ret);
}
