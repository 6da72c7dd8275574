// SPDX-License-Identifier: LGPL-2.1
/*
 * expr_build.c - make and change the text of an expression
 *
 * The user's arguments are joined to one text, and that text is parsed.  There is only one parser,
 * and --dry-run prints exactly what the kernel gets.  The arguments are checked before, so that an
 * argument cannot add another attribute.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/expr/expr_private.h"

struct buffer {
	char *s;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void append(struct buffer *b, const char *s, size_t len)
{
	memcpy(b->s + b->len, s, len);
	b->len += len;
	b->s[b->len] = '\0';
}

static void append_string(struct buffer *b, const char *s)
{
	append(b, s, strlen(s));
}

/* Append a list of names without the blanks around it and around its commas. */
static void append_list(struct buffer *b, const char *list)
{
	const char *end = list + strlen(list), *word = list, *comma, *stop;

	for (;; word = comma + 1) {
		comma = memchr(word, ',', end - word);
		if (!comma)
			comma = end;
		stop = comma;
		while (word < stop && is_blank(*word))
			word++;
		while (stop > word && is_blank(stop[-1]))
			stop--;
		append(b, word, stop - word);
		if (comma == end)
			break;
		append(b, ",", 1);
	}
}

/* Check an appended list: it must not contain a ':' or a blank. */
static int check_list(const struct buffer *b, size_t start, struct hist_error *error)
{
	size_t bad = start + strcspn(b->s + start, ": \t");

	if (bad == b->len)
		return 0;
	if (b->s[bad] == ':') {
		hist_error_set(error, bad, 1, "unexpected \":\" in a list of fields");
		hist_error_hint(error, "give a whole trigger with -R to set more attributes");
	} else {
		hist_error_set(error, bad, 1, "white space in a list of fields");
		hist_error_hint(error, "put a \",\" between the names");
	}
	return -EINVAL;
}

static bool has_word(const char *s)
{
	while (s && is_blank(*s))
		s++;
	return s && *s;
}

static int append_attribute(struct buffer *b, const char *prefix, const char *list,
			    struct hist_error *error)
{
	size_t start;

	append_string(b, prefix);
	start = b->len;
	append_list(b, list);
	return check_list(b, start, error);
}

/* Add clock= if the text so far uses common_timestamp. */
static int append_clock(struct buffer *b, const char *clock, struct hist_error *error)
{
	struct hist_expr *expr;
	bool uses;
	int ret;

	ret = hist_expr_parse_plain(&expr, b->s, error);
	if (ret)
		return ret;
	uses = hist_expr_uses_timestamp(expr);
	hist_expr_free(expr);
	return uses ? append_attribute(b, ":clock=", clock, error) : 0;
}

static int append_filter(struct buffer *b, const char *filter, struct hist_error *error)
{
	size_t start;

	while (is_blank(*filter))
		filter++;
	append_string(b, " if ");
	start = b->len;
	append_string(b, filter);
	while (b->len > start && is_blank(b->s[b->len - 1]))
		b->s[--b->len] = '\0';
	if (!strncmp(filter, "if", 2) && (!filter[2] || is_blank(filter[2]))) {
		hist_error_set(error, start, 2, "\"if\" is given twice");
		hist_error_hint(error, "give the filter without \"if\"");
		return -EINVAL;
	}
	return 0;
}

int hist_expr_build(struct hist_expr **expr, const char *keys, const char *values, const char *sort,
		    const char *filter, const char *clock, struct hist_error *error,
		    char **bad_text)
{
	const char *const parts[] = { keys, values, sort, filter, clock };
	size_t i, room = sizeof("hist:keys=:vals=:sort=:clock= if ");
	struct buffer b = { 0 };
	int ret = 0;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		room += parts[i] ? strlen(parts[i]) : 0;
	b.s = malloc(room);
	if (!b.s)
		return -ENOMEM;

	ret = append_attribute(&b, "hist:keys=", keys, error);
	if (!ret && has_word(values))
		ret = append_attribute(&b, ":vals=", values, error);
	if (!ret && has_word(sort))
		ret = append_attribute(&b, ":sort=", sort, error);
	if (!ret && clock)
		ret = append_clock(&b, clock, error);
	if (!ret && has_word(filter))
		ret = append_filter(&b, filter, error);
	if (!ret)
		ret = hist_expr_parse_plain(expr, b.s, error);

	if (ret == -EINVAL && bad_text)
		*bad_text = b.s;
	else
		free(b.s);
	return ret;
}

static bool is_state_word(const char *s, size_t len)
{
	static const char *const words[] = { "pause", "cont", "continue", "clear" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == len && !memcmp(s, words[i], len))
			return true;
	return false;
}

char *hist_expr_with(const struct hist_expr *expr, const char *word)
{
	const char *s = expr->text + expr->params, *end = expr->text + expr->end, *colon;
	bool drop = is_state_word(word, strlen(word));
	struct buffer b = { 0 };

	b.s = malloc(strlen(expr->text) + 1 + strlen(word) + 1);
	if (!b.s)
		return NULL;
	append(&b, expr->text, expr->params);
	for (;; s = colon + 1) {
		colon = memchr(s, ':', end - s);
		if (!colon)
			colon = end;
		if (!drop || !is_state_word(s, colon - s)) {
			if (b.len > expr->params)
				append(&b, ":", 1);
			append(&b, s, colon - s);
		}
		if (colon == end)
			break;
	}
	append(&b, ":", 1);
	append_string(&b, word);
	append_string(&b, end);
	return b.s;
}
