// SPDX-License-Identifier: LGPL-2.1
/*
 * reason.c - the text of a note or a verdict: a sentence, and its hint after a newline
 */
#include <string.h>

#include "lib/base/reason.h"

int reason_split_hint(const char *why, const char **hint)
{
	int len = strcspn(why, "\n");

	*hint = why + len + !!why[len];
	return len;
}
