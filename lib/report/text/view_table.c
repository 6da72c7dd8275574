// SPDX-License-Identifier: LGPL-2.1
/*
 * view_table.c - the table view: the layout of the kernel's hist file, in aligned columns
 *
 *   { common_pid: sh [ 144], id: sys_wait4 [61] } hitcount:  63  share:  17.1%  cum: ..
 *
 * There are two passes over the rows: the first one measures the columns, the second one
 * writes.  A key is at most a text, aligned left, and a number, aligned right.  A text
 * longer than PAD_MAX does not widen its column but extends beyond it.  Stacks and saved
 * values follow their row on separate lines, with the indentation of the kernel.
 */
#include <errno.h>
#include <inttypes.h>

#include "lib/base/text.h"
#include "lib/hist/key_names.h"
#include "lib/label/label.h"
#include "lib/report/text/text_view.h"

#define PAD_MAX 60

struct table_column {
	char lead[300]; /* "{ name: ", ", name: " or "  name: ", escaped */
	size_t lead_len;
	unsigned int text;   /* width; only of keys */
	unsigned int number; /* width */
};

struct table_view {
	struct text_view t;
	struct table_column keys[HIST_KEYS_MAX];
	struct table_column values[HIST_VALUES_MAX];
};

/* Columns of the number of a cell, or 0 if the kind does not have a number next to its text. */
static unsigned int number_width(const struct table_view *t, const struct hist_key_desc *key,
				 const struct hist_cell *cell)
{
	switch (hist_key_form(key->kind)) {
	case HIST_FORM_SYMBOL:
	case HIST_FORM_HEX:
		return hist_strbuf_hex_width(cell->num);
	case HIST_FORM_STRING:
		return 0;
	case HIST_FORM_STACK:
		return hist_strbuf_u64_width(hist_label_count_frames(t->t.view->table, cell));
	default:
		return hist_strbuf_number_width(cell->num, key->is_signed);
	}
}

/* True for a key whose label is its column. */
static bool view_table_shows_label(const struct hist_key_desc *key)
{
	return hist_key_shows_names(key) || hist_key_form(key->kind) == HIST_FORM_STRING ||
	       (key->shows_numbers && hist_key_has_name(key->kind));
}

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

static void view_table_measure_key(struct table_view *t, unsigned int i,
				   const struct hist_cell *cell)
{
	const struct hist_key_desc *key = &t->t.schema->keys[i];
	struct table_column *column = &t->keys[i];
	unsigned int width;
	const char *s;
	size_t len;

	if (hist_key_traits(key)->range) {
		view_table_put_range(text_clear(&t->t), key, cell);
		text_widen(&column->text, t->t.text.len);
		return;
	}
	if (view_table_shows_label(key)) {
		width = hist_label_put(text_clear(&t->t), t->t.view->table, i, cell, t->t.flags);
		text_widen(&column->text, width > PAD_MAX ? PAD_MAX : width);
		return;
	}
	if (hist_key_traits(key)->column) {
		s = hist_table_name(t->t.view->table, i, cell, &len);
		width = hist_escape_width(s, len, t->t.flags);
		text_widen(&column->text, width > PAD_MAX ? PAD_MAX : width);
	}
	text_widen(&column->number, number_width(t, key, cell));
}

static unsigned int value_width(const struct hist_value_desc *value, uint64_t v)
{
	switch (value->kind) {
	case HIST_VALUE_HEX:
		return hist_strbuf_hex_width(v);
	case HIST_VALUE_PERCENT:
		return hist_strbuf_u64_width(v / 100) + 3;
	case HIST_VALUE_GRAPH:
		return 20;
	case HIST_VALUE_SAVED:
	case HIST_VALUE_WORST:
		return 0;
	case HIST_VALUE_SUM:
	case HIST_VALUE_PEAK:
		break;
	}
	return hist_strbuf_number_width(v, value->is_signed);
}

static void make_lead(struct table_view *t, struct table_column *column, const char *before,
		      const char *name, const char *after)
{
	struct hist_strbuf *b = text_clear(&t->t);

	hist_strbuf_str(b, before);
	hist_escape(b, name, strlen(name), t->t.flags);
	hist_strbuf_str(b, after);
	column->lead_len = b->len < sizeof(column->lead) ? b->len : sizeof(column->lead);
	if (column->lead_len)
		memcpy(column->lead, b->data, column->lead_len);
}

