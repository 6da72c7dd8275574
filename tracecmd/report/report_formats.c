// SPDX-License-Identifier: GPL-2.0
/*
 * report_formats.c - the formats and views of `trace-cmd hist report`
 */
#include <stddef.h>

#include "tracecmd/report/report_formats.h"

#define VIEW(name) (1u << HIST_VIEW_##name)
#define ROWS (REPORT_SORT | REPORT_TOP)
#define EPISODES (REPORT_EPISODES | REPORT_EPISODES_ONLY)

const struct report_format report_formats[] = {
	{ "text", &hist_writer_text, REPORT_COLOUR | REPORT_LIST | REPORT_LINE | EPISODES,
	  VIEW(TABLE) | VIEW(BARS) | VIEW(HEATMAP) | VIEW(PERCENTILES), HIST_VIEW_TABLE, 0, 0 },
	{ "json", &hist_writer_json,
	  ROWS | REPORT_LIST | REPORT_OFFSET | REPORT_PERCENTILES | REPORT_EPISODES,
	  VIEW(PERCENTILES), 0, 0, REPORT_ALL_ROWS | REPORT_NEEDS_AXIS },
	{ "csv", &hist_writer_csv, ROWS | REPORT_OFFSET | EPISODES, 0, 0, 0, 0 },
	{ "ndjson", &hist_writer_ndjson, ROWS | REPORT_OFFSET | EPISODES, 0, 0, 0, 0 },
	{ "folded", &hist_writer_folded, ROWS, 0, 0, 0, 0 },
	{ "openmetrics", &hist_writer_openmetrics, REPORT_SERIES | REPORT_OFFSET | REPORT_COUNTERS,
	  0, 0, 0, 0 },
	{ "prometheus", &hist_writer_prometheus, REPORT_SERIES | REPORT_COUNTERS, 0, 0, 0, 0 },
	{ "svg", &hist_writer_svg, REPORT_ALL_ROWS | REPORT_LINE | EPISODES,
	  VIEW(BARS) | VIEW(HEATMAP) | VIEW(PERCENTILES), HIST_VIEW_BARS,
	  VIEW(HEATMAP) | VIEW(PERCENTILES), REPORT_SORT },
	{ "html", &hist_writer_html,
	  REPORT_OVER_TIME | REPORT_NO_POINTS | REPORT_ALL_ROWS | REPORT_TOP | REPORT_PERCENTILES |
		  REPORT_LINE | REPORT_EPISODES,
	  0, 0, 0, 0 },
	{ .name = NULL },
};

const struct report_view report_views[] = {
	[HIST_VIEW_TABLE] = { "table", ROWS },
	[HIST_VIEW_BARS] = { "bars", ROWS | REPORT_AXIS_ORDER },
	[HIST_VIEW_HEATMAP] = { "heatmap", ROWS | REPORT_ALL_ROWS | REPORT_OVER_TIME |
						   REPORT_NO_POINTS | REPORT_DRAWS },
	[HIST_VIEW_PERCENTILES] = { "percentiles", REPORT_TOP | REPORT_ALL_ROWS |
							   REPORT_PERCENTILES | REPORT_NEEDS_AXIS },
};

unsigned int report_find_needs(const struct report_format *format, enum hist_view_name view)
{
	unsigned int needs = format->needs;

	if (format->views)
		needs |= report_views[view].needs & ~format->without;
	if (format->over_time & 1u << view)
		needs |= REPORT_OVER_TIME | REPORT_NO_POINTS;
	return needs;
}
