/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top_canvas.h - a screen of cells that views draw on
 *
 * Between the views and whatever shows them: ncurses, plain text for scripts,
 * or a test.  What is drawn beyond an edge is cut away.  Text must be escaped
 * already (label.h); what still is no printable character becomes '?', so that
 * nothing else ever gets to a terminal.
 *
 * Invariant: the widths of the cells of a row are those of its columns: a
 * character of two columns has a cell of width 2 and behind it one of width 0.
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

/* Bytes of one character and the marks over it, with a NUL; more marks are left out. */
#define CANVAS_TEXT 16

struct canvas_cell {
	char text[CANVAS_TEXT];
	unsigned char width; /* columns: 1, 2, or 0 behind a 2 */
	unsigned char style;
	unsigned char level; /* CANVAS_HEAT: 0 to 9 */
};

/* Begin with all zero. */
struct canvas {
	unsigned int rows, columns;
	bool utf8; /* set by the owner: what marks and bars are made of */
	struct canvas_cell *cells;
};

/* Makes it this large, and empty.  -ENOMEM leaves it as it was. */
int canvas_resize(struct canvas *c, unsigned int rows, unsigned int columns);
void canvas_erase(struct canvas *c);
void canvas_clear(struct canvas *c); /* frees the cells */

/* NULL outside. */
struct canvas_cell *canvas_at(const struct canvas *c, unsigned int row, unsigned int column);

/*
 * canvas_text - at most @width columns of text, cut with a mark where it is longer
 * @len: bytes.  @right: aligned to the right end of @width.
 */
void canvas_text(struct canvas *c, unsigned int row, unsigned int column, unsigned int width,
		 enum canvas_style style, bool right, const char *text, size_t len);

/* The same for a string, aligned left, to the end of the row. Returns its columns. */
unsigned int canvas_str(struct canvas *c, unsigned int row, unsigned int column,
			enum canvas_style style, const char *text);

/* One style for a stretch of a row, whatever stands there. */
void canvas_style(struct canvas *c, unsigned int row, unsigned int column, unsigned int width,
		  enum canvas_style style);

/* A bar of @eighths of a column, at least the thinnest where @eighths is 0. */
void canvas_bar(struct canvas *c, unsigned int row, unsigned int column, unsigned int eighths);

/* One cell of a heat map. */
void canvas_heat(struct canvas *c, unsigned int row, unsigned int column, unsigned int level);

/* Rows as lines of text without blanks at their ends. 0 or -errno of the stream. */
int canvas_print(const struct canvas *c, FILE *f, unsigned int first, unsigned int rows);

#endif
