/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * svg_chart.h - the charts of svg and html, drawn with what a chart is made of
 *
 * Colours and fonts are classes of chart.css, so that one chart is right
 * in light and dark; sizes and places are attributes, with one digit behind the
 * point.  The same input gives the same bytes.
 */
#ifndef LIB_REPORT_HTML_SVG_CHART_H
#define LIB_REPORT_HTML_SVG_CHART_H

#include "lib/analysis/quantile.h"
#include "lib/heatmap/heatmap.h"
#include "lib/label/unit.h"
#include "lib/report/html/chart_data.h"

#define SVG_TICKS_MAX 16
#define SVG_CHAR 6.7 /* width of a column of the fixed font of 11px */

/* svg_chart.c: each writes one element. */
void svg_real(struct hist_strbuf *b, double v);
void svg_rect(struct hist_strbuf *b, const char *class, double x, double y, double w, double h);
void svg_line(struct hist_strbuf *b, const char *class, double x1, double y1, double x2, double y2);
/* @anchor: 's'tart, 'm'iddle or 'e'nd.  @text is escaped for XML here. */
void svg_text(struct hist_strbuf *b, const char *class, char anchor, double x, double y,
	      const struct hist_strbuf *text);
void svg_str(struct hist_strbuf *b, const char *class, char anchor, double x, double y,
	     const char *text);
/* Not more than @columns wide; what was cut is in a <title>. */
void svg_label(struct hist_strbuf *b, const char *class, char anchor, double x, double y,
	       const struct hist_strbuf *label, unsigned int columns);

/* "12,345" */
void chart_count(struct hist_strbuf *b, uint64_t v);
/* "12.3k", for ticks and legends. */
void chart_short(struct hist_strbuf *b, double v);

/* A step of 1, 2 or 5 times a power of ten that gives at most @most ticks up to @range. */
double chart_step(double range, unsigned int most);

/* What stands on an axis: "bytes_req" or "lat (us)". */
void chart_key_title(struct hist_strbuf *b, const struct course *c, int key);
void chart_value_title(struct hist_strbuf *b, const struct course *c);
/* The names of all keys, " / " between. */
void chart_keys_title(struct hist_strbuf *b, const struct course *c);
/* The row of a heat map, with its unit; @exact: with all digits (disambiguate.h). */
void chart_row_label(struct hist_strbuf *b, const struct course *c,
		     const struct hist_heatmap *map, const struct hist_heat_row *row, bool exact);
/* Are they needed? */
bool chart_rows_exact(const struct course *c, const struct hist_heatmap *map);

/*
 * chart_tell_apart - what makes the keys of @n rows distinct: see disambiguate.h
 * @ambiguous by the number of a symbol's string, all false before; @exact by key.  -ENOMEM.
 */
int chart_tell_apart(const struct course *c, const uint32_t *entries, uint32_t n,
		     bool *ambiguous, bool *exact);
/* The flag for hist_label() of such a key: HIST_LABEL_ADDRESS or 0. */
unsigned int chart_address(const bool *ambiguous, const struct hist_schema *schema,
			   unsigned int key, const struct hist_cell *cell);

/* The scale of time under a chart from @x to @x + @w; ends @from, @to of the clock. */
struct chart_time {
	double x, w;
	uint64_t from, to;
	bool ns;
	bool on_line; /* of all files: since 1970 */
};
/* From @x on, @w wide: what @map covers, or the line of all files. */
struct chart_time chart_time_of(const struct course *c, double x, double w);
double chart_time_x(const struct chart_time *t, uint64_t time);
/* Ticks and title, @y is the lower end of the plot; takes 34 px. */
void chart_time_axis(struct hist_strbuf *b, const struct chart_time *t, double top, double y);

/*
 * Each draws into @b what is inside of an <svg> of @width, and returns the height
 * it took, from 0 down.  Nothing to draw gives one line that says why.
 */
/* At most @most bars: of the axis where there is one and not @rows, else of the rows. */
double svg_bars(struct hist_strbuf *b, const struct course *c, double width, uint32_t most,
		bool rows);
double svg_heatmap(struct hist_strbuf *b, const struct course *c, double width);
double svg_percentiles(struct hist_strbuf *b, const struct course *c, double width,
		       const uint32_t *p, unsigned int n);

/* True where there is a course over time to draw, for the last two. */
bool chart_has_time(const struct course *c);

#endif
