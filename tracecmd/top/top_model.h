/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top_model.h - the state of `trace-cmd hist top`: totals, the last intervals, and the view
 *
 * The model gets snapshots.  The first one has what the set-up counted; totals are counted from
 * it.  For each histogram the model keeps the last snapshot, and a ring of the differences between
 * adjacent snapshots: at most TOP_INTERVALS, and at most TOP_HISTORY_BYTES of values.  The model
 * knows neither terminals nor targets.
 *
 * Functions return 0 or -errno; the model is unchanged after a failure.
 */
#ifndef TRACECMD_TOP_TOP_MODEL_H
#define TRACECMD_TOP_TOP_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/analysis/worst.h"
#include "lib/table/percentiles_table.h"
#include "lib/analysis/rows.h"
#include "lib/hist/table.h"
#include "lib/label/label.h"

#define TOP_INTERVALS 512
#define TOP_HISTORY_BYTES (32u << 20)
#define TOP_FILTER 64

/* The summary shows an axis: bars if it is the only key, otherwise a line for each group. */
enum top_view { TOP_TABLE, TOP_BARS, TOP_HEAT, TOP_SUMMARY, TOP_VIEWS };

#define TOP_GROUP_RATE 1 /* column of top_hist.groups */

/* The difference of two adjacent snapshots. */
struct top_interval {
	uint64_t length_ns;
	uint64_t end_ns; /* CLOCK_MONOTONIC */
	struct hist_snapshot diff;
};

/* One line of a view. */
struct top_line {
	uint32_t entry; /* of the table, or row of @groups; HIST_NO_ENTRY: a bucket without hits */
	uint64_t num;	/* number of the key of such a bucket */
	uint64_t more;	/* number of such buckets that this line summarizes, or 0 */
};

struct top_hist {
	char *name;
	char *trigger;
	struct hist_table *table; /* not owned */
	struct hist_columns columns; /* of the table view; rows can be sorted by each of them */
	struct hist_snapshot base; /* the first snapshot; cleared with the histogram */
	struct hist_snapshot last;
	struct hist_snapshot total; /* last minus base */
	uint64_t total_ns;
	bool begun; /* there was a snapshot */
	uint32_t resets; /* how often another program cleared the histogram */

	struct top_interval ring[TOP_INTERVALS];
	unsigned int newest, n; /* of the ring */

	int column; /* number of the column to sort by; -1: default of the key */
	bool reverse;
	uint32_t scroll; /* first line that is shown */

	struct hist_worst_list worst; /* since the first snapshot */
	/* the row whose maximum rose last, of several the one with the largest; HIST_NO_ENTRY */
	uint32_t rose;

	bool has_axis; /* for a summary */
	/* of the summary: its groups are the lines, sorted by a column of @groups */
	struct hist_percentiles *percentiles;
	struct percentiles_table groups;
	unsigned int group_column;
	bool group_reverse;

	struct hist_rows rows;
	struct top_line *lines; /* after sort and filter */
	uint32_t nlines, lines_room;
	uint32_t hidden; /* rows that the filter left out */
};

struct top_model {
	struct top_hist *hists;
	unsigned int nhists, current;
	uint64_t interval_ns, elapsed_ns;
	const char *clock; /* of the times of snapshots; NULL: in ns; not owned */
	uint64_t missed; /* refreshes that were due but not made */
	unsigned int flags; /* HIST_ESCAPE_ASCII */
	size_t history_bytes;

	enum top_view view;
	char filter[TOP_FILTER]; /* UTF-8 */
	bool editing; /* the filter */
	bool paused, help;
};

/* Initialize @m with zeros. */
int top_model_add_hist(struct top_model *m, const char *name, const char *trigger,
		       struct hist_table *table);
void top_model_clear(struct top_model *m);

/*
 * top_model_feed - add the next snapshot of histogram @hist
 * @now_ns: CLOCK_MONOTONIC of the read.  HIST_SNAP_RESET in its flags: the table was cleared, and
 * earlier snapshots are dropped.
 */
int top_model_feed(struct top_model *m, unsigned int hist, const struct hist_snapshot *snap,
		   uint64_t now_ns);

/* The interval @back intervals before the newest one, or NULL. */
const struct top_interval *top_interval(const struct top_hist *h, unsigned int back);

/* The column that the rows are sorted by, and the direction. */
const struct hist_column *top_sorted_by(const struct top_hist *h, bool *descending);

/* The rate of the value that the rows are sorted by, or of the main value; NULL: not a sum. */
const struct hist_column *top_rate_column(const struct top_hist *h);

/*
 * top_sort - sort all histograms that have the column of "COLUMN[.ascending|.descending]" by it
 * -ENOENT: no histogram has such a column.
 */
int top_sort(struct top_model *m, const char *text);

/* The view that shows @h now: the summary of a histogram without an axis is the table. */
enum top_view top_shown_view(const struct top_model *m, const struct top_hist *h);

/* What @h is, for lib/analysis and lib/report. */
struct hist_series_info top_describe(const struct top_model *m, const struct top_hist *h);

/* Make the lines of a histogram, sorted and filtered, and its largest values.  -ENOMEM. */
int top_arrange(struct top_model *m, struct top_hist *h);

/* Thousandths per second of all hits. */
int64_t top_hits_rate(const struct top_interval *interval);

/* top_groups.c, for the summary */

/* Make h->percentiles and h->groups of all counts, if the summary needs them.  -ENOMEM, -E2BIG. */
int top_groups_select(struct top_model *m, struct top_hist *h);
/* Make the lines of @h: its groups, sorted and filtered.  -ENOMEM. */
int top_groups_arrange(struct top_model *m, struct top_hist *h);
/* Sort the groups by the next column, or the one before it. */
void top_groups_sort_next(struct top_hist *h, int step);
/* Append "p50 33-36 us  p99 129-144 us  max 1.02 ms" if the axis is the only key. */
void top_groups_put_line(const struct top_hist *h, struct hist_strbuf *b);

/*
 * top_format_notes - append the reasons why numbers may be wrong to @b
 * Dropped hits, missed refreshes, a histogram that was cleared or is paused, ambiguous names.
 */
void top_format_notes(const struct top_model *m, const struct top_hist *h, struct hist_strbuf *b);

/* top_keys.c */

enum top_key {
	TOP_KEY_UP = -100, TOP_KEY_DOWN, TOP_KEY_LEFT, TOP_KEY_RIGHT, TOP_KEY_PAGE_UP,
	TOP_KEY_PAGE_DOWN, TOP_KEY_HOME, TOP_KEY_END, TOP_KEY_BACKSPACE, TOP_KEY_ENTER,
	TOP_KEY_ESCAPE, TOP_KEY_BACK_TAB,
};

/*
 * top_handle_key - handle a character, or one of enum top_key
 * @page: number of rows on the terminal.  False if the user quits.
 */
bool top_handle_key(struct top_model *m, int32_t key, unsigned int page);

/* Help for the keys: { keys, effect }; ends with NULL. */
extern const char *const top_keys_help[][2];

#endif
