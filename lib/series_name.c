// SPDX-License-Identifier: LGPL-2.1
/*
 * series_name.c - how a user names a histogram of a file
 */
#include <stdio.h>
#include <string.h>

#include <tracehist/series.h>

char *hist_series_name(const struct hist_series *series, unsigned int hist)
{
	const char *event = hist_series_info(series, hist)->def.event;
	unsigned int i, nth = 0, all = 0;
	char *name;

	for (i = 0; i < hist_series_count(series); i++) {
		if (strcmp(hist_series_info(series, i)->def.event, event))
			continue;
		all++;
		nth += i < hist;
	}
	if (all == 1)
		return strdup(event);
	return asprintf(&name, "%s#%u", event, nth) < 0 ? NULL : name;
}

bool hist_name_fits(const char *name, const char *wanted)
{
	const char *number = strchr(name, '#'), *want_number = strchr(wanted, '#');
	const char *colon = strchr(name, ':');
	size_t event_len = number ? (size_t)(number - name) : strlen(name), i;
	size_t len = want_number ? (size_t)(want_number - wanted) : strlen(wanted);

	if (want_number && strcmp(want_number, number ? number : "#0"))
		return false;
	if (colon && (size_t)(name + event_len - colon - 1) == len && !memcmp(colon + 1, wanted, len))
		return true;
	if (event_len != len)
		return false;
	for (i = 0; i < len; i++)
		if (wanted[i] != name[i] && !(wanted[i] == '/' && name[i] == ':'))
			return false;
	return true;
}
