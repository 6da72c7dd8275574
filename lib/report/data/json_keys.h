/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * json_keys.h - keys and values of a row as JSON, the same in all formats of JSON
 *
 * trace-cmd-hist-report(1) tells what is written.
 */
#ifndef LIB_REPORT_DATA_JSON_KEYS_H
#define LIB_REPORT_DATA_JSON_KEYS_H

#include "lib/analysis/columns.h"
#include "lib/base/json_writer.h"
#include "lib/hist/table.h"

void json_number(struct json_writer *w, uint64_t v, bool is_signed);

/*
 * json_row_key - the members "key" and, where names stand for numbers, "key_id"
 * @axis: number of a key to leave out, as of a group; -1 for none.
 */
void json_row_key(struct json_writer *w, const struct hist_columns *columns,
		  const struct hist_table *table, uint32_t entry, int axis);
/* One value, without its name. */
void json_row_value(struct json_writer *w, const struct hist_table *table,
		    const struct hist_value_desc *desc, uint64_t v);

#endif
