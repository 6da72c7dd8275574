/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * table.h - a table: columns, rows, and a function that makes the cell of both
 *
 * A source (columns.h, percentiles_table.h, lib/diff) fills in the columns and the function.  A
 * back end (text_table.h, html_table.c, the panel) asks for the cells that it shows, one at a time.
 *  Only the source knows what a cell contains; only the back end knows where it is shown.
 *
 * Texts are escaped already (lib/base/escape.h); titles are not.
 */
#ifndef LIB_TABLE_TABLE_H
#define LIB_TABLE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/escape.h"
#include "lib/base/strbuf.h"
#include "lib/label/cut.h"

/*
 * One cell.  Begin with all zero, and use it again for the next cell.
 * @number orders the rows by a column of numbers.
 */
struct table_cell {
	bool measure; /* only @width is needed: @text may stay empty */
	bool is_number, is_signed;
	uint64_t number;
	unsigned int style;	  /* for the back end; 0: plain */
	unsigned int width;	  /* columns of @text on a terminal */
	size_t start;		  /* where the text begins in @text: a back end may write into it */
	struct hist_strbuf text;
	struct hist_strbuf whole; /* the text with all digits and names, or empty: @text has them */
};

struct table_column {
	const char *title;
	const char *lead;	/* before each cell, escaped; NULL becomes two blanks */
	const char *trail;	/* after each cell, escaped, or NULL */
	unsigned int around;	/* the columns of @lead and @trail, if @lead is not NULL */
	bool right;		/* aligned to the right */
	unsigned int
		most; /* wider cells do not widen the column: they move what follows; 0: none */
	unsigned int least; /* cells may be cut to this width, if lines are too long; 0: never */
	unsigned int fold; /* if they are still too long, the largest is left out first; 0: never */
	bool even;	   /* all cells have one width */
	/* results of table_measure() and table_fit() */
	bool left_out;
	unsigned int lead_len, trail_len; /* bytes */
	unsigned int width;
	unsigned int widest;  /* cell; wider than @width if cells are cut or move what follows */
	struct hist_cut *cut; /* the texts of the rows if some are cut, or NULL */
};

/* A source begins its own struct with this one. */
struct table {
	struct table_column *columns;
	unsigned int ncolumns;
	uint32_t nrows;
	uint32_t from, to; /* the rows of table_measure() */
	void (*put)(const struct table *t, uint32_t row, unsigned int column,
		    struct table_cell *cell);
};

/* For table_get(): replace the text of a cell of a column that is cut, if it does not fit. */
void table_replace_text(const struct table *t, uint32_t row, unsigned int column,
			struct table_cell *cell);

/*
 * Empty @cell, and make the cell of @row and @column in it.  Errors are in its buffers.
 * The text of a column that is cut is cut so that rows which differ do not read alike (cut.h).
 */
static inline void table_get(const struct table *t, uint32_t row, unsigned int column,
			     struct table_cell *cell)
{
	cell->is_number = cell->is_signed = false;
	cell->width = cell->style = 0;
	cell->text.len = cell->start;
	cell->whole.len = 0;
	t->put(t, row, column, cell);
	if (!cell->measure && t->columns[column].cut)
		table_replace_text(t, row, column, cell);
}

void table_cell_free(struct table_cell *cell); /* the buffers, not the struct */

/*
 * table_measure - make the columns as wide as the cells of rows @from to @to - 1
 * @flags: of hist_escape(), for titles; TABLE_TITLES: columns are as wide as their titles.
 * Returns 0, or the error of a cell.
 */
#define TABLE_TITLES 0x100
int table_measure(struct table *t, uint32_t from, uint32_t to, unsigned int flags);

/*
 * table_fit - cut columns, or leave them out, if lines are longer than @line (@least, @fold)
 * Lines that cannot fit stay as they are, with all columns.
 * @flags: of hist_escape().  Returns 0 or -ENOMEM.
 */
int table_fit(struct table *t, unsigned int line, unsigned int flags);

/*
 * table_put_left_out - write @lead and the titles of the columns that are left out: "share, cum"
 * Writes nothing and returns false if there are none.  @flags: of hist_escape().
 */
bool table_put_left_out(struct hist_strbuf *b, const struct table *t, const char *lead,
			unsigned int flags);

/* Free what table_fit() allocated. */
void table_free(struct table *t);

/* The columns of a line: all that are shown, with leads and trails. */
unsigned int table_line_width(const struct table *t);

/* For sources: the text that was added to an empty cell is ASCII, and has this width. */
static inline void table_cell_ascii(struct table_cell *cell)
{
	cell->width = cell->text.len - cell->start;
}

/* For sources: set text and width of an empty cell.  Numbers are also set as @number. */
void table_cell_number(struct table_cell *cell, uint64_t v, bool is_signed);
void table_cell_grouped(struct table_cell *cell, uint64_t v, bool is_signed); /* "12,345" */
void table_cell_hex(struct table_cell *cell, uint64_t v);
/* "12.34%", of hundredths of a percent. */
void table_cell_percent(struct table_cell *cell, uint64_t hundredths);
/* The same of a share.  Columns are as wide as "100.00%". */
void table_cell_share(struct table_cell *cell, uint64_t part, uint64_t whole);
/* "12.3" per second, of thousandths; "-" if it is not @known. */
void table_cell_rate(struct table_cell *cell, int64_t rate, bool known);
void table_cell_str(struct table_cell *cell, const char *ascii);
/* Escapes @s.  @flags: of hist_escape(). */
void table_cell_escape(struct table_cell *cell, const char *s, size_t len, unsigned int flags);

#endif
