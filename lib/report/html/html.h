/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * html.h - what the parts of the HTML report share
 */
#ifndef LIB_REPORT_HTML_HTML_H
#define LIB_REPORT_HTML_HTML_H

#include "lib/report/html/svg_chart.h"
#include "lib/report/writer.h"

#define HTML_COLUMNS 180 /* of a heat map */
#define HTML_LABELS 24	 /* rows of one without an axis, unless --top asks for others */
#define HTML_ROWS 2000	 /* of a table; what is left out is told */
#define HTML_GROUPS 20	 /* of a table of percentiles */
#define HTML_BARS 24	 /* where there is no axis */
#define HTML_AXIS_BARS 70

struct html {
	struct hist_writer base;
	struct hist_writer_options o;
	struct course course;
	unsigned int hists; /* begun so far */
	struct hist_strbuf out; /* all sections */
	struct hist_strbuf text;
	struct hist_strbuf title, origin, nav; /* what stands before them; escaped */
};

/* At the start. Title and origin: the targets, and what they are where all are the same. */
void html_heading(struct html *h);
/* The histogram's item of the nav. */
void html_link(struct html *h);

/* @s escaped for people and for HTML. */
void html_str(struct html *h, const char *s);
/* The text in h->text, escaped for HTML. */
void html_text(struct html *h);

/* html_section.c - all of the histogram that has just ended.  0 or -errno. */
int html_section(struct html *h);
/* html_table.c - its rows, and the percentiles of its groups.  0 or -errno. */
void html_rows(struct html *h);
int html_percentiles(struct html *h);

#endif
