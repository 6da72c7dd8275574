/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * text_column.h - put a text into a column of fixed width, or into the rest of a line
 */
#ifndef LIB_REPORT_TEXT_COLUMN_H
#define LIB_REPORT_TEXT_COLUMN_H

#include <stdbool.h>

#include "lib/base/escape.h"
#include "lib/base/strbuf.h"
#include "lib/hist/schema.h"

/*
 * text_column_put - write @text, padded to @column columns
 * @text is escaped already and @width columns wide.  A wider text is cut and ends in U+2026, or
 * in '~' if @ascii.
 */
void text_column_put(struct hist_strbuf *out, const struct hist_strbuf *text, unsigned int width,
		     unsigned int column, bool right, bool ascii);

/* text_column_put_title - write @text, cut in the same way to @most columns; @most is at least 1 */
void text_column_put_title(struct hist_strbuf *out, const struct hist_strbuf *text,
			   unsigned int most,
			   bool ascii);

/*
 * text_column_escape - write @s, which is escaped already, for a terminal without UTF-8
 * Newlines and backslashes are not escaped again.  @flags: of hist_escape().  Returns the width.
 */
unsigned int text_column_escape(struct hist_strbuf *out, const char *s, unsigned int flags);

#endif
