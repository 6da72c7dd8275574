// SPDX-License-Identifier: LGPL-2.1
/*
 * print_args.c - split a print fmt into its arguments
 */
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/event/print_args.h"
#include "lib/event/print_expr.h"

/*
 * Read the conversion after the '%' before *@at, and move *@at to its end.  False if it has none.
 */
static bool print_args_read_conversion(struct print_args *a, const char **at, const char *end)
{
	const char *p = *at;
	struct print_arg *arg;
	size_t len = 0;

	/* the width and the precision of "%*.*s" are arguments */
	while (p < end && (text_is_digit(*p) || strchr("-+ #.hlLqjzt*", *p)) &&
	       a->n < PRINT_ARGS_MAX - 1)
		a->n += *p++ == '*';
	if (p == end)
		return false;
	arg = &a->args[a->n++];
	arg->conversion = *p++;
	/* "%pI4": the letters after the p belong to the conversion */
	for (; arg->conversion == 'p' && p < end && text_is_word(*p); p++) {
		if (len < sizeof(arg->more) - 1)
			arg->more[len++] = *p;
	}
	*at = p;
	return true;
}

/* Read the conversions of the format string at *@at.  False if the arguments cannot be counted. */
static bool print_args_read_format(struct print_args *a, const char **at, const char *limit,
				   struct hist_strbuf *format)
{
	const char *p, *end, *last = NULL;
	unsigned int first;

	if (!print_expr_read_string(at, limit, format) || format->error)
		return false;
	if (!format->len)
		return true;
	for (p = format->data, end = p + format->len; p < end;) {
		if (*p++ != '%')
			continue;
		if (p < end && *p == '%') {
			p++;
			continue;
		}
		if (a->n >= PRINT_ARGS_MAX - 1)
			return false;
		first = a->n;
		a->args[first].is_joined = last && last == p - 1;
		if (!print_args_read_conversion(a, &p, end))
			return false;
		last = p;
	}
	return true;
}

/* Split the arguments at their commas.  Returns their number. */
static unsigned int print_args_split(struct print_args *a, const char *p, const char *end)
{
	unsigned int n = 0, depth = 0;

	for (; p < end; p++) {
		if (*p == '"') {
			for (p++; p < end && *p != '"'; p++)
				p += *p == '\\' && p + 1 < end;
		} else if (strchr("([{", *p)) {
			depth++;
		} else if (strchr(")]}", *p)) {
			depth -= depth > 0;
		} else if (*p == ',' && !depth) {
			if (n)
				a->args[n - 1].len = p - a->args[n - 1].text;
			if (n == PRINT_ARGS_MAX)
				return n;
			a->args[n++].text = p + 1;
		}
	}
	if (n)
		a->args[n - 1].len = end - a->args[n - 1].text;
	return n;
}

int print_args_read(struct print_args *a, const char *text, size_t len)
{
	struct hist_strbuf format = { 0 };
	const char *at = text, *end = text + len;
	unsigned int n;
	int ret;

	memset(a, 0, sizeof(*a));
	if (print_args_read_format(a, &at, end, &format)) {
		n = print_args_split(a, at, end);
		a->n = n < a->n ? n : a->n;
	} else {
		a->n = 0;
	}
	ret = format.error;
	hist_strbuf_free(&format);
	return ret;
}
