// SPDX-License-Identifier: GPL-2.0
/*
 * key_filter.c - build an event filter for the events of a key
 *
 * A filter has a condition for each key, and the "if" of the trigger.
 *
 * libtraceevent (parse-filter.c) compares all numbers as unsigned 64-bit values; signed
 * fields are sign-extended. Therefore a range from below zero to above zero becomes two
 * conditions joined by "or". libtraceevent strings do not have escapes. A string that
 * cannot be quoted is refused. A string with a comma is refused because the parser
 * treats a comma as the start of another event.
 *
 * The "if" of a trigger: the kernel truncates a number to the size of the field, and
 * compares it with the sign of the field. The source is DEFINE_SIGNED_PRED and similar in
 * trace_events_filter.c. In libtraceevent, && and || have the same precedence, and "!"
 * leaks memory. Therefore all expressions have parentheses, and negations are moved down
 * to the comparisons. Patterns in libtraceevent ignore case, so kernel patterns cannot be
 * translated. A condition on fields with a single value in the keys is true for all
 * counted events, and is omitted.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "kernelshark-plugin/model/key_filter.h"
#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/expr/filter.h"

/* MAX_FILTER_STR_VAL: longer strings of variable length are truncated in the key. */
#define KEY_STRING_ROOM 256

#define SIGN (UINT64_C(1) << 63)

/* A filter under construction. */
struct key_filter {
	struct hist_strbuf text;
	const struct hist_event *event;
	const char *pinned[HIST_KEYS_MAX]; /* fields that have a single value in the keys */
	unsigned int npinned;
	/*
	 * The events of @entry (HIST_NO_ENTRY: any), except for the key @axis, which has @bounds.
	 */
	const struct hist_table *table;
	uint32_t entry;
	int axis; /* -1: none */
	const struct hist_bounds *bounds;
	struct hist_error *error;
};

/* Append " && " unless this is the first condition. */
static void key_filter_put_and(struct key_filter *f)
{
	if (f->text.len)
		hist_strbuf_str(&f->text, " && ");
}

/* libtraceevent's name for the CPU if @name means the CPU and not a field; otherwise NULL. */
static const char *key_filter_cpu_name(const struct key_filter *f, const char *name)
{
	if (hist_event_find(f->event, name))
		return NULL;
	return !strcmp(name, "common_cpu") || !strcmp(name, "cpu") || !strcmp(name, "CPU") ?
	       "CPU" : NULL;
}

/* Append FIELD @op "text", quoted. @op: "==" or "!=". */
static int key_filter_put_string(struct key_filter *f, const char *field, const char *op,
				 const char *s, size_t len)
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

/* Append NAME @op @num. */
static void key_filter_put_number(struct key_filter *f, const char *name, const char *op,
				  uint64_t num)
{
	hist_strbuf_printf(&f->text, "%s %s %" PRIu64, name, op, num);
}

/* One key: its name in a filter, and its field (NULL for the CPU). */
struct named_key {
	const char *name;
	const struct hist_event_field *field;
};

/* Get the field of a key of @expr. */
static int key_filter_name_key(struct key_filter *f, const struct hist_expr *expr,
			       const struct hist_schema *schema, unsigned int k,
			       struct named_key *key)
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
	int ret;

	if (expr->keys.n != schema->nkeys)
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "the keys of the rows do not match the keys of the "
				      "trigger");
	if (f->entry != HIST_NO_ENTRY)
		cells = hist_table_cells(f->table, f->entry);
	for (k = 0; k < schema->nkeys; k++) {
		if ((int)k != f->axis && !cells)
			continue;
		ret = key_filter_name_key(f, expr, schema, k, &key);
		if (ret)
			return ret;
		if ((int)k != f->axis) {
			ret = key_filter_put_cell(f, k, &key, &cells[k]);
			if (ret)
				return ret;
			continue;
		}
		key_filter_put_and(f);
		key_filter_put_range(f, key.name, f->bounds->ge, f->bounds->le);
	}
	return 0;
}

/* The negated comparison operators. */
static const enum hist_filter_op negated[] = {
	[HIST_FILTER_EQ] = HIST_FILTER_NE, [HIST_FILTER_NE] = HIST_FILTER_EQ,
	[HIST_FILTER_LE] = HIST_FILTER_GT, [HIST_FILTER_GT] = HIST_FILTER_LE,
	[HIST_FILTER_LT] = HIST_FILTER_GE, [HIST_FILTER_GE] = HIST_FILTER_LT,
};

/* Append NAME @op @v for signed numbers: in unsigned order, negative numbers are the largest. */
static void key_filter_put_signed(struct key_filter *f, const char *name, enum hist_filter_op op,
				  uint64_t v)
{
	bool below = op == HIST_FILTER_LT || op == HIST_FILTER_LE;
	/* true if the matching numbers are on both sides of zero; @v is one end of them */
	bool both = below ? v < SIGN : v >= SIGN;

	hist_strbuf_char(&f->text, '(');
	key_filter_put_number(f, name, hist_filter_op_name(op), v);
	hist_strbuf_str(&f->text, both ? " || " : " && ");
	key_filter_put_number(f, name, below ? ">=" : "<", SIGN);
	hist_strbuf_char(&f->text, ')');
}

