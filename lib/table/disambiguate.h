/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * disambiguate.h - find the details that keep the labels of different rows different
 */
#ifndef LIB_REPORT_DISAMBIGUATE_H
#define LIB_REPORT_DISAMBIGUATE_H

#include "lib/analysis/axis.h"
#include "lib/heatmap/heatmap.h"
#include "lib/hist/table.h"

/*
 * disambiguate_symbols - set *@ambiguous if one symbol name has several addresses
 * Checks key @key of @n @entries.  *@ambiguous is false if the key is not a symbol.
 * @which: NULL, or one element per string of the table, all false at first.  The element of each
 * ambiguous symbol name becomes true.
 * Returns 0 or -ENOMEM.
 */
int disambiguate_symbols(bool *ambiguous, bool *which, const struct hist_table *table,
			 unsigned int key, const uint32_t *entries, uint32_t n);

/*
 * disambiguate_label - write the label of a cell, a duration with its unit
 * @exact: the durations of the key need all digits.  @flags: of hist_label_put().  Returns the
 * width.
 */
unsigned int disambiguate_label(struct hist_strbuf *b, const struct hist_table *table,
				unsigned int key, const struct hist_cell *cell, bool exact,
				unsigned int flags);

/*
 * disambiguate_durations - set *@exact if rounding would print two different numbers alike
 * Checks key @key of @n @entries.  *@exact is false if the key is not a plain duration.
 * Returns 0 or -ENOMEM.
 */
int disambiguate_durations(bool *exact, const struct hist_table *table, unsigned int key,
			   const uint32_t *entries, uint32_t n);
/* The same for the rows of a heat map, which are numbers of @key. */
bool disambiguate_rows(const struct hist_heatmap *map, const struct hist_key_desc *key);

#endif
