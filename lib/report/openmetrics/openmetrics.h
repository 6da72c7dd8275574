/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * openmetrics.h - the numbers that the openmetrics writer keeps until the end of a report
 *
 * OpenMetrics requires the samples of a family together, and of each label set together
 * and in the order of time.  A report arrives snapshot by snapshot.  The writer therefore
 * keeps each number as the list of its changes.
 */
#ifndef LIB_REPORT_OPENMETRICS_OPENMETRICS_H
#define LIB_REPORT_OPENMETRICS_OPENMETRICS_H

#include <limits.h>

#include "lib/analysis/axis.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/label/unit.h"
#include "lib/report/writer.h"

/* Facts of each snapshot in addition to its rows.  Facts up to OM_RESETS are counters. */
enum om_fact {
	OM_HITS,
	OM_DROPPED,
	OM_MISSED,
	OM_EVENTS_LOST,
	OM_PROBE_MISSES,
	OM_RESETS,
	OM_LOST,
	OM_ENTRIES,
	OM_AMBIGUOUS,
	OM_LEFT_OUT,
	OM_SET_UP,
	OM_STOPPED,
	OM_FULL_STACKS,
	OM_FACTS,
};

/* A fact with this value does not get a sample. */
#define OM_UNKNOWN UINT64_MAX

struct om_moment {
	uint64_t time; /* of the trace clock */
	uint64_t wall; /* ns since 1970, or 0 */
	int64_t ms;    /* the timestamp, openmetrics_document.c sets it */
	char when[24]; /* the end of a sample: " 12.345"; "" without a time */
	unsigned int when_len;
	uint64_t facts[OM_FACTS];
	uint64_t losses[HIST_LOSS_KINDS]; /* kinds that remain 0 are not written */
};

/* One number over time: 0 at first, then a list of changes. */
struct om_line {
	struct om_change {
		uint32_t moment;
		uint64_t value;
	} *changes;
	uint32_t n, room;
	uint64_t now;
};

struct om_hist {
	const struct hist_series_info *info; /* owned by the series */
	const char *name; /* owned by the caller */
	uint32_t rows_max; /* openmetrics_hist_add() returns -E2BIG if there are more */
	/* Number + 1 of the earlier histogram whose families it shares; 0: it has its own. */
	uint32_t member_of;
	/* Number of the axis key, or -1; and of the value that counts the hits of a bucket. */
	int axis;
	int hits;
	bool fixed; /* its buckets do not depend on its rows */
	bool has_sum; /* value @sum is the sum over the axis */
	unsigned int sum;
	char key_labels[HIST_KEYS_MAX][300];

	struct om_moment *moments;
	uint32_t nmoments, moments_room;

	/*
	 * A row has the labels of all keys except the axis, as one string, and the
	 * number of the axis.  Entries with equal labels (two addresses with one name)
	 * are one row.
	 */
	struct hist_table *rows;
	struct om_line *lines; /* one per value of each row */
	uint32_t lines_room;   /* rows */

	uint64_t generation; /* generation of the report's table that @row_of belongs to */
	uint32_t *row_of;    /* row + 1 of each entry; 0: not known yet */
	uint32_t row_of_room;

	/* of each row, the largest of its entries; the caller's */
	const struct hist_exemplar **exemplars;
	uint32_t exemplars_room;
};

/* Hits that are not more than @le, and more than the @le of the bucket before it. */
struct om_bin {
	double le; /* INFINITY: all others */
	uint64_t count;
	int octave; /* of a native histogram: @le is 2^octave, or OM_ZERO_BUCKET */
	const struct hist_exemplar *exemplar; /* or NULL */
};

#define OM_ZERO_BUCKET INT_MIN /* 0 and 1, which a .log2 histogram does not tell apart */

/*
 * Writes the same families as something other than text.  A family is written when the next one
 * begins.  All functions keep errors in o->base.out.
 */
struct openmetrics;
struct om_emitter {
	/* @type: as in the text format.  @name: of the samples, without "_bucket" and so on. */
	void (*begin)(struct openmetrics *o, const char *name, const char *suffix, const char *type,
		      const char *help, size_t help_len);
	/* Add a number with the labels o->labels. */
	void (*add)(struct openmetrics *o, double v);
	/*
	 * Add a histogram with the labels o->labels.  @native: as powers of two, without empty
	 * buckets; @sum: NAN if it is unknown.
	 */
	void (*add_histogram)(struct openmetrics *o, const struct om_bin *buckets,
			      size_t n, bool native, double sum);
	void (*end)(struct openmetrics *o);
};

/*
 * Source: metrics.proto of prometheus/client_model, each MetricFamily after its length (the content
 * type application/vnd.google.protobuf with encoding=delimited).
 */
extern const struct om_emitter openmetrics_protobuf;

/* Messages that are being made, one inside the other. */
enum om_buffer {
	OM_FAMILY,
	OM_METRIC,
	OM_VALUE,
	OM_PART,
	OM_DELTAS,
	OM_EXEMPLAR,
	OM_LABEL,
	OM_TEXT,
	OM_BUFFERS
};

/* The state of openmetrics_protobuf.c. */
struct openmetrics_protobuf {
	unsigned int type; /* of the family */
	bool any;	   /* a family has begun */
	size_t head_len;   /* of its name, help and type */
	bool has_exemplars; /* of a native histogram */
	struct hist_strbuf buffers[OM_BUFFERS];
};

struct openmetrics {
	struct hist_writer base;
	/* The format 0.0.4 of Prometheus: one sample without a time, no info, no unit. */
	bool plain;
	const struct om_emitter *emitter; /* of messages; NULL: it is written as text */
	struct openmetrics_protobuf messages;
	struct om_hist *hists;
	uint32_t nhists;
	uint64_t kept; /* memory of the rows of @hists */
	struct hist_strbuf labels;
	char (*names)[600]; /* of all families so far, to keep names unique */
	uint32_t nnames;
};

/* --- openmetrics_text.c --- */

/* Replace each character of @s except letters and digits by '_'. */
void openmetrics_clean_name(char *s);
/* Write NAMESUFFIX="..." with the escapes of OpenMetrics.  @s does not have control characters. */
void openmetrics_put_label(struct hist_strbuf *b, const char *name, const char *suffix,
			   const char *s, size_t len);
/* Write NAME_ge="...",NAME_le="...". */
void openmetrics_put_range(struct hist_strbuf *b, const char *name,
			   const struct hist_bounds *bounds);

/* The error of more time series than the user allows; -EINVAL. */
int openmetrics_refuse_series(struct openmetrics *o, const char *name, uint64_t series);

/* --- openmetrics_document.c --- */

/*
 * openmetrics_put_document - write all that was kept
 * 0, -ENOMEM, -EIO, or -EINVAL with the error of the writer set.
 */
int openmetrics_put_document(struct openmetrics *o, const struct hist_series_damage *damage);

#endif
