/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * json_percentiles.h - percentiles of groups as members of a snapshot in JSON
 *
 * trace-cmd-hist-report(1) tells what is written.
 */
#ifndef LIB_REPORT_DATA_JSON_PERCENTILES_H
#define LIB_REPORT_DATA_JSON_PERCENTILES_H

#include "lib/analysis/percentiles.h"
#include "lib/report/data/json_keys.h"

/*
 * json_percentiles - the members "percentiles" and, where groups were cut, "percentiles_rest"
 * Null for a histogram without (hist_percentiles_why_not()).  0 or -ENOMEM.
 */
int json_percentiles(struct json_writer *w, const struct hist_columns *columns,
		     struct hist_percentiles *percentiles, const struct hist_table *table,
		     const struct hist_snapshot *snap);

#endif