static void view_table_measure_columns(struct table_view *t)
{
	const struct hist_rows *rows = t->t.view->rows;
	const struct hist_schema *schema = t->t.schema;
	const struct hist_cell *cells;
	const uint64_t *values;
	unsigned int columns = hist_schema_columns(schema), i;
	uint32_t row;

	for (i = 0; i < schema->nkeys; i++)
		make_lead(t, &t->keys[i], i ? ", " : "{ ", schema->keys[i].name, ": ");
	for (i = 0; i < columns; i++) {
		make_lead(t, &t->values[i], i ? "  " : "", schema->values[i].name,
			  schema->values[i].kind == HIST_VALUE_PERCENT ? " (%): " : ": ");
		if (rows->total > rows->n && hist_value_is_sum(schema->values[i].kind))
			text_widen(&t->values[i].number,
				   value_width(&schema->values[i], rows->rest[i]));
	}
	for (row = 0; row < rows->n; row++) {
		cells = hist_table_cells(t->t.view->table, rows->entries[row]);
		for (i = 0; i < schema->nkeys; i++)
			view_table_measure_key(t, i, &cells[i]);
		values = t->t.view->snap->values + (size_t)rows->entries[row] * schema->nvalues;
		for (i = 0; i < columns; i++)
			text_widen(&t->values[i].number,
				   value_width(&schema->values[i], values[i]));
	}
}

/* Write "sh    [ 144]": a name, and its number in brackets. */
static void named_number(struct table_view *t, unsigned int i, const struct hist_cell *cell)
{
	const struct table_column *column = &t->keys[i];
	struct hist_strbuf *b = &t->t.out;
	const char *s;
	size_t len;

	s = hist_table_name(t->t.view->table, i, cell, &len);
	hist_strbuf_pad(b, hist_escape(b, s, len, t->t.flags), column->text);
	hist_strbuf_add(b, " [", 2);
	hist_strbuf_pad(b, number_width(t, &t->t.schema->keys[i], cell), column->number);
	hist_strbuf_number(b, cell->num, t->t.schema->keys[i].is_signed);
	hist_strbuf_char(b, ']');
}

/* "[ffffffff81000000] kmalloc" */
static void view_table_put_symbol(struct table_view *t, unsigned int i,
				  const struct hist_cell *cell)
{
	const struct table_column *column = &t->keys[i];
	struct hist_strbuf *b = &t->t.out;
	const char *s;
	size_t len;

	hist_strbuf_char(b, '[');
	hist_strbuf_pad(b, hist_strbuf_hex_width(cell->num), column->number);
	hist_strbuf_hex(b, cell->num);
	hist_strbuf_add(b, "] ", 2);
	s = hist_table_string(t->t.view->table, cell->str, &len);
	hist_strbuf_pad(b, hist_escape(b, s, len, t->t.flags), column->text);
}

static void view_table_put_key(struct table_view *t, unsigned int i, const struct hist_cell *cell)
{
	const struct table_column *column = &t->keys[i];
	struct hist_strbuf *b = &t->t.out;
	unsigned int frames;
	size_t start;

	hist_strbuf_add(b, column->lead, column->lead_len);
	if (view_table_shows_label(&t->t.schema->keys[i])) {
		hist_strbuf_pad(b, hist_label_put(b, t->t.view->table, i, cell, t->t.flags),
				column->text);
		return;
	}
	switch (hist_key_form(t->t.schema->keys[i].kind)) {
	case HIST_FORM_SYMBOL:
		view_table_put_symbol(t, i, cell);
		break;
	case HIST_FORM_TASK:
	case HIST_FORM_SYSCALL:
		named_number(t, i, cell);
		break;
	case HIST_FORM_STACK:
		frames = hist_label_count_frames(t->t.view->table, cell);
		text_u64(&t->t, frames, column->number);
		hist_strbuf_str(b, frames == 1 ? " frame " : " frames");
		break;
	case HIST_FORM_RANGE:
		start = b->len;
		view_table_put_range(b, &t->t.schema->keys[i], cell);
		hist_strbuf_pad(b, b->len - start, column->text);
		break;
	default:
		hist_strbuf_pad(b, number_width(t, &t->t.schema->keys[i], cell), column->number);
		hist_label_put(b, t->t.view->table, i, cell, t->t.flags);
		break;
	}
}

