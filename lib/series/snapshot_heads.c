// SPDX-License-Identifier: LGPL-2.1
/*
 * snapshot_heads.c - read the times and totals of all snapshots without their rows
 *
 * A body begins with the totals, as differences from those of the previous snapshot
 * (snapshot_codec.c).  The pass keeps the last head of each histogram.  It uses a delta only if
 * no snapshot was lost since the last full one: `walk.live`, as in cursor.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/series/series_private.h"
#include "lib/series/snapshot_heads.h"

/* The state of the pass for one histogram. */
struct heads_of {
	struct hist_snapshot head;
	unsigned int hist; /* number of the histogram for users */
	uint32_t resets;   /* of the last full snapshot */
	struct series_walk walk;
	bool shown; /* a head was passed to the caller */
};

/* Updates @c to the next head. */
static int snapshot_heads_update_head(struct heads_of *c, struct hist_series *s,
				      const struct record_header *h,
				      uint64_t body_at)
{
	struct hist_snapshot to = c->head;
	bool full = h->type == RECORD_FULL;
	const void *body;
	struct varint_reader t;
	uint64_t base;
	int ret;

	ret = series_read_body(s, h, body_at, &body);
	if (ret)
		return ret;
	if (full)
		memset(&to, 0, sizeof(to));
	t = varint_begin(body, h->raw_len);
	snapshot_take_head(&t, &to, h->flags, &base);
	if (!full && base != c->head.seq)
		return -ESTALE;
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
static int snapshot_heads_check_section(struct heads_of *c, struct hist_series *s,
					const struct record_header *h,
					uint64_t body_at, bool wanted)
{
	if (h->type == RECORD_DELTA && !c->walk.live)
		return -ESTALE;
	if (wanted || (c->walk.live && h->seq != c->head.seq + 1))
		return snapshot_heads_update_head(c, s, h, body_at);
	c->head.seq = h->seq;
	return series_read_body(s, h, body_at, NULL);
}

static int snapshot_heads_visit_records(struct hist_series *s, struct heads_of *heads,
					hist_series_visit *visit,
					void *data)
{
	uint64_t offset = s->first, body;
	struct record_header h;
	struct heads_of *c;
	bool repeated;
	int ret;

	for (;;) {
		ret = series_next_record(s, &offset, &h, &body);
		if (ret <= 0)
			return ret;
		if (!record_is_readable(&h) || h.hist >= s->nstreams ||
		    !s->streams[h.hist].info.snapshots ||
		    (h.type != RECORD_FULL && h.type != RECORD_DELTA))
			continue;
		c = &heads[h.hist];
		repeated = c->walk.live && series_is_repeated(&h, c->walk.last_seq);
		ret = snapshot_heads_check_section(c, s, &h, body, visit != NULL);
		ret = series_walked(s, &c->walk, &h, body, ret);
		if (!ret && c->walk.live && !repeated && visit)
			ret = visit(data, c->hist, &c->head);
		if (ret)
			return ret;
	}
}

int hist_series_visit_heads(struct hist_series *s, hist_series_visit *visit, void *data)
{
	struct heads_of *heads = calloc(s->nstreams, sizeof(*heads));
	unsigned int i;
	int ret;

	if (!heads)
		return -ENOMEM;
	for (i = 0; i < s->nknown; i++)
		heads[s->known[i]].hist = i;
	ret = snapshot_heads_visit_records(s, heads, visit, data);
	free(heads);
	if (!ret)
		s->sound = !s->damage.bad_sections && !s->damage.lost_snapshots;
	return ret;
}

int hist_series_fork(struct hist_series **fork, const struct hist_series *series)
{
	struct hist_series *s = malloc(sizeof(*s));
	int ret = -ENOMEM;

	if (!s)
		return -ENOMEM;
	*s = *series;
	s->is_fork = true;
	s->in_pool = false;
	s->sound = false;
	s->bad_room = 0;
	s->regrouped = NULL;
	s->nregrouped = 0;
	s->dat = NULL;
	s->compressor = hist_compressor_new(series->dat->compression);
	s->bad = malloc((s->nbad + 1) * sizeof(*s->bad));
	if (!s->bad || !s->compressor)
		goto fail;
	if (s->nbad)
		memcpy(s->bad, series->bad, s->nbad * sizeof(*s->bad));
	ret = tracedat_reopen(&s->dat, series->dat);
	if (ret)
		goto fail;
	*fork = s;
	return 0;
fail:
	hist_series_free(s);
	return ret;
}
