// SPDX-License-Identifier: LGPL-2.1
/*
 * expr_field.c - parse one "name.modifier" of keys=, values= or sort=
 *
 * An expression has an operator, a field has none (expr_word.c).  A field is a C identifier,
 * followed by at most one '.' and a modifier.  Source: parse_field() and is_descending() in
 * trace_events_hist.c; its prefix matches ("percentage") are not accepted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/suggest.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/expr_tree.h"

static const char *const role_names[] = {
	[HIST_ROLE_KEY] = "keys=",
	[HIST_ROLE_VALUE] = "values=",
	[HIST_ROLE_SORT] = "sort=",
	[HIST_ROLE_DEFINITION] = "an expression",
};

static bool is_expression(const char *s, size_t len)
{
	return text_is_digit(*s) || memchr(s, '$', len) || hist_expr_find_operator(s, s + len);
}

/* Remove "SUFFIX" from the end of @s. */
static bool cut_suffix(const char *s, size_t *len, const char *suffix)
{
	if (!text_ends_with(s, *len, suffix))
		return false;
	*len -= strlen(suffix);
	return true;
}

static int bad_modifier(const char *s, size_t len, size_t start, enum hist_role role,
			struct hist_error *error)
{
	const char *names[HIST_MODIFIERS], *near;
	char list[sizeof(error->hint)];
	size_t n = 0;
	enum hist_modifier m;
	char *word;

	if (!len) {
		hist_expr_error_set(error, start, 0, "no modifier after the \".\"");
		return -EINVAL;
	}
	hist_expr_error_set(error, start, len, "unknown modifier \"%.*s\"", HIST_SHOW(len), s);
	word = strndup(s, len);
	if (!word)
		return -ENOMEM;
	for (m = HIST_MOD_NONE; m < HIST_MODIFIERS; m++)
		names[m] = hist_modifier_name(m);
	if (role == HIST_ROLE_SORT)
		near = hist_suggest(word, names + HIST_MOD_ASCENDING, 2);
	else
		near = hist_suggest(word, names + HIST_MOD_HEX, HIST_MOD_ASCENDING - 1);
	free(word);
	if (near)
		return hist_expr_error_hint(error, "did you mean \"%s\"?", near);
	if (role == HIST_ROLE_SORT)
		return hist_expr_error_hint(error, "use .ascending or .descending");
	for (m = HIST_MOD_HEX; m < HIST_MOD_ASCENDING; m++)
		n += snprintf(list + n, sizeof(list) - n, "%s.%s%s", n ? ", " : "", names[m],
			      m == HIST_MOD_BUCKETS ? "=N" : "");
	return hist_expr_error_hint(error, "use one of: %s", list);
}

static int parse_modifier(struct hist_field *field, const char *s, size_t len, size_t start,
			  enum hist_role role, struct hist_error *error)
{
	const char *number = NULL, *equal = memchr(s, '=', len);
	size_t n = equal ? (size_t)(equal - s) : len;
	enum hist_modifier m;
	const char *name;

	if (text_equals(s, n, "buckets") || text_equals(s, n, "bucket")) {
		number = equal ? equal + 1 : s + len;
		if (!hist_expr_parse_number(number, s + len - number, &field->bucket) ||
		    !field->bucket) {
			hist_expr_error_set(error, start, len, "\".%.*s\" needs a size above 0",
					    HIST_SHOW(len), s);
			return hist_expr_error_hint(error,
						    "write .buckets=N, such as .buckets=100");
		}
		field->modifier = HIST_MOD_BUCKETS;
		return 0;
	}
	if (equal && text_equals(s, n, "log2")) {
		if (!hist_expr_parse_number(equal + 1, s + len - equal - 1, &field->bucket) ||
		    !field->bucket || field->bucket > HIST_LOG2_BITS_MAX) {
			hist_expr_error_set(error, start, len,
					    "\".%.*s\" needs a number from 1 to %d",
					    HIST_SHOW(len), s, HIST_LOG2_BITS_MAX);
			return hist_expr_error_hint(error, "write .log2=K, such as .log2=2");
		}
		field->modifier = HIST_MOD_LOG2;
		return 0;
	}
	for (m = HIST_MOD_HEX; m < HIST_MODIFIERS; m++) {
		name = hist_modifier_name(m);
		if (!text_equals(s, len, name))
			continue;
		if (m < HIST_MOD_ASCENDING) {
			field->modifier = m;
			return 0;
		}
		if (role != HIST_ROLE_SORT) {
			hist_expr_error_set(error, start, len, "\".%s\" cannot be used in %s", name,
					    role_names[role]);
			return hist_expr_error_hint(error, "use it in sort=");
		}
	}
	return bad_modifier(s, len, start, role, error);
}

