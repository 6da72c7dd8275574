/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * rows.h - which rows of a snapshot are shown, in which order, and their sums
 *
 * A selection is a vector of entry numbers, made anew for each snapshot, with
 * its memory kept.  It refers to table and snapshot but keeps no pointer to
 * them.
 *
 * Functions return 0 or -errno; on failure nothing has changed but main_value.
 */
#ifndef LIB_ANALYSIS_ROWS_H
#define LIB_ANALYSIS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/analysis/columns.h"
#include "lib/hist/table.h"

struct hist_expr;

#define HIST_SORTS_MAX (HIST_KEYS_MAX + HIST_VALUES_MAX)

/* One field to sort by. */
struct hist_sort {
	bool is_key;
	bool by_name; /* keys that have a name beside the number: sort by the name */
	bool descending;
	unsigned int index; /* of the key or value in the schema */
};

/* Fields in order of weight; all zero: the order of first appearance. */
struct hist_order {
	unsigned int n;
	struct hist_sort sorts[HIST_SORTS_MAX];
};

/*
 * hist_order_parse - "FIELD[.MODIFIER][.ascending|.descending],..."
 * FIELD names a value or a key.  Without .MODIFIER a key of symbols, tasks or
 * system calls is sorted by its number, with the modifier it has in the
 * expression by its name; values: "bytes_req.percent" is not "bytes_req".
 * Ascending unless said otherwise, as in the kernel's sort=.
 * -EINVAL with a sentence in @why.
 */
int hist_order_parse(struct hist_order *order, const struct hist_schema *schema, const char *text,
		     char *why, size_t why_len);

/* The sort= of an expression, by numbers as the kernel sorts; false when it has none. */
bool hist_order_of_expr(struct hist_order *order, const struct hist_schema *schema,
			const struct hist_expr *expr);

/* By @value, largest first; no order for -1. */
void hist_order_largest(struct hist_order *order, int value);

/*
 * hist_main_value - the value to draw and to take shares of
 * The first sum that @order sorts by, or hitcount, or the first sum, or the
 * first percentage or bar of the kernel; -1 where there is none of them.
 * @order may be NULL.
 */
int hist_main_value(const struct hist_schema *schema, const struct hist_order *order);

/* What to take of a snapshot. */
struct hist_selection {
	const struct hist_order *order;
	uint32_t top; /* rows to show; 0 for all */
	/*
	 * A difference: entries that did not change are not shown.  Those from
	 * @first_new on are, with nothing but zeros too; and all are where the
	 * schema has no sum, since nothing tells the changed ones.
	 */
	bool difference;
	uint32_t first_new;
	/*
	 * Where a difference is known to be 0 in all entries but these @nchanged,
	 * in ascending order and with all from @first_new on: only they are looked at.
	 * NULL: all are.
	 */
	const uint32_t *changed;
	uint32_t nchanged;
	bool none; /* main_value is all that is wanted: no rows, all else is 0 */
};

struct hist_rows {
	uint32_t *entries; /* entry numbers, in order */
	uint32_t n;	   /* of them */
	uint32_t total;	   /* rows before @top cut */
	int main_value;	   /* hist_main_value() */
	/*
	 * True when shares of main_value can be told: a sum, no negative ones
	 * among a signed one, and the total fits into 64 bits and is not 0.
	 */
	bool has_shares;
	uint64_t totals[HIST_VALUES_MAX]; /* sums modulo 2^64 of all rows; others 0 */
	uint64_t rest[HIST_VALUES_MAX];	  /* of those that @top cut away */
	/* private */
	struct hist_sort_item *items, *spare;
	uint32_t room;
};

/* Begin with all zero.  -ENOMEM. */
int hist_rows_select(struct hist_rows *rows, const struct hist_table *table,
		     const struct hist_snapshot *snap, const struct hist_selection *selection);
void hist_rows_free(struct hist_rows *rows); /* the vectors, not the struct */

/* @part of @whole in hundredths of a percent, rounded; 0 of 0 is 0. */
uint32_t hist_share(uint64_t part, uint64_t whole);

#endif
