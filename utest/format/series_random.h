/* SPDX-License-Identifier: GPL-2.0 */
/*
 * series_random.h - histograms as chance makes them, all of them valid
 */
#ifndef UTEST_FORMAT_SERIES_RANDOM_H
#define UTEST_FORMAT_SERIES_RANDOM_H

#include "lib/series/series.h"

/* The file that they go into. */
struct series_shape {
	enum hist_compression compression;
	bool big_endian;
};

/* The same for a @seed wherever it is made. */
struct series_shape series_random_shape(uint64_t seed);
/* 0 or -errno. */
int series_random(struct hist_series_writer *writer, uint64_t seed);

#endif
