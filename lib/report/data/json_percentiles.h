/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * json_percentiles.h - percentiles of groups as members of a snapshot in JSON
 *
 * trace-cmd-hist-report(1) documents the members.
 */
#ifndef LIB_REPORT_DATA_JSON_PERCENTILES_H
#define LIB_REPORT_DATA_JSON_PERCENTILES_H

#include "lib/analysis/percentiles.h"
#include "lib/report/data/json_keys.h"

/*
 * json_percentiles - write "percentiles", and "percentiles_rest" if --top removed groups
 * The member is null if the histogram does not have percentiles (hist_percentiles_why_not()).
 * Returns 0 or -ENOMEM.
 */
int json_percentiles(struct json_writer *w, const struct hist_columns *columns,
		     struct hist_percentiles *percentiles, const struct hist_table *table,
		     const struct hist_snapshot *snap);

#endif
