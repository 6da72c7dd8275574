// SPDX-License-Identifier: LGPL-2.1
/*
 * guard.c - the condition that leaves latencies which cannot be out of a histogram
 */
#include <stdbool.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/query/guard.h"

/* Is @word the end of the text before @at? */
static bool guard_follows(const char *text, const char *at, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(at - text) >= len && !strncmp(at - len, word, len);
}

/* "TRIGGER if lat_ns < LIMIT" or "TRIGGER if (FILTER) && lat_ns < LIMIT" */
char *guard_remove(const char *trigger)
{
	const char *end = trigger + strlen(trigger), *open;
	char *text, *at;

	if (guard_follows(trigger, end, " < " GUARD_NS))
		end -= strlen(" < " GUARD_NS);
	else if (guard_follows(trigger, end, " < " GUARD_US))
		end -= strlen(" < " GUARD_US);
	else
		return strdup(trigger);
	while (end > trigger && text_is_word(end[-1]))
		end--;
	if (guard_follows(trigger, end, " if "))
		return strndup(trigger, end - trigger - strlen(" if "));
	open = strstr(trigger, " if (");
	if (!open || !guard_follows(trigger, end, ") && "))
		return strdup(trigger);
	text = strndup(trigger, end - trigger - strlen(") && "));
	if (text) {
		/* the opening bracket */
		open += strlen(" if ");
		at = text + (open - trigger);
		memmove(at, at + 1, strlen(at));
	}
	return text;
}