static void view_table_put_value(struct table_view *t, unsigned int i, uint64_t v)
{
	const struct hist_value_desc *desc = &t->t.schema->values[i];
	struct hist_strbuf *b = &t->t.out;

	if (hist_value_is_text(desc->kind))
		return;
	hist_strbuf_add(b, t->values[i].lead, t->values[i].lead_len);
	if (desc->kind == HIST_VALUE_GRAPH) {
		hist_strbuf_fill(b, '#', v > 20 ? 20 : v);
		hist_strbuf_pad(b, v > 20 ? 20 : v, 20);
		return;
	}
	hist_strbuf_pad(b, value_width(desc, v), t->values[i].number);
	hist_label_put_value(b, t->t.view->table, desc, v);
}

static void view_table_put_shares(struct table_view *t, uint64_t part, uint64_t sum)
{
	uint64_t whole = t->t.view->rows->totals[t->t.view->rows->main_value];

	hist_strbuf_add(&t->t.out, "  share: ", 9);
	hist_view_put_share(&t->t.out, part, whole);
	hist_strbuf_add(&t->t.out, "  cum: ", 7);
	hist_view_put_share(&t->t.out, sum, whole);
}

/* Write the lines below the row: the frames of stacks, and saved values. */
static void view_table_put_lines_below(struct table_view *t, const struct hist_cell *cells,
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
static unsigned int view_table_keys_width(const struct table_view *t)
{
	unsigned int i, width = 3;

	for (i = 0; i < t->t.schema->nkeys; i++) {
		const struct table_column *c = &t->keys[i];

		width += c->lead_len + c->text + c->number;
		if (t->t.schema->keys[i].kind == HIST_KEY_STACK)
			width += strlen(" frames");
		else if (hist_key_has_name(t->t.schema->keys[i].kind) &&
			 !t->t.schema->keys[i].shows_numbers)
			width += strlen("[] ");
	}
	return width;
}

/* Write one line for the rows that --top removed, to keep the sums complete. */
static void view_table_put_rest(struct table_view *t, uint64_t sum)
{
	const struct hist_rows *rows = t->t.view->rows;
	struct hist_strbuf *b = &t->t.out;
	size_t start = b->len;
	unsigned int i;

	hist_strbuf_printf(b, "  %" PRIu32 " more row%s ", rows->total - rows->n,
			   text_plural(rows->total - rows->n));
	hist_strbuf_pad(b, b->len - start, view_table_keys_width(t));
	for (i = 0; i < hist_schema_columns(t->t.schema); i++) {
		if (hist_value_is_sum(t->t.schema->values[i].kind)) {
			view_table_put_value(t, i, rows->rest[i]);
		} else if (!hist_value_is_text(t->t.schema->values[i].kind)) {
			hist_strbuf_fill(b, ' ', t->values[i].lead_len + t->values[i].number);
		}
	}
	if (rows->has_shares)
		view_table_put_shares(t, rows->rest[rows->main_value],
				      sum + rows->rest[rows->main_value]);
	hist_strbuf_char(b, '\n');
}

static void view_table_print_rows(struct table_view *t)
{
	const struct hist_schema *schema = t->t.schema;
	const struct hist_rows *rows = t->t.view->rows;
	const struct hist_cell *cells;
	const uint64_t *values;
	unsigned int columns = hist_schema_columns(schema), i;
	uint64_t sum = 0;
	uint32_t row;

	for (row = 0; row < rows->n && !t->t.out.error; row++) {
		cells = hist_table_cells(t->t.view->table, rows->entries[row]);
		values = t->t.view->snap->values + (size_t)rows->entries[row] * schema->nvalues;
		for (i = 0; i < schema->nkeys; i++)
			view_table_put_key(t, i, &cells[i]);
		hist_strbuf_add(&t->t.out, " } ", 3);
		for (i = 0; i < columns; i++)
			view_table_put_value(t, i, values[i]);
		if (rows->has_shares) {
			sum += values[rows->main_value];
			view_table_put_shares(t, values[rows->main_value], sum);
		}
		text_line(&t->t);
		view_table_put_lines_below(t, cells, values);
	}
	if (rows->total > rows->n)
		view_table_put_rest(t, sum);
}

int hist_view_table(FILE *f, const struct hist_view *view, const struct hist_view_style *style)
{
	struct table_view t = { .t = text_begin(f, view, style) };

	hist_view_put_header(&t.t.out, view, style);
	view_table_measure_columns(&t);
	view_table_print_rows(&t);
	return text_end(&t.t, 0);
}
