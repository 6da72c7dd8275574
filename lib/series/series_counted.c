// SPDX-License-Identifier: LGPL-2.1
/*
 * series_counted.c - counters that begin with the recording, although earlier files are missing
 *
 * The first snapshot of the recording is that with the number 0, or a section of its own in later
 * files (RECORD_FIRST).  What was counted before the histogram was cleared in earlier files is
 * another section (RECORD_CLEARED).
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/hist/counted.h"
#include "lib/series/series_private.h"

/* A snapshot with its own table. */
struct read_base {
	struct hist_table *table;
	struct hist_snapshot snap;
	uint32_t resets;
};

static void read_base_clear(struct read_base *b)
{
	hist_table_free(b->table);
	hist_snapshot_clear(&b->snap);
}

static int read_base_decode(struct read_base *b, struct hist_series *s,
			    const struct stream_index *x, uint64_t at)
{
	struct changed_entries changed = { 0 };
	struct full_keys keys = { 0 };
	uint64_t offset = at, body_at;
	struct record_header h;
	struct varint_reader t;
	const void *body;
	int ret;

	b->table = hist_table_new(x->info.def.schema);
	if (!b->table)
		return -ENOMEM;
	hist_table_limit(b->table, record_weight_max(s->dat->size));
	ret = series_next_record(s, &offset, &h, &body_at);
	if (ret != 1)
		return ret ? ret : -EBADMSG;
	ret = series_read_body(s, &h, body_at, &body);
	if (ret)
		return ret;
	t = varint_begin(body, h.raw_len);
	ret = snapshot_decode(&t, b->table, &b->snap, true, h.flags, &b->resets, &keys, &changed);
	b->snap.seq = h.seq;
	b->snap.time = h.time;
	free(changed.entries);
	return ret == -E2BIG ? -EBADMSG : ret;
}

/* 1: read; 0: there is none, or it is invalid, which is damage; -errno. */
static int read_base(struct read_base *b, struct hist_series *s, const struct stream_index *x,
		     uint64_t at)
{
	int ret;

	*b = (struct read_base){ 0 };
	if (!at)
		return 0;
	ret = read_base_decode(b, s, x, at);
	if (ret != -EBADMSG && ret != -ESTALE && ret != SNAPSHOT_OTHER_KEYS)
		return ret ? ret : 1;
	series_count_bad(s, at, 1, 0);
	return 0;
}

/* 1: the set-up was subtracted; 0: the series does not begin with it; -errno. */
static int subtract_snapshot(struct hist_counted *c, struct hist_series *s, unsigned int hist)
{
	const struct hist_snapshot *snap;
	struct hist_cursor *cursor;
	int ret = hist_cursor_open(&cursor, s, hist, 0);

	if (ret)
		return ret;
	ret = hist_cursor_next(cursor, &snap);
	if (ret == 1 && snap->seq)
		ret = 0;
	if (ret == 1)
		ret = hist_counted_subtract(c, hist_cursor_table(cursor), snap) ?: 1;
	hist_cursor_free(cursor);
	return ret;
}

static int subtract_setup(struct hist_counted *c, struct hist_series *s, unsigned int hist)
{
	const struct stream_index *x = &s->streams[s->known[hist]];
	struct read_base first;
	int ret;

	if (!x->info.first_seq)
		return subtract_snapshot(c, s, hist);
	ret = read_base(&first, s, x, x->first_at);
	if (ret == 1)
		ret = hist_counted_subtract(c, first.table, &first.snap) ?: 1;
	read_base_clear(&first);
	return ret;
}

int hist_series_begin_counting(struct hist_counted **counted, struct hist_series *s,
			       unsigned int hist, bool without_setup)
{
	const struct stream_index *x;
	struct read_base cleared;
	struct hist_counted *c;
	int ret;

	if (hist >= s->nknown)
		return -EINVAL;
	x = &s->streams[s->known[hist]];
	c = hist_counted_new(x->info.def.schema);
	if (!c)
		return -ENOMEM;
	ret = read_base(&cleared, s, x, x->cleared_at);
	if (ret == 1)
		ret = hist_counted_add_cleared(c, cleared.table, &cleared.snap, cleared.resets);
	read_base_clear(&cleared);
	if (!ret)
		ret = without_setup ? subtract_setup(c, s, hist) : 1;
	if (ret < 0)
		hist_counted_free(c);
	else
		*counted = c;
	return ret;
}
