// SPDX-License-Identifier: GPL-2.0
/*
 * list_print.c - how all parts of `trace-cmd hist list` write text and JSON
 */
#include <string.h>

#include "lib/label/label.h"
#include "tracecmd/list/list.h"

#define LINE_WIDTH 79

void list_put(struct list *l, const char *s, unsigned int width)
{
	hist_strbuf_pad(&l->text, hist_escape(&l->text, s, strlen(s), l->flags), width);
}

void list_line(struct list *l, const char *s)
{
	list_put(l, s, 0);
	hist_strbuf_char(&l->text, '\n');
}

void list_member(struct list *l, const char *name, const char *value)
{
	if (value)
		json_string(l->json, name, value);
	else
		json_null(l->json, name);
}

void list_wrap(struct list *l, const char *words, unsigned int indent, unsigned int column)
{
	bool first = true;
	size_t len;
	unsigned int width;

	for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
		len = strcspn(words, " ");
		width = hist_escape_width(words, len, l->flags);
		if (!first && column + 1 + width > LINE_WIDTH) {
			hist_strbuf_char(&l->text, '\n');
			hist_strbuf_fill(&l->text, ' ', indent);
			column = indent;
		} else if (!first) {
			hist_strbuf_char(&l->text, ' ');
			column++;
		}
		hist_escape(&l->text, words, len, l->flags);
		column += width;
		words += len;
		first = false;
	}
	hist_strbuf_char(&l->text, '\n');
}
