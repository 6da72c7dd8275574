/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * batch_means.h - replicates out of one run: blocks of its snapshots
 *
 * Intervals between snapshots that follow each other depend on each other, so
 * they are joined to blocks, that are nearly independent when they are long
 * enough (batch means; Schmeiser, "Batch Size Effects in the Analysis of Simulation
 * Output", 1982, for why so few).  Each block is a replicate for significance.h.
 * The weaker form: what differs from run to run (boot, layout of memory, neighbours) is
 * not in it.
 *
 * False alarms in 10,000 pairs of equal runs, whose intervals are AR(1) processes with a
 * correlation of phi between neighbours, by Student's t on these blocks; 5 % is
 * promised:
 *
 *	intervals   phi 0   phi 0.5   phi 0.8
 *	   20       2.5 %    7.2 %    21.7 %
 *	   30       2.2 %    5.2 %    14.7 %
 *	   60       1.7 %    3.1 %     7.9 %
 *	  120       1.9 %    2.0 %     4.8 %
 *
 * Why not a block bootstrap?  The 95 % interval of a circular one (Politis and Romano 1992) leaves
 * out a difference of 0 in 12 % of the pairs with 60 intervals and phi 0.5, where these blocks
 * have 3 %: utest/unit/lib/stats/batch_means_test.c does both.
 */
#ifndef LIB_STATS_BATCH_MEANS_H
#define LIB_STATS_BATCH_MEANS_H

#define HIST_BLOCKS_MIN 4
#define HIST_BLOCKS_MAX 20
#define HIST_BLOCKS_INTERVALS 20 /* fewer make no blocks */

/*
 * hist_blocks - into how many blocks a run is to be cut
 * @series has a number for each interval (its rate or mean), in order of time.  The most
 * blocks whose means have a lag-1 autocorrelation of -1 / sqrt(blocks) or less, else the
 * least: the estimate leans to negative in few blocks, so 0 would let dependence pass.  0 where there are
 * fewer than HIST_BLOCKS_INTERVALS; then there is nothing to judge by.
 */
unsigned int hist_blocks(const double *series, unsigned int n);

/* First interval of @block, in 0..@nblocks; that of @nblocks is @n. */
unsigned int hist_block_begin(unsigned int n, unsigned int nblocks, unsigned int block);

#endif
