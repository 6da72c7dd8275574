// SPDX-License-Identifier: GPL-2.0
/*
 * key_filter_trigger.c - translate the "if" of a trigger to a libtraceevent filter
 *
 * The kernel truncates a number to the size of the field, and compares it with the sign
 * of the field. The source is DEFINE_SIGNED_PRED and similar in trace_events_filter.c.
 * libtraceevent compares all numbers as unsigned 64-bit values. In libtraceevent, &&
 * and || have the same precedence, and "!" leaks memory. Therefore all expressions have
 * parentheses, and negations are moved down to the comparisons. Patterns in
 * libtraceevent ignore case, so kernel patterns cannot be translated.
 *
 * A condition on fields with a single value in the keys is true for all counted events,
 * and is omitted.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "kernelshark-plugin/model/key_filter_private.h"

#define SIGN (UINT64_C(1) << 63)

/* The negated comparison operators. */
static const enum hist_filter_op negated[] = {
	[HIST_FILTER_EQ] = HIST_FILTER_NE, [HIST_FILTER_NE] = HIST_FILTER_EQ,
	[HIST_FILTER_LE] = HIST_FILTER_GT, [HIST_FILTER_GT] = HIST_FILTER_LE,
	[HIST_FILTER_LT] = HIST_FILTER_GE, [HIST_FILTER_GE] = HIST_FILTER_LT,
};

/* Append NAME @op @v for signed numbers: in unsigned order, negative numbers are the largest. */
static void put_signed(struct key_filter *f, const char *name, enum hist_filter_op op, uint64_t v)
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
static uint64_t as_field(const struct hist_event_field *field, uint64_t v)
{
	unsigned int bits = field->size * 8;

	if (bits >= 64)
		return v;
	v &= (UINT64_C(1) << bits) - 1;
	return field->is_signed && v >> (bits - 1) ? v | UINT64_MAX << bits : v;
}

static void key_filter_put_text_number(struct key_filter *f, const char *name,
				       const struct hist_event_field *field,
				       enum hist_filter_op op, const char *text, bool negate)
{
	uint64_t v = text[0] == '-' ? (uint64_t)strtoll(text, NULL, 0) : strtoull(text, NULL, 0);

	if (field)
		v = as_field(field, v);
	if (op == HIST_FILTER_BAND) {
		hist_strbuf_str(&f->text, negate ? "!(" : "(");
		key_filter_put_number(f, name, "&", v);
		hist_strbuf_char(&f->text, ')');
		return;
	}
	if (negate)
		op = negated[op];
	if (field && field->is_signed && op != HIST_FILTER_EQ && op != HIST_FILTER_NE)
		put_signed(f, name, op, v);
	else
		key_filter_put_number(f, name, hist_filter_op_name(op), v);
}

static int put_compare(struct key_filter *f, const struct hist_filter *c, bool negate)
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
		key_filter_put_text_number(f, cpu ? cpu : c->field, field, c->op, c->value,
					   negate);
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

static bool is_pinned(const struct key_filter *f, const struct hist_filter *filter)
{
	unsigned int i;

	switch (filter->kind) {
	case HIST_FILTER_AND:
	case HIST_FILTER_OR:
		return is_pinned(f, filter->left) && is_pinned(f, filter->right);
	case HIST_FILTER_NOT:
		return is_pinned(f, filter->left);
	case HIST_FILTER_COMPARE:
		break;
	}
	for (i = 0; i < f->npinned; i++)
		if (!strcmp(f->pinned[i], filter->field) ||
		    (!strcmp(f->pinned[i], "CPU") && key_filter_cpu_name(f, filter->field)))
			return true;
	return false;
}

static int put_tree(struct key_filter *f, const struct hist_filter *filter, bool negate)
{
	bool is_and;
	int ret;

	if (filter->kind == HIST_FILTER_COMPARE)
		return put_compare(f, filter, negate);
	if (filter->kind == HIST_FILTER_NOT)
		return put_tree(f, filter->left, !negate);
	is_and = (filter->kind == HIST_FILTER_AND) != negate;
	hist_strbuf_char(&f->text, '(');
	ret = put_tree(f, filter->left, negate);
	hist_strbuf_str(&f->text, is_and ? " && " : " || ");
	if (!ret)
		ret = put_tree(f, filter->right, negate);
	hist_strbuf_char(&f->text, ')');
	return ret;
}

int key_filter_put_trigger(struct key_filter *f, const struct hist_filter *filter)
{
	int ret;

	if (is_pinned(f, filter))
		return 0;
	if (filter->kind == HIST_FILTER_AND) {
		ret = key_filter_put_trigger(f, filter->left);
		return ret ? ret : key_filter_put_trigger(f, filter->right);
	}
	key_filter_put_and(f);
	return put_tree(f, filter, false);
}
