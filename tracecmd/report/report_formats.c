// SPDX-License-Identifier: GPL-2.0
/*
 * report_formats.c - the formats and views of `trace-cmd hist report`
 */
#include <stddef.h>
#include <string.h>

#include "tracecmd/report/report_formats.h"

#define VIEW(name) (1u << HIST_VIEW_##name)
#define ROWS (REPORT_SORT | REPORT_TOP)

const struct report_format report_formats[] = {
	{ "text", &hist_writer_text, REPORT_COLOUR | REPORT_LIST | REPORT_LINE, VIEW(TABLE) | VIEW(BARS) | VIEW(HEATMAP) | VIEW(PERCENTILES),
	  HIST_VIEW_TABLE, 0, 0 },
	{ "json", &hist_writer_json, ROWS | REPORT_LIST | REPORT_OFFSET | REPORT_PERCENTILES,
	  VIEW(PERCENTILES), 0, 0, REPORT_ALL_ROWS | REPORT_NEEDS_AXIS },
	{ "csv", &hist_writer_csv, ROWS | REPORT_OFFSET, 0, 0, 0, 0 },
	{ "ndjson", &hist_writer_ndjson, ROWS | REPORT_OFFSET, 0, 0, 0, 0 },
	{ "folded", &hist_writer_folded, ROWS, 0, 0, 0, 0 },
	{ "openmetrics", &hist_writer_openmetrics, REPORT_SERIES | REPORT_OFFSET, 0, 0, 0, 0 },
	{ "svg", &hist_writer_svg, REPORT_ALL_ROWS | REPORT_LINE, VIEW(BARS) | VIEW(HEATMAP) | VIEW(PERCENTILES),
	  HIST_VIEW_BARS, VIEW(HEATMAP) | VIEW(PERCENTILES), REPORT_SORT },
	{ "html", &hist_writer_html,
	  REPORT_OVER_TIME | REPORT_NO_POINTS | REPORT_ALL_ROWS | REPORT_TOP | REPORT_PERCENTILES |
	  REPORT_LINE, 0, 0, 0, 0 },
	{ NULL, NULL, 0, 0, 0, 0, 0 },
};

const struct report_view report_views[] = {
	{ "table", HIST_VIEW_TABLE, ROWS },
	{ "bars", HIST_VIEW_BARS, ROWS | REPORT_AXIS_ORDER },
	{ "heatmap", HIST_VIEW_HEATMAP,
	  ROWS | REPORT_ALL_ROWS | REPORT_OVER_TIME | REPORT_NO_POINTS | REPORT_DRAWS },
	{ "percentiles", HIST_VIEW_PERCENTILES,
	  REPORT_TOP | REPORT_ALL_ROWS | REPORT_PERCENTILES | REPORT_NEEDS_AXIS },
	{ NULL, 0, 0 },
};

const struct report_format *report_format_find(const char *name)
{
	const struct report_format *f;

	for (f = report_formats; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

const struct report_view *report_view_find(const char *name)
{
	const struct report_view *v;

	for (v = report_views; v->name; v++)
		if (!strcmp(v->name, name))
			return v;
	return NULL;
}

const struct report_view *report_view_of(enum hist_view_name view)
{
	const struct report_view *v;

	for (v = report_views; v->name; v++)
		if (v->view == view)
			return v;
	return NULL;
}

unsigned int report_needs(const struct report_format *format, enum hist_view_name view)
{
	unsigned int needs = format->needs;
	const struct report_view *v = report_view_of(view);

	if (format->views && v)
		needs |= v->needs & ~format->without;
	if (format->over_time & 1u << view)
		needs |= REPORT_OVER_TIME | REPORT_NO_POINTS;
	return needs;
}
