// SPDX-License-Identifier: GPL-2.0
/*
 * message.c - print messages, safe for a terminal
 *
 * A message is escaped after it is formatted, so that the arguments are escaped too.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/strbuf.h"
#include "lib/check/check.h"
#include "lib/label/label.h"
#include "tracecmd/base/message.h"

static const char *const message_prefixes[] = {
	[MESSAGE_ERROR] = "trace-cmd hist: error: ",
	[MESSAGE_WARNING] = "trace-cmd hist: warning: ",
	[MESSAGE_NOTE] = "trace-cmd hist: note: ",
};

/* Write both lines in one piece, as several programs may share @to, and in the order of stdout. */
static void message_flush(FILE *to, const char *prefix, struct hist_strbuf *lines)
{
	if (to == stderr)
		fflush(stdout);
	if (hist_strbuf_flush(lines, to) == -ENOMEM)
		fprintf(to, "%sout of memory\n", prefix);
	hist_strbuf_free(lines);
}

static void message_put_lines(FILE *to, const char *prefix, const char *fmt, va_list args)
{
	struct hist_strbuf lines = { 0 };
	const char *hint;
	size_t len;
	char *text = hist_error_format(fmt, args, &len, &hint);

	hist_strbuf_str(&lines, prefix);
	if (text) {
		hist_escape(&lines, text, len, 0);
		if (*hint) {
			hist_strbuf_str(&lines, "\nhint: ");
			hist_escape(&lines, hint, strlen(hint), 0);
		}
	} else {
		hist_strbuf_str(&lines, "out of memory");
	}
	hist_strbuf_char(&lines, '\n');
	message_flush(to, prefix, &lines);
	free(text);
}

void message_put(FILE *to, enum message_kind kind, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	message_put_lines(to, message_prefixes[kind], fmt, args);
	va_end(args);
}

void message_print_to(FILE *to, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	message_put_lines(to, "", fmt, args);
	va_end(args);
}

/* Keep the order of standard output and messages. */
#define MESSAGE_FUNCTION(name, kind)						\
void name(const char *fmt, ...)							\
{										\
	va_list args;								\
										\
	fflush(stdout);								\
	va_start(args, fmt);							\
	message_put_lines(stderr, message_prefixes[kind], fmt, args);		\
	va_end(args);								\
}

MESSAGE_FUNCTION(message_error, MESSAGE_ERROR)
MESSAGE_FUNCTION(message_warning, MESSAGE_WARNING)
MESSAGE_FUNCTION(message_note, MESSAGE_NOTE)

int message_refuse(int ret, const char *fmt, ...)
{
	va_list args;

	fflush(stdout);
	va_start(args, fmt);
	message_put_lines(stderr, message_prefixes[MESSAGE_ERROR], fmt, args);
	va_end(args);
	return ret;
}

static int message_put_error(const char *prefix, int ret, const struct hist_error *error)
{
	struct hist_strbuf lines = { 0 };

	hist_error_put(&lines, prefix, ret, error);
	message_flush(stderr, prefix, &lines);
	return ret;
}

int message_report(int ret, const struct hist_error *error)
{
	/* the loss of a target was reported with its reason */
	if (ret == -ECONNRESET && !error->err)
		return ret;
	return message_put_error(message_prefixes[MESSAGE_ERROR], ret, error);
}

int message_report_of(int ret, const struct hist_error *error, const char *object, ...)
{
	struct hist_strbuf prefix = { 0 };
	va_list args;
	char *text;

	va_start(args, object);
	if (vasprintf(&text, object, args) < 0)
		text = NULL;
	va_end(args);
	hist_strbuf_str(&prefix, message_prefixes[MESSAGE_ERROR]);
	if (text) {
		hist_escape(&prefix, text, strlen(text), 0);
		hist_strbuf_str(&prefix, ": ");
	}
	free(text);
	text = hist_strbuf_string(&prefix);
	message_put_error(text ? text : message_prefixes[MESSAGE_ERROR], ret, error);
	free(text);
	return ret;
}

int message_error_errno(const char *what, int ret)
{
	/* the loss of a target was reported with its reason */
	return ret == -ECONNRESET ? ret : message_refuse(ret, "%s: %s", what, strerror(-ret));
}

int message_error_memory(void)
{
	return message_refuse(-ENOMEM, "out of memory");
}

enum message_kind message_split(const char **line, enum message_kind kind)
{
	static const char host[] = "trace-cmd hist: ", helper[] = "trace-cmd-hist-target: ";
	const char *word;
	unsigned int i;

	if (!strncmp(*line, host, strlen(host)))
		*line += strlen(host);
	else if (!strncmp(*line, helper, strlen(helper)))
		*line += strlen(helper);
	else
		return kind;
	for (i = 0; i < sizeof(message_prefixes) / sizeof(message_prefixes[0]); i++) {
		word = message_prefixes[i] + strlen(host);
		if (!strncmp(*line, word, strlen(word))) {
			*line += strlen(word);
			return i;
		}
	}
	return kind;
}

/* The caret is moved: the kernel counts bytes, and an escaped byte has several columns. */
void message_report_place(const char *lines)
{
	size_t len = strcspn(lines, "\n"), at;
	struct hist_strbuf out = { 0 };
	const char *caret;

	if (lines[0] != ' ')
		return;
	hist_escape(&out, lines, len, 0);
	hist_strbuf_char(&out, '\n');
	caret = lines + len + (lines[len] == '\n');
	if (*caret == ' ') {
		at = strspn(caret, " ");
		hist_strbuf_fill(&out, ' ', hist_escape_width(lines, at < len ? at : len, 0));
		if (at > len)
			hist_strbuf_fill(&out, ' ', at - len);
		hist_escape(&out, caret + at, strcspn(caret + at, "\n"), 0);
		hist_strbuf_char(&out, '\n');
	}
	/* if out of memory, the message above must be enough */
	hist_strbuf_flush(&out, stderr);
	hist_strbuf_free(&out);
}

int message_report_expression(int ret, const char *text, struct hist_error *error)
{
	if (!ret)
		return 0;
	error->text = text;
	return message_report(ret, error);
}
