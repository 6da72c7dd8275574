/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * text_view.h - what the text views share: the style, the output, and one text to align
 */
#ifndef LIB_REPORT_TEXT_TEXT_VIEW_H
#define LIB_REPORT_TEXT_TEXT_VIEW_H

#include "lib/report/text/views.h"
#include "lib/report/text_column.h"

struct text_view {
	FILE *f;
	const struct hist_view *view; /* NULL for heat maps */
	const struct hist_view_style *style;
	const struct hist_schema *schema;
	unsigned int flags; /* of hist_escape() */
	struct hist_strbuf out, text;
};

static inline unsigned int text_flags(const struct hist_view_style *style)
{
	return (style->utf8 ? 0 : HIST_ESCAPE_ASCII) | (style->raw_names ? HIST_LABEL_NUMBERS : 0);
}

/* Returns the start of a view without its header. */
struct text_view text_begin(FILE *f, const struct hist_view *view,
			    const struct hist_view_style *style);
/* Write the totals, unless @ret is an error, and free all.  Returns @ret or the first error. */
int text_end(struct text_view *t, int ret);

/* Empty t->text and return it. */
static inline struct hist_strbuf *text_clear(struct text_view *t)
{
	return hist_strbuf_clear(&t->text);
}

/* Set t->text to @name, escaped.  Returns its width. */
unsigned int text_name(struct text_view *t, const char *name);
/* Write two blanks and t->text, which is @width wide, into a column of @column. */
void text_column(struct text_view *t, unsigned int width, unsigned int column, bool right);
/* Write @v into a column of @column, at the right. */
void text_u64(struct text_view *t, uint64_t v, unsigned int column);
/* Write the line "LABEL  TOTAL SHARE" of a group, whose label is t->text, cut to the line. */
void text_group(struct text_view *t, uint64_t total, uint64_t whole);
/* End a line, and write to the stream if there is a large piece. */
void text_line(struct text_view *t);

static inline void text_widen(unsigned int *width, unsigned int to)
{
	if (*width < to)
		*width = to;
}

#endif
