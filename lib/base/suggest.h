/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * suggest.h - the candidate nearest to a mistyped name
 */
#ifndef LIB_BASE_SUGGEST_H
#define LIB_BASE_SUGGEST_H

#include <stddef.h>

/*
 * hist_suggest - the candidate nearest to @name, or NULL if none is near
 * A candidate is near if its Damerau-Levenshtein distance is at most a third of the length of
 * @name, or 1 for names of two letters and more.  Otherwise the result is the only candidate that
 * begins with @name as a whole word, if there is exactly one.
 */
const char *hist_suggest(const char *name, const char *const *candidates, size_t n);

#endif
