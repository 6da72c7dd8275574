// SPDX-License-Identifier: LGPL-2.1
/*
 * snapshot_heads.c - read the times and totals of all snapshots without their rows
 *
 * A body begins with the totals, as differences from those of the previous snapshot
 * (snapshot_codec.c).  The pass keeps the last head of each histogram.  It uses a delta only if
 * no snapshot was lost since the last full one: `live`, as in cursor.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/series/series_private.h"
#include "lib/series/snapshot_heads.h"

/* The state of the pass for one histogram. */
struct course_of {
	struct hist_snapshot head;
	unsigned int hist; /* number of the histogram for users */
	uint32_t resets;   /* of the last full snapshot */
	uint32_t last_seq; /* of a section, intact or not */
	bool any, live;
	bool shown; /* a head was passed to the caller */
};

/* Updates @c to the next head. */
static int take_head(struct course_of *c, struct hist_series *s, const struct record_header *h,
		     uint64_t body_at)
{
	struct hist_snapshot to = c->head;
	bool full = h->type == RECORD_FULL;
	const void *body;
	struct take t;
	uint64_t base;
	int ret;

	ret = series_body(s, h, body_at, &body);
	if (ret)
		return ret;
	if (full)
		memset(&to, 0, sizeof(to));
	t = take_begin(body, h->raw_len);
	base = take_varint(&t);
	if (!full && base != c->head.seq)
		return -ESTALE;
	to.read_ns = take_varint(&t);
	to.missed = take_varint(&t);
	to.hits += (uint64_t)unzigzag(take_varint(&t));
	to.entries += (uint64_t)unzigzag(take_varint(&t));
	to.dropped += (uint64_t)unzigzag(take_varint(&t));
	to.wall = h->flags & RECORD_WALL ? to.wall + (uint64_t)unzigzag(take_varint(&t)) : 0;
	to.events_lost = h->flags & RECORD_EVENTS_LOST ? take_varint(&t) : 0;
	to.probe_misses = h->flags & HIST_SNAP_MISSES ? take_varint(&t) : 0;
	if (t.failed)
		return -EBADMSG;
	to.seq = h->seq;
	to.time = h->time;
	to.flags = h->flags & ~(RECORD_COMPRESSED | RECORD_WALL | RECORD_EVENTS_LOST);
	/* the full snapshot shows a reset whose own snapshot was lost */
	if (full && c->shown && (uint32_t)base != c->resets)
		to.flags |= HIST_SNAP_RESET;
	if (full)
		c->resets = base;
	c->shown = true;
	c->head = to;
	return 0;
}

/*
 * If the heads are not @wanted, the checksum is sufficient, except after a gap: only the body
 * says which snapshot its differences refer to.
 */
static int take_section(struct course_of *c, struct hist_series *s, const struct record_header *h,
			uint64_t body_at, bool wanted)
{
	const void *stored;

	if (h->type == RECORD_DELTA && !c->live)
		return -ESTALE;
	if (wanted || (c->live && h->seq != c->head.seq + 1))
		return take_head(c, s, h, body_at);
	c->head.seq = h->seq;
	return series_stored(s, h, body_at, &stored);
}

static int pass(struct hist_series *s, struct course_of *courses, hist_heads_visit *visit,
		void *data)
{
	uint64_t offset = s->first, body;
	struct record_header h;
	struct course_of *c;
	uint32_t gap;
	int ret;

	for (;;) {
		ret = series_next_record(s, &offset, &h, &body);
		if (ret <= 0)
			return ret;
		if (h.version != RECORD_VERSION || h.hist >= s->nstreams ||
		    !s->streams[h.hist].info.snapshots ||
		    (h.type != RECORD_FULL && h.type != RECORD_DELTA))
			continue;
		c = &courses[h.hist];
		gap = c->any && h.seq > c->last_seq ? h.seq - c->last_seq - 1 : 0;
		c->any = true;
		c->last_seq = h.seq;
		ret = take_section(c, s, &h, body, visit != NULL);
		c->live = !ret;
		if (ret && ret != -EBADMSG && ret != -ENODATA && ret != -ESTALE)
			return ret;
		if (ret || gap)
			series_count_bad(s, body, ret && ret != -ESTALE, gap + !!ret);
		if (!ret && visit)
			ret = visit(data, c->hist, &c->head);
		if (ret && c->live)
			return ret;
	}
}

int hist_series_heads(struct hist_series *s, hist_heads_visit *visit, void *data)
{
	struct course_of *courses = calloc(s->nstreams, sizeof(*courses));
	unsigned int i;
	int ret;

	if (!courses)
		return -ENOMEM;
	for (i = 0; i < s->nknown; i++)
		courses[s->known[i]].hist = i;
	ret = pass(s, courses, visit, data);
	free(courses);
	if (!ret)
		s->sound = !s->damage.bad_sections && !s->damage.lost_snapshots;
	return ret;
}

int hist_series_fork(struct hist_series **fork, const struct hist_series *series)
{
	struct hist_series *s = calloc(1, sizeof(*s));
	int ret = -ENOMEM;

	if (!s)
		return -ENOMEM;
	s->is_fork = true;
	s->first = series->first;
	s->streams = series->streams;
	s->nstreams = series->nstreams;
	s->known = series->known;
	s->nknown = series->nknown;
	s->listed = series->listed;
	s->later_version = series->later_version;
	s->damage = series->damage;
	s->nbad = series->nbad;
	if (s->nbad) {
		s->bad = malloc(s->nbad * sizeof(*s->bad));
		if (!s->bad)
			goto fail;
		memcpy(s->bad, series->bad, s->nbad * sizeof(*s->bad));
	}
	s->compressor = hist_compressor_new(tracedat_compression(series->dat));
	if (!s->compressor)
		goto fail;
	ret = tracedat_reopen(&s->dat, series->dat);
	if (ret)
		goto fail;
	*fork = s;
	return 0;
fail:
	hist_series_free(s);
	return ret;
}
