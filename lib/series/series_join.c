// SPDX-License-Identifier: LGPL-2.1
/*
 * series_join.c - join the files of one recording to one series
 *
 * The sections of the next file follow those of the files before it (tracedat_join()), and are
 * added to the index.  Each file begins with the last snapshot of the file before it, which the
 * walks pass over (series_is_repeated()).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/series/series_private.h"

/* The lowest number of a first snapshot, and the highest of a last one. */
static uint32_t first_seq(const struct hist_series *s)
{
	uint32_t seq = UINT32_MAX;
	unsigned int i;

	for (i = 0; i < s->nknown; i++)
		if (s->streams[s->known[i]].info.first_seq < seq)
			seq = s->streams[s->known[i]].info.first_seq;
	return seq;
}

static uint32_t last_seq(const struct hist_series *s)
{
	uint32_t seq = 0;
	unsigned int i;

	for (i = 0; i < s->nknown; i++)
		if (s->streams[s->known[i]].info.last_seq > seq)
			seq = s->streams[s->known[i]].info.last_seq;
	return seq;
}

/* True if @next can follow @s. */
static bool series_is_next(const struct hist_series *s, const struct hist_series *next)
{
	uint64_t id = tracedat_trace_id(s->dat);

	return id && id == tracedat_trace_id(next->dat) && first_seq(next) >= last_seq(s) &&
	       s->dat->big_endian == next->dat->big_endian &&
	       s->dat->compression == next->dat->compression;
}

/* Adds the snapshots of @next to @s. */
static int series_append(struct hist_series *s, const struct hist_series *next)
{
	uint64_t offset = s->dat->size;
	char *range;
	int ret;

	if (asprintf(&range, "%s to %s", s->path, next->path) < 0)
		return -ENOMEM;
	ret = tracedat_join(s->dat, next->dat);
	if (!ret)
		ret = series_scan_records(s, offset);
	if (!ret)
		ret = series_list_known(s);
	if (!ret)
		ret = names_add(&s->joined, next->path, strlen(next->path));
	if (ret) {
		free(range);
		return ret;
	}
	free(s->range);
	s->range = range;
	return 0;
}

/* The file with the lowest numbers that can follow @files[at]; @n: none. */
static unsigned int find_next(struct hist_series *const *files, unsigned int n, unsigned int at)
{
	unsigned int i, found = n;

	for (i = 0; i < n; i++) {
		if (i == at || !files[i] || !series_is_next(files[at], files[i]))
			continue;
		if (found == n || first_seq(files[i]) < first_seq(files[found]))
			found = i;
	}
	return found;
}

/* True if @files[at] follows another file. */
static bool series_has_before(struct hist_series *const *files, unsigned int n, unsigned int at)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (i != at && files[i] && series_is_next(files[i], files[at]))
			return true;
	return false;
}

int hist_series_join(struct hist_series **files, unsigned int n, unsigned int *left)
{
	unsigned int i, next;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		if (!files[i] || series_has_before(files, n, i))
			continue;
		while (!ret && (next = find_next(files, n, i)) < n) {
			ret = series_append(files[i], files[next]);
			hist_series_free(files[next]);
			files[next] = NULL;
		}
	}
	*left = 0;
	for (i = 0; i < n; i++)
		if (files[i])
			files[(*left)++] = files[i];
	for (i = *left; i < n; i++)
		files[i] = NULL;
	return ret;
}
