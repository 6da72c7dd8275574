/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * bootstrap.h - replicates out of one run: blocks of its snapshots
 *
 * Intervals between snapshots that follow each other depend on each other, so
 * they are joined to blocks that are long enough to be nearly independent.
 * The weaker form: what differs from run to run (boot, layout of memory, neighbours) is
 * not in it.
 */
#ifndef TRACEHIST_BOOTSTRAP_H
#define TRACEHIST_BOOTSTRAP_H

#include <stddef.h>
#include <stdint.h>

#include <tracehist/axis.h>

#define HIST_BLOCKS_MIN 5
#define HIST_BLOCKS_MAX 20

/*
 * hist_blocks - into how many blocks a run is to be cut
 * @series has a number for each interval (its rate or mean), in order of time.
 * 0 where the intervals are too few for blocks.
 */
unsigned int hist_blocks(const double *series, unsigned int n);

/* First interval of @block, in 0..@nblocks; that of @nblocks is @n. */
unsigned int hist_block_begin(unsigned int n, unsigned int nblocks, unsigned int block);

#endif
