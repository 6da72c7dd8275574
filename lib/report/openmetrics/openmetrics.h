/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * openmetrics.h - what the openmetrics writer keeps of a report until its end
 *
 * The format wants all samples of one family together, and in them all of one
 * label set, in the order of time.  A report comes the other way round: snapshot
 * by snapshot.  So each number is kept as the list of its changes.
 */
#ifndef LIB_REPORT_OPENMETRICS_OPENMETRICS_H
#define LIB_REPORT_OPENMETRICS_OPENMETRICS_H

#include "lib/analysis/axis.h"
#include "lib/analysis/snapshot_view.h"

/* Facts of each snapshot in addition to its rows; up to OM_RESETS they only grow. */
enum om_fact {
	OM_HITS,
	OM_DROPPED,
	OM_MISSED,
	OM_EVENTS_LOST,
	OM_PROBE_MISSES,
	OM_LOST,
	OM_RESETS,
	OM_ENTRIES,
	OM_AMBIGUOUS,
	OM_LEFT_OUT,
	OM_SET_UP,
	OM_STOPPED,
	OM_FULL_STACKS,
	OM_FACTS,
};

/* Instead of a fact: no sample is written. */
#define OM_UNKNOWN UINT64_MAX

struct om_moment {
	uint64_t time; /* of the trace clock */
	uint64_t wall; /* ns since 1970, or 0 */
	int64_t ms;    /* what is written */
	uint64_t facts[OM_FACTS];
};

/* One number over time: 0, then what it changed to. */
struct om_line {
	struct om_change {
		uint32_t moment;
		uint64_t value;
	} *changes;
	uint32_t n, room;
	uint64_t now;
};

struct om_hist {
	const struct hist_series_info *info; /* stays the series' */
	char *name;
	uint32_t rows_max; /* om_hist_add() gives -E2BIG beyond */
	/* The one before whose families its numbers stand in, + 1; 0: it has its own. */
	uint32_t member_of;
	/* The key that gives the buckets, with hits to count in them; or -1. */
	int axis;
	int hits;
	bool has_sum; /* of the axis, as value @sum */
	unsigned int sum;
	char key_labels[HIST_KEYS_MAX][300];

	struct om_moment *moments;
	uint32_t nmoments, moments_room;

	/*
	 * A row has the labels of all keys but the axis, as one string, and the
	 * number of the axis.  Entries whose labels are equal (two addresses with
	 * one name) are one row.
	 */
	struct hist_table *rows;
	struct om_line *lines; /* for each row one for each value */
	uint32_t lines_room;   /* rows */

	uint64_t generation; /* of the report's table, that @row_of is for */
	uint32_t *row_of;    /* by entry, + 1; 0: none yet */
	uint32_t row_of_room;
};

/* 0, -ENOMEM.  Zeroed memory is freed, too. */
int om_hist_init(struct om_hist *h, const struct hist_series_info *info, const char *name);
void om_hist_clear(struct om_hist *h);

/* Its name, or in a report of several files that in its own file. */
const char *om_own_name(const struct om_hist *h);
/*
 * om_same_families - one histogram of two machines: the numbers of @b go into the families of @a
 * That adds them up over machines; the label host tells them apart.
 */
bool om_same_families(const struct om_hist *a, const struct om_hist *b);

/* Takes in one snapshot, or what was counted since the one before.  -ENOMEM, -E2BIG. */
int om_hist_add(struct om_hist *h, const struct hist_view *view);

/* True for values that are written: sums. */
bool om_value_is_written(const struct om_hist *h, unsigned int value);

/* Letters, digits and '_' of @s; others become '_'. */
void om_put_name(struct hist_strbuf *b, const char *s);
/* NAME="..." with what OpenMetrics escapes; @s is free of control characters. */
void om_put_label(struct hist_strbuf *b, const char *name, const char *s, size_t len);

/* The buckets of one histogram, as unsigned numbers in their order. */
struct om_buckets {
	uint64_t *les;
	size_t n;
	uint32_t *rows; /* those of one group stand together, ascending */
	bool is_signed;
	bool negative; /* some hold numbers below zero: then there must be no sum */
	uint64_t flip; /* between numbers and places */
	const struct om_hist *h;
};

/* The ends that row @row of @h covers on its axis. */
void om_row_bounds(const struct om_hist *h, uint32_t row, struct hist_bounds *bounds);
/* -ENOMEM; free it in any case. */
int om_buckets_make(struct om_buckets *k, const struct om_hist *h);
void om_buckets_free(struct om_buckets *k);

#endif
