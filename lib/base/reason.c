// SPDX-License-Identifier: LGPL-2.1
/*
 * reason.c - the sentence that explains an error to the caller
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/reason.h"

int reason_set(int ret, char *why, size_t why_len, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, why_len, fmt, args);
	va_end(args);
	return ret;
}

int reason_split_hint(const char *why, const char **hint)
{
	int len = strcspn(why, "\n");

	*hint = why + len + !!why[len];
	return len;
}
