// SPDX-License-Identifier: LGPL-2.1
/*
 * function_field.c - one name for the field with the address of a traced function
 *
 * A trigger is split into words. A word is replaced as a whole, so that names that contain it
 * remain.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strbuf.h"
#include "lib/base/text.h"
#include "lib/query/function_field.h"

/* The length of the quoted string, the word or the other character at @at. */
static size_t find_item_len(const char *at)
{
	const char *end = at;

	if (*at == '"' || *at == '\'') {
		end = strchr(at + 1, *at);
		return end ? (size_t)(end + 1 - at) : strlen(at);
	}
	while (text_is_word(*end))
		end++;
	return end > at ? (size_t)(end - at) : 1;
}

static char *function_field_replace(const char *text, const char *from, const char *to)
{
	struct hist_strbuf b = { 0 };
	const char *at = text;
	size_t len;

	for (; *at; at += len) {
		len = find_item_len(at);
		if (text_equals(at, len, from) && (at == text || !strchr(".$", at[-1])))
			hist_strbuf_str(&b, to);
		else
			hist_strbuf_add(&b, at, len);
	}
	return hist_strbuf_string(&b);
}

char *function_field_to_kernel(const char *text, const char *field)
{
	return field ? function_field_replace(text, FUNCTION_FIELD, field) : strdup(text);
}

char *function_field_from_kernel(const char *text, const char *field)
{
	return field ? function_field_replace(text, field, FUNCTION_FIELD) : strdup(text);
}

int function_field_rename(struct hist_event *event, const char *field)
{
	unsigned int i;
	char *name;

	for (i = 0; i < event->nfields; i++) {
		if (strcmp(event->fields[i].name, field))
			continue;
		name = strdup(FUNCTION_FIELD);
		if (!name)
			return -ENOMEM;
		free((char *)event->fields[i].name);
		event->fields[i].name = name;
		return 0;
	}
	return -ENOENT;
}
