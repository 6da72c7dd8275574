// SPDX-License-Identifier: LGPL-2.1
/*
 * view_table.c - the table view: the layout of the kernel's hist file, in aligned columns
 *
 *   { common_pid: sh [ 144], id: sys_wait4 [61] } hitcount:  63  share:  17.1%  cum: ..
 *
 * Names are in each line, as the leads of columns.  A key is at most a text, aligned left, and a
 * number, aligned right: a column each.  A text longer than PAD_MAX does not widen its column but
 * extends beyond it.  Stacks and saved values follow their row on separate lines, with the
 * indentation of the kernel.
 *
 * Invariant: keys and values are never left out of a line, only what follows from them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/text.h"
#include "lib/hist/key_names.h"
#include "lib/label/label.h"
#include "lib/report/text/text_table.h"
#include "lib/report/text/text_view.h"
#include "lib/table/columns.h"

#define PAD_MAX 60
#define GRAPH_WIDTH 20
#define TEXT_COLUMNS (2 * HIST_KEYS_MAX + HIST_VALUES_MAX + 2)

/* The part of a key, or the other cell, that a column shows. */
enum view_table_part {
	PART_LABEL, /* as hist_label_put() */
	PART_RANGE,
	PART_NAME,
	PART_NUMBER,
	PART_SYMBOL,
	PART_FRAMES,
	PART_OTHER, /* not a key */
};

struct view_table {
	struct table base;
	struct text_view t;
	struct hist_columns columns;
	struct hist_cells cells;
	unsigned int first; /* of base.columns: not a key */
	struct table_column shown[TEXT_COLUMNS];
	struct {
		enum view_table_part part;
		const struct hist_column *of;
	} parts[TEXT_COLUMNS];
	char leads[TEXT_COLUMNS][300];
};

/* Write a range in the form of the kernel, on one line. */
static void view_table_put_range(struct hist_strbuf *b, const struct hist_key_desc *key,
				 const struct hist_cell *cell)
{
	const struct hist_range_ops *range = hist_key_traits(key)->range;
	bool is_negative = hist_key_is_negative(key, cell->num);

	if (!is_negative)
		hist_strbuf_str(b, range->prefix);
	if (range->is_power && !is_negative)
		hist_strbuf_u64(b, cell->num);
	else
		range->label(b, key, cell->num);
}

static void view_table_put_key(const struct view_table *t, unsigned int key, uint32_t entry,
			       enum view_table_part part, struct table_cell *cell)
{
	const struct hist_cell *from = &hist_table_cells(t->t.view->table, entry)[key];
	const struct hist_key_desc *desc = &t->t.schema->keys[key];
	unsigned int frames;
	const char *s;
	size_t len;

	switch (part) {
	case PART_LABEL:
		cell->width = hist_label_put(&cell->text, t->t.view->table, key, from, t->t.flags);
		break;
	case PART_RANGE:
		view_table_put_range(&cell->text, desc, from);
		table_cell_ascii(cell);
		break;
	case PART_NAME:
		s = hist_table_name(t->t.view->table, key, from, &len);
		table_cell_escape(cell, s, len, t->t.flags);
		break;
	case PART_SYMBOL:
		table_cell_hex(cell, from->num);
		break;
	case PART_FRAMES:
		frames = hist_label_count_frames(t->t.view->table, from);
		hist_strbuf_u64(&cell->text, frames);
		table_cell_str(cell, frames == 1 ? " frame " : " frames");
		break;
	default:
		table_cell_number(cell, from->num, desc->is_signed);
	}
}

static void view_table_put_graph(struct table_cell *cell, uint64_t v)
{
	hist_strbuf_fill(&cell->text, '#', v > GRAPH_WIDTH ? GRAPH_WIDTH : v);
	table_cell_ascii(cell);
	hist_strbuf_pad(&cell->text, cell->width, GRAPH_WIDTH);
	cell->width = GRAPH_WIDTH;
}

static void view_table_put_value(const struct view_table *t, const struct hist_value_desc *value,
				 uint64_t v, struct table_cell *cell)
{
	if (value->kind == HIST_VALUE_GRAPH) {
		view_table_put_graph(cell, v);
		return;
	}
	hist_label_put_value(&cell->text, t->t.view->table, value, v);
	table_cell_ascii(cell);
}

/* The row after the last one is for the rows that --top removed. */
static void view_table_put(const struct table *base, uint32_t row, unsigned int column,
			   struct table_cell *cell)
{
	struct view_table *t = (struct view_table *)base;
	const struct hist_column *of = t->parts[column].of;
	const struct hist_rows *rows = t->t.view->rows;
	const struct hist_value_desc *value;
	uint32_t entry;

