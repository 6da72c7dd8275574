/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * columns.h - the columns of a histogram's table, and their cells
 *
 * All tables of rows (text, top, HTML, the panel) show columns of this list in its order, with
 * these cells.  csv, ndjson and json use the titles of keys and values, and write numbers
 * themselves.
 * A new kind of column is one line in the table of kinds in columns.c.
 */
#ifndef LIB_TABLE_COLUMNS_H
#define LIB_TABLE_COLUMNS_H

#include "lib/analysis/rows.h"
#include "lib/hist/schema.h"
#include "lib/table/label_details.h"
#include "lib/table/table.h"

#define HIST_TITLE_MAX 300

#define HIST_COLUMNS_MAX (HIST_KEYS_MAX + 2 * HIST_VALUES_MAX + 1)

enum hist_column_kind {
	HIST_COLUMN_KEY,
	HIST_COLUMN_VALUE,
	HIST_COLUMN_RATE, /* of a value, per second */
	HIST_COLUMN_SHARE,
	HIST_COLUMN_CUM, /* the share of this row and all rows before it */
};

struct hist_column {
	enum hist_column_kind kind;
	unsigned int index; /* of the key or value in the schema; share, cum: of the main value */
	bool is_number;	    /* has an order, and is aligned right */
	char title[HIST_TITLE_MAX];
};

/* Keys come first, then values, then shares.  A rate comes before its value. */
struct hist_columns {
	unsigned int n, nkeys;
	struct hist_column list[HIST_COLUMNS_MAX];
};

/* Which columns a table shows next to the keys. */
enum hist_columns_of {
	HIST_COLUMNS_DATA,	/* values */
	HIST_COLUMNS_TEXT,	/* values, share, cum */
	HIST_COLUMNS_PAGE,	/* values, share; the reader sorts the rows */
	HIST_COLUMNS_OVER_TIME, /* rates and values; values without a sum, except percentages, have
				   none */
};

/* @rows: for the share of the main value; NULL: there is none. */
void hist_columns_make(struct hist_columns *columns, const struct hist_schema *schema,
		       enum hist_columns_of of, const struct hist_rows *rows);

static inline const char *hist_columns_key(const struct hist_columns *columns, unsigned int key)
{
	return columns->list[key].title;
}

/* Not for HIST_COLUMNS_OVER_TIME. */
static inline const char *hist_columns_value(const struct hist_columns *columns,
					     unsigned int value)
{
	return columns->list[columns->nkeys + value].title;
}

/* What cells are made of.  The caller owns all pointers.  Begin with all zero. */
struct hist_cells {
	const struct hist_table *table;
	const struct hist_snapshot *snap;
	const struct hist_rows *rows;	      /* for the rest; NULL: there is none */
	uint64_t whole;			      /* 100 % of shares */
	const struct label_details *details;  /* NULL: labels have no details */
	const struct hist_snapshot *added;    /* for rates: the last interval, and its length */
	uint64_t added_ns;
	unsigned int flags;		      /* of hist_label_put() */
	bool digits_grouped;		      /* "12,345" */
	bool has_whole;			      /* make table_cell.whole too */
	uint64_t sum;			      /* for cum: of the rows so far; 0 at first */
};

/*
 * hist_columns_put - make the cell of @column for @entry
 * The cells of HIST_COLUMN_CUM are made in the order of the rows, except to measure them.
 */
void hist_columns_put(struct hist_cells *cells, const struct hist_column *column, uint32_t entry,
		      struct table_cell *cell);

/* The cell for the rows that --top removed; empty for keys and values without a sum. */
void hist_columns_put_rest(struct hist_cells *cells, const struct hist_column *column,
			   struct table_cell *cell);

/*
 * hist_columns_rate - thousandths per second of @value, rounded, in an interval of @length_ns
 * The rate of @entry is at least 1 if its difference is above 0.
 */
int64_t hist_columns_rate(const struct hist_schema *schema, unsigned int value,
			  const struct hist_snapshot *added, uint64_t length_ns, uint32_t entry);
int64_t hist_columns_per_second(int64_t count, bool is_signed, uint64_t length_ns);

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

/* Write the titles of all keys but @except, separated by " / ".  @except: a number, or -1. */
void hist_columns_put_key_titles(struct hist_strbuf *b, const struct hist_schema *schema,
				 int except);

#endif
