// SPDX-License-Identifier: LGPL-2.1
/*
 * column.c - a text in a column of fixed width
 */
#include <tracehist/label.h>

#include "column.h"
#include "utf8.h"

void column_put(struct hist_strbuf *out, const struct hist_strbuf *text, unsigned int width,
		unsigned int column, bool right, bool ascii)
{
	unsigned int columns = 0, flags = ascii ? HIST_LABEL_ASCII : 0;
	size_t at = 0, n;
	uint32_t c;

	if (width <= column) {
		if (right)
			hist_strbuf_pad(out, width, column);
		hist_strbuf_add(out, text->data, text->len);
		if (!right)
			hist_strbuf_pad(out, width, column);
		return;
	}
	/* one column short, for the mark; a label is valid UTF-8 */
	while (at < text->len) {
		n = utf8_decode(text->data + at, text->len - at, &c);
		n = n ? n : 1;
		/* a backslash there is one of an escape already made */
		width = text->data[at] == '\\' ? 1 : hist_escape_width(text->data + at, n, flags);
		if (columns + width > column - 1)
			break;
		columns += width;
		at += n;
	}
	hist_strbuf_add(out, text->data, at);
	hist_strbuf_str(out, ascii ? "~" : "\xe2\x80\xa6");
	hist_strbuf_pad(out, columns + 1, column);
}
