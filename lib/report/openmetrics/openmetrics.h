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
	int64_t ms;    /* the timestamp, see openmetrics_settle_times() */
	char when[24]; /* the end of a sample: " 12.345"; "" without a time */
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
};

/*
 * openmetrics_hist_init - Returns 0 or -ENOMEM.  openmetrics_hist_clear() also accepts zeroed
 * memory.
 */
int openmetrics_hist_init(struct om_hist *h, const struct hist_series_info *info, const char *name);
void openmetrics_hist_clear(struct om_hist *h);

/* The name of the histogram without the label of its file. */
const char *openmetrics_own_name(const struct om_hist *h);
/*
 * openmetrics_share_families - true if @a and @b are one histogram of two machines
 * The numbers of @b then go into the families of @a.  A query can add them up over machines; the
 * label host distinguishes them.
 */
bool openmetrics_share_families(const struct om_hist *a, const struct om_hist *b);

/* openmetrics_hist_add - add the counters at one moment.  Returns 0, -ENOMEM or -E2BIG. */
int openmetrics_hist_add(struct om_hist *h, const struct hist_view *view);

/*
 * openmetrics_settle_times - set moments[].ms and .when
 * The times of a histogram increase by at least one millisecond, because Prometheus stores
 * milliseconds.  Returns false if the wall-clock time of several snapshots is unknown.
 */
bool openmetrics_settle_times(struct om_hist *h);

/* Replace each character of @s except letters and digits by '_'. */
void openmetrics_clean_name(char *s);
/* Write @s with the escapes of OpenMetrics. */
void openmetrics_put_escaped(struct hist_strbuf *b, const char *s, size_t len);
/* Write NAMESUFFIX="..." with the escapes of OpenMetrics.  @s does not have control characters. */
void openmetrics_put_label(struct hist_strbuf *b, const char *name, const char *suffix,
			   const char *s,
			   size_t len);
/* Write NAME_ge="...",NAME_le="...". */
void openmetrics_put_range(struct hist_strbuf *b, const char *name,
			   const struct hist_bounds *bounds);

/*
 * The buckets of one histogram.  Numbers are stored as places: unsigned, in the order of the axis.
 * place = number ^ flip.
 */
struct om_buckets {
	uint64_t *les; /* upper bounds, ascending */
	size_t n;
	uint32_t *rows; /* sorted by group, then ascending on the axis */
	bool is_signed;
	bool negative; /* a bucket has negative numbers: a sum must not be written */
	uint64_t flip; /* 2^63 if the axis is signed, otherwise 0 */
	const struct om_hist *h;
};

/* The bounds of row @row of @h on the axis. */
void openmetrics_get_row_bounds(const struct om_hist *h, uint32_t row, struct hist_bounds *bounds);
/* Returns 0 or -ENOMEM.  The caller calls openmetrics_buckets_free() in both cases. */
int openmetrics_buckets_make(struct om_buckets *k, const struct om_hist *h);
void openmetrics_buckets_free(struct om_buckets *k);

/*
 * openmetrics_text.c - write families and samples in the text format of OpenMetrics 1.0
 * openmetrics_begin_labels() starts a label set in @labels, which stays valid for any number of
 * samples.  Errors are stored in the buffers.
 */
struct openmetrics {
	struct hist_writer base;
	/* The text format 0.0.4 of Prometheus: one sample without a time, no info, no unit. */
	bool plain;
	struct om_hist *hists;
	uint32_t nhists;
	uint64_t kept; /* memory of the rows of @hists */
	struct hist_strbuf labels;
	char (*names)[600]; /* of all families so far, to keep names unique */
	uint32_t nnames;
};

/* A unique name for the family of @field, owned by @o.  o->names must have room. */
const char *openmetrics_name_family(struct openmetrics *o, const struct om_hist *h,
				    const char *field,
				    enum hist_unit unit);
/*
 * Write TYPE, UNIT and HELP.  HELP ends in the trigger of @h, which may be NULL.  In the format of
 * Prometheus a family of counters has the name of its samples.
 */
void openmetrics_put_family(struct openmetrics *o, const char *name, const char *type,
			    enum hist_unit unit,
			    const char *help, const struct om_hist *h);

/* Set o->labels to "{host=...,LABELS" without the closing brace.  @h may be NULL. */
void openmetrics_begin_labels(struct openmetrics *o, const struct om_hist *h, const char *labels,
			      size_t len);
/* Add one label.  @s may be NULL for "". */
void openmetrics_add_label(struct openmetrics *o, const char *name, const char *s);

/* Write @v / 10^decimals exactly; @real: an integer ends in ".0". */
void openmetrics_put_number(struct hist_strbuf *b, uint64_t v, bool is_signed,
			    unsigned int decimals, bool real);
/* Write the end of a sample: a number as above, and the time of @m. */
void openmetrics_end_sample(struct openmetrics *o, uint64_t v, bool is_signed,
			    unsigned int decimals, bool real, const struct om_moment *m);
/* Write a sample with the label set. */
void openmetrics_put_sample(struct openmetrics *o, const char *name, const char *suffix, uint64_t v,
			    bool is_signed, unsigned int decimals, bool real,
			    const struct om_moment *m);
void openmetrics_put_count(struct openmetrics *o, const char *name, const char *suffix, uint64_t v,
			   const struct om_moment *m);

/* The number of decimals that converts @unit to seconds. */
unsigned int openmetrics_unit_decimals(enum hist_unit unit);

/* openmetrics_facts.c - the families that all histograms have */
void openmetrics_put_info(struct openmetrics *o);
void openmetrics_put_facts(struct openmetrics *o);
void openmetrics_put_damage(struct openmetrics *o, const struct hist_series_damage *damage);

#endif
