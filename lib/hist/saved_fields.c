// SPDX-License-Identifier: LGPL-2.1
/*
 * saved_fields.c - the lines that onmax() and onchange() print below a row, with signs
 *
 * track_data_print() prints each number as u64.  The text is parsed in the order of the trigger,
 * and only the numbers of signed fields are rewritten.  A text in any other order stays unchanged,
 * so nothing is guessed.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/field_resolve.h"
#include "lib/hist/saved_fields.h"

/* "%-32s" */
#define STRING_COLUMNS 32

static int saved_add_field(struct hist_schema *schema, const char *name,
			   const struct hist_expr *expr,
			   const struct hist_field *field, const struct hist_event *event)
{
	const struct hist_event_field *of;
	struct hist_saved_desc *saved;
	struct hist_resolved resolved;

	if (array_add(&schema->saved, schema->nsaved, sizeof(*saved)))
		return -ENOMEM;
	saved = memset(&schema->saved[schema->nsaved], 0, sizeof(*saved));
	saved->name = strdup(name);
	if (!saved->name)
		return -ENOMEM;
	schema->nsaved++;
	hist_field_resolve(&resolved, expr, field, false, event);
	of = resolved.field;
	saved->is_string = of && hist_field_is_string(of);
	saved->is_unknown = resolved.meaning == HIST_MEANS_UNKNOWN ||
			    resolved.meaning == HIST_MEANS_NOTHING ||
			    resolved.meaning == HIST_MEANS_COMM;
	if (of && hist_field_is_number(of) && of->is_signed &&
	    resolved.modifier == HIST_MOD_NONE && of->size <= 8)
		saved->sign_size = of->size;
	return 0;
}

/* "max: N", then the fields of the trigger's save(); likewise below each such action. */
static int saved_add_line(struct hist_schema *schema, const struct hist_expr *expr,
			  const struct hist_action *action, const struct hist_event *event)
{
	struct hist_field field = { .name = action->subject, .is_expression = true };
	const struct hist_action *save;
	unsigned int i, j;
	int ret;

	ret = saved_add_field(schema, action->handler == HIST_ONMAX ? "max" : "changed", expr,
			      &field, event);
	if (!ret)
		schema->saved[schema->nsaved - 1].begins = true;
	for (i = 0; i < expr->nactions; i++) {
		save = &expr->actions[i];
		for (j = 0; save->kind == HIST_ACTION_SAVE && !ret && j < save->nparams; j++) {
			field.name = save->params[j].text;
			field.is_expression = save->params[j].is_variable;
			ret = saved_add_field(schema, field.name, expr, &field, event);
		}
	}
	return ret;
}

int saved_make(struct hist_schema *schema, const struct hist_expr *expr,
	       const struct hist_event *event)
{
	const struct hist_action *action;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < expr->nactions; i++) {
		action = &expr->actions[i];
		if (action->handler != HIST_ONMATCH && action->kind != HIST_ACTION_SNAPSHOT)
			ret = saved_add_line(schema, expr, action, event);
	}
	return ret;
}

bool saved_is_worst(const struct hist_expr *expr)
{
	const struct hist_action *action;
	unsigned int i, tracked = 0;
	bool worst = false;

	for (i = 0; i < expr->nactions; i++) {
		action = &expr->actions[i];
		if (action->handler == HIST_ONMATCH)
			continue;
		tracked++;
		worst |= action->handler == HIST_ONMAX && action->kind == HIST_ACTION_SAVE &&
			 !strncmp(action->subject, "$worst", strlen("$worst"));
	}
	return worst && tracked == 1;
}

void saved_free(struct hist_schema *schema)
{
	unsigned int i;

	for (i = 0; i < schema->nsaved; i++)
		free(schema->saved[i].name);
	free(schema->saved);
	schema->saved = NULL;
	schema->nsaved = 0;
}

int saved_copy(struct hist_schema *to, const struct hist_schema *from)
{
	bool complete = true;

	to->nsaved = 0;
	to->saved = calloc(from->nsaved + 1, sizeof(*to->saved));
	if (!to->saved)
		return -ENOMEM;
	for (; to->nsaved < from->nsaved; to->nsaved++) {
		to->saved[to->nsaved] = from->saved[to->nsaved];
		to->saved[to->nsaved].name = strdup(from->saved[to->nsaved].name);
		complete &= to->saved[to->nsaved].name != NULL;
	}
	return complete ? 0 : -ENOMEM;
}

void saved_print_number(struct hist_strbuf *b, const struct hist_saved_desc *saved, uint64_t value)
{
	unsigned int unused = 64 - 8 * saved->sign_size;

	if (saved->sign_size)
		hist_strbuf_printf(b, "%10" PRId64, (int64_t)(value << unused) >> unused);
	else
		hist_strbuf_printf(b, "%10" PRIu64, value);
}

/* Write "  name: " into @buf and return its length. */
static size_t saved_put_title(const struct hist_schema *schema, unsigned int i, char *buf,
			      size_t len)
{
	const struct hist_saved_desc *saved = &schema->saved[i];
	int n = snprintf(buf, len, "%s%s: ", saved->begins ? i ? "\n\t" : "" : "  ", saved->name);

	return n > 0 && (size_t)n < len ? (size_t)n : 0;
}

static bool needs_signs(const struct hist_schema *schema)
{
	bool is_signed = false;
	unsigned int i;

	for (i = 0; i < schema->nsaved; i++) {
		if (schema->saved[i].is_unknown)
			return false;
		is_signed |= schema->saved[i].sign_size != 0;
	}
	return is_signed;
}

/* Copy the number at @at to @b; return its end, or NULL if it is not a number. */
static const char *sign_number(const struct hist_saved_desc *saved, const char *at,
			       const char *end, struct hist_strbuf *b)
{
	const char *start;
	uint64_t value = 0;

	while (at < end && *at == ' ')
		at++;
	for (start = at; at < end && at - start < 20 && text_is_digit(*at); at++)
		value = value * 10 + (*at - '0');
	if (at == start)
		return NULL;
	saved_print_number(b, saved, value);
	return at;
}

bool saved_restore_signs(const struct hist_schema *schema, const char *text, size_t len,
			 struct hist_strbuf *b)
{
	const char *at = text, *end = text + len, *next;
	char name[512];
	unsigned int i;
	size_t n;

	b->len = 0;
	if (!needs_signs(schema))
		return false;
	for (i = 0; i < schema->nsaved; i++) {
		n = saved_put_title(schema, i, name, sizeof(name));
		if (!n || !text_starts_with(at, end - at, name))
			return false;
		hist_strbuf_add(b, name, n);
		at += n;
		if (!schema->saved[i].is_string) {
			at = sign_number(&schema->saved[i], at, end, b);
			if (!at)
				return false;
			continue;
		}
		/* a longer string shifts the next item to the right; the last string is trimmed */
		next = end;
		if (i + 1 < schema->nsaved) {
			n = saved_put_title(schema, i + 1, name, sizeof(name));
			next = n && end - at > STRING_COLUMNS
				       ? memmem(at + STRING_COLUMNS, end - at - STRING_COLUMNS,
						name, n)
				       : NULL;
			if (!next)
				return false;
		}
		hist_strbuf_add(b, at, next - at);
		at = next;
	}
	return at == end && !b->error;
}
