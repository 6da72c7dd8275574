/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * text_column.h - a text in a column of fixed width, or in what a line leaves
 */
#ifndef LIB_REPORT_TEXT_COLUMN_H
#define LIB_REPORT_TEXT_COLUMN_H

#include <stdbool.h>

#include "lib/base/strbuf.h"

/*
 * column_put - @text, of @width columns and escaped already, padded to @column
 * What is wider is cut and ends in a mark: U+2026, or '~' where @ascii.
 */
void column_put(struct hist_strbuf *out, const struct hist_strbuf *text, unsigned int width,
		unsigned int column, bool right, bool ascii);

/* column_title - @text, cut as above where it has more than @most columns, at least 1 */
void column_title(struct hist_strbuf *out, const struct hist_strbuf *text, unsigned int most,
		  bool ascii);

#endif
