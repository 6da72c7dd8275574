/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * html.h - the functions and limits that the parts of the HTML report share
 */
#ifndef LIB_REPORT_HTML_HTML_H
#define LIB_REPORT_HTML_HTML_H

#include "lib/report/html/svg_chart.h"
#include "lib/report/writer.h"

#define HTML_COLUMNS 180 /* columns of a heat map */
#define HTML_LABELS 24	 /* default for --top: rows of a heat map without an axis */
#define HTML_ROWS 2000	 /* rows of a table; one more line counts the rest */
#define HTML_GROUPS 20	 /* groups in a table of percentiles */
#define HTML_BARS 24	 /* bars without an axis */
#define HTML_AXIS_BARS 70 /* bars with an axis */

struct html {
	struct hist_writer base; /* base.out: all sections */
	struct chart_data course;
	unsigned int hists; /* number begun so far */
	struct hist_strbuf title, origin, nav; /* written before the sections; escaped */
	bool *told; /* by number of an episode: its story is in an earlier section */
};

/* Write the section of the histogram that just ended.  Returns 0 or -errno. */
int html_put_section(struct html *h);

#endif
