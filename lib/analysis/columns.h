/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * columns.h - the columns of a histogram's table: keys, values, rates, and the share
 *
 * HTML tables, `top` and the table of the panel draw the columns of this list in its order; they add
 * only the cells.  csv, ndjson and json use the titles of keys and values.  The text table chooses
 * its columns itself.
 */
#ifndef LIB_ANALYSIS_COLUMNS_H
#define LIB_ANALYSIS_COLUMNS_H

#include "lib/hist/schema.h"

#define HIST_TITLE_MAX 300

#define HIST_COLUMNS_MAX (HIST_KEYS_MAX + 2 * HIST_VALUES_MAX)

enum hist_column_kind {
	HIST_COLUMN_KEY,
	HIST_COLUMN_VALUE,
	HIST_COLUMN_SHARE,
	HIST_COLUMN_RATE, /* of a value, per second */
};

struct hist_column {
	enum hist_column_kind kind;
	unsigned int index; /* of the key or value in the schema */
	bool is_number;	    /* has an order, and is aligned right */
	char title[HIST_TITLE_MAX];
};

/* Keys come first, then values, then the share.  A rate comes before its value. */
struct hist_columns {
	unsigned int n, nkeys;
	struct hist_column list[HIST_COLUMNS_MAX];
};

/* @share: add a column for the share of the main value. */
void hist_columns_make(struct hist_columns *columns, const struct hist_schema *schema, bool share);

/* The columns of a display over time: values without a sum, except percentages, have no column. */
void hist_columns_make_rates(struct hist_columns *columns, const struct hist_schema *schema);

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
 * hist_column_format_value - write the name of a value: "bytes_req", "bytes_req.percent", "ret#2"
 * The name is as in the expression, with a number if the expression has it several times.
 * The text in @buf has a NUL and is cut to @len.
 */
void hist_column_format_value(const struct hist_schema *schema, unsigned int value, char *buf,
			      size_t len);
/* The same for a key, without modifier: "call_site", "ret#2". */
void hist_column_format_key(const struct hist_schema *schema, unsigned int key, char *buf,
			    size_t len);

#endif
