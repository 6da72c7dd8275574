/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * rows.h - which rows of a snapshot are shown, in which order, and their sums
 *
 * A selection is an array of entry numbers.  It is made again for each snapshot and keeps its
 * memory, but no pointers to the table or the snapshot.
 *
 * Functions return 0 or -errno.  Only main_value changes on failure.
 */
#ifndef LIB_ANALYSIS_ROWS_H
#define LIB_ANALYSIS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/names.h"
#include "lib/hist/table.h"
#include "lib/base/error.h"

struct hist_expr;

#define HIST_SORTS_MAX (HIST_KEYS_MAX + HIST_VALUES_MAX)

/* One field to sort by. */
struct hist_sort {
	bool is_key;
	bool by_name; /* for keys with a name next to the number: sort by the name */
	bool descending;
	unsigned int index; /* of the key or value in the schema */
};

/* Fields, the most important first; all zero: the order of first appearance. */
struct hist_row_order {
	unsigned int n;
	struct hist_sort sorts[HIST_SORTS_MAX];
};

/*
 * hist_row_order_parse - parse "FIELD[.MODIFIER][.ascending|.descending],..."
 * FIELD names a value or a key.  A key of symbols, tasks or system calls is sorted by its name with
 * the modifier that it has in the expression, and by its number without it.  Of values,
 * "bytes_req.percent" is not "bytes_req".  The default is ascending, as in the kernel's sort=.
 * -EINVAL with a sentence in @error.
 */
int hist_row_order_parse(struct hist_row_order *order, const struct hist_schema *schema,
			 const char *text, struct hist_error *error);

/* Append the names of the values and keys that rows can be sorted by.  -ENOMEM. */
int hist_row_order_list(struct names *names, const struct hist_schema *schema);

/* Get the sort= of an expression, by numbers as the kernel sorts; false if it has none. */
bool hist_row_order_from_expr(struct hist_row_order *order, const struct hist_schema *schema,
			      const struct hist_expr *expr);

/* Sort by @value, largest first; -1: no order. */
void hist_row_order_set_largest(struct hist_row_order *order, int value);

/*
 * hist_row_find_main_value - the value for bars and shares
 * The first of these that exists: the first sum that @order sorts by, hitcount, the first sum, the
 * first percentage or bar of the kernel.  Otherwise -1.  @order may be NULL.
 */
int hist_row_find_main_value(const struct hist_schema *schema, const struct hist_row_order *order);

/* Which rows of a snapshot to select. */
struct hist_selection {
	const struct hist_row_order *order;
	uint32_t top; /* rows to show; 0 for all */
	/*
	 * A difference: entries that did not change are not shown.  Entries from @first_new on are
	 * shown even if all their values are 0.  All are shown if the schema does not have a sum,
	 * because changes are unknown then.
	 */
	bool difference;
	uint32_t first_new;
	/*
	 * Only these @nchanged entries can have a difference other than 0.  They ascend, and
	 * include all entries from @first_new on.  NULL: unknown.
	 */
	const uint32_t *changed;
	uint32_t nchanged;
	bool none; /* set only main_value: no rows, and 0 elsewhere */
};

struct hist_rows {
	uint32_t *entries; /* entry numbers, in order */
	uint32_t n;
	uint32_t total;	   /* number of rows before @top cut some */
	int main_value;	   /* hist_row_find_main_value() */
	/*
	 * True if main_value has shares: it is a sum without negative numbers, and its total fits
	 * into 64 bits and is not 0.
	 */
	bool has_shares;
	uint64_t totals[HIST_VALUES_MAX]; /* sums modulo 2^64 of all rows; others 0 */
	uint64_t rest[HIST_VALUES_MAX];	  /* the same of the rows that @top cut */
	/* private */
	struct hist_sort_item *items, *spare;
	uint32_t room;
};

/* Initialize @rows with zeros.  Returns 0 or -ENOMEM. */
int hist_rows_select(struct hist_rows *rows, const struct hist_table *table,
		     const struct hist_snapshot *snap, const struct hist_selection *selection);
void hist_rows_free(struct hist_rows *rows); /* the vectors, not the struct */

/* What @entry adds to a sum of the main value: 0 if it is negative or if there is no main value. */
uint64_t hist_rows_amount(const struct hist_rows *rows, const struct hist_table *table,
			  const struct hist_snapshot *snap, uint32_t entry);

#endif
