// SPDX-License-Identifier: LGPL-2.1
/*
 * latency_parse.c - parse the text of --latency
 *
 * ".." is searched outside the brackets of filters. A filter may contain anything except brackets.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/text.h"
#include "lib/query/latency_parse.h"

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

static int latency_refuse_text(struct hist_error *error, const char *what, const char *text,
			       size_t len)
{
	return hist_error_set(error, -EINVAL, "\"%.*s\" %s", (int)len, text, what);
}

/* The first @mark outside of brackets, or NULL. */
static const char *find_outside(const char *text, const char *mark)
{
	bool inside = false;

	for (; *text; text++) {
		if (*text == '[')
			inside = true;
		else if (*text == ']')
			inside = false;
		else if (!inside && !strncmp(text, mark, strlen(mark)))
			return text;
	}
	return NULL;
}

static int latency_parse_keys(struct latency_side *side, const char *text, size_t len,
			      struct hist_error *error)
{
	const char *end = text + len;
	size_t n;

	for (;; text += n + 1) {
		n = strspn(text, NAME_CHARS);
		if (n > (size_t)(end - text))
			n = end - text;
		if (!n || (text + n < end && text[n] != ','))
			return latency_refuse_text(error,
						   "must be a list of fields separated by commas",
						   text, end - text);
		if (side->nkeys == LATENCY_KEYS_MAX)
			return latency_refuse_text(
				error, "is a fourth key, but at most 3 keys are allowed", text,
				end - text);
		side->keys[side->nkeys] = strndup(text, n);
		if (!side->keys[side->nkeys])
			return -ENOMEM;
		side->nkeys++;
		if (text + n == end)
			return 0;
	}
}

/* Parse "[SYS:]EVENT:KEYS[FILTER]" between @text and @end; the filter is optional. */
static int take_side(struct latency_side *side, const char *text, const char *end,
		     struct hist_error *error)
{
	const char *bracket = memchr(text, '[', end - text);
	const char *head_end = bracket ? bracket : end;
	size_t system = strspn(text, NAME_CHARS "-"), event, name;

	if (bracket) {
		if (end[-1] != ']' || bracket + 2 >= end ||
		    memchr(bracket + 1, '[', end - bracket - 1) ||
		    (const char *)memchr(bracket, ']', end - bracket) != end - 1)
			return latency_refuse_text(error, "must be one filter in brackets", bracket,
						   end - bracket);
		side->filter = strndup(bracket + 1, end - bracket - 2);
		if (!side->filter)
			return -ENOMEM;
	}
	event = text[system] == ':' ? strspn(text + system + 1, NAME_CHARS) : 0;
	if (!system || !event || text + system + 1 + event > head_end)
		return latency_refuse_text(error, "must be SYS:EVENT:KEY", text, end - text);
	/* without SYS, the second word is a key */
	name = text + system + 1 + event < head_end && text[system + 1 + event] == ':' ?
		       system + 1 + event : system;
	side->event = strndup(text, name);
	if (!side->event)
		return -ENOMEM;
	text += name + 1;
	return latency_parse_keys(side, text, head_end - text, error);
}

static bool is_unit(const char *text)
{
	return !strcmp(text, "nsecs") || !strcmp(text, "usecs");
}

/*
 * Parse the unit after the third colon of END, or after the second if END omits SYS. *@end is where
 * END ends.
 */
static int take_unit(struct latency *l, const char *text, const char **end,
		     struct hist_error *error)
{
	const char *colon = text;
	int i;

	*end = text + strlen(text);
	for (i = 0; i < 3 && colon; i++) {
		colon = find_outside(i ? colon + 1 : colon, ":");
		if (colon && i == 1 && is_unit(colon + 1))
			break;
	}
	if (!colon)
		return 0;
	*end = colon;
	l->nsecs = !strcmp(colon + 1, "nsecs");
	if (is_unit(colon + 1))
		return 0;
	return latency_refuse_text(error, "must be usecs or nsecs", colon + 1, strlen(colon + 1));
}

int latency_parse(struct latency *l, const char *text, struct hist_error *error)
{
	const char *dots = find_outside(text, ".."), *end;
	const char *c;
	int ret;

	memset(l, 0, sizeof(*l));
	for (c = text; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 127)
			return latency_refuse_text(error, "is followed by a control character",
						   text, c - text);
	}
	if (!dots)
		return latency_refuse_text(error,
					   "does not contain \"..\" between START:KEY and END:KEY",
					   text, strlen(text));
	ret = take_unit(l, dots + 2, &end, error);
	if (!ret)
		ret = take_side(&l->start, text, dots, error);
	if (!ret)
		ret = take_side(&l->end, dots + 2, end, error);
	if (!ret && l->start.nkeys != l->end.nkeys)
		return hist_error_set(error, -EINVAL, "START has %u key%s but END has %u",
				      l->start.nkeys, text_plural(l->start.nkeys), l->end.nkeys);
	return ret;
}

static void latency_clear_latency_side(struct latency_side *side)
{
	unsigned int i;

	free(side->event);
	free(side->filter);
	for (i = 0; i < side->nkeys; i++)
		free(side->keys[i]);
}

void latency_clear(struct latency *l)
{
	latency_clear_latency_side(&l->start);
	latency_clear_latency_side(&l->end);
	memset(l, 0, sizeof(*l));
}
