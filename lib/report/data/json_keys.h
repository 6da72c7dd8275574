/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * json_keys.h - keys, values and losses as JSON, identical in all JSON formats
 *
 * trace-cmd-hist-report(1) documents the members.
 */
#ifndef LIB_REPORT_DATA_JSON_KEYS_H
#define LIB_REPORT_DATA_JSON_KEYS_H

#include "lib/table/columns.h"
#include "lib/base/json_writer.h"
#include "lib/hist/table.h"

/* NAME is the time in ns.  For other clocks it is null, and the member TICKS has the number. */
void json_member_time(struct json_writer *w, const char *name, const char *ticks, uint64_t time,
		      bool ns);

/* Write {"ge": ..., "le": ...}. */
void json_range(struct json_writer *w, const char *name, const struct hist_bounds *bounds);

/*
 * json_put_row_key - write the member "key", and "key_id" if names replace numbers
 * @axis: number of the key to leave out (the axis of a group), or -1.
 */
void json_put_row_key(struct json_writer *w, const struct hist_columns *columns,
		      const struct hist_table *table, uint32_t entry, int axis);
/* json_put_row_value - write one value as the member @name */
void json_put_row_value(struct json_writer *w, const char *name, const struct hist_table *table,
			const struct hist_value_desc *desc, uint64_t v);

/* Write the member "joined", an array of triggers; nothing if one trigger counted the histogram. */
void json_put_joined(struct json_writer *w, const char *joined);

/* Write the member "losses", an object with the numbers that are not 0; nothing if all are 0. */
void json_put_losses(struct json_writer *w, const uint64_t losses[HIST_LOSS_KINDS]);

#endif
