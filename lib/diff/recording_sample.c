// SPDX-License-Identifier: LGPL-2.1
/*
 * recording_sample.c - read one recording of a histogram in one pass
 *
 * Values only grow.  The counts of a block are therefore the snapshot at its end minus the
 * snapshot at its beginning.  Keys of the recording that have one common name are one entry of
 * the common table (key_normalize.h), so their counts are summed first.
 *
 * The recording is cut into at most HIST_BATCHES_MAX parts during the read, and all keys
 * are visited only at the ends of parts.  The number of blocks is chosen at the end, from
 * the hits of each interval, and adjacent parts are joined.  A recording that needs one
 * block is cut as well: a recording with a damaged end then loses only its last part.
 *
 * Invariant: `from` is the snapshot at which the open part begins; the blocks contain all
 * counts before it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/worst.h"
#include "lib/base/array.h"
#include "lib/diff/recording_sample.h"
#include "lib/label/label.h"
#include "lib/stats/batch_means.h"

/* Intervals beyond this number are grouped to choose the blocks. */
#define BINS_MAX 2048

struct bin {
	double hits, time;
};

struct sample_state {
	struct hist_recording_sample *sample;
	const struct hist_series_info
		*info;			  /* its schema may have a HIST_VALUE_WORST more or less */
	const struct hist_schema *schema; /* of the common table */
	struct hist_key_normalizer *match;
	const struct hist_table *table; /* of the cursor */
	bool blocks;
	unsigned int nparts, part;
	uint32_t first_seq, intervals;
	uint32_t *map; /* by entry of the cursor's table: entry of the common table */
	uint32_t nmap, map_room;
	bool open;
	struct hist_snapshot from;
	/* the previous snapshot; with values only if the histogram was cleared */
	struct hist_snapshot last;
	uint32_t last_nentries;
	uint64_t last_generation; /* of @table */
	struct bin *bins;
	unsigned int nbins;
};

static void sample_clear_block(struct hist_batch *block)
{
	hist_snapshot_clear(&block->counts);
	free(block->tops);
	memset(block, 0, sizeof(*block));
}

void hist_recording_sample_clear(struct hist_recording_sample *s)
{
	unsigned int i;

	for (i = 0; i < s->nblocks; i++)
		sample_clear_block(&s->blocks[i]);
	free(s->blocks);
	memset(s, 0, sizeof(*s));
}

/* Map the cursor's entries up to @n to the common table. */
static int map_entries(struct sample_state *r, uint32_t n)
{
	int ret;

	ret = array_grow(&r->map, &r->map_room, n, sizeof(*r->map));
	if (ret)
		return ret;
	for (; r->nmap < n; r->nmap++) {
		ret = hist_key_normalize_entry(r->match, r->table,
					       hist_table_cells(r->table, r->nmap),
					       &r->map[r->nmap]);
		if (ret)
			return ret;
	}
	return 0;
}

/* Add the sums in @snap to @counts by common entry, or subtract them if @sign is -1. */
static void sample_add_values(const struct sample_state *r, struct hist_snapshot *counts,
			      const struct hist_snapshot *snap, uint64_t sign)
{
	size_t width = r->schema->nvalues, step = r->info->def.schema->nvalues;
	size_t n = snap->nentries * step, i;
	const uint32_t *map;
	unsigned int v;

	for (v = 0; v < hist_schema_columns(r->schema); v++) {
		if (!hist_value_is_sum(r->schema->values[v].kind))
			continue;
		for (map = r->map, i = v; i < n; i += step)
			counts->values[*map++ * width + v] += sign * snap->values[i];
	}
}

static void sample_add_top(struct hist_top *to, uint64_t least, uint64_t most)
{
	to->least = least > to->least ? least : to->least;
	to->most = most > to->most ? most : to->most;
}

/*
 * Add the largest numbers of the entries that were hit between r->from and @snap to @block.  A
 * maximum that rose is exact; otherwise it is an upper limit.
 */
static int sample_add_tops(const struct sample_state *r, struct hist_batch *block,
			   const struct hist_snapshot *snap)
{
	const struct hist_schema *schema = r->info->def.schema;
	int worst = hist_schema_worst(schema), hitcount = hist_schema_hitcount(schema);
	bool readable = hist_table_generation(r->table) == r->last_generation;
	struct hist_worst row;
	const uint64_t *old, *values;
	uint32_t i;
	bool rose;
	int ret;

	if (worst < 0 || hitcount < 0)
		return 0;
	ret = array_grow_zeroed(&block->tops, &block->tops_room, block->counts.nentries,
				sizeof(*block->tops));
	for (i = 0; i < snap->nentries && !ret; i++) {
		values = snap->values + (size_t)i * schema->nvalues;
		old = i < r->from.nentries ? r->from.values + (size_t)i * schema->nvalues : NULL;
		rose = !old || old[worst] != values[worst];
		/* the kernel counts a hit before it keeps the maximum */
		if (old && !rose && old[hitcount] == values[hitcount])
			continue;
		if (readable && hist_worst_read(&row, r->table, values[worst]))
			sample_add_top(&block->tops[r->map[i]], rose ? row.value : 0, row.value);
		else
			sample_add_top(&block->tops[r->map[i]], 0, UINT64_MAX);
	}
	return ret;
}

