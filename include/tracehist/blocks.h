/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * blocks.h - replicates out of one run: blocks of its snapshots
 *
 * Intervals between snapshots that follow each other depend on each other, so
 * they are joined to blocks, that are nearly independent when they are long
 * enough (batch means; Schmeiser, "Batch Size Effects in the Analysis of Simulation
 * Output", 1982, for why so few).  Each block is a replicate for judge.h.
 * The weaker form: what differs from run to run (boot, layout of memory, neighbours) is
 * not in it.
 *
 * Why not a block bootstrap (Politis and Romano 1992)?  Of two series of 60 intervals
 * with the same mean, each an AR(1) process with a correlation of 0.5, the 95 % interval of a
 * circular block bootstrap leaves out a difference of 0 in 14 % of the pairs, Welch's t
 * on these blocks in 6 %; 5 % is what both promise.  utest/blocks_test.c measures both.
 */
#ifndef TRACEHIST_BLOCKS_H
#define TRACEHIST_BLOCKS_H

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
