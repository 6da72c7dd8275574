// SPDX-License-Identifier: LGPL-2.1
/*
 * heatmap_axis.c - the cells of an axis, at several levels
 *
 * Level 0 has the numbers and buckets as recorded.  Buckets of equal size double with each level.
 * Plain numbers become cells of a log-linear grid, because latencies spread over many powers of
 * two: each power of two has 2^s equal parts, with s from 4 at level 1 to 0 at level 5.  The last
 * level has at most 65 cells per sign.  So has log2, which therefore has only level 0.  The buckets
 * of .log2=K become those of K - 1 with each level.
 *
 * Invariant: a cell of one level is inside one cell of the next level.
 */
#include "lib/heatmap/heatmap_private.h"

#define LINEAR_LEVELS 5
#define BUCKET_LEVELS 57

bool heatmap_grid_has_coarser(const struct heatmap_grid *grid)
{
	if (hist_key_is_log2(&grid->key))
		return false;
	if (hist_key_is_fine_log2(&grid->key))
		return grid->level < grid->key.bucket;
	if (!hist_key_is_linear(&grid->key))
		return grid->level < LINEAR_LEVELS;
	return grid->level < BUCKET_LEVELS && grid->key.bucket <= UINT64_MAX >> (grid->level + 2);
}

static void log_linear(uint64_t number, unsigned int parts, uint64_t *ge, uint64_t *le)
{
	unsigned int power = number ? 63 - __builtin_clzll(number) : 0;
	uint64_t width = power > parts ? 1ull << (power - parts) : 1;

	*ge = number & ~(width - 1);
	*le = *ge + width - 1;
}

static void heatmap_find_bucket(const struct heatmap_grid *grid, uint64_t number, uint64_t *ge,
				uint64_t *le)
{
	uint64_t width = hist_key_step(&grid->key) << grid->level;

	*ge = number - number % width;
	*le = *ge + width - 1 < *ge ? UINT64_MAX : *ge + width - 1;
	/* cut the bucket at the end of the signed numbers */
	if (grid->key.is_signed && *ge <= INT64_MAX && *le > INT64_MAX) {
		if (number <= INT64_MAX)
			*le = INT64_MAX;
		else
			*ge = (uint64_t)INT64_MAX + 1;
	}
}

void heatmap_grid_find_cell(const struct heatmap_grid *grid, uint64_t number, uint64_t *ge,
			    uint64_t *le)
{
	const struct hist_range_ops *range = hist_key_traits(&grid->key)->range;
	struct hist_bounds bounds;
	struct hist_key_desc key;
	unsigned int parts;
	uint64_t mirror;

	if (range && range->is_linear) {
		heatmap_find_bucket(grid, number, ge, le);
		return;
	}
	if (range) {
		key = grid->key;
		if (grid->level)
			key.bucket -= grid->level;
		range->bounds(&key, range->find(&key, number), &bounds);
		*ge = bounds.ge;
		*le = bounds.le;
		return;
	}
	if (!grid->level) {
		*ge = *le = number;
		return;
	}
	parts = LINEAR_LEVELS - grid->level;
	if (!grid->key.is_signed || !(number >> 63)) {
		log_linear(number, parts, ge, le);
		return;
	}
	log_linear(-number, parts, &mirror, ge);
	*ge = -*ge;
	*le = -mirror;
}
