/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * records.h - what csv and ndjson have in common: one record for each number
 *
 * Each record has a kind, the histogram, the snapshot, the name of what was
 * counted (the metric) and its value:
 *   row       a value of a row, with the keys
 *   rest      the sum of a value over the rows that --top cut away
 *   snapshot  what is told of the snapshot itself: hits, losses, flags
 *   file      what is not in order with the file, at the end
 */
#ifndef LIB_REPORT_DATA_RECORDS_H
#define LIB_REPORT_DATA_RECORDS_H

#include "lib/report/writer.h"

#define LONG_FACTS_MAX 15

struct long_fact {
	const char *metric;
	uint64_t value;
};

/* Both return how many there are.  A flag is 0 or 1. */
unsigned int long_snapshot_facts(const struct hist_view *view,
				 struct long_fact facts[LONG_FACTS_MAX]);
unsigned int long_file_facts(const struct hist_series_damage *damage,
			     struct long_fact facts[LONG_FACTS_MAX]);

#endif
