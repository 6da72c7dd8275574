// SPDX-License-Identifier: LGPL-2.1
/*
 * expr_error.c - print an error of an expression, with a caret below its position
 *
 * The text is escaped and printed on one line.  The caret counts the printed columns.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/escape.h"
#include "lib/expr/expr_error.h"
#include "lib/expr/expr_parts.h"

static void expr_error_fill(struct hist_error *error, struct hist_span at, const char *hint,
			    const char *what,
			    va_list ap)
{
	if (!error)
		return;
	error->at = at;
	snprintf(error->hint, sizeof(error->hint), "%s", hint);
	vsnprintf(error->what, sizeof(error->what), what, ap);
}

int hist_expr_error_set(struct hist_error *error, size_t start, size_t len, const char *what, ...)
{
	va_list ap;

	va_start(ap, what);
	expr_error_fill(error, (struct hist_span){ start, len }, "", what, ap);
	va_end(ap);
	return -EINVAL;
}

int hist_expr_error_refuse(struct hist_error *error, struct hist_span at, const char *hint,
			   const char *what, ...)
{
	va_list ap;

	va_start(ap, what);
	expr_error_fill(error, at, hint, what, ap);
	va_end(ap);
	return -EINVAL;
}

int hist_expr_error_hint(struct hist_error *error, const char *hint, ...)
{
	va_list ap;

	if (!error)
		return -EINVAL;
	va_start(ap, hint);
	vsnprintf(error->hint, sizeof(error->hint), hint, ap);
	va_end(ap);
	return -EINVAL;
}

void hist_expr_error_print(FILE *f, const char *prefix, const char *text,
			   const struct hist_error *error)
{
	size_t len, start, span, width;
	struct hist_strbuf b = { 0 };

	hist_strbuf_str(&b, prefix);
	hist_escape(&b, error->what, strnlen(error->what, sizeof(error->what)), 0);
	hist_strbuf_char(&b, '\n');
	if (text && *text) {
		len = strlen(text);
		start = error->at.start < len ? error->at.start : len;
		span = error->at.len < len - start ? error->at.len : len - start;
		width = hist_escape_width(text + start, span, 0);

		hist_strbuf_str(&b, "  ");
		hist_escape(&b, text, len, 0);
		hist_strbuf_str(&b, "\n  ");
		hist_strbuf_fill(&b, ' ', hist_escape_width(text, start, 0));
		hist_strbuf_char(&b, '^');
		hist_strbuf_fill(&b, '~', width ? width - 1 : 0);
		hist_strbuf_char(&b, '\n');
	}
	if (error->hint[0]) {
		hist_strbuf_str(&b, "hint: ");
		hist_escape(&b, error->hint, strnlen(error->hint, sizeof(error->hint)), 0);
		hist_strbuf_char(&b, '\n');
	}
	if (hist_strbuf_flush(&b, f) == -ENOMEM)
		fprintf(f, "%sout of memory\n", prefix);
	hist_strbuf_free(&b);
}
