// SPDX-License-Identifier: LGPL-2.1
/*
 * columns.c - the columns of a histogram's table, and their cells
 *
 * Invariant of hist_columns_make(): the values follow the keys, so that hist_columns_value() finds
 * a title by the number of the value.  Other columns come last, except rates.
 */
#include <stdio.h>
#include <string.h>

#include "lib/analysis/axis.h"
#include "lib/base/wide.h"
#include "lib/hist/key_names.h"
#include "lib/label/label.h"
#include "lib/label/number.h"
#include "lib/label/unit.h"
#include "lib/table/columns.h"

#define NSEC_PER_SEC UINT64_C(1000000000)

static void column_add_number(char *buf, size_t len, unsigned int nth)
{
	size_t at = strlen(buf);

	if (nth > 1)
		snprintf(buf + at, len - at, "#%u", nth);
}

void hist_column_format_value(const struct hist_schema *schema, unsigned int value, char *buf,
			      size_t len)
{
	const struct hist_value_desc *v = &schema->values[value], *w;
	const char *modifier = hist_schema_value_modifier(v->kind);
	unsigned int i, nth = 1;

	for (i = 0; i < value; i++) {
		w = &schema->values[i];
		nth += w->kind == v->kind && !strcmp(w->name, v->name);
	}
	snprintf(buf, len, "%s%s%s", v->name, *modifier ? "." : "", modifier);
	column_add_number(buf, len, nth);
}

void hist_column_format_key(const struct hist_schema *schema, unsigned int key, char *buf,
			    size_t len)
{
	unsigned int i, nth = 1;

	for (i = 0; i < key; i++)
		nth += !strcmp(schema->keys[i].name, schema->keys[key].name);
	snprintf(buf, len, "%s", schema->keys[key].name);
	column_add_number(buf, len, nth);
}

void hist_columns_put_key_titles(struct hist_strbuf *b, const struct hist_schema *schema,
				 int except)
{
	char title[HIST_TITLE_MAX];
	bool any = false;
	int i;

	for (i = 0; i < (int)schema->nkeys; i++) {
		if (i == except)
			continue;
		if (any)
			hist_strbuf_str(b, " / ");
		hist_column_format_key(schema, i, title, sizeof(title));
		hist_strbuf_str(b, title);
		any = true;
	}
}

int64_t hist_columns_per_second(int64_t count, bool is_signed, uint64_t length_ns)
{
	bool below = is_signed && count < 0;
	uint64_t size = below ? -(uint64_t)count : (uint64_t)count;
	uint64_t rate;

	rate = hist_mul_div(size, 1000 * NSEC_PER_SEC, length_ns / 2, length_ns);
	if (rate > INT64_MAX)
		rate = INT64_MAX;
	if (!rate && size)
		rate = 1;
	return below ? -(int64_t)rate : (int64_t)rate;
}

int64_t hist_columns_rate(const struct hist_schema *schema, unsigned int value,
			  const struct hist_snapshot *added, uint64_t length_ns, uint32_t entry)
{
	if (!added || entry >= added->nentries)
		return 0;
	return hist_columns_per_second(added->values[(size_t)entry * schema->nvalues + value],
				       schema->values[value].is_signed, length_ns);
}

static const struct hist_schema *column_schema(const struct hist_cells *c)
{
	return hist_table_schema(c->table);
}

static uint64_t column_number(const struct hist_cells *c, unsigned int value, uint32_t entry)
{
	return c->snap->values[(size_t)entry * column_schema(c)->nvalues + value];
}

/* The frames of a stack with their offsets, a line each. */
static void column_put_frames(const struct hist_cells *c, const struct hist_cell *key,
			      struct hist_strbuf *b)
{
	const char *s, *frame;
	size_t len, left;

	s = hist_table_string(c->table, key->str, &left);
	while (hist_label_next_frame(&s, &left, &frame, &len)) {
		hist_escape(b, frame, len, c->flags & HIST_ESCAPE_ASCII);
		hist_strbuf_char(b, '\n');
	}
}

