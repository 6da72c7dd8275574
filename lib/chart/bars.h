/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * bars.h - the scene of a bar chart, with one bar in a slot or several to compare
 *
 * Lying bars have a row each: label, bar, value and share; numbers are below.  Upright bars are
 * next to each other, with their values above them and their labels below.
 *
 * Order of calls: measure, then draw for each position of the scroll bar, free.
 */
#ifndef LIB_CHART_BARS_H
#define LIB_CHART_BARS_H

#include "lib/chart/scale.h"
#include "lib/chart/scene.h"

/* What a chart shows.  It must stay valid until chart_bars_free(). */
struct chart_bars_figures {
	void *data; /* of the functions */
	uint32_t n;
	/* NULL: bars do not have their value as text, and @size is set. */
	uint64_t (*value)(void *data, uint32_t bar);
	/* With several sides, each slot has so many bars: the length of each.  NULL: the value. */
	double (*size)(void *data, uint32_t bar, unsigned int side);
	unsigned int sides; /* 0: one */
	/* Write a tick of the lengths.  NULL: as a short number. */
	void (*tick)(void *data, double number, struct hist_strbuf *b);
	/* The number of empty bars that this one replaces; 0 for a bar.  NULL: there are none. */
	uint64_t (*gap)(void *data, uint32_t bar);
	/* Append the label, without newlines. */
	void (*label)(void *data, uint32_t bar, struct hist_strbuf *b);
	bool has_shares;
	uint64_t whole; /* the total that shares are parts of */
	/* Of lying bars only; NULL: none. */
	const char *key_title, *value_title;
	const char *more; /* a line below the last bar */
};

struct chart_bars_options {
	bool upright, log;
	double width, height; /* @height: of lying bars 0 is that of all bars */
	double top, margin;   /* what the chart leaves free above, and at its sides */
	uint32_t measured;    /* so many labels settle the width of all; 0: all */
	struct chart_font font;
};

struct chart_bars {
	const struct chart_bars_figures *f;
	struct chart_bars_options o;
	struct chart_box plot;
	double slot; /* the height of a row, or the width of an upright bar with its gap */
	double all;  /* of all slots, to scroll in */
	double label; /* width of the labels */
	unsigned int lines; /* of labels below upright bars */
	struct chart_scale scale;
	struct hist_cut labels; /* of lying bars: the measured ones */
	struct hist_strbuf text;
};

/* chart_bars_measure - compute the layout.  Returns 0 or -ENOMEM; call free in any case. */
int chart_bars_measure(struct chart_bars *v, const struct chart_bars_figures *f,
		       const struct chart_bars_options *o);
void chart_bars_free(struct chart_bars *v); /* not the struct */

/*
 * chart_bars_draw - add the shapes to @scene, and set its size
 * @scroll: so many pixels of the slots are before the plot.  Only visible bars are drawn.
 * Items are bars; the area of an item is its whole slot, with the label.
 */
void chart_bars_draw(struct chart_bars *v, double scroll, struct chart_scene *scene);

/*
 * The slot of @bar, and the bar of a side in it, also if they are not visible.  A bar of 0 has no
 * size.
 */
struct chart_box chart_bars_slot(const struct chart_bars *v, double scroll, uint32_t bar);
struct chart_box chart_bars_bar(const struct chart_bars *v, double scroll, uint32_t bar,
				unsigned int side);

/* The height that so many lying bars need. */
double chart_bars_height(const struct chart_bars_options *o, uint32_t bars);

#endif
