/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * svg_chart.h - the charts of svg and html, and what they share
 *
 * Colours and fonts are classes of chart.css.  One chart therefore fits light and dark
 * themes.  Sizes and positions are attributes with one digit after the decimal point.
 * Invariant: the same input gives the same bytes.
 */
#ifndef LIB_REPORT_HTML_SVG_CHART_H
#define LIB_REPORT_HTML_SVG_CHART_H

#include "lib/analysis/quantile.h"
#include "lib/chart/scale.h"
#include "lib/chart/time_axis.h"
#include "lib/heatmap/heatmap.h"
#include "lib/label/cut.h"
#include "lib/label/number.h"
#include "lib/report/html/chart_data.h"
#include "lib/report/writer.h"

/* The title of a value: "bytes_req" or "lat (us)". */
void svg_put_value_title(struct hist_strbuf *b, const struct chart_data *c);
/* The title of key @axis, or if it is -1 those of all keys, separated by " / ". */
void svg_chart_axis_title(struct hist_strbuf *b, const struct chart_data *c, int axis);
/* The label of a heat map row, with its unit.  @exact: without rounding (disambiguate.h). */
void svg_put_row_label(struct hist_strbuf *b, const struct chart_data *c,
		       const struct hist_heatmap *map, const struct hist_heat_row *row, bool exact);
/* True if the labels of the rows need @exact, because rounded labels are not distinct. */
bool svg_need_exact_rows(const struct chart_data *c, const struct hist_heatmap *map);

/* The time axis from @x to @x + @w: of the heat map, or the common time of all files. */
struct chart_time_axis svg_make_time_axis(const struct chart_data *c, double x, double w);
/* Where a column of the heat map is: the axis is from 0 to 1. */
struct chart_span svg_time_span(const struct chart_time_axis *t,
				const struct hist_heat_column *column);
/* Add ticks and title, @y is the lower end of the plot; takes 34 px. */
void svg_add_time_axis(struct chart_scene *scene, const struct chart_data *c,
		       const struct chart_time_axis *t, double top, double y);

/*
 * Each function writes the content of an <svg> of @width into @b, and returns the height.
 * If there is nothing to draw, the content is one line with the reason.
 */
/* svg_draw_bars - at most @most bars: of the axis, or of the rows if @rows or without an axis */
double svg_draw_bars(struct hist_strbuf *b, const struct chart_data *c, double width, uint32_t most,
		     bool rows);
/* svg_draw_story - the time line of a story, which has a latency above 0 */
double svg_draw_story(struct hist_strbuf *b, const struct hist_story *story, double width);

/* True if the heat map and the percentiles have a time axis to draw. */
bool svg_has_time(const struct chart_data *c);
/* True if the histogram has an axis and a value to count over it. */
bool svg_has_axis(const struct chart_data *c);

#define SVG_WIDE 1140
#define SVG_HALF 640

/* A chart of a page.  Half charts are next to each other, above wide ones. */
struct svg_chart {
	const char *kind, *caption;
	double width; /* SVG_HALF or SVG_WIDE */
	/* False: a page leaves the chart out. */
	bool (*has)(const struct chart_data *c);
	/* Write a part of the caption, in HTML. */
	void (*put_about)(const struct chart_data *c, struct hist_strbuf *b);
	/* As svg_draw_bars(); @o: the percentiles, otherwise 50, 90 and 99. */
	double (*draw)(struct hist_strbuf *b, const struct chart_data *c, double width,
		       const struct hist_writer_options *o);
};

/* All charts of a page, in their order: each has a svg_chart_NAME in its svg_NAME.c. */
#define SVG_CHARTS(X) \
	X(bars) \
	X(percentiles) \
	X(heatmap)

#define SVG_CHART(name) extern const struct svg_chart svg_chart_##name;
SVG_CHARTS(SVG_CHART)
#undef SVG_CHART

#endif
