/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * text_table.h - a table as lines of text
 *
 * The caller measures and fits the table first (table.h), and adds newlines, so that it can add to
 * a line.
 */
#ifndef LIB_REPORT_TEXT_TEXT_TABLE_H
#define LIB_REPORT_TEXT_TEXT_TABLE_H

#include "lib/analysis/snapshot_view.h"
#include "lib/table/table.h"

/* A table that is being written.  @cell begins with all zero; its style is an enum ansi_style. */
struct text_table {
	const struct table *table;
	struct hist_strbuf *out;
	const struct hist_view_style *style;
	struct table_cell cell;
};

/* Write the titles of all columns. */
void text_table_put_titles(struct text_table *t);

/*
 * Write the cells of @row, from column @from on.  A column that is cut ends in U+2026, or in '~'
 * without UTF-8.  The last column has no blanks after it.
 */
void text_table_put_row(struct text_table *t, uint32_t row, unsigned int from);

/* Write "# left out to fit 80 columns: cum, share" as a line, if columns are left out. */
void text_table_put_left_out(struct hist_strbuf *out, const struct table *table,
			     unsigned int line, unsigned int flags);

/* Free what @t has allocated.  Its error is added to @out. */
void text_table_end(struct text_table *t);

#endif
