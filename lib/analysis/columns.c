// SPDX-License-Identifier: LGPL-2.1
/*
 * columns.c - the columns of a histogram's table
 *
 * Invariant of hist_columns_make(): the values follow the keys, so that hist_columns_value() finds
 * a title by the number of the value.  Other columns come last.
 */
#include <stdio.h>
#include <string.h>

#include "lib/analysis/columns.h"
#include "lib/hist/key_names.h"

static void add_number(char *buf, size_t len, unsigned int nth)
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
	add_number(buf, len, nth);
}

void hist_column_format_key(const struct hist_schema *schema, unsigned int key, char *buf,
			    size_t len)
{
	unsigned int i, nth = 1;

	for (i = 0; i < key; i++)
		nth += !strcmp(schema->keys[i].name, schema->keys[key].name);
	snprintf(buf, len, "%s", schema->keys[key].name);
	add_number(buf, len, nth);
}

static char *add_column(struct hist_columns *columns, enum hist_column_kind kind,
			unsigned int index, bool is_number)
{
	struct hist_column *c = &columns->list[columns->n++];

	c->kind = kind;
	c->index = index;
	c->is_number = is_number;
	return c->title;
}

static void columns_add_keys(struct hist_columns *columns, const struct hist_schema *schema)
{
	unsigned int i;
	char *title;

	columns->n = 0;
	columns->nkeys = schema->nkeys;
	for (i = 0; i < schema->nkeys; i++) {
		title = add_column(columns, HIST_COLUMN_KEY, i,
				   hist_key_traits(&schema->keys[i])->axis != HIST_AXIS_NONE &&
				   !hist_key_shows_names(&schema->keys[i]));
		hist_column_format_key(schema, i, title, HIST_TITLE_MAX);
	}
}

void hist_columns_make(struct hist_columns *columns, const struct hist_schema *schema, bool share)
{
	unsigned int i;
	char *title;

	columns_add_keys(columns, schema);
	for (i = 0; i < hist_schema_columns(schema); i++) {
		title = add_column(columns, HIST_COLUMN_VALUE, i,
				   schema->values[i].kind != HIST_VALUE_SAVED);
		hist_column_format_value(schema, i, title, HIST_TITLE_MAX);
	}
	if (share)
		strcpy(add_column(columns, HIST_COLUMN_SHARE, 0, true), "share");
}

void hist_columns_make_rates(struct hist_columns *columns, const struct hist_schema *schema)
{
	unsigned int i;
	char *title;

	columns_add_keys(columns, schema);
	for (i = 0; i < schema->nvalues; i++) {
		if (hist_value_is_sum(schema->values[i].kind)) {
			title = add_column(columns, HIST_COLUMN_RATE, i, true);
			hist_column_format_value(schema, i, title, HIST_TITLE_MAX - strlen("/s"));
			strcat(title, "/s");
		} else if (schema->values[i].kind != HIST_VALUE_PERCENT) {
			continue;
		}
		hist_column_format_value(schema, i, add_column(columns, HIST_COLUMN_VALUE, i, true),
					 HIST_TITLE_MAX);
	}
}
