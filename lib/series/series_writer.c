// SPDX-License-Identifier: LGPL-2.1
/*
 * series_writer.c - append snapshots to a trace.dat file as sections
 *
 * Each snapshot of a histogram is one section.  The writer writes a full snapshot at the start, at
 * each reset, and when the deltas since the last full one exceed FULL_RATIO times its size.
 * Full snapshots thus use at most a fifth of the file.  FULL_RATIO also limits the size of the
 * deltas that a reader decodes after a seek.
 *
 * Invariant: the writer's state of a histogram equals the state of a reader at the end of the
 * file.  A failed append changes neither.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <zlib.h>

#include "lib/base/array.h"
#include "lib/series/counted.h"
#include "lib/series/record.h"
#include "lib/tracedat/compress.h"
#include "lib/tracedat/tracedat_format.h"

#define FULL_RATIO 4

struct stream {
	struct hist_definition def;
	struct hist_table *table;
	bool defined; /* the definition is in the file */
	enum hist_key_kind kinds[HIST_KEYS_MAX]; /* kinds of the keys in that definition */
	struct written_names names; /* in the file since the definition */
	bool started; /* a full snapshot is in the file */
	bool reset;   /* a snapshot with HIST_SNAP_RESET could not be written */
	uint32_t resets;
	struct hist_snapshot last;
	uint32_t strings; /* of the table that are in the file since the last full snapshot */
	uint64_t full_size, delta_size;
	/* what later files need, or NULL (hist_series_prepare()) */
	struct hist_counted *first;   /* the first snapshot of the recording */
	struct hist_counted *cleared; /* what was counted before the last clearing */
	bool based; /* both are in the file, if it needs them */
};

struct hist_series_writer {
	struct tracedat_writer *dat;
	struct hist_compressor *compressor;
	struct stream *streams;
	unsigned int nstreams;
	struct hist_strbuf body;
	uint64_t written; /* snapshots */
	uint64_t defined; /* bytes of all definitions and names */
	bool prepares;	  /* for hist_series_continue() */
};

int hist_series_writer_new(struct hist_series_writer **writer, struct tracedat_writer *dat)
{
	struct hist_series_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->dat = dat;
	w->compressor = hist_compressor_new(dat->compression);
	if (!w->compressor) {
		free(w);
		return -ENOMEM;
	}
	*writer = w;
	return 0;
}

static void stream_free(struct stream *s)
{
	/* the table owns the schema */
	s->def.schema = NULL;
	definition_free(&s->def);
	hist_snapshot_clear(&s->last);
	hist_counted_free(s->first);
	hist_counted_free(s->cleared);
}

void hist_series_prepare(struct hist_series_writer *w)
{
	w->prepares = true;
}

void hist_series_writer_free(struct hist_series_writer *w)
{
	unsigned int i;

	if (!w)
		return;
	for (i = 0; i < w->nstreams; i++)
		stream_free(&w->streams[i]);
	free(w->streams);
	hist_strbuf_free(&w->body);
	hist_compressor_free(w->compressor);
	free(w);
}

/* Empties the body and clears an -ENOMEM of the previous body. */
static void series_begin_body(struct hist_series_writer *w)
{
	w->body.len = 0;
	w->body.error = 0;
}

int hist_series_define(struct hist_series_writer *w, const struct hist_definition *def,
		       struct hist_table *table)
{
	struct stream *s;

	if (w->nstreams >= RECORD_HISTS_MAX)
		return -E2BIG;
	if (array_add(&w->streams, w->nstreams, sizeof(*s)))
		return -ENOMEM;
	s = memset(&w->streams[w->nstreams], 0, sizeof(*s));

	if (definition_copy_names(&s->def, def)) {
		definition_free(&s->def);
		return -ENOMEM;
	}
	s->def.schema = hist_table_schema(table);
	s->table = table;
	return w->nstreams++;
}

/*
 * Appends header and body as one section.  The body is compressed if the result is smaller and
 * within the limits of record_ratio_ok() and, for @weight, of record_weight_ok().
 */
