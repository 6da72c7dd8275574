// SPDX-License-Identifier: GPL-2.0
/*
 * top_canvas.c - a screen of cells that views draw on
 *
 * The C library decodes characters and gives their widths, by the locale of the program.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "lib/heatmap/heat_scale.h"
#include "tracecmd/top/top_canvas.h"

#define CELLS_MAX (1u << 24)

int top_canvas_resize(struct top_canvas *c, unsigned int rows, unsigned int columns)
{
	struct top_canvas_cell *cells;

	if (columns && rows > CELLS_MAX / columns)
		return -ENOMEM;
	cells = calloc((size_t)rows * columns + 1, sizeof(*cells));
	if (!cells)
		return -ENOMEM;
	free(c->cells);
	c->cells = cells;
	c->rows = rows;
	c->columns = columns;
	top_canvas_erase(c);
	return 0;
}

void top_canvas_erase(struct top_canvas *c)
{
	size_t i;

	for (i = 0; i < (size_t)c->rows * c->columns; i++)
		c->cells[i] = (struct top_canvas_cell){ .text = " ", .width = 1 };
}

void top_canvas_clear(struct top_canvas *c)
{
	free(c->cells);
	memset(c, 0, sizeof(*c));
}

struct top_canvas_cell *top_canvas_at(const struct top_canvas *c, unsigned int row,
				      unsigned int column)
{
	if (row >= c->rows || column >= c->columns)
		return NULL;
	return &c->cells[(size_t)row * c->columns + column];
}

static void top_canvas_blank(struct top_canvas_cell *cell)
{
	*cell = (struct top_canvas_cell){ .text = " ", .width = 1, .style = cell->style };
}

/* Set a cell of one column, and erase the other half of a wide character. */
static void set_cell(struct top_canvas *c, unsigned int row, unsigned int column,
		     enum top_canvas_style style, const char *text, size_t len)
{
	struct top_canvas_cell *cell = top_canvas_at(c, row, column);

	if (!cell)
		return;
	if (cell->width == 0 && column)
		top_canvas_blank(cell - 1);
	if (cell->width == 2 && column + 1 < c->columns)
		top_canvas_blank(cell + 1);
	*cell = (struct top_canvas_cell){ .width = 1, .style = style };
	memcpy(cell->text, text, len < CANVAS_TEXT ? len : CANVAS_TEXT - 1);
}

static void set_wide(struct top_canvas *c, unsigned int row, unsigned int column,
		     enum top_canvas_style style, const char *text, size_t len)
{
	if (column + 1 >= c->columns)
		return;
	set_cell(c, row, column, style, text, len);
	set_cell(c, row, column + 1, style, "", 0);
	top_canvas_at(c, row, column)->width = 2;
	top_canvas_at(c, row, column + 1)->width = 0;
}

/* Add a combining mark to the character before @column. */
static void add_mark(struct top_canvas *c, unsigned int row, unsigned int column, const char *text,
		     size_t len)
{
	struct top_canvas_cell *cell = column ? top_canvas_at(c, row, column - 1) : NULL;
	size_t used;

	if (cell && cell->width == 0)
		cell--;
	if (!cell)
		return;
	used = strlen(cell->text);
	if (used + len < CANVAS_TEXT)
		memcpy(cell->text + used, text, len);
}

/* Decode a character: returns its bytes, and sets *@width to its columns, or -1. */
static size_t next_char(const char *text, size_t len, int *width)
{
	mbstate_t state = { 0 };
	size_t n;
	wchar_t w;

	n = mbrtowc(&w, text, len, &state);
	*width = -1;
	if (n == 0 || n > len) /* NUL, or not a character */
		return 1;
	*width = wcwidth(w);
	return n;
}

static unsigned int top_canvas_count_columns(const char *text, size_t len)
{
	unsigned int columns = 0;
	int width;
	size_t n;

	for (; len; text += n, len -= n) {
		n = next_char(text, len, &width);
		columns += width < 0 ? 1 : width;
	}
	return columns;
}

void top_canvas_put_text(struct top_canvas *c, unsigned int row, unsigned int column,
			 unsigned int width,
			 enum top_canvas_style style, bool right, const char *text, size_t len)
{
	unsigned int whole = top_canvas_count_columns(text, len), used = 0, limit = width;
	bool cut = whole > width;
	int w;
	size_t n;

	if (!width)
		return;
	if (cut)
		limit--;
	else if (right)
		column += width - whole;
	for (; len; text += n, len -= n) {
		n = next_char(text, len, &w);
		if (used + (w < 0 ? 1 : w) > limit)
			break;
		if (w < 0)
			set_cell(c, row, column + used, style, "?", 1);
		else if (w == 0)
			add_mark(c, row, column + used, text, n);
		else if (w == 1)
			set_cell(c, row, column + used, style, text, n);
		else
			set_wide(c, row, column + used, style, text, n);
		used += w < 0 ? 1 : w;
	}
	if (cut)
		set_cell(c, row, column + used, style, c->utf8 ? "\xe2\x80\xa6" : "~",
			 c->utf8 ? 3 : 1);
}

unsigned int top_canvas_put_str(struct top_canvas *c, unsigned int row, unsigned int column,
				enum top_canvas_style style, const char *text)
{
	size_t len = strlen(text);

	if (column < c->columns)
		top_canvas_put_text(c, row, column, c->columns - column, style, false, text, len);
	return top_canvas_count_columns(text, len);
}

void top_canvas_set_style(struct top_canvas *c, unsigned int row, unsigned int column,
			  unsigned int width,
			  enum top_canvas_style style)
{
	struct top_canvas_cell *cell;

	for (; width && (cell = top_canvas_at(c, row, column)); column++, width--)
		cell->style = style;
}

void top_canvas_put_bar(struct top_canvas *c, unsigned int row, unsigned int column,
			unsigned int eighths)
{
	unsigned int full;

	if (!c->utf8) {
		full = (eighths + 4) / 8;
		if (!full)
			set_cell(c, row, column, CANVAS_BAR, ".", 1);
		for (; full; full--)
			set_cell(c, row, column++, CANVAS_BAR, "#", 1);
		return;
	}
	if (!eighths)
		eighths = 1;
	for (full = eighths / 8; full; full--)
		set_cell(c, row, column++, CANVAS_BAR, "\xe2\x96\x88", 3);
	/* U+2588 is the full block, U+2589 to U+258F seven eighths to one */
	if (eighths % 8) {
		const char block[3] = { '\xe2', '\x96', (char)(0x90 - eighths % 8) };

		set_cell(c, row, column, CANVAS_BAR, block, 3);
	}
}

void top_canvas_put_heat(struct top_canvas *c, unsigned int row, unsigned int column,
			 unsigned int level)
{
	struct top_canvas_cell *cell;

	if (level >= HIST_HEAT_CHAR_LEVELS)
		level = HIST_HEAT_CHAR_LEVELS - 1;
	set_cell(c, row, column, CANVAS_HEAT, &HIST_HEAT_CHARS[level], 1);
	cell = top_canvas_at(c, row, column);
	if (cell)
		cell->level = level;
}

int top_canvas_print(const struct top_canvas *c, FILE *f, unsigned int first, unsigned int rows)
{
	const struct top_canvas_cell *cells;
	unsigned int row, column, end;

	for (row = first; row < c->rows && row - first < rows; row++) {
		cells = top_canvas_at(c, row, 0);
		for (end = c->columns; end && !strcmp(cells[end - 1].text, " "); end--)
			;
		for (column = 0; column < end; column++)
			fputs(cells[column].text, f);
		fputc('\n', f);
	}
	return ferror(f) ? -EIO : 0;
}
