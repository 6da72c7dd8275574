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

#include "lib/base/strbuf.h"
#include "lib/expr/expr_parts.h"

/* Add a list of names without the blanks around it and around its commas. */
static int add_list(struct hist_strbuf *b, const char *prefix, const char *list,
		    struct hist_error *error)
{
	const char *end = list + strlen(list), *word;
	size_t len, bad;

	hist_strbuf_str(b, prefix);
	bad = b->len;
	while (list) {
		word = hist_expr_next_item(&list, end, &len);
		hist_strbuf_add(b, word, len);
		hist_strbuf_add(b, ",", list != NULL);
	}
	if (b->error)
		return b->error;
	while (bad < b->len && b->data[bad] != ':' && !text_is_blank(b->data[bad]))
		bad++;
	if (bad == b->len)
		return 0;
	if (b->data[bad] == ':') {
		hist_expr_error_set(error, bad, 1, "unexpected \":\" in a list of fields");
		return hist_expr_error_hint(error,
					    "use -R to set other attributes");
	}
	hist_expr_error_set(error, bad, 1, "unexpected white space in a list of fields");
	return hist_expr_error_hint(error, "separate the names with \",\"");
}

static bool expr_build_has_word(const char *s)
{
	while (s && text_is_blank(*s))
		s++;
	return s && *s;
}

static int parse_plain(struct hist_expr **expr, struct hist_strbuf *b, struct hist_error *error)
{
	hist_strbuf_char(b, '\0');
	return b->error ? b->error : hist_expr_parse_plain(expr, b->data, error);
}

/* Add clock= if the text so far uses common_timestamp. */
static int add_clock(struct hist_strbuf *b, const char *clock, struct hist_error *error)
{
	struct hist_expr *expr;
	bool uses;
	int ret;

	ret = parse_plain(&expr, b, error);
	if (ret)
		return ret;
	b->len--;
	uses = hist_expr_uses_timestamp(expr);
	hist_expr_free(expr);
	return uses ? add_list(b, ":clock=", clock, error) : 0;
}

static int expr_build_add_filter(struct hist_strbuf *b, const char *filter,
				 struct hist_error *error)
{
	size_t len;

	filter += strspn(filter, " \t");
	for (len = strlen(filter); text_is_blank(filter[len - 1]); len--)
		;
	hist_strbuf_str(b, " if ");
	hist_strbuf_add(b, filter, len);
	if (strncmp(filter, "if", 2) || (filter[2] && !text_is_blank(filter[2])))
		return 0;
	hist_expr_error_set(error, b->len - len, 2, "\"if\" is given twice");
	return hist_expr_error_hint(error, "write the filter without \"if\"");
}

int hist_expr_build(struct hist_expr **expr, const char *keys, const char *values, const char *sort,
		    const char *filter, const char *clock, const char *more,
		    struct hist_error *error, char **bad_text)
{
	struct hist_strbuf b = { 0 };
	int ret;

	ret = add_list(&b, "hist:keys=", keys, error);
	if (!ret && expr_build_has_word(values))
		ret = add_list(&b, ":vals=", values, error);
	if (!ret && expr_build_has_word(sort))
		ret = add_list(&b, ":sort=", sort, error);
	if (!ret && more)
		hist_strbuf_printf(&b, ":%s", more);
	if (!ret && clock)
		ret = add_clock(&b, clock, error);
	if (!ret && expr_build_has_word(filter))
		ret = expr_build_add_filter(&b, filter, error);
	if (!ret)
		ret = parse_plain(expr, &b, error);
	if (ret != -EINVAL || !bad_text) {
		hist_strbuf_free(&b);
		return ret;
	}
	hist_strbuf_char(&b, '\0');
	*bad_text = b.data;
	return b.error ? -ENOMEM : ret;
}

static bool is_state_word(const char *s, size_t len)
{
	static const char *const words[] = { "pause", "cont", "continue", "clear" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (text_equals(s, len, words[i]))
			return true;
	return false;
}

char *hist_expr_insert_word(const struct hist_expr *expr, const char *word)
{
	const char *s = expr->text + expr->params, *end = expr->text + expr->end, *colon;
	bool drop = is_state_word(word, strlen(word));
	struct hist_strbuf b = { 0 };

	hist_strbuf_add(&b, expr->text, expr->params);
	for (;; s = colon + 1) {
		colon = memchr(s, ':', end - s);
		if (!colon)
			colon = end;
		if (!drop || !is_state_word(s, colon - s)) {
			hist_strbuf_add(&b, ":", b.len > expr->params);
			hist_strbuf_add(&b, s, colon - s);
		}
		if (colon == end)
			break;
	}
	hist_strbuf_char(&b, ':');
	hist_strbuf_str(&b, word);
	hist_strbuf_add(&b, end, strlen(end) + 1);
	if (b.error)
		hist_strbuf_free(&b);
	return b.data;
}
