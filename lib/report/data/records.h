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

#define RECORDS_FACTS_MAX 15
#define LONG_FLAGS 5

struct records_fact {
	const char *metric;
	uint64_t value;
};

/* Each returns the number of facts.  A flag is 0 or 1. */
unsigned int records_get_snapshot_facts(const struct hist_view *view,
					struct records_fact facts[RECORDS_FACTS_MAX]);
/* The flags among them, which json lists by their names. */
unsigned int records_long_snapshot_flags(const struct hist_view *view,
					 struct records_fact flags[LONG_FLAGS]);
unsigned int records_get_file_facts(const struct hist_series_damage *damage,
				    struct records_fact facts[RECORDS_FACTS_MAX]);

#endif
