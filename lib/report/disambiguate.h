/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * disambiguate.h - what has to be shown of keys so that no two rows read the same
 */
#ifndef LIB_REPORT_DISAMBIGUATE_H
#define LIB_REPORT_DISAMBIGUATE_H

#include "lib/analysis/percentiles.h"
#include "lib/heatmap/heatmap.h"
#include "lib/hist/table.h"

/*
 * distinct_symbols - *@ambiguous: one symbol stands for several addresses
 * Among the key @key of @n @entries; false for other keys.  @which, if not NULL, gets true
 * for the strings of the table that do; it has room for all and is all false before.
 * -ENOMEM.
 */
int distinct_symbols(bool *ambiguous, bool *which, const struct hist_table *table,
		     unsigned int key, const uint32_t *entries, uint32_t n);
/* The same of the groups of @s, in any of their keys. */
int distinct_groups(bool *ambiguous, bool *which, const struct hist_percentiles *s);

/*
 * distinct_durations - *@exact: rounding would make two numbers equal
 * Among the key @key of @n @entries; false for keys that are no plain durations.  -ENOMEM.
 */
int distinct_durations(bool *exact, const struct hist_table *table, unsigned int key,
		       const uint32_t *entries, uint32_t n);
/* The same of the rows of a map, which are numbers of @key. */
bool distinct_rows(const struct hist_heatmap *map, const struct hist_key_desc *key);

#endif