	if (row == rows->n) {
		hist_columns_put_rest(&t->cells, of, cell);
		return;
	}
	entry = rows->entries[row];
	if (t->parts[column].part != PART_OTHER) {
		view_table_put_key(t, of->index, entry, t->parts[column].part, cell);
		return;
	}
	value = &t->t.schema->values[of->index];
	if (of->kind == HIST_COLUMN_VALUE && !hist_value_is_sum(value->kind))
		view_table_put_value(t, value, t->t.view->snap->values
				     [(size_t)entry * t->t.schema->nvalues + of->index], cell);
	else
		hist_columns_put(&t->cells, of, entry, cell);
}

/* Add a column.  @before, @title, @after: its lead; @trail: after its cells, a literal. */
static struct table_column *view_table_add(struct view_table *t, const struct hist_column *of,
					   enum view_table_part part, const char *before,
					   const char *title, const char *after, const char *trail)
{
	struct table_column *c = &t->shown[t->base.ncolumns];
	char *lead = t->leads[t->base.ncolumns];
	struct hist_strbuf *b = text_clear(&t->t);
	size_t len;

	hist_strbuf_str(b, before);
	c->around = strlen(before) + strlen(after) + strlen(trail) +
		    hist_escape(b, title, strlen(title), t->t.flags);
	hist_strbuf_str(b, after);
	len = b->len < sizeof(*t->leads) ? b->len : sizeof(*t->leads) - 1;
	if (len)
		memcpy(lead, b->data, len);
	t->parts[t->base.ncolumns].part = part;
	t->parts[t->base.ncolumns].of = of;
	c->title = of->title;
	c->lead = lead;
	c->trail = trail;
	t->base.ncolumns++;
	return c;
}

static void view_table_add_key(struct view_table *t, const struct hist_column *of)
{
	const struct hist_key_desc *key = &t->t.schema->keys[of->index];
	const char *before = of->index ? ", " : "{ ";
	const char *trail = of->index + 1 == t->t.schema->nkeys ? " } " : "";

	if (hist_key_traits(key)->range) {
		view_table_add(t, of, PART_RANGE, before, key->name, ": ", trail);
		return;
	}
	if (hist_key_shows_names(key) || hist_key_form(key->kind) == HIST_FORM_STRING ||
	    (key->shows_numbers && hist_key_has_name(key->kind))) {
		view_table_add(t, of, PART_LABEL, before, key->name, ": ", trail)->most = PAD_MAX;
		return;
	}
	switch (hist_key_form(key->kind)) {
	case HIST_FORM_SYMBOL:
		view_table_add(t, of, PART_SYMBOL, before, key->name, ": [", "] ")->right = true;
		view_table_add(t, of, PART_NAME, "", "", "", trail)->most = PAD_MAX;
		break;
	case HIST_FORM_TASK:
	case HIST_FORM_SYSCALL:
		view_table_add(t, of, PART_NAME, before, key->name, ": ", " [")->most = PAD_MAX;
		view_table_add(t, of, PART_NUMBER, "", "", "",
			       *trail ? "] } " : "]")->right = true;
		break;
	case HIST_FORM_STACK:
		view_table_add(t, of, PART_FRAMES, before, key->name, ": ", trail)->right = true;
		break;
	default:
		view_table_add(t, of, PART_LABEL, before, key->name, ": ", trail)->right = true;
		break;
	}
}

static void view_table_add_column(struct view_table *t, const struct hist_column *of)
{
	const struct hist_value_desc *value = &t->t.schema->values[of->index];
	const char *before = t->base.ncolumns > t->first ? "  " : "", *title = of->title;
	const char *after = ": ";
	struct table_column *c;

	if (of->kind == HIST_COLUMN_VALUE) {
		if (value->kind == HIST_VALUE_SAVED)
			return;
		title = value->name;
		after = value->kind == HIST_VALUE_PERCENT ? " (%): " : ": ";
	}
	c = view_table_add(t, of, PART_OTHER, before, title, after, "");
	c->right = true;
	c->even = of->kind == HIST_COLUMN_SHARE || of->kind == HIST_COLUMN_CUM;
	/* what follows from the values can be left out */
	c->fold = of->kind == HIST_COLUMN_VALUE ? 0 : of->kind;
}

/* Stacks and saved values have lines below the row. */
static bool view_table_has_lines_below(const struct hist_schema *schema)
{
	bool any = hist_schema_stack_key(schema) >= 0;
	unsigned int i;

	for (i = 0; i < hist_schema_columns(schema) && !any; i++)
		any = schema->values[i].kind == HIST_VALUE_SAVED;
	return any;
}

