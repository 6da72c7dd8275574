// SPDX-License-Identifier: LGPL-2.1
/*
 * json_keys.c - keys and values of a row as JSON
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/analysis/rows.h"
#include "lib/hist/key_names.h"
#include "lib/label/label.h"
#include "lib/report/data/json_keys.h"

void json_member_time(struct json_writer *w, const char *name, const char *ticks, uint64_t time,
		      bool ns)
{
	if (!ns)
		json_null(w, name);
	json_u64(w, ns ? name : ticks, time);
}

void json_range(struct json_writer *w, const char *name, const struct hist_bounds *bounds)
{
	json_object_begin(w, name);
	json_number(w, "ge", bounds->ge, bounds->is_signed);
	json_number(w, "le", bounds->le, bounds->is_signed);
	json_object_end(w);
}

static void json_put_stack(struct json_writer *w, const char *name, const char *s, size_t left)
{
	const char *frame;
	size_t len;

	json_array_begin(w, name);
	while (hist_label_next_frame(&s, &left, &frame, &len))
		json_string_len(w, NULL, frame, len);
	json_array_end(w);
}

void json_put_joined(struct json_writer *w, const char *joined)
{
	size_t len;

	if (!joined || !*joined)
		return;
	json_array_line(w, "joined");
	for (; *joined; joined += len + (joined[len] == '\n')) {
		len = strcspn(joined, "\n");
		json_string_len(w, NULL, joined, len);
	}
	json_array_end(w);
}

#define JSON_NUMBER_SIZE 24

/* The text of the number of a key that has a name: "0xffffffff81000000" or "144". */
static const char *json_format_id(char text[JSON_NUMBER_SIZE], const struct hist_key_desc *key,
				  uint64_t num)
{
	const char *format = hist_key_form(key->kind) == HIST_FORM_SYMBOL ? "0x%" PRIx64 :
			     key->is_signed ? "%" PRId64 : "%" PRIu64;

	snprintf(text, JSON_NUMBER_SIZE, format, num);
	return text;
}

static void key_value(struct json_writer *w, const char *name, const struct hist_table *table,
		      unsigned int number, const struct hist_cell *cell)
{
	const struct hist_key_desc *key = &hist_table_schema(table)->keys[number];
	char id[JSON_NUMBER_SIZE];
	struct hist_bounds bounds;
	const char *s;
	size_t len;

	s = hist_table_name(table, number, cell, &len);
	if (key->shows_numbers ? hist_key_has_name(key->kind) :
	    !len && hist_key_form(key->kind) == HIST_FORM_SYMBOL) {
		s = json_format_id(id, key, cell->num);
		len = strlen(s);
	}
	switch (hist_key_form(key->kind)) {
	case HIST_FORM_SYMBOL:
	case HIST_FORM_SYSCALL:
	case HIST_FORM_STRING:
		json_string_len(w, name, s, len);
		return;
	case HIST_FORM_TASK:
		json_object_begin(w, name);
		json_string_len(w, "comm", s, len);
		json_number(w, "pid", cell->num, key->is_signed);
		json_object_end(w);
		return;
	case HIST_FORM_STACK:
		json_put_stack(w, name, s, len);
		return;
	case HIST_FORM_RANGE:
		hist_key_bounds(key, cell->num, &bounds);
		json_range(w, name, &bounds);
		return;
	case HIST_FORM_UNKNOWN:
		if (cell->str != HIST_NO_STRING) {
			json_string_len(w, name, s, len);
			return;
		}
		break;
	case HIST_FORM_NUMBER:
	case HIST_FORM_HEX:
		break;
	}
	json_number(w, name, cell->num, key->is_signed);
}

/* The numbers of keys that are shown by name, which distinguish equal names. */
static void key_ids(struct json_writer *w, const struct hist_columns *columns,
		    const struct hist_schema *schema, const struct hist_cell *cells, int axis)
{
	char id[JSON_NUMBER_SIZE];
	const char *name;
	bool any = false;
	unsigned int i;

	for (i = 0; i < schema->nkeys; i++) {
		if ((int)i == axis || !hist_key_has_id(schema->keys[i].kind))
			continue;
		if (!any) {
			json_object_begin(w, "key_id");
			any = true;
		}
		name = hist_columns_key(columns, i);
		if (hist_key_form(schema->keys[i].kind) == HIST_FORM_SYSCALL)
			json_number(w, name, cells[i].num, schema->keys[i].is_signed);
		else
			json_string(w, name, json_format_id(id, &schema->keys[i], cells[i].num));
	}
	if (any)
		json_object_end(w);
}

/* The names of numbers that have one. */
static void key_names(struct json_writer *w, const struct hist_columns *columns,
		      const struct hist_schema *schema, const struct hist_cell *cells, int axis)
{
	bool any = false;
	const char *name;
	unsigned int i;
	size_t len;

	for (i = 0; i < schema->nkeys; i++) {
		name = (int)i == axis ? NULL :
		       hist_key_find_name(&schema->keys[i], cells[i].num, &len);
		if (!name)
			continue;
		if (!any)
			json_object_begin(w, "key_name");
		any = true;
		json_string_len(w, hist_columns_key(columns, i), name, len);
	}
	if (any)
		json_object_end(w);
}

void json_put_row_key(struct json_writer *w, const struct hist_columns *columns,
		      const struct hist_table *table, uint32_t entry, int axis)
{
	const struct hist_schema *schema = hist_table_schema(table);
	const struct hist_cell *cells = hist_table_cells(table, entry);
	unsigned int i;

	json_object_begin(w, "key");
	for (i = 0; i < schema->nkeys; i++) {
		if ((int)i != axis)
			key_value(w, hist_columns_key(columns, i), table, i, &cells[i]);
	}
	json_object_end(w);
	key_ids(w, columns, schema, cells, axis);
	key_names(w, columns, schema, cells, axis);
}

void json_put_row_value(struct json_writer *w, const char *name, const struct hist_table *table,
			const struct hist_value_desc *desc, uint64_t v)
{
	const char *s;
	size_t len;

	switch (desc->kind) {
	case HIST_VALUE_PERCENT:
		json_fixed(w, name, v, 2);
		break;
	case HIST_VALUE_SAVED:
	case HIST_VALUE_WORST:
		if (v >= hist_table_strings(table)) {
			json_null(w, name);
			break;
		}
		s = hist_table_string(table, (uint32_t)v, &len);
		json_string_len(w, name, s, len);
		break;
	case HIST_VALUE_SUM:
	case HIST_VALUE_HEX:
	case HIST_VALUE_GRAPH:
	case HIST_VALUE_PEAK:
		json_number(w, name, v, desc->is_signed);
		break;
	}
}

void json_put_losses(struct json_writer *w, const uint64_t losses[HIST_LOSS_KINDS])
{
	bool any = false;
	unsigned int k;

	for (k = 0; k < HIST_LOSS_KINDS; k++) {
		if (!losses[k])
			continue;
		if (!any)
			json_object_line(w, "losses");
		json_u64(w, hist_loss_traits(k)->name, losses[k]);
		any = true;
	}
	if (any)
		json_object_end(w);
}
