/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * columns.h - the columns of a histogram's table: keys, values, and the share
 *
 * Writers with a table of rows take which columns exist, their order and their titles from one
 * list.  Each writer adds only how it draws a cell.
 */
#ifndef LIB_ANALYSIS_COLUMNS_H
#define LIB_ANALYSIS_COLUMNS_H

#include "lib/hist/schema.h"

#define HIST_TITLE_MAX 300

enum hist_column_kind { HIST_COLUMN_KEY, HIST_COLUMN_VALUE, HIST_COLUMN_SHARE };

struct hist_column {
	enum hist_column_kind kind;
	unsigned int index; /* of the key or value in the schema */
	bool is_number;	    /* numbers have an order, and stand at the right */
	char title[HIST_TITLE_MAX];
};

/* Keys come first, then values, then the share. */
struct hist_columns {
	unsigned int n, nkeys;
	struct hist_column list[HIST_KEYS_MAX + HIST_VALUES_MAX + 1];
};

/* @share: with a column for the share of the main value. */
void hist_columns_make(struct hist_columns *columns, const struct hist_schema *schema, bool share);

static inline const char *hist_columns_key(const struct hist_columns *columns, unsigned int key)
{
	return columns->list[key].title;
}

static inline const char *hist_columns_value(const struct hist_columns *columns,
					     unsigned int value)
{
	return columns->list[columns->nkeys + value].title;
}

/*
 * hist_value_title - "bytes_req", "bytes_req.percent", "ret#2": a value's name
 * as written in the expression and, where the same stands there twice, a number.
 * Into @buf, NUL-terminated, cut to @len.
 */
void hist_value_title(const struct hist_schema *schema, unsigned int value, char *buf, size_t len);
/* The same for a key, without modifier: "call_site", "ret#2". */
void hist_key_title(const struct hist_schema *schema, unsigned int key, char *buf, size_t len);

#endif
