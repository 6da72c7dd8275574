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

/* The length of @fmt before @newline, formatted. */
static size_t error_measure(const char *fmt, const char *newline, va_list args)
{
	char *first = strndup(fmt, newline - fmt);
	int len = first ? vsnprintf(NULL, 0, first, args) : 0;

	free(first);
	return len > 0 ? len : 0;
}

int hist_error_set(struct hist_error *error, int err, const char *fmt, ...)
{
	const char *newline = strchr(fmt, '\n');
	va_list args, again;
	size_t len;
	char *text;

	if (!error)
		return err;
	va_start(args, fmt);
	va_copy(again, args);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	len = newline ? error_measure(fmt, newline, again) : text ? strlen(text) : 0;
	va_end(again);
	va_end(args);
	*error = (struct hist_error){ .err = err };
	if (text && (!newline || text[len] == '\n')) {
		error_copy(error->what, text, len);
		error_copy(error->hint, text + len + !!newline, strlen(text + len + !!newline));
	} else {
		strcpy(error->what, "out of memory");
	}
	free(text);
	return err;
}

int hist_error_prefix(struct hist_error *error, int err, const char *fmt, ...)
{
	char *prefix, what[HIST_ERROR_MAX];
	size_t len, room, cut = 0;
	va_list args;

	if (!error)
		return err;
	snprintf(what, sizeof(what), "%s", hist_error_what(error, err));
	error->err = err;
	va_start(args, fmt);
	if (vasprintf(&prefix, fmt, args) < 0)
		prefix = NULL;
	va_end(args);
	len = prefix ? strlen(prefix) : 0;
	room = sizeof(what) - 1 - strlen(what);
	if (len > room) {
		cut = room < strlen(ERROR_CUT) ? len : len - room + strlen(ERROR_CUT);
		while (cut < len && error_is_tail(prefix[cut]))
			cut++;
	}
	snprintf(error->what, sizeof(error->what), "%s%s%s", cut && cut < len ? ERROR_CUT : "",
		 prefix ? prefix + cut : "", what);
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