static int series_append_section(struct hist_series_writer *w, struct record_header *h,
				 uint64_t weight)
{
	const void *stored = w->body.data, *packed;
	size_t len = w->body.len, packed_len;
	int ret;

	if (w->body.error)
		return -ENOMEM;
	if (w->body.len > RECORD_BODY_MAX)
		return -E2BIG;
	h->raw_len = len;
	if (w->dat->compression != HIST_COMPRESS_NONE) {
		ret = hist_compress(w->compressor, w->body.data, w->body.len, &packed, &packed_len);
		if (ret)
			return ret;
		if (packed_len < len && record_ratio_ok(len, packed_len) &&
		    record_weight_ok(weight > len ? weight : len,
				     w->dat->size + packed_len)) {
			stored = packed;
			len = packed_len;
			h->flags |= RECORD_COMPRESSED;
		}
	}
	return record_append(w->dat, h, stored, len);
}

/* Writes the definition, and writes it again if rows determined the kind of a key. */
static int series_write_definition(struct hist_series_writer *w, int hist,
				   const struct hist_snapshot *snap)
{
	struct record_header h = {
		.type = RECORD_DEFINITION,
		.hist = hist,
		.seq = snap->seq,
		.time = snap->time,
	};
	struct stream *s = &w->streams[hist];
	enum hist_key_kind kinds[HIST_KEYS_MAX] = { 0 };
	unsigned int i;
	int ret;

	for (i = 0; i < s->def.schema->nkeys; i++)
		kinds[i] = s->def.schema->keys[i].kind;
	if (s->defined && !memcmp(kinds, s->kinds, sizeof(kinds)))
		return 0;
	series_begin_body(w);
	definition_encode(&w->body, &s->def);
	if (w->body.len > RECORD_DEFINITION_MAX)
		return -E2BIG;
	ret = series_append_section(w, &h, w->defined + w->body.len);
	if (ret)
		return ret;
	w->defined += w->body.len;
	s->defined = true;
	memset(&s->names, 0, sizeof(s->names));
	memcpy(s->kinds, kinds, sizeof(kinds));
	return 0;
}

/* Writes the names of numbers that came since the last section of names. */
static int series_write_names(struct hist_series_writer *w, int hist,
			      const struct hist_snapshot *snap)
{
	struct record_header h = {
		.type = RECORD_NAMES,
		.hist = hist,
		.seq = snap->seq,
		.time = snap->time,
	};
	struct stream *s = &w->streams[hist];
	struct written_names now;
	int ret;

	series_begin_body(w);
	if (!definition_encode_names(&w->body, s->def.schema, &s->names, &now))
		return 0;
	ret = series_append_section(w, &h, w->defined + w->body.len);
	if (ret)
		return ret;
	w->defined += w->body.len;
	s->names = now;
	return 0;
}

/* The flags of a section with @snap. */
static uint32_t series_snapshot_flags(const struct hist_snapshot *snap)
{
	return snap->flags | (snap->wall ? RECORD_WALL : 0) |
	       (snap->events_lost ? RECORD_EVENTS_LOST : 0) |
	       (record_has_losses(snap) ? RECORD_LOSSES : 0);
}

/* Keeps what later files need.  @cleared: the histogram was cleared since the last snapshot. */
static int series_keep_counted(struct hist_series_writer *w, struct stream *s,
			       const struct hist_snapshot *snap, bool cleared)
{
	int ret = 0;

	if (!w->prepares)
		return 0;
	if (!s->cleared)
		s->cleared = hist_counted_new(s->def.schema);
	if (!s->cleared)
		return -ENOMEM;
	if (cleared)
		hist_counted_clear(s->cleared, &s->last);
	ret = hist_counted_learn(s->cleared, s->table, snap->nentries);
	if (ret || s->first)
		return ret;
	s->first = hist_counted_new(s->def.schema);
	ret = s->first ? hist_counted_update(s->first, s->table, snap, false) : -ENOMEM;
	if (ret) {
		hist_counted_free(s->first);
		s->first = NULL;
		return ret;
	}
	/* the sums have no strings */
	s->first->sums.flags &= ~HIST_SNAP_TAKEN;
	return 0;
}

static int series_write_counted(struct hist_series_writer *w, int hist, enum record_type type,
				const struct hist_counted *c, const struct hist_snapshot *snap,
				uint32_t resets)
{
	struct record_header h = {
		.type = type,
		.hist = hist,
		.seq = snap->seq,
		.flags = series_snapshot_flags(snap),
		.time = snap->time,
	};

	if (snap->nentries > RECORD_ENTRIES_MAX)
		return 0;
	series_begin_body(w);
	snapshot_encode(&w->body, c->table, snap, NULL, 0, 0, resets);
	return series_append_section(w, &h, hist_table_weight(c->table));
}

