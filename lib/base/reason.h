/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * reason.h - the sentence that explains an error to the caller
 *
 * A hint may follow the sentence after a newline: "the table was full\nuse a larger size=".
 */
#ifndef LIB_BASE_REASON_H
#define LIB_BASE_REASON_H

#include <stddef.h>

/* Format the sentence into @why, truncated to @why_len bytes, and return @ret. */
int reason_set(int ret, char *why, size_t why_len, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * reason_split_hint - the length of @why before the newline that its hint follows
 * *@hint is "" if there is none.
 */
int reason_split_hint(const char *why, const char **hint);

#endif
