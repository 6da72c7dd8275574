// SPDX-License-Identifier: LGPL-2.1
/*
 * series_join.c - join the files of one recording to one series
 *
 * The sections of the next file follow those of the files before it (tracedat_join()), and are
 * added to the index.  Each file begins with the last snapshot of the file before it, which the
 * walks pass over (series_is_repeated()).  The files are sorted first, so each is looked at once.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/series/series_private.h"

/* What decides which file follows which. */
struct join_file {
	const struct hist_series *series;
	uint64_t id;
	uint32_t first, last; /* numbers of snapshots */
	unsigned int place;   /* in the list of the caller */
};

static void join_file_init(struct join_file *f, const struct hist_series *s, unsigned int place)
{
	const struct hist_series_info *info;
	unsigned int i;

	*f = (struct join_file){ s, tracedat_trace_id(s->dat), UINT32_MAX, 0, place };
	for (i = 0; i < s->nknown; i++) {
		info = &s->streams[s->known[i]].info;
		f->first = info->first_seq < f->first ? info->first_seq : f->first;
		f->last = info->last_seq > f->last ? info->last_seq : f->last;
	}
}

/* Files of one recording in the order of their snapshots. */
static int join_file_compare(const void *a, const void *b)
{
	const struct join_file *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->last != y->last)
		return x->last < y->last ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

/* True if @next can follow @f.  Two files of one and the same snapshot are copies. */
static bool join_file_is_next(const struct join_file *f, const struct join_file *next)
{
	return f->id && f->id == next->id && next->first >= f->last && next->last > f->first &&
	       f->series->dat->big_endian == next->series->dat->big_endian &&
	       f->series->dat->compression == next->series->dat->compression;
}

/* Adds the snapshots of @next to @s. */
static int series_append(struct hist_series *s, const struct hist_series *next)
{
	uint64_t offset = s->dat->size;
	int ret;

	ret = tracedat_join(s->dat, next->dat);
	if (!ret)
		ret = series_scan_records(s, offset);
	return ret ? ret : names_add(&s->joined, next->path, strlen(next->path));
}

/* After the last file. */
static int series_end_join(struct hist_series *s)
{
	if (!s->joined.n)
		return 0;
	if (asprintf(&s->range, "%s to %s", s->path, s->joined.names[s->joined.n - 1]) < 0) {
		s->range = NULL;
		return -ENOMEM;
	}
	return series_list_known(s);
}

/*
 * Joins to the files from @at on, of which the first is not part of another yet, all that follow.
 * @list: @n files in order; files that are part of another have no series.
 */
static int join_following(struct hist_series **files, struct join_file *list, unsigned int n,
			  unsigned int at)
{
	struct join_file tail = list[at];
	struct hist_series *s = files[tail.place];
	unsigned int i;
	int ret = 0;

	for (i = at + 1; i < n && list[i].id == tail.id && !ret; i++) {
		if (!list[i].series || !join_file_is_next(&tail, &list[i]))
			continue;
		tail = list[i];
		list[i].series = NULL;
		ret = series_append(s, files[tail.place]);
		hist_series_free(files[tail.place]);
		files[tail.place] = NULL;
		tail.series = s;
	}
	return ret ? ret : series_end_join(s);
}

int hist_series_join(struct hist_series **files, unsigned int n, unsigned int *left)
{
	struct join_file *list = calloc(n + 1, sizeof(*list));
	int ret = list ? 0 : -ENOMEM;
	unsigned int i;

	for (i = 0; i < n && !ret; i++)
		join_file_init(&list[i], files[i], i);
	if (!ret)
		qsort(list, n, sizeof(*list), join_file_compare);
	for (i = 0; i < n && !ret; i++)
		if (list[i].series && list[i].id)
			ret = join_following(files, list, n, i);
	free(list);
	*left = 0;
	for (i = 0; i < n; i++)
		if (files[i])
			files[(*left)++] = files[i];
	for (i = *left; i < n; i++)
		files[i] = NULL;
	return ret;
}
