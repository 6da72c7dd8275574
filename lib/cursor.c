// SPDX-License-Identifier: LGPL-2.1
/*
 * cursor.c - rebuild the snapshots of one histogram, one after the other
 *
 * A full snapshot sets the values anew, and the table unless it has its keys already;
 * each following difference changes them in place.  After damage nothing is believed up to the next
 * full one: `live` is false until then.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "series_private.h"

struct hist_cursor {
	struct hist_series *series;
	struct stream_index *index;
	uint64_t offset;
	struct hist_table *table;
	struct hist_snapshot snap;
	bool live;
	bool any; /* a snapshot was seen, whole or not */
	uint32_t last_seq;
	bool shown;	 /* a snapshot was rebuilt */
	uint32_t resets; /* of the full snapshot before; one may have been lost */
	struct full_keys keys;
	struct changed_entries changed;
};

static int open_from(struct hist_cursor **cursor, struct hist_series *series,
		     struct stream_index *index, uint64_t offset)
{
	struct hist_cursor *c;

	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->series = series;
	c->index = index;
	c->offset = offset;
	c->table = hist_table_new(index->info.def.schema);
	if (!c->table) {
		free(c);
		return -ENOMEM;
	}
	*cursor = c;
	return 0;
}

int hist_cursor_open(struct hist_cursor **cursor, struct hist_series *series, unsigned int hist,
		     uint32_t seq)
{
	struct stream_index *x;
	uint64_t offset = series->first;
	unsigned int low = 0, high, mid;

	if (hist >= series->nknown)
		return -EINVAL;
	x = &series->streams[series->known[hist]];
	for (high = x->nseeks; low < high;) {
		mid = (low + high) / 2;
		if (x->seeks[mid].seq <= seq)
			low = mid + 1;
		else
			high = mid;
	}
	if (low)
		offset = x->seeks[low - 1].offset;
	return open_from(cursor, series, x, offset);
}

int hist_cursor_open_at(struct hist_cursor **cursor, struct hist_series *series,
			unsigned int hist, uint64_t time)
{
	struct stream_index *x;
	uint64_t offset = series->first;
	unsigned int i;

	if (hist >= series->nknown)
		return -EINVAL;
	/* a clock may be set back (tai, uptime), so this is no binary search */
	x = &series->streams[series->known[hist]];
	for (i = 0; i < x->nseeks && x->seeks[i].time <= time; i++)
		offset = x->seeks[i].offset;
	return open_from(cursor, series, x, offset);
}

void hist_cursor_free(struct hist_cursor *c)
{
	if (!c)
		return;
	hist_table_free(c->table);
	hist_snapshot_clear(&c->snap);
	free(c->changed.entries);
	free(c);
}

const struct hist_table *hist_cursor_table(const struct hist_cursor *c)
{
	return c->table;
}

const struct hist_snapshot *hist_cursor_snapshot(const struct hist_cursor *c)
{
	return c->live ? &c->snap : NULL;
}

const uint32_t *hist_cursor_changed(const struct hist_cursor *c, uint32_t *n)
{
	*n = c->changed.n;
	return c->changed.known ? c->changed.entries : NULL;
}

static int rebuild(struct hist_cursor *c, const struct record_header *h, uint64_t body_at)
{
	const struct hist_schema *schema = c->index->info.def.schema;
	bool full = h->type == RECORD_FULL;
	struct hist_snapshot empty = { 0 };
	uint32_t resets = c->resets;
	const void *body;
	struct take t;
	int ret;

	ret = series_body(c->series, h, body_at, &body);
	if (ret)
		return ret;
	if (full) {
		/* the memory stays */
		if (c->snap.nentries)
			memset(c->snap.values, 0, (size_t)c->snap.nentries * schema->nvalues *
						  sizeof(*c->snap.values));
		empty.values = c->snap.values;
		empty.room = c->snap.room;
		c->snap = empty;
	}
	t = (struct take){ .at = body, .end = (const unsigned char *)body + h->raw_len };
	ret = snapshot_take(&t, c->table, &c->snap, full, h->flags, &resets,
			    &c->keys, &c->changed);
	if (ret)
		return ret;
	c->snap.seq = h->seq;
	c->snap.time = h->time;
	c->snap.flags = h->flags & ~(RECORD_COMPRESSED | RECORD_WALL | RECORD_EVENTS_LOST);
	if (c->shown && resets != c->resets)
		c->snap.flags |= HIST_SNAP_RESET;
	c->shown = true;
	c->resets = resets;
	return 0;
}

int hist_cursor_next(struct hist_cursor *c, const struct hist_snapshot **snap)
{
	struct hist_series *s = c->series;
	unsigned int number = c->index - s->streams;
	struct record_header h;
	uint32_t gap;
	uint64_t body;
	int ret;

	for (;;) {
		ret = series_next_record(s, &c->offset, &h, &body);
		if (ret <= 0)
			return ret;
		if (h.version != RECORD_VERSION || h.hist != number ||
		    (h.type != RECORD_FULL && h.type != RECORD_DELTA))
			continue;
		gap = c->any && h.seq > c->last_seq ? h.seq - c->last_seq - 1 : 0;
		c->any = true;
		c->last_seq = h.seq;
		ret = h.type == RECORD_DELTA && !c->live ? -ESTALE : rebuild(c, &h, body);
		c->live = !ret;
		if (ret && ret != -EBADMSG && ret != -ENODATA && ret != -ESTALE)
			return ret;
		if (ret || gap)
			series_count_bad(s, body, ret && ret != -ESTALE, gap + !!ret);
		if (!ret) {
			*snap = &c->snap;
			return 1;
		}
	}
}
