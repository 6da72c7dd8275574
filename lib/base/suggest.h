/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * suggest.h - the candidate nearest to a mistyped name
 */
#ifndef LIB_BASE_SUGGEST_H
#define LIB_BASE_SUGGEST_H

#include <stddef.h>

/*
 * hist_suggest - the candidate nearest to @name, or NULL when none is near
 * (Damerau-Levenshtein distance at most a third of the length, but 1 for two
 * letters and more), or the only one that begins with @name as a whole word.
 */
const char *hist_suggest(const char *name, const char *const *candidates, size_t n);

#endif