static int bad_name(const char *s, size_t len, size_t start, enum hist_role role,
		    struct hist_error *error)
{
	size_t i = 0;

	if (!len)
		return hist_expr_error_set(error, start, 0, "no name before the \".\"");
	while (i < len && text_is_word(s[i]))
		i++;
	if (i < len && s[i] == '=') {
		hist_expr_error_set(error, start, len, "\"%.*s\" is not a field", HIST_SHOW(len),
				    s);
		return hist_expr_error_hint(error, "use only field names in %s", role_names[role]);
	}
	return hist_expr_error_set(error, start + i, len - i, "unexpected \"%.*s\" in %s",
				   HIST_SHOW(len - i), s + i, role_names[role]);
}

/* Check only the characters of an expression; check.c checks its operands. */
static int check_characters(const char *s, size_t len, size_t start, struct hist_error *error)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!text_is_word(s[i]) && !strchr("+-*/().$=", s[i]))
			return hist_expr_error_set(error, start + i, len - i,
						   "unexpected \"%.*s\" in \"%.*s\"",
						   HIST_SHOW(len - i),
						   s + i, HIST_SHOW(len), s);
	return 0;
}

int hist_expr_field_parse(struct hist_field *field, const char *s, size_t len, size_t start,
			  enum hist_role role, struct hist_error *error)
{
	size_t n = len;
	const char *dot;
	int ret;

	memset(field, 0, sizeof(*field));
	field->span = (struct hist_span){ start, len };
	if (!len)
		return hist_expr_error_set(error, start, 0, "empty name in %s",
					   role_names[role]);

	if (role == HIST_ROLE_SORT) {
		field->descending = cut_suffix(s, &n, ".descending");
		if (field->descending)
			field->modifier = HIST_MOD_DESCENDING;
		else if (cut_suffix(s, &n, ".ascending"))
			field->modifier = HIST_MOD_ASCENDING;
		if (!n)
			return bad_name(s, 0, start, role, error);
	}

	if (is_expression(s, n)) {
		field->is_expression = true;
		ret = check_characters(s, n, start, error);
		if (ret)
			goto fail;
		if (n < len)
			field->modifier_span = (struct hist_span){ start + n + 1, len - n - 1 };
	} else {
		dot = memchr(s, '.', n);
		if (dot || n < len) {
			size_t at = dot ? (size_t)(dot - s) + 1 : n + 1;

			field->modifier_span = (struct hist_span){ start + at, len - at };
		}
		if (dot) {
			dot++;
			ret = parse_modifier(field, dot, s + n - dot, start + (dot - s), role,
					     error);
			if (ret)
				goto fail;
			n = dot - 1 - s;
		}
		if (!hist_expr_is_word(s, n)) {
			ret = bad_name(s, n, start, role, error);
			goto fail;
		}
	}

	field->name = strndup(s, n);
	if (field->name)
		return 0;
	ret = -ENOMEM;
fail:
	memset(field, 0, sizeof(*field));
	return ret;
}

void hist_expr_field_clear(struct hist_field *field)
{
	free(field->name);
	hist_expr_tree_free(field->tree);
	memset(field, 0, sizeof(*field));
}

void hist_expr_tree_free(struct hist_node *node)
{
	if (!node)
		return;
	hist_expr_tree_free(node->left);
	hist_expr_tree_free(node->right);
	free(node->name);
	free(node->system);
	free(node->event);
	free(node);
}
