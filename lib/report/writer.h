/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * writer.h - one face for all output formats of a report
 *
 * A report is a stream: for each histogram its description, its snapshots (or
 * differences) in order, its end; at last what was wrong with the file.  A
 * writer puts that into one format as it comes.  Those that show time as
 * a whole (heat map, html) keep what they need and write at the histogram's end.
 *
 * Call in this order: new, (histogram, snapshot*, histogram_end)*, free.
 * Errors are sticky: go on, or ask hist_writer_error() to stop early.
 *
 * Every format says what was lost: hits dropped, snapshots missed or damaged,
 * rows that could not be told apart, a histogram that was cleared.
 */
#ifndef LIB_REPORT_WRITER_H
#define LIB_REPORT_WRITER_H

#include "lib/analysis/quantile.h"
#include "lib/analysis/snapshot_view.h"

enum hist_view_name {
	HIST_VIEW_TABLE,
	HIST_VIEW_BARS,
	HIST_VIEW_HEATMAP,
	HIST_VIEW_PERCENTILES,
};

struct hist_writer_options {
	FILE *f; /* stays the caller's */
	enum hist_view_name view; /* for text and svg */
	struct hist_view_style style;
	unsigned int nquantiles; /* 0: the writer's own choice */
	uint32_t quantiles[HIST_QUANTILES_MAX];
	uint32_t top;	     /* --top, 0 for all: for groups in heat maps and percentiles */
	uint32_t max_series; /* openmetrics: more time series than that are refused */
	/* All that will come, in order; stay the caller's.  Looked at only at the start. */
	const struct hist_series_info *const *hists;
	unsigned int nhists;
};

struct hist_writer;

/* What a format implements. */
struct hist_writer_ops {
	void (*histogram)(struct hist_writer *w, const struct hist_series_info *info,
			  const char *name);
	/*
	 * view->rows are selected and sorted; view->whole is the snapshot before
	 * subtraction.  A list of histograms comes with the last snapshot of each,
	 * and rows and table NULL (json only).
	 */
	void (*snapshot)(struct hist_writer *w, const struct hist_view *view);
	/* The table of the last view is still there. */
	void (*histogram_end)(struct hist_writer *w);
	/* What stands behind all histograms; not called after an error. */
	void (*end)(struct hist_writer *w, const struct hist_series_damage *damage);
	/* Frees all, the struct included; writes nothing. */
	void (*free)(struct hist_writer *w);
};

/* Begins each format's own struct. */
struct hist_writer {
	const struct hist_writer_ops *ops;
	int error;	/* the first, -errno */
	char why[256];	/* a sentence for the user where strerror() says too little, or "" */
};

/* For writers: sets the first error; what flush and the like return can be passed on. */
void hist_writer_fail(struct hist_writer *w, int error, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static inline void hist_writer_result(struct hist_writer *w, int ret)
{
	if (ret && !w->error)
		w->error = ret;
}

/* Each gives NULL without memory.  json: schema "trace-cmd-hist/1". */
struct hist_writer *hist_writer_text(const struct hist_writer_options *options);
struct hist_writer *hist_writer_json(const struct hist_writer_options *options);
struct hist_writer *hist_writer_csv(const struct hist_writer_options *options);
struct hist_writer *hist_writer_ndjson(const struct hist_writer_options *options);
struct hist_writer *hist_writer_folded(const struct hist_writer_options *options);
struct hist_writer *hist_writer_openmetrics(const struct hist_writer_options *options);
struct hist_writer *hist_writer_svg(const struct hist_writer_options *options);
struct hist_writer *hist_writer_html(const struct hist_writer_options *options);

static inline void hist_writer_histogram(struct hist_writer *w,
					 const struct hist_series_info *info, const char *name)
{
	if (!w->error)
		w->ops->histogram(w, info, name);
}

static inline void hist_writer_snapshot(struct hist_writer *w, const struct hist_view *view)
{
	if (!w->error)
		w->ops->snapshot(w, view);
}

static inline void hist_writer_histogram_end(struct hist_writer *w)
{
	if (!w->error)
		w->ops->histogram_end(w);
}

static inline int hist_writer_error(const struct hist_writer *w)
{
	return w->error;
}

/*
 * hist_writer_free - end the document and free; @damage is what is known by now
 * 0, or the first error, with its sentence or "" in @why (which may be NULL).
 * NULL for @damage: give up, write no end.  NULL for @w is -ENOMEM.
 */
int hist_writer_free(struct hist_writer *w, const struct hist_series_damage *damage, char *why,
		     size_t why_len);

#endif
