/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * view_json.h - histograms as JSON, schema "trace-cmd-hist/1"
 *
 * trace-cmd-hist-report(1) lists all members.  Call in this order: new,
 * (histogram, snapshot*, histogram_end)*, free.
 */
#ifndef TRACEHIST_VIEW_JSON_H
#define TRACEHIST_VIEW_JSON_H

#include <tracehist/view.h>

struct hist_json;

/* @f stays the caller's.  NULL without memory. */
struct hist_json *hist_json_new(FILE *f);
void hist_json_histogram(struct hist_json *j, const struct hist_series_info *info,
			 const char *name);
/* view->rows NULL: without the rows. */
void hist_json_snapshot(struct hist_json *j, const struct hist_view *view);
void hist_json_histogram_end(struct hist_json *j);
/* The first error so far, -errno. */
int hist_json_error(const struct hist_json *j);
/*
 * hist_json_free - end the document; @damage is what is known by now
 * 0, or the first error.  Takes NULL for @j.
 */
int hist_json_free(struct hist_json *j, const struct hist_series_damage *damage);

#endif
