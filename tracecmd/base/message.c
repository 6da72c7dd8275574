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

#include "lib/base/strbuf.h"
#include "lib/check/check.h"
#include "lib/expr/expr_error.h"
#include "lib/label/label.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"

/* Written in one piece, as several programs may share @to. */
static void message_put_line(FILE *to, const char *prefix, const char *fmt, va_list args)
{
	struct hist_strbuf line = { 0 };
	char *text;

	hist_strbuf_str(&line, prefix);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	if (text)
		hist_escape(&line, text, strlen(text), 0);
	else
		hist_strbuf_str(&line, "out of memory");
	hist_strbuf_char(&line, '\n');
	if (hist_strbuf_flush(&line, to) == -ENOMEM)
		fprintf(to, "%sout of memory\n", prefix);
	hist_strbuf_free(&line);
	free(text);
}

void message_report_to(FILE *to, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	message_put_line(to, "trace-cmd hist: ", fmt, args);
	va_end(args);
}

void message_print_to(FILE *to, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	message_put_line(to, "", fmt, args);
	va_end(args);
}

void message_report(const char *fmt, ...)
{
	va_list args;

	/* keep the order of standard output and messages */
	fflush(stdout);
	va_start(args, fmt);
	message_put_line(stderr, "trace-cmd hist: ", fmt, args);
	va_end(args);
}

int message_report_errno(const char *what, int ret)
{
	/* the loss of a target was reported with its reason */
	if (ret != -ECONNRESET)
		message_report("%s: %s", what, strerror(-ret));
	return ret;
}

int message_report_memory(void)
{
	message_report("out of memory");
	return -ENOMEM;
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

int message_report_expression(int ret, const char *text, const struct hist_error *error)
{
	if (ret == -EINVAL) {
		fflush(stdout);
		hist_expr_error_print(stderr, "trace-cmd hist", text ? text : "", error);
	} else if (ret) {
		message_report("%s", strerror(-ret));
	}
	return ret;
}
