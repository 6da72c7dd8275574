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

/*
 * html_make_heading - make the title and the origin when the report starts
 * They name the targets, and the system of the targets if all have the same one.
 */
void html_make_heading(struct html *h);
/* html_add_link - add the link to this histogram to the nav element */
void html_add_link(struct html *h);

/* Write markup. */
static inline void html_raw(struct html *h, const char *markup)
{
	hist_strbuf_str(&h->base.out, markup);
}

/* Write @s, with control characters escaped (label.h), then escaped for HTML. */
void html_str(struct html *h, const char *s);
/* Write h->base.text, escaped for HTML. */
void html_text(struct html *h);

/* html_section.c - write the section of the histogram that just ended.  Returns 0 or -errno. */
int html_put_section(struct html *h);
/* html_table.c - write the table of rows, and of percentiles.  Returns 0 or -errno. */
int html_put_rows(struct html *h);
int html_put_percentiles(struct html *h);
/* html_episodes.c - write the episodes of the event, after its first histogram */
void html_put_episodes(struct html *h);

#endif
