// SPDX-License-Identifier: LGPL-2.1
/*
 * batch_means.c - the number of blocks that look independent, by lag-1 autocorrelation
 *
 * Block i of k begins at interval i * n / k.  The lengths therefore differ by at most one, and no
 * block is empty if k <= n.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/stats/batch_means.h"

unsigned int hist_batch_begin(unsigned int n, unsigned int nblocks, unsigned int block)
{
	return (uint64_t)n * block / nblocks;
}

static bool batch_is_independent(const double *series, unsigned int n, unsigned int nblocks)
{
	double mean[HIST_BATCHES_MAX], all = 0, lagged = 0, square = 0;
	unsigned int block, i, begin, end;

	for (block = 0; block < nblocks; block++) {
		begin = hist_batch_begin(n, nblocks, block);
		end = hist_batch_begin(n, nblocks, block + 1);
		mean[block] = 0;
		for (i = begin; i < end; i++)
			mean[block] += series[i];
		mean[block] /= end - begin;
		all += mean[block];
	}
	all /= nblocks;
	for (block = 0; block < nblocks; block++) {
		square += (mean[block] - all) * (mean[block] - all);
		if (block)
			lagged += (mean[block] - all) * (mean[block - 1] - all);
	}
	/* rounding can make equal means differ */
	return square <= 1e-24 * nblocks * all * all || lagged / square <= -1 / sqrt(nblocks);
}

unsigned int hist_batch_count(const double *series, unsigned int n)
{
	unsigned int nblocks;

	if (n < HIST_BATCHES_INTERVALS)
		return 0;
	nblocks = n / 2 < HIST_BATCHES_MAX ? n / 2 : HIST_BATCHES_MAX;
	while (nblocks > HIST_BATCHES_MIN && !batch_is_independent(series, n, nblocks))
		nblocks--;
	return nblocks;
}
