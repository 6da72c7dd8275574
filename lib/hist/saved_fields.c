// SPDX-License-Identifier: LGPL-2.1
/*
 * saved_fields.c - the text of the lines that onmax() and onchange() print below a row, with signs
 *
 * track_data_print() prints each number as u64.  The text is parsed in the order of the trigger,
 * and only the numbers of signed fields are rewritten.  A text in any other order stays unchanged,
 * so nothing is guessed.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/expr/expr_parts.h"
#include "lib/hist/saved_fields.h"

/* "%-32s" */
#define STRING_COLUMNS 32

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
