// SPDX-License-Identifier: GPL-2.0
/*
 * key_filter.c - build an event filter for the events of a key
 *
 * libtraceevent (parse-filter.c) compares numbers as unsigned 64-bit values; signed
 * fields are sign-extended. Therefore a range from below zero to above zero becomes two
 * conditions joined by "or". libtraceevent strings do not have escapes. A string that
 * cannot be quoted is refused. A string with a comma is refused because the parser
 * treats a comma as the start of another event.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "kernelshark-plugin/model/key_filter_private.h"
#include "lib/base/error.h"

/* MAX_FILTER_STR_VAL: longer strings of variable length are truncated in the key. */
#define KEY_STRING_ROOM 256

void key_filter_put_and(struct key_filter *f)
{
	if (f->text.len)
		hist_strbuf_str(&f->text, " && ");
}

const char *key_filter_cpu_name(const struct key_filter *f, const char *name)
{
	if (hist_event_find(f->event, name))
		return NULL;
	return !strcmp(name, "common_cpu") || !strcmp(name, "cpu") || !strcmp(name, "CPU") ?
	       "CPU" : NULL;
}

int key_filter_put_string(struct key_filter *f, const char *field, const char *op, const char *s,
			  size_t len)
{
	char quote = memchr(s, '"', len) ? '\'' : '"';
	size_t i;

	/* in libtraceevent, one character in single quotes is a number */
	if (memchr(s, ',', len) || (quote == '\'' && (memchr(s, '\'', len) || len == 1)) ||
	    (len && s[len - 1] == '\\'))
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "%s: event filters cannot contain this name", field);
	for (i = 0; i < len; i++)
		if (s[i] < ' ' || s[i] > '~')
			return hist_error_set(f->error, -EOPNOTSUPP,
					      "%s: event filters accept only ASCII names", field);
	hist_strbuf_printf(&f->text, "%s %s %c", field, op, quote);
	hist_strbuf_add(&f->text, s, len);
	hist_strbuf_char(&f->text, quote);
	return 0;
}

/* One key: its name in a filter, and its field (NULL for the CPU). */
struct named_key {
	const char *name;
	const struct hist_event_field *field;
};

/* Get the field of a key of @expr. */
static int name_key(struct key_filter *f, const struct hist_expr *expr,
		    const struct hist_schema *schema, unsigned int k, struct named_key *key)
{
	const struct hist_field *field = &expr->keys.field[k];
	enum hist_key_kind kind = schema->keys[k].kind;
	const char *name = field->name;

	if (name[0] == '$')
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "%s: a variable, not a field of an event", name);
	if (field->is_expression)
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "%s: event filters compare fields, not expressions", name);
	if (kind == HIST_KEY_STACK)
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "%s: event filters cannot compare stacks", name);
	if (!strcmp(name, "common_timestamp"))
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "%s: event filters cannot compare times", name);
	if (kind == HIST_KEY_UNKNOWN)
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "%s: the type (number or string) is unknown", name);
	key->name = key_filter_cpu_name(f, name);
	key->field = key->name ? NULL : hist_event_find(f->event, name);
	if (key->name)
		return 0;
	key->name = name;
	if (!key->field)
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "%s: the event does not have this field in this file", name);
	if (kind == HIST_KEY_STRING ? !hist_field_is_string(key->field) :
				      !hist_field_is_number(key->field))
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "%s: the field has another type in this file", name);
	return 0;
}

void key_filter_put_number(struct key_filter *f, const char *name, const char *op, uint64_t num)
{
	hist_strbuf_printf(&f->text, "%s %s %" PRIu64, name, op, num);
}

/* Append the range from @ge to @le; it wraps around if @le is less than @ge. */
static void key_filter_put_range(struct key_filter *f, const char *name, uint64_t ge, uint64_t le)
{
	bool around = ge > le;

	if (ge == le) {
		key_filter_put_number(f, name, "==", ge);
		return;
	}
	if (around)
		hist_strbuf_char(&f->text, '(');
	key_filter_put_number(f, name, ">=", ge);
	hist_strbuf_str(&f->text, around ? " || " : " && ");
	key_filter_put_number(f, name, "<=", le);
	if (around)
		hist_strbuf_char(&f->text, ')');
}