static int begin_part(struct sample_state *r, const struct hist_snapshot *snap)
{
	int ret = map_entries(r, snap->nentries);

	r->open = true;
	return ret ? ret : hist_snapshot_copy(&r->from, snap, r->info->def.schema);
}

/* Add @snap minus r->from to the block, and begin the next part at @snap. */
static int close_part(struct sample_state *r, const struct hist_snapshot *snap)
{
	struct hist_batch *block = &r->sample->blocks[r->blocks ? r->part : 0];
	int ret;

	ret = map_entries(r, snap->nentries);
	if (!ret)
		ret = hist_snapshot_grow(&block->counts, r->schema,
					 hist_table_entries(hist_key_normalize_table(r->match)));
	if (!ret)
		ret = sample_add_tops(r, block, snap);
	if (ret)
		return ret;
	sample_add_values(r, &block->counts, snap, 1);
	sample_add_values(r, &block->counts, &r->from, -1);
	block->counts.hits += snap->hits - r->from.hits;
	block->counts.dropped += snap->dropped - r->from.dropped;
	if (hist_clock_is_ns(r->info->def.clock) && snap->time > r->from.time)
		block->seconds += (snap->time - r->from.time) / 1e9;
	return begin_part(r, snap);
}

static void note_interval(struct sample_state *r, const struct hist_snapshot *snap)
{
	uint64_t at = snap->seq - r->first_seq - 1;
	struct bin *bin = &r->bins[at * r->nbins / r->intervals];

	bin->hits += snap->hits - r->last.hits;
	bin->time += snap->time > r->last.time ? snap->time - r->last.time : 0;
}

/* Counts only grow: if one decreased, the snapshot with the reset flag is lost. */
static bool was_cleared(const struct sample_state *r, const struct hist_snapshot *snap)
{
	return snap->flags & HIST_SNAP_RESET || snap->hits < r->last.hits ||
	       snap->nentries < r->last_nentries ||
	       hist_table_generation(r->table) != r->last_generation;
}

static int visit_cleared(struct sample_state *r, const struct hist_snapshot *snap)
{
	int ret = 0;

	r->sample->reset = true;
	if (r->last.values && r->last.seq > r->from.seq) {
		/* the cursor's table no longer has its keys, but the map does */
		ret = close_part(r, &r->last);
	}
	r->nmap = 0;
	return ret ? ret : begin_part(r, snap);
}

/* Store @snap as the previous snapshot. */
static int sample_keep_snapshot(struct sample_state *r, const struct hist_snapshot *snap)
{
	int ret;

	r->last_nentries = snap->nentries;
	r->last_generation = hist_table_generation(r->table);
	if (r->info->resets) {
		ret = map_entries(r, snap->nentries);
		return ret ? ret : hist_snapshot_copy(&r->last, snap, r->info->def.schema);
	}
	hist_snapshot_copy_head(&r->last, snap);
	r->last.nentries = 0;
	return 0;
}

static int sample_visit_snapshot(struct sample_state *r, const struct hist_snapshot *snap)
{
	uint32_t at = snap->seq - r->first_seq;
	unsigned int k;
	int ret = 0;

	r->sample->stopped |= (snap->flags & HIST_SNAP_STOPPED) != 0;
	r->sample->misses_unknown |= (snap->flags & HIST_SNAP_MISSES_UNKNOWN) != 0;
	if (!r->open) {
		ret = begin_part(r, snap);
		return ret ? ret : sample_keep_snapshot(r, snap);
	}
	r->sample->missed += snap->missed - r->last.missed;
	r->sample->events_lost += snap->events_lost - r->last.events_lost;
	r->sample->probe_misses += snap->probe_misses - r->last.probe_misses;
	for (k = 0; k < HIST_LOSS_KINDS; k++)
		r->sample->losses[k] += snap->losses[k] - r->last.losses[k];
	if (was_cleared(r, snap)) {
		ret = visit_cleared(r, snap);
	} else {
		note_interval(r, snap);
		if (at >= hist_batch_begin(r->intervals, r->nparts, r->part + 1))
			ret = close_part(r, snap);
	}
	while (r->part + 1 < r->nparts &&
	       at >= hist_batch_begin(r->intervals, r->nparts, r->part + 1))
		r->part++;
	return ret ? ret : sample_keep_snapshot(r, snap);
}

/* The number of blocks that the hits allow, a divisor of the number of parts. */
static unsigned int choose_blocks(const struct sample_state *r)
{
	double rates[BINS_MAX];
	unsigned int n = 0, i, blocks;

	if (!r->blocks)
		return 1;
	for (i = 0; i < r->nbins; i++)
		if (r->bins[i].time > 0)
			rates[n++] = r->bins[i].hits / r->bins[i].time;
	blocks = hist_batch_count(rates, n);
	if (!blocks || r->nparts < HIST_BATCHES_MAX)
		return 1;
	while (HIST_BATCHES_MAX % blocks)
		blocks--;
	return blocks;
}

