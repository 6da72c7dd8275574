/* SPDX-License-Identifier: GPL-2.0 */
/*
 * series_model.h - histograms that change by chance, the file written of them,
 * and what a reader of that file must see
 *
 * The truth is kept as text, made from plain arrays and not from the library's
 * tables, so that what is read can be compared to the byte.
 */
#ifndef UTEST_UNIT_LIB_SERIES_SERIES_MODEL_H
#define UTEST_UNIT_LIB_SERIES_SERIES_MODEL_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/series/series.h"

#define MODEL_HISTS 3

/* One snapshot that was written. */
struct truth_snapshot {
	uint32_t seq;
	uint64_t time;
	char *text;
};

struct truth_hist {
	struct truth_snapshot *snaps;
	unsigned int n;
};

struct model;

struct model_options {
	enum hist_compression compression;
	bool big_endian;
	uint64_t seed;
	uint64_t trace_id;
};

/* A new file at @path, MODEL_HISTS histograms in it, each of another shape. */
struct model *model_new(const char *path, const struct model_options *options);

/* Counts at most @changes more events in histogram @hist: new keys, and old ones. */
void model_count(struct model *m, int hist, unsigned int changes);
/* As if somebody had cleared it. */
void model_reset(struct model *m, int hist);
/* Takes a snapshot; what hist_series_add() returned.  With 0 it is in the truth. */
int model_snapshot(struct model *m, int hist);
/* The snapshot that should be next is never taken. */
void model_skip(struct model *m, int hist);
/* Ends the file, and goes on in a new one at @path with the same options. */
void model_continue(struct model *m, const char *path, const struct model_options *options);
/* @end: with the end mark. */
void model_close(struct model *m, bool end);

const struct truth_hist *model_truth(const struct model *m, int hist);
void model_free(struct model *m);

/* The text for a snapshot as it was read; malloc'ed. */
char *model_render(const struct hist_table *table, const struct hist_snapshot *snap);

#endif
