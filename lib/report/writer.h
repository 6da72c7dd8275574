/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * writer.h - the common interface of all output formats of a report
 *
 * A report is a stream: for each histogram its description, its snapshots (or differences)
 * in order and its end; finally the damage of the file.  A writer converts this stream into
 * one format.  Writers that show time as a whole (heat map, html) collect the data and
 * write it at the end of the histogram.
 *
 * Call order: new, (histogram, snapshot*, histogram_end)*, free.  Errors are sticky: the
 * caller may continue, or call the member error to stop early.
 *
 * Every format reports what was lost: dropped hits, snapshots that are missed or damaged,
 * rows with ambiguous names, a histogram that was cleared.
 */
#ifndef LIB_REPORT_WRITER_H
#define LIB_REPORT_WRITER_H

#include "lib/table/columns.h"
#include "lib/analysis/quantile.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/report/episodes.h"
#include "lib/base/error.h"

/* Facts of a recorder that still runs, as of now. */
struct hist_recorder_facts {
	uint64_t started; /* ns since 1970 (UTC), when the first snapshot was taken */
	uint64_t cpu_ns;  /* CPU time of the process */
	uint64_t memory;  /* its resident memory in bytes */
	const char *version;
};

enum hist_view_name {
	HIST_VIEW_TABLE,
	HIST_VIEW_BARS,
	HIST_VIEW_HEATMAP,
	HIST_VIEW_PERCENTILES,
	HIST_VIEW_SUMMARY, /* bars, a line for each group, or the table */
};

struct hist_writer_options {
	FILE *f; /* owned by the caller */
	enum hist_view_name view; /* for text and svg */
	struct hist_view_style style;
	unsigned int nquantiles; /* 0: the writer's own choice */
	uint32_t quantiles[HIST_QUANTILES_MAX];
	bool intervals;	     /* each view is the interval since the view before it */
	uint32_t top;	     /* --top, for groups in heat maps and percentiles; 0: all */
	uint32_t max_series; /* openmetrics: the writer fails if there are more time series */
	/*
	 * openmetrics, prometheus, protobuf: the report is about a recorder; NULL: about a file.
	 * Owned by the caller.
	 */
	const struct hist_recorder_facts *recorder;
	/* All histograms of the report, in order; owned by the caller.  Used only at the start. */
	const struct hist_series_info *const *hists;
	unsigned int nhists;
	/*
	 * The worst episodes (--worst), or NULL; owned by the caller.  text, csv, ndjson and svg
	 * then write only these, and json and html add them to the histograms.  Others ignore them.
	 */
	const struct hist_report_episodes *episodes;
};

struct hist_writer;

/* Limit of the memory of writers that keep text or rows up to the end of the document. */
#define HIST_KEPT_MAX (128u << 20)

/*
 * The functions that a format implements.  Each returns 0 or -errno.  NULL: nothing to do.
 * After an error only @clear is called.
 */
struct hist_writer_ops {
	size_t size; /* of the format's own struct, which begins with a struct hist_writer */
	int (*begin)(struct hist_writer *w);
	/* The histogram is w->info. */
	int (*histogram)(struct hist_writer *w);
	/*
	 * view->rows are selected and sorted; view->whole is the snapshot before
	 * subtraction.  A list of histograms has one view of the last snapshot of
	 * each, with rows and table NULL (json only).
	 */
	int (*snapshot)(struct hist_writer *w, const struct hist_view *view);
	/* The table of the last view still exists. */
	int (*histogram_end)(struct hist_writer *w);
	/* Writes the end of the document. */
	int (*end)(struct hist_writer *w, const struct hist_series_damage *damage);
	/* Frees the memory of the format's own members. */
	void (*clear)(struct hist_writer *w);
};

struct hist_writer {
	const struct hist_writer_ops *ops;
	struct hist_writer_options o;
	/* The current histogram, and the titles of its keys and values. */
	const struct hist_series_info *info;
	const char *name;
	bool ns; /* its clock counts ns */
	struct hist_columns columns;
	struct hist_strbuf out;  /* not yet written to o.f */
	struct hist_strbuf text; /* one label or field */
	int error;     /* the first, -errno */
	struct hist_error failure;
	/* why @error is set, unless errno says it */ /* a sentence for the user if
							 strerror() is not enough, or "" */
};

/* json: schema "trace-cmd-hist/1". */
extern const struct hist_writer_ops hist_writer_text, hist_writer_json, hist_writer_csv,
	hist_writer_ndjson, hist_writer_folded, hist_writer_openmetrics, hist_writer_prometheus,
	hist_writer_protobuf, hist_writer_svg, hist_writer_html;

/* Returns NULL if memory is exhausted. */
struct hist_writer *hist_writer_new(const struct hist_writer_ops *ops,
				    const struct hist_writer_options *options);

/* @info and @name must exist until hist_writer_free(). */
void hist_writer_histogram(struct hist_writer *w, const struct hist_series_info *info,
			   const char *name);
void hist_writer_snapshot(struct hist_writer *w, const struct hist_view *view);
void hist_writer_histogram_end(struct hist_writer *w);

/*
 * hist_writer_free - write the end of the document, then free @w
 * @damage: of the file; NULL: abort, the end is not written.
 * @error: may be NULL.
 * Returns 0 or the first error; -ENOMEM if @w is NULL.
 */
int hist_writer_free(struct hist_writer *w, const struct hist_series_damage *damage,
		     struct hist_error *error);

#endif
