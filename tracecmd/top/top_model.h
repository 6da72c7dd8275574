/* SPDX-License-Identifier: GPL-2.0 */
/*
 * top_model.h - what `trace-cmd hist top` knows: totals, the last intervals,
 * and what the user chose to see of them
 *
 * The model is fed with snapshots.  Totals are what was counted since the first one, which
 * the set-up has counted.  For each histogram the model keeps the last one
 * and a ring of the differences between one and the next: at most
 * TOP_INTERVALS of them, and at most TOP_HISTORY_BYTES of values.  It does not
 * know about terminals, nor where snapshots come from.
 *
 * Functions return 0 or -errno; on failure the model is as it was.
 */
#ifndef TRACECMD_TOP_TOP_MODEL_H
#define TRACECMD_TOP_TOP_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/analysis/columns.h"
#include "lib/analysis/rows.h"
#include "lib/hist/table.h"
#include "lib/label/label.h"

#define TOP_INTERVALS 512
#define TOP_HISTORY_BYTES (32u << 20)
#define TOP_FILTER 64

enum top_view { TOP_TABLE, TOP_BARS, TOP_HEAT, TOP_VIEWS };

/* What happened between two snapshots. */
struct top_interval {
	uint64_t length_ns;
	uint64_t end_ns; /* CLOCK_MONOTONIC */
	struct hist_snapshot diff;
};

/* One line of a view. */
struct top_line {
	uint32_t entry; /* of the table; HIST_NO_ENTRY: an empty place on an axis */
	uint64_t num;	/* of such a place */
	uint64_t more;	/* empty places that this line stands for, or 0 */
};

struct top_hist {
	char *name;
	char *trigger;
	struct hist_table *table; /* not owned */
	struct hist_columns columns; /* of the table view; rows can be sorted by each of them */
	struct hist_snapshot base; /* the first snapshot; cleared with the histogram */
	struct hist_snapshot last;
	struct hist_snapshot total; /* last less base */
	uint64_t total_ns;
	bool begun; /* there is one */
	uint32_t resets; /* times that somebody cleared it */

	struct top_interval ring[TOP_INTERVALS];
	unsigned int newest, n; /* of the ring */

	int column; /* number of the column to sort by; -1: what suits the key */
	bool reverse;
	uint32_t scroll; /* first line that is shown */

	struct hist_rows rows;
	struct top_line *lines; /* after sort and filter */
	uint32_t nlines, lines_room;
	uint32_t hidden; /* rows that the filter left out */
};

struct top_model {
	struct top_hist *hists;
	unsigned int nhists, current;
	uint64_t interval_ns, elapsed_ns;
	uint64_t missed; /* refreshes that were due and not made */
	unsigned int flags; /* HIST_ESCAPE_ASCII */
	size_t history_bytes;

	enum top_view view;
	char filter[TOP_FILTER]; /* UTF-8 */
	bool editing; /* the filter */
	bool paused, help;
};

/* Begin with a zeroed model. */
int top_model_add_hist(struct top_model *m, const char *name, const char *trigger,
		       struct hist_table *table);
void top_model_clear(struct top_model *m);

/*
 * top_model_feed - the next snapshot of histogram @hist
 * @now_ns: CLOCK_MONOTONIC of the read.  With HIST_SNAP_RESET in its flags the
 * table has begun anew: what was before is forgotten.
 */
int top_model_feed(struct top_model *m, unsigned int hist, const struct hist_snapshot *snap,
		   uint64_t now_ns);

/* Interval @back before the newest (0), or NULL. */
const struct top_interval *top_interval(const struct top_hist *h, unsigned int back);

/* Was @entry counted since the first snapshot? */
bool top_is_counted(const struct top_hist *h, uint32_t entry);

/* The column that the rows are sorted by now, and how. */
const struct hist_column *top_sorted_by(const struct top_hist *h, bool *descending);

/* The rate of the value that the rows are sorted by, or of the main value; NULL: not a sum. */
const struct hist_column *top_rate_column(const struct top_hist *h);

/*
 * top_sort - "COLUMN[.ascending|.descending]" for all histograms that have it
 * -ENOENT: none has such a column; nothing has changed then.
 */
int top_sort(struct top_model *m, const char *text);

/* Sorts and filters the rows of a histogram into its lines. -ENOMEM. */
int top_arrange(struct top_model *m, struct top_hist *h);

/* Thousandths of a unit per second; at least 1 for what is above 0. */
int64_t top_rate(const struct hist_schema *schema, unsigned int value,
		 const struct top_interval *interval, uint32_t entry);
int64_t top_hits_rate(const struct top_interval *interval);

/*
 * top_notes - append all that the user must know to trust the numbers to @b
 * Hits dropped, refreshes missed, a histogram that was cleared or is paused,
 * rows that cannot be told apart.
 */
void top_notes(const struct top_model *m, const struct top_hist *h, struct hist_strbuf *b);

/* top_keys.c: what keys do. */

enum top_key {
	TOP_KEY_UP = -100, TOP_KEY_DOWN, TOP_KEY_LEFT, TOP_KEY_RIGHT, TOP_KEY_PAGE_UP,
	TOP_KEY_PAGE_DOWN, TOP_KEY_HOME, TOP_KEY_END, TOP_KEY_BACKSPACE, TOP_KEY_ENTER,
	TOP_KEY_ESCAPE, TOP_KEY_BACK_TAB,
};

/*
 * top_key - a character or one of enum top_key
 * @page: rows that the terminal shows.  False: the user wants to quit.
 */
bool top_key(struct top_model *m, int32_t key, unsigned int page);

/* What top_key() knows: { keys, what they do }, ends with NULL. */
extern const char *const top_keys_help[][2];

#endif