/* Writes what a file needs that does not begin with the first snapshot of the recording. */
static int series_write_base(struct hist_series_writer *w, int hist,
			     const struct hist_snapshot *snap)
{
	struct stream *s = &w->streams[hist];
	int ret = 0;

	if (!s->first || s->based)
		return 0;
	if (s->first->sums.seq != snap->seq)
		ret = series_write_counted(w, hist, RECORD_FIRST, s->first, &s->first->sums, 0);
	if (!ret && s->cleared->resets)
		ret = series_write_counted(w, hist, RECORD_CLEARED, s->cleared, &s->cleared->base,
					   s->cleared->resets);
	s->based = !ret;
	return ret;
}

int hist_series_add(struct hist_series_writer *w, int hist, const struct hist_snapshot *snap)
{
	struct stream *s = &w->streams[hist];
	bool reset = s->reset || (snap->flags & HIST_SNAP_RESET);
	bool cleared = reset && !s->reset;
	bool full = !s->started || reset || snap->nentries < s->last.nentries ||
		    s->delta_size > s->full_size * FULL_RATIO;
	struct record_header h = {
		.type = full ? RECORD_FULL : RECORD_DELTA,
		.hist = hist,
		.seq = snap->seq,
		.flags = series_snapshot_flags(snap) | (reset ? HIST_SNAP_RESET : 0),
		.time = snap->time,
	};
	uint32_t known = s->last.nentries;
	uint64_t size;
	int ret;

	/* steps that can fail come before the append, so that writer and file agree */
	ret = series_keep_counted(w, s, snap, cleared);
	if (!ret)
		ret = snap->nentries > RECORD_ENTRIES_MAX ? -E2BIG :
		      series_write_definition(w, hist, snap);
	if (!ret)
		ret = series_write_names(w, hist, snap);
	if (!ret)
		ret = series_write_base(w, hist, snap);
	if (!ret)
		ret = hist_snapshot_grow(&s->last, s->def.schema, snap->nentries);
	if (ret)
		goto fail;
	series_begin_body(w);
	snapshot_encode(&w->body, s->table, snap, full ? NULL : &s->last, full ? 0 : s->strings,
			full ? 0 : known, s->resets + reset);
	size = w->dat->size;
	ret = series_append_section(w, &h, hist_table_weight(s->table));
	if (ret)
		goto fail;
	size = w->dat->size - size;
	hist_snapshot_copy(&s->last, snap, s->def.schema);
	s->strings = hist_table_strings(s->table);
	s->started = true;
	s->full_size = full ? size : s->full_size;
	s->delta_size = full ? 0 : s->delta_size + size;
	s->resets += reset;
	s->reset = false;
	w->written++;
	return 0;
fail:
	/* the next snapshot must be full: the table may have keys that are not in the file */
	s->started = false;
	s->reset = reset;
	return ret;
}

int hist_series_finish(struct hist_series_writer *w)
{
	struct record_header h = { .type = RECORD_END };

	series_begin_body(w);
	varint_put(&w->body, w->nstreams);
	varint_put(&w->body, w->written);
	return series_append_section(w, &h, 0);
}

int hist_series_continue(struct hist_series_writer *w, struct tracedat_writer *dat)
{
	struct hist_snapshot last;
	struct stream *s;
	unsigned int i;
	int ret = 0;

	w->dat = dat;
	w->written = w->defined = 0;
	for (i = 0; i < w->nstreams && !ret; i++) {
		s = &w->streams[i];
		s->defined = s->based = false;
		if (!s->started)
			continue;
		s->started = false;
		last = s->last;
		memset(&s->last, 0, sizeof(s->last));
		/* the number of resets in the snapshot has not changed */
		last.flags &= ~HIST_SNAP_RESET;
		ret = hist_series_add(w, i, &last);
		hist_snapshot_clear(&last);
	}
	return ret;
}

void hist_series_make_keepalive(const struct hist_series_writer *w,
				unsigned char section[HIST_SERIES_KEEPALIVE_SIZE])
{
	bool be = w->dat->big_endian;
	struct record_header h = { .version = RECORD_VERSION, .type = RECORD_KEEPALIVE };

	_Static_assert(HIST_SERIES_KEEPALIVE_SIZE == TRACEDAT_SECTION_HEADER + RECORD_HEADER_SIZE,
		       "a section without a body");
	tracedat_put_section_header(be, section, TRACEDAT_HIST_ID, 0, w->dat->hist_title,
				    RECORD_HEADER_SIZE);
	record_header_encode(&h, be, section + TRACEDAT_SECTION_HEADER);
}
