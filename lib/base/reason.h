/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * reason.h - the text of a note or a verdict: a sentence, and its hint after a newline
 *
 * Results keep such texts for all outputs.  An error on its way to the user is a struct hist_error
 * (error.h).
 */
#ifndef LIB_BASE_REASON_H
#define LIB_BASE_REASON_H

/*
 * reason_split_hint - the length of @error before the newline that its hint follows
 * *@hint is "" if there is none.
 */
int reason_split_hint(const char *why, const char **hint);

#endif
