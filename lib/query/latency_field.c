// SPDX-License-Identifier: LGPL-2.1
/*
 * latency_field.c - the fields of the synthetic event of a latency, and events that were found
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/query/latency_field.h"
#include "lib/query/source.h"

void query_found_clear(struct query_found *found)
{
	free(found->full_name);
	hist_event_free(found->event);
	hist_event_free(found->guess);
	memset(found, 0, sizeof(*found));
}

void latency_field_list_names(char *text, size_t size, const char *const *names, unsigned int n)
{
	size_t len = snprintf(text, size, "use one of: ");
	unsigned int i;

	for (i = 0; i < n; i++) {
		const char *comma = i ? ", " : "";

		if (len + strlen(comma) + strlen(names[i]) + strlen(", ...") >= size) {
			snprintf(text + len, size - len, "%s...", comma);
			return;
		}
		len += snprintf(text + len, size - len, "%s%s", comma, names[i]);
	}
}

const char *latency_field_type(const struct hist_event_field *f)
{
	static const char *const known[] = {
		"s64", "u64", "s32", "u32", "s16", "u16", "s8", "u8", "char", "unsigned char",
		"int", "unsigned int", "long", "unsigned long", "bool", "pid_t", "gfp_t",
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (!strcmp(known[i], f->ctype))
			return known[i];
	}
	return f->size == 1 ? "u8" : f->size == 2 ? "u16" : f->size == 4 ? "u32" : "u64";
}
