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

enum canvas_style {
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

struct canvas_cell {
	char text[CANVAS_TEXT];
	unsigned char width; /* columns: 1, 2, or 0 after a 2 */
	unsigned char style;
	unsigned char level; /* CANVAS_HEAT: 0 to 9 */
};

/* Initialize with zeros. */
struct canvas {
	unsigned int rows, columns;
	bool utf8; /* set by the owner: bars and the mark of cut text are Unicode characters */
	struct canvas_cell *cells;
};

/* Set the size and erase the canvas.  The canvas is unchanged after -ENOMEM. */
int canvas_resize(struct canvas *c, unsigned int rows, unsigned int columns);
void canvas_erase(struct canvas *c);
void canvas_clear(struct canvas *c); /* frees the cells */

/* NULL if the cell is outside. */
struct canvas_cell *canvas_at(const struct canvas *c, unsigned int row, unsigned int column);

/*
 * canvas_text - draw at most @width columns of text, with a mark at the end if it is cut
 * @len: bytes.  @right: aligned to the right end of @width.
 */
void canvas_text(struct canvas *c, unsigned int row, unsigned int column, unsigned int width,
		 enum canvas_style style, bool right, const char *text, size_t len);

/* Draw a string, aligned left, up to the end of the row.  Returns its columns. */
unsigned int canvas_str(struct canvas *c, unsigned int row, unsigned int column,
			enum canvas_style style, const char *text);

/* Set the style of @width cells, without a change of their text. */
void canvas_style(struct canvas *c, unsigned int row, unsigned int column, unsigned int width,
		  enum canvas_style style);

/* Draw a bar of @eighths of a column, of at least one eighth. */
void canvas_bar(struct canvas *c, unsigned int row, unsigned int column, unsigned int eighths);

/* Draw a cell of a heat map. */
void canvas_heat(struct canvas *c, unsigned int row, unsigned int column, unsigned int level);

/* Print rows as lines without trailing blanks.  0, or -errno of the stream. */
int canvas_print(const struct canvas *c, FILE *f, unsigned int first, unsigned int rows);

#endif