/* All frames of a stack, all digits of a number from its lower to its upper bound, or a name. */
static void column_put_whole_key(const struct hist_cells *c, const struct hist_column *column,
				 const struct hist_cell *from, struct hist_strbuf *b)
{
	const struct hist_key_desc *key = &column_schema(c)->keys[column->index];
	const struct label_details none = { 0 };
	struct hist_bounds bounds;

	if (key->kind == HIST_KEY_STACK) {
		column_put_frames(c, from, b);
	} else if (column->is_number) {
		hist_axis_get_bounds(key, from->num, &bounds);
		hist_unit_range(b, bounds.ge, bounds.le, bounds.is_signed, hist_unit_from_key(key),
				true);
	} else {
		label_details_put(&none, b, c->table, column->index, from, true,
				  c->flags & HIST_ESCAPE_ASCII);
	}
}

static void column_put_key(struct hist_cells *c, const struct hist_column *column, uint32_t entry,
			   struct table_cell *cell)
{
	const struct hist_cell *from = &hist_table_cells(c->table, entry)[column->index];
	const struct label_details none = { 0 };
	struct hist_bounds bounds;

	cell->width = label_details_put(c->details ? c->details : &none, &cell->text, c->table,
					column->index, from, false, c->flags);
	if (column->is_number) {
		hist_axis_get_bounds(&column_schema(c)->keys[column->index], from->num, &bounds);
		cell->is_number = true;
		cell->is_signed = bounds.is_signed;
		cell->number = bounds.ge;
	}
	if (c->has_whole)
		column_put_whole_key(c, column, from, &cell->whole);
}

static void column_put_amount(const struct hist_cells *c, const struct hist_value_desc *value,
			      uint64_t v, struct table_cell *cell)
{
	if (value->kind == HIST_VALUE_PERCENT) {
		table_cell_percent(cell, v);
	} else if (value->kind == HIST_VALUE_HEX) {
		table_cell_hex(cell, v);
	} else if (hist_value_is_text(value->kind)) {
		hist_label_put_value(&cell->text, c->table, value, v);
		table_cell_ascii(cell);
	} else if (c->digits_grouped) {
		table_cell_grouped(cell, v, value->is_signed);
	} else {
		table_cell_number(cell, v, value->is_signed);
	}
}

static void column_put_value(struct hist_cells *c, const struct hist_column *column,
			     uint32_t entry, struct table_cell *cell)
{
	column_put_amount(c, &column_schema(c)->values[column->index],
			  column_number(c, column->index, entry), cell);
}

static void column_rest_value(struct hist_cells *c, const struct hist_column *column,
			      struct table_cell *cell)
{
	const struct hist_value_desc *value = &column_schema(c)->values[column->index];

	if (hist_value_is_sum(value->kind))
		column_put_amount(c, value, c->rows->rest[column->index], cell);
}

static void column_put_rate(struct hist_cells *c, const struct hist_column *column, uint32_t entry,
			    struct table_cell *cell)
{
	table_cell_rate(cell, hist_columns_rate(column_schema(c), column->index, c->added,
						c->added_ns, entry), c->added);
}

static void column_put_share(struct hist_cells *c, const struct hist_column *column,
			     uint32_t entry, struct table_cell *cell)
{
	table_cell_share(cell, column_number(c, column->index, entry), c->whole);
}

static void column_rest_share(struct hist_cells *c, const struct hist_column *column,
			      struct table_cell *cell)
{
	table_cell_share(cell, c->rows->rest[column->index], c->whole);
}

static void column_put_cum(struct hist_cells *c, const struct hist_column *column, uint32_t entry,
			   struct table_cell *cell)
{
	if (!cell->measure)
		c->sum += column_number(c, column->index, entry);
	table_cell_share(cell, c->sum, c->whole);
}

