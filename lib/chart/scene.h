/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * scene.h - a chart as a list of shapes, which a back end only draws
 *
 * A function of lib/chart makes the scene of a chart from plain figures; svg_scene.c of
 * lib/report/html and the panel's scene_paint.cpp draw it.  A back end knows what a class looks
 * like, and a chart does not: there are no colours and fonts in a scene.
 *
 * Shapes are drawn in their order.  Lengths are pixels of the back end, y is downward.  A shape can
 * belong to an item: a numbered part of the chart, such as a bar.
 *
 * Errors are kept: after the first one nothing is added, and the scene can only be freed or
 * cleared.
 */
#ifndef LIB_CHART_SCENE_H
#define LIB_CHART_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/strbuf.h"
#include "lib/label/cut.h"

enum chart_kind {
	CHART_RECT,
	CHART_LINE,
	CHART_WORDS,
	CHART_CELLS, /* rows and columns of coloured boxes */
	CHART_PATH, /* a line through points, or the area inside of it, as the class says */
	CHART_DOTS,
	CHART_AREA, /* not drawn: where an item is, for chart_scene_find() and what marks an item */
	CHART_CLIP, /* shapes up to the next CHART_UNCLIP are drawn only inside */
	CHART_UNCLIP,
};

enum chart_class {
	CHART_CLASS_NONE, /* of areas and clips */
	CHART_CLASS_PLOT,
	CHART_CLASS_GRID,
	CHART_CLASS_AXIS,
	CHART_CLASS_BAR,
	CHART_CLASS_MERGED, /* a bar that stands for several */
	CHART_CLASS_BEFORE, /* the bar that another one is compared with */
	CHART_CLASS_GAP, /* the place of rows that are left out */
	CHART_CLASS_UNKNOWN, /* a time of which nothing is known */
	CHART_CLASS_MARK, /* a place where something was lost */
	/* words */
	CHART_CLASS_LABEL,
	CHART_CLASS_MUTED,
	CHART_CLASS_TICK,
	CHART_CLASS_NUMBER,
	CHART_CLASS_ZERO, /* a number that has no shape */
	CHART_CLASS_SHARE,
	CHART_CLASS_TITLE, /* of an axis */
	/* These have a level, which is a colour of the palette. */
	CHART_CLASS_HEAT, /* 1 to CHART_HEAT_LEVELS */
	CHART_CLASS_DIFFERENCE, /* 1 to 2 * CHART_DIFFERENCE_LEVELS + 1; the middle is none */
	CHART_CLASS_QUANTILE, /* the range of a percentile: 1 to CHART_QUANTILES */
	CHART_CLASS_BAND, /* the same, lighter */
	CHART_CLASS_EDGE, /* a line; each level has its dashes */
	CHART_CLASSES,
};

#define CHART_NO_ITEM -1

struct chart_box {
	double x, y, w, h;
};

struct chart_span {
	double from, to;
};

/*
 * Rows and columns of boxes.  All of it must stay valid as long as the scene has it.
 * Items are row * columns + column.
 */
struct chart_cells {
	uint32_t rows, columns;
	bool upward;		/* row 0 is the lowest one */
	const uint8_t *levels;	/* row by row; 0: the box is not drawn */
	const struct chart_span *spans; /* x of the columns, ascending */
	double row, gap;	/* the height of a row, and what its boxes leave free of it */
	/* Append the title of a box.  NULL: there are none. */
	void (*title)(void *data, uint32_t row, uint32_t column, struct hist_strbuf *b);
	void *data;
};

/* A point of a path, or a dot. */
struct chart_point {
	double x, y;
	int32_t item; /* of a dot; in a path CHART_BEGIN or CHART_NO_ITEM */
};

#define CHART_BEGIN -2 /* no line leads to this point */

struct chart_shape {
	enum chart_kind kind;
	enum chart_class look;
	uint8_t level;
	int32_t item;
	char anchor; /* of words: 's'tart, 'm'iddle or 'e'nd of the text is at x; '\n' ends a line
		      */
	double x, y;	/* a rectangle's upper left, a line's first end, the base line of words */
	double w, h;	/* a line ends at x + w, y + h */
	double size;	/* of words: in parts of the font; of dots: in pixels */
	size_t words, title; /* into scene.texts; 0: none */
	const struct chart_cells *cells;
	uint32_t point, points; /* the first in scene.points, and their number */
};

/* Initialize with zeros. */
struct chart_scene {
	struct chart_shape *shapes;
	uint32_t n, room;
	struct chart_point *points;
	uint32_t npoints, points_room;
	struct hist_strbuf texts; /* NUL-terminated, after one byte */
	double width, height;
	int error;
};

void chart_scene_clear(struct chart_scene *s);
void chart_scene_free(struct chart_scene *s);

/* The words or the title of a shape. */
static inline const char *chart_scene_text(const struct chart_scene *s, size_t text)
{
	return s->texts.data + text;
}

void chart_scene_rect(struct chart_scene *s, enum chart_class look, int32_t item, double x,
		      double y, double w, double h);
void chart_scene_line(struct chart_scene *s, enum chart_class look, double x1, double y1, double x2,
		      double y2);
void chart_scene_words(struct chart_scene *s, enum chart_class look, int32_t item, char anchor,
		       double x, double y, const struct hist_strbuf *text);
void chart_scene_area(struct chart_scene *s, int32_t item, double x, double y, double w, double h);
void chart_scene_clip(struct chart_scene *s, double x, double y, double w, double h);
void chart_scene_unclip(struct chart_scene *s);

/* @y: the upper end of the highest row. */
void chart_scene_cells(struct chart_scene *s, enum chart_class look, double y,
		       const struct chart_cells *cells);

/* Begin a CHART_PATH, or CHART_DOTS in @box, which may be at its border; NULL: no box. */
void chart_scene_points(struct chart_scene *s, enum chart_kind kind, enum chart_class look,
			const struct chart_box *box);
/* Add a point to the last path or dots. */
void chart_scene_point(struct chart_scene *s, double x, double y, int32_t item);

/* Give the last shape a level, of a class that has levels. */
void chart_scene_level(struct chart_scene *s, uint8_t level);
/* Set the size of the last words or dots. */
void chart_scene_size(struct chart_scene *s, double size);

/* Give the last shape a title: a longer text, for those who point at it. */
void chart_scene_title(struct chart_scene *s, const struct hist_strbuf *title);

/* Words that are label @i of @cut; the whole label is the title if it is cut. */
void chart_scene_label(struct chart_scene *s, enum chart_class look, int32_t item, char anchor,
		       double x, double y, const struct hist_cut *cut, uint32_t i);

/*
 * The item under a point: that of the last area or box that has it, in its clip; of dots the next
 * one, up to CHART_NEAR away; or CHART_NO_ITEM.  A box has at least a pixel.
 */
#define CHART_NEAR 8
int32_t chart_scene_find(const struct chart_scene *s, double x, double y);

/* How a back end measures its text. */
struct chart_font {
	hist_cut_measure *measure; /* widths in pixels */
	void *data;
	double line; /* height of a line */
};

static inline double chart_font_width(const struct chart_font *font, const struct hist_strbuf *text)
{
	return text->len ? font->measure(font->data, text->data, text->len) : 0;
}

#endif
