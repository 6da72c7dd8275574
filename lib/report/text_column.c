// SPDX-License-Identifier: LGPL-2.1
/*
 * text_column.c - put a text into a column of fixed width
 */
#include "lib/base/utf8.h"
#include "lib/label/label.h"
#include "lib/report/text_column.h"

/* Columns of the character at @at of a label, which is valid UTF-8.  *@n: its bytes. */
static unsigned int text_column_char_columns(const struct hist_strbuf *text, size_t at, bool ascii,
					     size_t *n)
{
	uint32_t c;

	*n = utf8_decode(text->data + at, text->len - at, &c);
	if (!*n)
		*n = 1;
	/* a backslash belongs to an existing escape */
	return text->data[at] == '\\' ? 1 :
	       hist_escape_width(text->data + at, *n, ascii ? HIST_ESCAPE_ASCII : 0);
}

/* Write as many characters as fit.  Returns the columns written. */
static unsigned int text_column_put_cut(struct hist_strbuf *out, const struct hist_strbuf *text,
					unsigned int most,
					bool ascii)
{
	unsigned int columns = 0, width;
	size_t at = 0, n;

	/* leave one column for the mark */
	while (at < text->len) {
		width = text_column_char_columns(text, at, ascii, &n);
		if (columns + width > most - 1)
			break;
		columns += width;
		at += n;
	}
	hist_strbuf_fail(out, text->error);
	hist_strbuf_add(out, text->data, at);
	hist_strbuf_str(out, ascii ? "~" : "\xe2\x80\xa6");
	return columns + 1;
}

void text_column_put(struct hist_strbuf *out, const struct hist_strbuf *text, unsigned int width,
		     unsigned int column, bool right, bool ascii)
{
	if (width > column) {
		hist_strbuf_pad(out, text_column_put_cut(out, text, column, ascii), column);
		return;
	}
	if (right)
		hist_strbuf_pad(out, width, column);
	hist_strbuf_append(out, text);
	if (!right)
		hist_strbuf_pad(out, width, column);
}

void text_column_put_title(struct hist_strbuf *out, const struct hist_strbuf *text,
			   unsigned int most,
			   bool ascii)
{
	unsigned int width = 0;
	size_t at, n;

	for (at = 0; at < text->len; at += n)
		width += text_column_char_columns(text, at, ascii, &n);
	if (width > most)
		text_column_put_cut(out, text, most, ascii);
	else
		hist_strbuf_append(out, text);
}

unsigned int text_column_escape(struct hist_strbuf *out, const char *s, unsigned int flags)
{
	unsigned int width = 0;
	size_t len;

	for (;;) {
		len = strcspn(s, "\\\n");
		width += hist_escape(out, s, len, flags);
		s += len;
		if (!*s)
			return width;
		hist_strbuf_char(out, *s++);
		width++;
	}
}
