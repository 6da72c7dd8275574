/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * batch_means.h - replicates from one run: blocks of its intervals
 *
 * Neighbouring intervals between snapshots depend on each other.  They are joined to blocks, which
 * are nearly independent if they are long enough.  Few blocks are enough: Schmeiser, "Batch Size
 * Effects in the Analysis of Simulation Output", 1982.  Each block is a replicate for
 * significance.h.  Blocks are weaker than runs: they do not contain what differs from run to run
 * (boot, memory layout, other load).
 *
 * The table shows false alarms in 10,000 pairs of equal runs, by Student's t on these blocks.  The
 * intervals are AR(1) processes with a correlation of phi between neighbours.  5 % is documented.
 *
 *	intervals   phi 0   phi 0.5   phi 0.8
 *	   20       2.5 %    7.2 %    21.7 %
 *	   30       2.2 %    5.2 %    14.7 %
 *	   60       1.7 %    3.1 %     7.9 %
 *	  120       1.9 %    2.0 %     4.8 %
 *
 * A block bootstrap has more false alarms.  The 95 % interval of a circular one (Politis and Romano
 * 1992) excludes a difference of 0 in 12 % of the pairs with 60 intervals and phi 0.5, and these
 * blocks in 3 %.  utest/unit/lib/stats/batch_means_test.c does both.
 */
#ifndef LIB_STATS_BATCH_MEANS_H
#define LIB_STATS_BATCH_MEANS_H

#define HIST_BATCHES_MIN 4
#define HIST_BATCHES_MAX 20
#define HIST_BATCHES_INTERVALS 20 /* fewer intervals are not cut into blocks */

/*
 * hist_batch_count - the number of blocks to cut a run into
 * @series has a number for each interval (its rate or mean), in order of time.  The result is the
 * largest number of blocks whose means have a lag-1 autocorrelation of -1 / sqrt(blocks) or less,
 * otherwise HIST_BATCHES_MIN.  The limit is not 0 because the estimate is biased downwards for few
 * blocks.  Returns 0 if there are fewer than HIST_BATCHES_INTERVALS.
 */
unsigned int hist_batch_count(const double *series, unsigned int n);

/* The first interval of @block, in 0..@nblocks; @n for @nblocks. */
unsigned int hist_batch_begin(unsigned int n, unsigned int nblocks, unsigned int block);

#endif