/* Write the lines below the row: the frames of stacks, and saved values. */
static void view_table_put_lines_below(struct view_table *t, const struct hist_cell *cells,
				       const uint64_t *values)
{
	const struct hist_schema *schema = t->t.schema;
	struct hist_strbuf *b = &t->t.out;
	const char *s, *frame, *nl;
	size_t left, len;
	unsigned int i, stacks = 0;

	for (i = 0; i < schema->nkeys; i++) {
		if (schema->keys[i].kind != HIST_KEY_STACK)
			continue;
		if (stacks++) /* separate stacks by a line */
			hist_strbuf_str(b, "      --\n");
		s = hist_table_string(t->t.view->table, cells[i].str, &left);
		while (hist_label_next_frame(&s, &left, &frame, &len)) {
			hist_strbuf_fill(b, ' ', 9);
			hist_escape(b, frame, len, t->t.flags);
			hist_strbuf_char(b, '\n');
		}
	}
	for (i = 0; i < hist_schema_columns(schema); i++) {
		if (schema->values[i].kind != HIST_VALUE_SAVED)
			continue;
		s = hist_table_string(t->t.view->table, (uint32_t)values[i], &left);
		while (left) {
			/* only a newline before a tab is a separator of the kernel */
			nl = memmem(s, left, "\n\t", 2);
			len = nl ? (size_t)(nl - s) : left;
			hist_strbuf_char(b, '\t');
			hist_escape(b, s, len, t->t.flags);
			hist_strbuf_char(b, '\n');
			s += nl ? len + 2 : len;
			left -= nl ? len + 2 : len;
		}
	}
}

/* Columns from "{" to the "} " before the values. */
static unsigned int view_table_keys_width(const struct view_table *t)
{
	unsigned int i, width = 0;

	for (i = 0; i < t->first; i++)
		width += t->shown[i].around + t->shown[i].width;
	return width;
}

/* Write one line for the rows that --top removed, to keep the sums complete. */
static void view_table_put_rest(struct view_table *t, struct text_table *text)
{
	const struct hist_rows *rows = t->t.view->rows;
	struct hist_strbuf *b = &t->t.out;
	size_t start = b->len;

	hist_strbuf_printf(b, "  %" PRIu32 " more row%s ", rows->total - rows->n,
			   text_plural(rows->total - rows->n));
	hist_strbuf_pad(b, b->len - start, view_table_keys_width(t));
	text_table_put_row(text, rows->n, t->first);
	hist_strbuf_char(b, '\n');
}

static void view_table_print_rows(struct view_table *t)
{
	struct text_table text = {
		.table = &t->base, .out = &t->t.out, .style = t->t.style,
	};
	const struct hist_rows *rows = t->t.view->rows;
	bool lines_below = view_table_has_lines_below(t->t.schema);
	uint32_t row, entry;

	for (row = 0; row < rows->n && !t->t.out.error; row++) {
		text_table_put_row(&text, row, 0);
		text_line(&t->t);
		if (!lines_below)
			continue;
		entry = rows->entries[row];
		view_table_put_lines_below(t, hist_table_cells(t->t.view->table, entry),
					   t->t.view->snap->values +
					   (size_t)entry * t->t.schema->nvalues);
	}
	if (rows->total > rows->n)
		view_table_put_rest(t, &text);
	text_table_end(&text);
}

static void view_table_make_columns(struct view_table *t)
{
	unsigned int i;

	t->base.columns = t->shown;
	t->base.put = view_table_put;
	t->base.nrows = t->t.view->rows->n + (t->t.view->rows->total > t->t.view->rows->n);
	hist_columns_make(&t->columns, t->t.schema, HIST_COLUMNS_TEXT, t->t.view->rows);
	for (i = 0; i < t->columns.nkeys; i++)
		view_table_add_key(t, &t->columns.list[i]);
	t->first = t->base.ncolumns;
	for (; i < t->columns.n; i++)
		view_table_add_column(t, &t->columns.list[i]);
}

int hist_view_table(FILE *f, const struct hist_view *view, const struct hist_view_style *style)
{
	struct view_table *t = calloc(1, sizeof(*t));
	int ret;

	if (!t)
		return -ENOMEM;
	t->t = text_begin(f, view, style);
	t->cells.table = view->table;
	t->cells.snap = view->snap;
	t->cells.rows = view->rows;
	if (view->rows->has_shares)
		t->cells.whole = view->rows->totals[view->rows->main_value];
	t->cells.flags = t->t.flags;
	view_table_make_columns(t);
	ret = table_measure(&t->base, 0, t->base.nrows, t->t.flags);
	if (!ret)
		ret = table_fit(&t->base, style->width, t->t.flags);
	hist_view_put_header(&t->t.out, view, style);
	text_table_put_left_out(&t->t.out, &t->base, style->width, t->t.flags);
	hist_view_end_header(&t->t.out);
	if (!ret)
		view_table_print_rows(t);
	table_free(&t->base);
	ret = text_end(&t->t, ret);
	free(t);
	return ret;
}