/* The number as the field would hold it, extended to 64 bits. */
static uint64_t key_filter_as_field(const struct hist_event_field *field, uint64_t v)
{
	unsigned int bits = field->size * 8;

	if (bits >= 64)
		return v;
	v &= (UINT64_C(1) << bits) - 1;
	return field->is_signed && v >> (bits - 1) ? v | UINT64_MAX << bits : v;
}

static void key_filter_put_text_number(struct key_filter *f, const char *name,
				       const struct hist_event_field *field, enum hist_filter_op op,
				       const char *text, bool negate)
{
	uint64_t v = text[0] == '-' ? (uint64_t)strtoll(text, NULL, 0) : strtoull(text, NULL, 0);

	if (field)
		v = key_filter_as_field(field, v);
	if (op == HIST_FILTER_BAND) {
		hist_strbuf_str(&f->text, negate ? "!(" : "(");
		key_filter_put_number(f, name, "&", v);
		hist_strbuf_char(&f->text, ')');
		return;
	}
	if (negate)
		op = negated[op];
	if (field && field->is_signed && op != HIST_FILTER_EQ && op != HIST_FILTER_NE)
		key_filter_put_signed(f, name, op, v);
	else
		key_filter_put_number(f, name, hist_filter_op_name(op), v);
}

static int key_filter_put_compare(struct key_filter *f, const struct hist_filter *c, bool negate)
{
	const char *cpu = key_filter_cpu_name(f, c->field);
	const struct hist_event_field *field = hist_event_find(f->event, c->field);
	bool differs;

	if (c->type == HIST_FILTER_CPUS)
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "the filter of the trigger uses CPUS{%s}, which event "
				      "filters do not support",
				      c->value);
	if (c->type == HIST_FILTER_FUNCTION)
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "the filter of the trigger contains a function name, "
				      "which event filters do not support: %s",
				      c->value);
	if (c->is_user_string || (!field && !cpu))
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "the filter of the trigger uses %s, which events do "
				      "not have",
				      c->field);
	if (c->type == HIST_FILTER_NUMBER) {
		if (field && !hist_field_is_number(field))
			return hist_error_set(f->error, -EOPNOTSUPP,
					      "the filter of the trigger compares %s, which "
					      "event filters cannot compare",
					      c->field);
		key_filter_put_text_number(f, cpu ? cpu : c->field, field, c->op, c->value, negate);
		return 0;
	}
	if (!field || !hist_field_is_string(field))
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "the filter of the trigger compares %s, which is not a "
				      "field of the event",
				      c->field);
	/* without these characters, a pattern is a plain name */
	if (c->op == HIST_FILTER_GLOB && strpbrk(c->value, "*?[\\"))
		return hist_error_set(f->error, -EOPNOTSUPP,
				      "the filter of the trigger uses the pattern \"%s\", "
				      "but patterns in event filters ignore case",
				      c->value);
	differs = (c->op == HIST_FILTER_NE) != negate;
	return key_filter_put_string(f, c->field, differs ? "!=" : "==", c->value,
				     strlen(c->value));
}

static bool key_filter_is_pinned(const struct key_filter *f, const struct hist_filter *filter)
{
	unsigned int i;

	switch (filter->kind) {
	case HIST_FILTER_AND:
	case HIST_FILTER_OR:
		return key_filter_is_pinned(f, filter->left) &&
		       key_filter_is_pinned(f, filter->right);
	case HIST_FILTER_NOT:
		return key_filter_is_pinned(f, filter->left);
	case HIST_FILTER_COMPARE:
		break;
	}
	for (i = 0; i < f->npinned; i++)
		if (!strcmp(f->pinned[i], filter->field) ||
		    (!strcmp(f->pinned[i], "CPU") && key_filter_cpu_name(f, filter->field)))
			return true;
	return false;
}

static int key_filter_put_tree(struct key_filter *f, const struct hist_filter *filter, bool negate)
{
	bool is_and;
	int ret;

	if (filter->kind == HIST_FILTER_COMPARE)
		return key_filter_put_compare(f, filter, negate);
	if (filter->kind == HIST_FILTER_NOT)
		return key_filter_put_tree(f, filter->left, !negate);
	is_and = (filter->kind == HIST_FILTER_AND) != negate;
	hist_strbuf_char(&f->text, '(');
	ret = key_filter_put_tree(f, filter->left, negate);
	hist_strbuf_str(&f->text, is_and ? " && " : " || ");
	if (!ret)
		ret = key_filter_put_tree(f, filter->right, negate);
	hist_strbuf_char(&f->text, ')');
	return ret;
}

/* Append the "if" of the trigger. */
static int key_filter_put_trigger(struct key_filter *f, const struct hist_filter *filter)
{
	int ret;

	if (key_filter_is_pinned(f, filter))
		return 0;
	if (filter->kind == HIST_FILTER_AND) {
		ret = key_filter_put_trigger(f, filter->left);
		return ret ? ret : key_filter_put_trigger(f, filter->right);
	}
	key_filter_put_and(f);
	return key_filter_put_tree(f, filter, false);
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
