/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * diff_private.h - the state and the functions that the parts of a comparison share
 */
#ifndef LIB_DIFF_DIFF_PRIVATE_H
#define LIB_DIFF_DIFF_PRIVATE_H

#include "lib/diff/diff.h"
#include "lib/diff/pair_histograms.h"
#include "lib/series/series.h"

/* A comparison in progress. */
struct diff_state {
	struct hist_comparison *c;
	const struct hist_compare_options *options;
	unsigned int nfiles, nbase; /* files of base come first */
	const char **names;
	struct hist_series **files;
	struct hist_pairs pairs;
	bool offsets;	      /* keep offsets of symbols: all kernels are the same build */
	bool applied, limit_has_unit; /* of any histogram, as in struct hist_key_metrics */
	char *why;
	size_t why_len;
};

/*
 * diff_compare_pair - compute the result of one pair, without verdicts
 * Returns 0, or -errno with a sentence in c->why if a file cannot be read.  @h may be partly
 * filled; the caller frees it.
 */
int diff_compare_pair(struct diff_state *c, struct hist_hist_result *h,
		      const struct hist_pair *pair);

/* diff_keys.c: compute h->keys from the samples. */
struct hist_key_metrics;
struct hist_key_normalizer;
int diff_compare_keys(struct hist_key_metrics *s, struct hist_hist_result *h,
		      const struct hist_key_normalizer *match);

/* diff_verdict.c: compute all verdicts, sort the keys, apply --top. */
int diff_set_verdicts(struct diff_state *c);

/* Add a sentence to the notes.  @fmt may have a hint, without arguments (lib/base/reason.h). */
int diff_add_note(struct hist_comparison *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Add a sentence to h->why, and its hint as above, if h->why lacks it; both separated by "; ". */
void diff_add_reason(struct hist_hist_result *h, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The hits that @key adds to h->decided and h->to_decide. */
double diff_key_weight(const struct hist_key_result *key);

void diff_clear_key(struct hist_key_result *key);

#endif
