/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * records.h - the records of csv and ndjson: one record per number
 *
 * A record has a kind, the histogram, the snapshot, the name of the number (the metric)
 * and the value.  The kinds are:
 *   row       a value of a row, with its keys
 *   rest      the sum of a value over the rows that --top removed
 *   snapshot  a fact of the snapshot: hits, losses, flags
 *   file      damage of the file, after all snapshots
 */
#ifndef LIB_REPORT_DATA_RECORDS_H
#define LIB_REPORT_DATA_RECORDS_H

#include "lib/report/writer.h"

#define RECORDS_FACTS_MAX (15 + HIST_LOSS_KINDS)
#define LONG_FLAGS 5

struct records_fact {
	const char *metric;
	uint64_t value;
};

struct record {
	const char *kind, *metric;
	uint64_t value;
	const struct hist_value_desc *desc; /* NULL: @value is a fact; a flag is 0 or 1 */
	uint32_t entry;			    /* of a row, or HIST_NO_ENTRY */
};

/* Write one record; @view is NULL for one of the file.  Returns 0 or -errno. */
typedef int records_put(struct hist_writer *w, const struct hist_view *view,
			const struct record *r);

int records_put_snapshot(struct hist_writer *w, const struct hist_view *view, records_put *put);
/* Only the facts of the snapshot, without rows. */
int records_put_snapshot_facts(struct hist_writer *w, const struct hist_view *view,
			       records_put *put);
int records_put_damage(struct hist_writer *w, const struct hist_series_damage *damage,
		       records_put *put);

/* The flags among the facts of a snapshot, which json lists by their names. */
unsigned int records_long_snapshot_flags(const struct hist_view *view,
					 struct records_fact flags[LONG_FLAGS]);

#endif
