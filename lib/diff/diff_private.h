/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * diff_private.h - the state and the functions that the parts of a comparison share
 */
#ifndef LIB_DIFF_DIFF_PRIVATE_H
#define LIB_DIFF_DIFF_PRIVATE_H

#include "lib/diff/diff.h"
#include "lib/diff/pair_histograms.h"
#include "lib/series/series.h"
#include "lib/base/error.h"

/* The label of the sum of all keys. */
#define DIFF_WHOLE "all keys"

struct hist_limit_use;

/* A comparison in progress. */
struct diff_state {
	struct hist_comparison *c;
	const struct hist_compare_options *options;
	unsigned int nfiles, nbase; /* files of base come first */
	const char **names;
	struct hist_series **files;
	struct tracedat_pool *pool; /* of all files */
	struct hist_pairs pairs;
	bool offsets;	      /* keep offsets of symbols: all kernels are the same build */
	struct hist_limit_use *limits; /* by id, of all histograms */
	bool *sections;	      /* of the thresholds: true if a key matches */
	bool unmatched;	      /* a limit or a worse.METRIC does not match anything */
	struct hist_error *error;
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

/* diff_limits.c */
struct hist_key_metrics;
/* Allocate the results about limits.  0 or -ENOMEM. */
int diff_limits_init(struct diff_state *c);
/* Allocate s->limits, and set s->sections.  0 or -ENOMEM. */
int diff_limits_begin(struct diff_state *c, struct hist_key_metrics *s);
/* Add s->limits to those of @c, tell @h what was not judged, and free them. */
void diff_limits_end(struct diff_state *c, struct hist_key_metrics *s, struct hist_hist_result *h);
/* Fail with -EDOM and c->why if no histogram has numbers for a limit. */
int diff_limits_check(struct diff_state *c);
/* Add a note for each section or setting that matches nothing, and set c->unmatched. */
int diff_limits_note(struct diff_state *c);

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
