// SPDX-License-Identifier: LGPL-2.1
/*
 * error.c - an error for the user: errno, sentence, hint, and the place in a text
 *
 * A text is formatted whole, and then cut to its room: so an argument may be a text of the error
 * itself, and the hint begins after the newline of the format, not after one of an argument.
 * Printing escapes the texts; the caret counts the printed columns.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/escape.h"
#include "lib/base/strbuf.h"

#define ERROR_CUT "..."

/* Not the first byte of a character of UTF-8. */
static bool error_is_tail(char c)
{
	return (c & 0xc0) == 0x80;
}

/* Copy @len bytes; what does not fit is cut between characters. */
static void error_copy(char to[HIST_ERROR_MAX], const char *from, size_t len)
{
	bool cut = len >= HIST_ERROR_MAX;

	if (cut)
		for (len = HIST_ERROR_MAX - sizeof(ERROR_CUT); error_is_tail(from[len]) && len;
		     len--)
			;
	memcpy(to, from, len);
	strcpy(to + len, cut ? ERROR_CUT : "");
}

/* The text before the newline of @fmt is formatted alone to learn its length. */
char *hist_error_format(const char *fmt, va_list args, size_t *len, const char **hint)
{
	const char *newline = strchr(fmt, '\n');
	char *text = NULL, *first = NULL;
	va_list again;
	int n = 0;

	va_copy(again, args);
	if (newline)
		first = strndup(fmt, newline - fmt);
	if (newline)
		n = first ? vsnprintf(NULL, 0, first, again) : -1;
	va_end(again);
	free(first);
	if (n < 0 || vasprintf(&text, fmt, args) < 0)
		return NULL;
	*len = newline ? (size_t)n : strlen(text);
	*hint = text + *len + !!newline;
	return text;
}

int hist_error_vset(struct hist_error *error, int err, const char *fmt, va_list args)
{
	const char *hint;
	size_t len;
	char *text;

	if (!error)
		return err;
	text = hist_error_format(fmt, args, &len, &hint);
	*error = (struct hist_error){ .err = err };
	if (text) {
		error_copy(error->what, text, len);
		error_copy(error->hint, hint, strlen(hint));
	} else {
		strcpy(error->what, "out of memory");
	}
	free(text);
	return err;
}

int hist_error_set(struct hist_error *error, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	hist_error_vset(error, err, fmt, args);
	va_end(args);
	return err;
}

int hist_error_prefix(struct hist_error *error, int err, const char *fmt, ...)
{
	size_t len, have, room, from = 0;
	va_list args;
	char *prefix;

	if (!error)
		return err;
	if (!error->err && err)
		snprintf(error->what, sizeof(error->what), "%s", hist_error_what(error, err));
	error->err = err;
	va_start(args, fmt);
	if (vasprintf(&prefix, fmt, args) < 0)
		prefix = NULL;
	va_end(args);
	len = prefix ? strlen(prefix) : 0;
	have = strlen(error->what);
	room = HIST_ERROR_MAX - 1 - have;
	if (len > room && room < strlen(ERROR_CUT)) {
		from = len;
	} else if (len > room) {
		from = len - room + strlen(ERROR_CUT);
		while (from < len && error_is_tail(prefix[from]))
			from++;
		from -= strlen(ERROR_CUT);
		memcpy(prefix + from, ERROR_CUT, strlen(ERROR_CUT));
	}
	memmove(error->what + len - from, error->what, have + 1);
	if (prefix)
		memcpy(error->what, prefix + from, len - from);
	free(prefix);
	return err;
}

const char *hist_error_what(const struct hist_error *error, int err)
{
	return error->err || !err ? error->what : err == -ENOMEM ? "out of memory" : strerror(-err);
}

void hist_error_put(struct hist_strbuf *b, const char *prefix, int err,
		    const struct hist_error *error)
{
	const char *what = hist_error_what(error, err);
	const char *text = error->text;
	size_t len, start, span, width;

	hist_strbuf_str(b, prefix);
	hist_escape(b, what, strlen(what), 0);
	hist_strbuf_char(b, '\n');
	if (text && *text) {
		len = strlen(text);
		start = error->at.start < len ? error->at.start : len;
		span = error->at.len < len - start ? error->at.len : len - start;
		width = hist_escape_width(text + start, span, 0);

		hist_strbuf_str(b, "  ");
		hist_escape(b, text, len, 0);
		hist_strbuf_str(b, "\n  ");
		hist_strbuf_fill(b, ' ', hist_escape_width(text, start, 0));
		hist_strbuf_char(b, '^');
		hist_strbuf_fill(b, '~', width ? width - 1 : 0);
		hist_strbuf_char(b, '\n');
	}
	if (error->hint[0]) {
		hist_strbuf_str(b, "hint: ");
		hist_escape(b, error->hint, strlen(error->hint), 0);
		hist_strbuf_char(b, '\n');
	}
}
