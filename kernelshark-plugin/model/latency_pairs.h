/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency_pairs.h - the events behind a row, with the latency or the number of each
 *
 * An expression (expression.h) counts the events again, one row for each.
 *
 * For --latency, it counts the pairs of START and END by the time of their END. A trigger in a
 * file has only the fields of END, so the keys of START and END are those that the presets use
 * for these two events.
 *
 * Otherwise it is the counted expression itself, or the trigger of the file, with a last trigger
 * that has the time and the number as keys. A latency of the expression is a difference of two
 * time stamps; ".usecs" is left out, so that the time of START is exact.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_LATENCY_PAIRS_H
#define KERNELSHARK_PLUGIN_MODEL_LATENCY_PAIRS_H

#include "kernelshark-plugin/model/key_filter.h"
#include "lib/ringbuf/events.h"
#include "lib/base/error.h"

/* Times are those of the file's trace clock, in ns. */
struct latency_pair {
	uint64_t start, end; /* equal if the row is not one of latencies */
	uint64_t number;     /* of the field; for a latency end - start */
};

/* What the events of a row have. */
enum latency_pairs_kind {
	PAIRS_NONE,	/* neither times nor a number */
	PAIRS_RECORDED, /* --latency: START and END */
	PAIRS_COUNTED,	/* a latency that an expression computes: START and END */
	PAIRS_NUMBERS,	/* a time and a number */
};

/*
 * latency_pairs_find_kind - what the events of the rows of a histogram have
 * @counted: the expression that the panel counted; NULL: the histogram is of a file. @value:
 * the drawn value, or -1. Does not say if a file has the events.
 */
enum latency_pairs_kind latency_pairs_find_kind(const struct recording *r, unsigned int hist,
						const char *counted, int value);

/*
 * The field whose number each event of PAIRS_NUMBERS has: that of the axis, or of the drawn value
 * @value; NULL: none.
 */
const char *latency_pairs_number_field(const struct hist_definition *def, int value);

/* The rows whose events are wanted. */
struct latency_pairs_query {
	enum latency_pairs_kind kind; /* not PAIRS_NONE */
	const struct recording *recording;
	unsigned int hist;
	const char *counted;		 /* the expression, or NULL */
	struct hist_events *events; /* for PAIRS_RECORDED, and for options that were counted */
	unsigned int buffer;	    /* whose events were counted */
	const struct hist_table *table;
	int axis;		    /* -1: none */
	const struct hist_bounds *bounds; /* of the axis, inclusive; NULL: all */
	uint32_t entry;		    /* the other keys; HIST_NO_ENTRY: all */
	int value;		    /* the drawn value, or -1 */
};

/*
 * latency_pairs_put_expression - append the expression for the events of a row
 * 0; -EOPNOTSUPP with a sentence in @error; -ENOMEM.
 */
int latency_pairs_put_expression(struct hist_strbuf *text, const struct latency_pairs_query *q,
				 struct hist_error *error);

/*
 * latency_pairs_read - read what the expression found, the largest number first
 * @found: its recording. Only what is in q->bounds of the axis, and ended after @after.
 * *@more: some were not kept because there are too many. free() *@pairs. 0, -ENOMEM, or an
 * error of panel_data_make().
 */
int latency_pairs_read(struct latency_pair **pairs, uint32_t *n, bool *more,
		       struct recording *found, const struct latency_pairs_query *q,
		       uint64_t after);

#endif