static int key_filter_put_cell_string(struct key_filter *f, const struct named_key *key,
				      const struct hist_cell *cell)
{
	const char *s;
	size_t len;

	s = hist_table_string(f->table, cell->str, &len);
	if (key->field->is_dynamic && len >= KEY_STRING_ROOM - 1)
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "%s: the kernel truncates names to %d characters, so "
				      "other names may match "
				      "too",
				      key->name, KEY_STRING_ROOM - 1);
	return key_filter_put_string(f, key->name, "==", s, len);
}

/* Append a condition that matches all events with this cell. */
static int key_filter_put_cell(struct key_filter *f, unsigned int k, const struct named_key *key,
			       const struct hist_cell *cell)
{
	const struct hist_key_desc *desc = &hist_table_schema(f->table)->keys[k];
	enum hist_key_form form = hist_key_form(desc->kind);
	struct hist_bounds bounds;

	key_filter_put_and(f);
	switch (form) {
	case HIST_FORM_STRING:
		f->pinned[f->npinned++] = key->name;
		return key_filter_put_cell_string(f, key, cell);
	case HIST_FORM_RANGE:
		hist_key_bounds(desc, cell->num, &bounds);
		key_filter_put_range(f, key->name, bounds.ge, bounds.le);
		return 0;
	default:
		f->pinned[f->npinned++] = key->name;
		if (form == HIST_FORM_HEX || form == HIST_FORM_SYMBOL)
			hist_strbuf_printf(&f->text, "%s == 0x%" PRIx64, key->name, cell->num);
		else
			key_filter_put_number(f, key->name, "==", cell->num);
		return 0;
	}
}

static int key_filter_put_keys(struct key_filter *f, const struct hist_expr *expr)
{
	const struct hist_schema *schema = hist_table_schema(f->table);
	const struct hist_cell *cells = NULL;
	struct named_key key = { 0 };
	unsigned int k;
	int ret = 0;

	if (expr->keys.n != schema->nkeys)
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "the keys of the rows do not match the keys of the "
				      "trigger");
	if (f->entry != HIST_NO_ENTRY)
		cells = hist_table_cells(f->table, f->entry);
	for (k = 0; k < schema->nkeys && !ret; k++) {
		if ((int)k != f->axis && !cells)
			continue;
		ret = name_key(f, expr, schema, k, &key);
		if (ret)
			break;
		if ((int)k != f->axis) {
			ret = key_filter_put_cell(f, k, &key, &cells[k]);
			continue;
		}
		key_filter_put_and(f);
		key_filter_put_range(f, key.name, f->bounds->ge, f->bounds->le);
	}
	return ret;
}

int key_filter_make_axis(struct hist_strbuf *text, const struct recording *r, unsigned int hist,
			 const struct hist_table *table, int axis, const struct hist_bounds *bounds,
			 uint32_t entry, struct hist_error *error)
{
	struct key_filter f = {
		.table = table, .entry = entry, .axis = axis, .bounds = bounds, .error = error
	};
	const struct hist_definition *def;
	struct hist_expr *expr = NULL;
	int ret;

	if (hist >= r->count || axis >= (int)hist_table_schema(table)->nkeys ||
	    ((entry != HIST_NO_ENTRY || axis < 0) && entry >= hist_table_entries(table)))
		return hist_error_set(error, -EINVAL, "no such row");
	def = &r->hists[hist].info->def;
	f.event = r->hists[hist].event;
	if (!f.event)
		return hist_error_set(error, -EOPNOTSUPP,
				      "the file does not contain the format of the %s event",
				      def->event);
	ret = hist_expr_parse(&expr, def->trigger, NULL);
	if (ret == -EINVAL)
		return hist_error_set(error, -EOPNOTSUPP, "cannot parse the trigger: %s",
				      def->trigger);
	if (!ret)
		ret = key_filter_put_keys(&f, expr);
	if (!ret && expr->filter)
		ret = expr->filter_tree
			      ? key_filter_put_trigger(&f, expr->filter_tree)
			      : hist_error_set(error, -EOPNOTSUPP,
					       "cannot parse the filter of the trigger: %s",
					       expr->filter);
	hist_expr_free(expr);
	if (!ret)
		ret = f.text.error;
	if (!ret && !hist_strbuf_reserve(text, f.text.len))
		ret = text->error;
	if (!ret)
		hist_strbuf_add(text, f.text.data, f.text.len);
	hist_strbuf_free(&f.text);
	return ret;
}
