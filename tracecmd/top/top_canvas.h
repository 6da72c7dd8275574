/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top_canvas.h - a screen of cells that views draw on
 *
 * A canvas is shown by ncurses, or printed as text.  Drawing outside of the canvas has no effect.
 * The text must be escaped (label.h).  Other characters that are not printable become '?', so that
 * they never reach a terminal.
 *
 * Invariant: a character of two columns has a cell of width 2, and the next cell has width 0.
 */
#ifndef TRACECMD_TOP_TOP_CANVAS_H
#define TRACECMD_TOP_TOP_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum top_canvas_style {
	CANVAS_PLAIN,
	CANVAS_TITLE,
	CANVAS_HEAD,	 /* of a column */
	CANVAS_HEAD_SORT, /* of the column that the rows are sorted by */
	CANVAS_DIM,
	CANVAS_WARN,
	CANVAS_BAR,
	CANVAS_HEAT, /* text is the character of the level */
};

/* Bytes of a character, its combining marks and a NUL; marks beyond that are omitted. */
#define CANVAS_TEXT 16

struct top_canvas_cell {
	char text[CANVAS_TEXT];
	unsigned char width; /* columns: 1, 2, or 0 after a 2 */
	unsigned char style;
	unsigned char level; /* CANVAS_HEAT: 0 to 9 */
};

/* Initialize with zeros. */
struct top_canvas {
	unsigned int rows, columns;
	bool utf8; /* set by the owner: bars and the mark of cut text are Unicode characters */
	struct top_canvas_cell *cells;
};

/* Set the size and erase the canvas.  The canvas is unchanged after -ENOMEM. */
int top_canvas_resize(struct top_canvas *c, unsigned int rows, unsigned int columns);
void top_canvas_erase(struct top_canvas *c);
void top_canvas_clear(struct top_canvas *c); /* frees the cells */

/* NULL if the cell is outside. */
struct top_canvas_cell *top_canvas_at(const struct top_canvas *c, unsigned int row,
				      unsigned int column);

/*
 * top_canvas_put_text - draw at most @width columns of text, with a mark at the end if it is cut
 * @len: bytes.  @right: aligned to the right end of @width.
 */
void top_canvas_put_text(struct top_canvas *c, unsigned int row, unsigned int column,
			 unsigned int width,
			 enum top_canvas_style style, bool right, const char *text, size_t len);

/* Draw a string, aligned left, up to the end of the row.  Returns its columns. */
unsigned int top_canvas_put_str(struct top_canvas *c, unsigned int row, unsigned int column,
				enum top_canvas_style style, const char *text);

/* Set the style of @width cells, without a change of their text. */
void top_canvas_set_style(struct top_canvas *c, unsigned int row, unsigned int column,
			  unsigned int width,
			  enum top_canvas_style style);

/* Draw a bar of @eighths of a column, of at least one eighth. */
void top_canvas_put_bar(struct top_canvas *c, unsigned int row, unsigned int column,
			unsigned int eighths);

/* Draw a cell of a heat map. */
void top_canvas_put_heat(struct top_canvas *c, unsigned int row, unsigned int column,
			 unsigned int level);

/* Print rows as lines without trailing blanks.  0, or -errno of the stream. */
int top_canvas_print(const struct top_canvas *c, FILE *f, unsigned int first, unsigned int rows);

#endif
