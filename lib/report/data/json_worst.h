/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * json_worst.h - the largest value of a group as JSON, identical in all JSON formats
 *
 * trace-cmd-hist-report(1) documents the members.
 */
#ifndef LIB_REPORT_DATA_JSON_WORST_H
#define LIB_REPORT_DATA_JSON_WORST_H

#include "lib/analysis/worst.h"
#include "lib/base/json_writer.h"
#include "lib/report/writer.h"

/* Write the members of one worst into the current object.  @ns: the clock counts ns. */
void json_put_worst(struct json_writer *w, const struct hist_columns *columns,
		    const struct hist_view *view, const struct hist_worst_list *list,
		    const struct hist_worst *worst, bool ns);

#endif