static void column_rest_cum(struct hist_cells *c, const struct hist_column *column,
			    struct table_cell *cell)
{
	table_cell_share(cell, c->sum + c->rows->rest[column->index], c->whole);
}

/* Bits of enum hist_columns_of. */
#define OF(of) (1u << HIST_COLUMNS_##of)

/* The kinds that follow keys and values, of the main value: with @title, in the tables @of. */
static const struct column_kind {
	const char *title;
	unsigned int of;
	void (*put)(struct hist_cells *c, const struct hist_column *column, uint32_t entry,
		    struct table_cell *cell);
	void (*put_rest)(struct hist_cells *c, const struct hist_column *column,
			 struct table_cell *cell);
} column_kinds[] = {
	[HIST_COLUMN_KEY] = { .put = column_put_key },
	[HIST_COLUMN_VALUE] = { .put = column_put_value, .put_rest = column_rest_value },
	[HIST_COLUMN_RATE] = { .put = column_put_rate },
	[HIST_COLUMN_SHARE] = { "share", OF(TEXT) | OF(PAGE), column_put_share, column_rest_share },
	[HIST_COLUMN_CUM] = { "cum", OF(TEXT), column_put_cum, column_rest_cum },
};

#define COLUMN_KINDS (sizeof(column_kinds) / sizeof(*column_kinds))

void hist_columns_put(struct hist_cells *cells, const struct hist_column *column, uint32_t entry,
		      struct table_cell *cell)
{
	column_kinds[column->kind].put(cells, column, entry, cell);
}

void hist_columns_put_rest(struct hist_cells *cells, const struct hist_column *column,
			   struct table_cell *cell)
{
	if (column_kinds[column->kind].put_rest)
		column_kinds[column->kind].put_rest(cells, column, cell);
}

static char *columns_add(struct hist_columns *columns, enum hist_column_kind kind,
			 unsigned int index, bool is_number)
{
	struct hist_column *c = &columns->list[columns->n++];

	c->kind = kind;
	c->index = index;
	c->is_number = is_number;
	return c->title;
}

static void columns_add_value(struct hist_columns *columns, const struct hist_schema *schema,
			      unsigned int value, bool over_time)
{
	enum hist_value_kind kind = schema->values[value].kind;
	char *title;

	if (over_time && hist_value_is_sum(kind)) {
		title = columns_add(columns, HIST_COLUMN_RATE, value, true);
		hist_column_format_value(schema, value, title, HIST_TITLE_MAX - strlen("/s"));
		strcat(title, "/s");
	} else if (over_time && kind != HIST_VALUE_PERCENT) {
		return;
	}
	title = columns_add(columns, HIST_COLUMN_VALUE, value, kind != HIST_VALUE_SAVED);
	hist_column_format_value(schema, value, title, HIST_TITLE_MAX);
}

void hist_columns_make(struct hist_columns *columns, const struct hist_schema *schema,
		       enum hist_columns_of of, const struct hist_rows *rows)
{
	unsigned int i;
	char *title;

	columns->n = 0;
	columns->nkeys = schema->nkeys;
	for (i = 0; i < schema->nkeys; i++) {
		title = columns_add(columns, HIST_COLUMN_KEY, i,
				    hist_key_traits(&schema->keys[i])->axis != HIST_AXIS_NONE &&
				    !hist_key_shows_names(&schema->keys[i]));
		hist_column_format_key(schema, i, title, HIST_TITLE_MAX);
	}
	for (i = 0; i < hist_schema_columns(schema); i++)
		columns_add_value(columns, schema, i, of == HIST_COLUMNS_OVER_TIME);
	for (i = 0; i < COLUMN_KINDS && rows && rows->has_shares; i++)
		if (column_kinds[i].of & 1u << of)
			strcpy(columns_add(columns, i, rows->main_value, true),
			       column_kinds[i].title);
}
