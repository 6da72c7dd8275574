// SPDX-License-Identifier: LGPL-2.1
/*
 * heatmap_axis.c - the rows of an axis, finer or coarser
 *
 * Level 0 are the numbers and buckets as recorded.  Buckets of equal size become
 * twice as large with each level.  Plain numbers become cells of a log-linear
 * grid: 2^s equal parts of each power of two, with s from 4 at level 1 down to 0
 * at level 5, as latencies spread over many powers of two; that is at most
 * 65 cells a sign, and so is log2, which has no coarser level.
 * Invariant: a cell of one level lies in one cell of the next.
 */
#include "lib/heatmap/heatmap_private.h"

#define LINEAR_LEVELS 5
#define BUCKET_LEVELS 57

bool heat_grid_has_coarser(const struct heat_grid *grid)
{
	switch (grid->key.kind) {
	case HIST_KEY_LOG2:
		return false;
	case HIST_KEY_BUCKETS:
		return grid->level < BUCKET_LEVELS && grid->key.bucket <= UINT64_MAX >> (grid->level + 2);
	default:
		return grid->level < LINEAR_LEVELS;
	}
}

static void log_linear(uint64_t number, unsigned int parts, uint64_t *ge, uint64_t *le)
{
	unsigned int power = number ? 63 - __builtin_clzll(number) : 0;
	uint64_t width = power > parts ? 1ull << (power - parts) : 1;

	*ge = number & ~(width - 1);
	*le = *ge + width - 1;
}

static void bucket(const struct heat_grid *grid, uint64_t number, uint64_t *ge, uint64_t *le)
{
	uint64_t width = (grid->key.bucket ? grid->key.bucket : 1) << grid->level;

	*ge = number - number % width;
	*le = *ge + width - 1 < *ge ? UINT64_MAX : *ge + width - 1;
	/* where the signed numbers end */
	if (grid->is_signed && *ge <= INT64_MAX && *le > INT64_MAX) {
		if (number <= INT64_MAX)
			*le = INT64_MAX;
		else
			*ge = (uint64_t)INT64_MAX + 1;
	}
}

void heat_grid_cell(const struct heat_grid *grid, uint64_t number, uint64_t *ge, uint64_t *le)
{
	unsigned int parts;
	uint64_t mirror;

	switch (grid->key.kind) {
	case HIST_KEY_LOG2:
		*ge = *le = number;
		if (number > 1) {
			/* the smallest n with number <= 2^n */
			unsigned int n = 64 - __builtin_clzll(number - 1);

			*ge = (1ull << (n - 1)) + 1;
			*le = n < 64 ? 1ull << n : UINT64_MAX;
		} else {
			*ge = 0;
			*le = 1;
		}
		return;
	case HIST_KEY_BUCKETS:
		bucket(grid, number, ge, le);
		return;
	default:
		break;
	}
	if (!grid->level) {
		*ge = *le = number;
		return;
	}
	parts = LINEAR_LEVELS - grid->level;
	if (!grid->is_signed || !(number >> 63)) {
		log_linear(number, parts, ge, le);
		return;
	}
	log_linear(-number, parts, &mirror, ge);
	*ge = -*ge;
	*le = -mirror;
}
