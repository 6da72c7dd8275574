/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * reason.h - the sentence that explains an error to the caller
 */
#ifndef LIB_BASE_REASON_H
#define LIB_BASE_REASON_H

#include <stddef.h>

/* Format the sentence into @why, truncated to @why_len bytes, and return @ret. */
int reason_set(int ret, char *why, size_t why_len, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
