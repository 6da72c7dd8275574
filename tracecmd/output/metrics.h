/* SPDX-License-Identifier: GPL-2.0 */
/*
 * metrics.h - what a running recording has counted, as metrics of Prometheus
 *
 * The counters begin at 0 with the first snapshot and never fall, also if another program clears a
 * histogram (lib/series/counted.h).  They have the names and numbers that a report of the recording
 * has with --format openmetrics, for the same writer writes them.
 *
 * All machines have the same bounds, whatever they counted.  The buckets of .log2=K, and numbers
 * without buckets, are therefore merged to those of .log2, which is exact.
 *
 * Functions return 0 or -errno without a message.
 */
#ifndef TRACECMD_OUTPUT_METRICS_H
#define TRACECMD_OUTPUT_METRICS_H

#include "lib/base/strbuf.h"
#include "lib/series/series.h"

/* Time series; more are refused. */
#define METRICS_SERIES_MAX 200000

struct metrics;

enum metrics_form {
	METRICS_PROTOBUF, /* with native histograms */
	METRICS_OPENMETRICS,
	METRICS_TEXT, /* 0.0.4 of Prometheus */
	METRICS_FORMS
};

/* The content type of a form. */
const char *metrics_content_type(enum metrics_form form);

/*
 * metrics_choose_form - the form that a client wants most
 * @accept: the value of its header Accept, or NULL.  The first of several with the same q wins;
 * text if the client knows none.
 */
enum metrics_form metrics_choose_form(const char *accept);

/* @fine: .log2=K keeps its buckets.  NULL without memory. */
struct metrics *metrics_new(bool fine);
void metrics_free(struct metrics *m);

/* Add a histogram.  @table must outlive @m; @def is copied.  Returns its number. */
int metrics_define(struct metrics *m, const struct hist_definition *def, struct hist_table *table);

/* Go on to the next snapshot of histogram @hist.  The first one is the set-up, and not counted. */
int metrics_add(struct metrics *m, int hist, const struct hist_snapshot *snap);

/*
 * metrics_write - append the page of all counters
 * -EINVAL with @error set: too many series.
 */
int metrics_write(struct metrics *m, enum metrics_form form, struct hist_strbuf *b,
		  struct hist_error *error);

#endif
