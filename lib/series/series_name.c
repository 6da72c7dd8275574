// SPDX-License-Identifier: LGPL-2.1
/*
 * series_name.c - names of the histograms of a file: SYS:EVENT, or SYS:EVENT#N if an event has
 * several
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/series/series_private.h"

static int compare_events(const void *a, const void *b, void *arg)
{
	const struct hist_series *s = arg;
	unsigned int i = *(const unsigned int *)a, j = *(const unsigned int *)b;
	int diff = strcmp(s->streams[i].info.def.event, s->streams[j].info.def.event);

	return diff ? diff : (i > j) - (i < j);
}

int series_number_names(struct hist_series *s)
{
	unsigned int *order = malloc((s->nknown + 1) * sizeof(*order)), first, end, i;

	if (!order)
		return -ENOMEM;
	memcpy(order, s->known, s->nknown * sizeof(*order));
	qsort_r(order, s->nknown, sizeof(*order), compare_events, s);
	for (first = 0; first < s->nknown; first = end) {
		const char *event = s->streams[order[first]].info.def.event;

		for (end = first + 1; end < s->nknown; end++)
			if (strcmp(s->streams[order[end]].info.def.event, event))
				break;
		for (i = first; i < end; i++) {
			s->streams[order[i]].nth = i - first;
			s->streams[order[i]].same = end - first;
		}
	}
	free(order);
	return 0;
}

char *hist_series_name(const struct hist_series *series, unsigned int hist)
{
	const struct stream_index *x = &series->streams[series->known[hist]];
	char *name;

	if (x->same == 1)
		return strdup(x->info.def.event);
	return asprintf(&name, "%s#%u", x->info.def.event, x->nth) < 0 ? NULL : name;
}

bool hist_series_name_matches(const char *name, const char *wanted)
{
	const char *number = strchr(name, '#'), *want_number = strchr(wanted, '#');
	const char *colon = strchr(name, ':');
	size_t event_len = number ? (size_t)(number - name) : strlen(name), i;
	size_t len = want_number ? (size_t)(want_number - wanted) : strlen(wanted);

	if (want_number && strcmp(want_number, number ? number : "#0"))
		return false;
	if (colon && (size_t)(name + event_len - colon - 1) == len &&
	    !memcmp(colon + 1, wanted, len))
		return true;
	if (event_len != len)
		return false;
	for (i = 0; i < len; i++)
		if (wanted[i] != name[i] && !(wanted[i] == '/' && name[i] == ':'))
			return false;
	return true;
}