static int sample_add_block_counts(struct hist_batch *to, struct hist_batch *from,
				   const struct hist_schema *schema)
{
	size_t n = (size_t)from->counts.nentries * schema->nvalues, i;
	int ret;

	ret = hist_snapshot_grow(&to->counts, schema, from->counts.nentries);
	if (!ret && from->tops)
		ret = array_grow_zeroed(&to->tops, &to->tops_room, from->tops_room,
					sizeof(*to->tops));
	if (ret)
		return ret;
	for (i = 0; i < n; i++)
		to->counts.values[i] += from->counts.values[i];
	for (i = 0; i < from->tops_room; i++)
		sample_add_top(&to->tops[i], from->tops[i].least, from->tops[i].most);
	to->counts.hits += from->counts.hits;
	to->counts.dropped += from->counts.dropped;
	to->seconds += from->seconds;
	sample_clear_block(from);
	return 0;
}

/* Join the parts to @n blocks, and remove blocks without time (lost or cleared). */
static int sample_join_blocks(struct sample_state *r, unsigned int n)
{
	struct hist_recording_sample *s = r->sample;
	unsigned int b, i, end, made = 0;
	struct hist_batch *first;
	int ret;

	for (b = 0; b < n && s->nblocks > 1; b++) {
		i = hist_batch_begin(r->nparts, n, b);
		first = &s->blocks[i];
		end = hist_batch_begin(r->nparts, n, b + 1);
		for (i++; i < end; i++) {
			ret = sample_add_block_counts(first, &s->blocks[i], r->schema);
			if (ret)
				return ret;
		}
		if (!first->counts.hits && !first->seconds) {
			sample_clear_block(first);
			continue;
		}
		if (first != &s->blocks[made]) {
			s->blocks[made] = *first;
			memset(first, 0, sizeof(*first));
		}
		made++;
	}
	if (s->nblocks > 1)
		s->nblocks = made ? made : 1;
	for (b = 0; b < s->nblocks; b++) {
		s->seconds += s->blocks[b].seconds;
		s->hits += s->blocks[b].counts.hits;
		s->dropped += s->blocks[b].counts.dropped;
	}
	return 0;
}

static int sample_read_snapshots(struct sample_state *r, struct hist_cursor *cursor, uint64_t skip)
{
	const struct hist_snapshot *snap;
	unsigned int seen = 0;
	int ret;

	while ((ret = hist_cursor_next(cursor, &snap)) == 1) {
		if (skip && snap->time - r->info->first_time < skip)
			continue;
		/* sequence numbers of a damaged file are arbitrary */
		if (snap->seq > r->info->last_seq || (r->open && snap->seq <= r->last.seq))
			continue;
		if (!r->open) {
			r->first_seq = snap->seq;
			r->intervals = r->info->last_seq - snap->seq;
			r->nparts = r->intervals < HIST_BATCHES_MAX ? r->intervals :
				HIST_BATCHES_MAX;
			r->nbins = r->intervals < BINS_MAX ? r->intervals : BINS_MAX;
			if (!r->intervals)
				return -ENODATA;
		}
		ret = sample_visit_snapshot(r, snap);
		if (ret)
			return ret;
		seen++;
	}
	if (ret)
		return ret;
	return seen > 1 ? sample_join_blocks(r, choose_blocks(r)) : -ENODATA;
}

int hist_recording_sample_read(struct hist_recording_sample *sample, struct hist_series *series,
			       unsigned int hist,
			       struct hist_key_normalizer *match, bool blocks, uint64_t skip)
{
	struct hist_recording_sample s = { 0 };
	struct sample_state r = {
		.sample = &s, .match = match, .blocks = blocks,
		.info = hist_series_info(series, hist),
	};
	struct hist_cursor *cursor;
	int ret;

	ret = hist_cursor_open(&cursor, series, hist, r.info->first_seq);
	if (ret)
		return ret;
	r.table = hist_cursor_table(cursor);
	r.schema = hist_table_schema(hist_key_normalize_table(match));
	s.nblocks = blocks ? HIST_BATCHES_MAX : 1;
	s.blocks = calloc(s.nblocks, sizeof(*s.blocks));
	r.bins = calloc(BINS_MAX, sizeof(*r.bins));
	ret = s.blocks && r.bins ? sample_read_snapshots(&r, cursor, skip) : -ENOMEM;
	hist_cursor_free(cursor);
	hist_snapshot_clear(&r.from);
	hist_snapshot_clear(&r.last);
	free(r.map);
	free(r.bins);
	if (!ret)
		*sample = s;
	else if (s.blocks)
		hist_recording_sample_clear(&s);
	return ret;
}
