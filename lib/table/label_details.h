/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * label_details.h - labels of rows with the details that keep different rows different
 *
 * Two symbols can have one name, two stacks can differ only in their offsets, and rounding can make
 * two durations equal.  The labels of such rows have addresses, offsets, or all digits.
 */
#ifndef LIB_TABLE_LABEL_DETAILS_H
#define LIB_TABLE_LABEL_DETAILS_H

#include "lib/hist/table.h"
#include "lib/label/label.h"

/* Begin with all zero: no label has details. */
struct label_details {
	bool *ambiguous;	   /* by string of the table */
	bool exact[HIST_KEYS_MAX]; /* by key: the durations need all digits */
};

/*
 * label_details_make - find the details for the rows of @n entries of @table
 * Details that @d had are freed.  Returns 0 or -ENOMEM.
 */
int label_details_make(struct label_details *d, const struct hist_table *table,
		       const uint32_t *entries, uint32_t n);
void label_details_free(struct label_details *d); /* not the struct */

/* The flags of hist_grouping_label() that the label of the group of @entry needs. */
unsigned int label_details_group_flags(const struct label_details *d,
				       const struct hist_table *table, uint32_t entry);

/*
 * label_details_put - write the label of a cell, a duration with its unit
 * @whole: with all details.  @flags: more flags of hist_label_put().  Returns the width.
 */
unsigned int label_details_put(const struct label_details *d, struct hist_strbuf *b,
			       const struct hist_table *table, unsigned int key,
			       const struct hist_cell *cell, bool whole, unsigned int flags);

#endif
