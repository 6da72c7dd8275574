/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * diff_private.h - the state and the functions that the parts of a comparison share
 */
#ifndef LIB_DIFF_DIFF_PRIVATE_H
#define LIB_DIFF_DIFF_PRIVATE_H

#include "lib/base/error.h"
#include "lib/diff/diff.h"
#include "lib/series/series.h"

/* The label of the sum of all keys. */
#define DIFF_WHOLE "all keys"

/*
 * --- pair_histograms.c ---
 *
 * Two histograms are a pair if event and meaning agree.  The meaning is the keys, values,
 * variables, actions, filter and clock of the trigger; its size, sort order, name and
 * state are ignored.  If several agree, they are paired in order: the first with the first.
 * Histograms that differ only in the buckets of keys come next.  Remaining histograms of one event
 * are paired as well, and are incomparable.
 */

/* One histogram over all files. */
struct hist_pair {
	char *name; /* "kmem:kmalloc", "kmem:kmalloc#1" */
	char *event;
	char *trigger; /* of the first file that has it */
	char *meaning; /* the trigger in canonical form, without ignored parts */
	char *unbucketed; /* the same without the buckets of keys */
	const struct hist_schema *schema; /* of the first file that has it, while pairs are made */
	int *hists;    /* number of the histogram in each file, or -1 */
	char why[256]; /* why the pair is incomparable, or "" */
};

struct hist_pairs {
	unsigned int n;
	struct hist_pair *pairs; /* in the order of the first file */
};

/* hist_pairs_make - pair the histograms of @n open files.  *@pairs is zero.  0 or -ENOMEM. */
int hist_pairs_make(struct hist_pairs *pairs, struct hist_series *const *files, unsigned int n);
void hist_pairs_clear(struct hist_pairs *pairs);

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
 * diff_histogram.c: compute the result of one pair, without verdicts
 * Returns 0, or -errno with c->error set if a file cannot be read.  @h may be partly
 * filled; the caller frees it.
 */
int diff_compare_pair(struct diff_state *c, struct hist_hist_result *h,
		      const struct hist_pair *pair);

/*
 * diff_verdict.c: note limits and settings that nothing fits, compute all verdicts, sort the keys,
 * apply --top.  -EDOM with c->error set: no histogram has numbers for a limit.
 */
int diff_set_verdicts(struct diff_state *c);

/* --- diff_result.c --- */

/* Add a sentence to the notes.  The hint follows a newline in @fmt. */
int diff_add_note(struct hist_comparison *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Add a sentence to h->why, and its hint, which has no arguments, if h->why lacks it; both
 * separated by "; ".
 */
void diff_add_reason(struct hist_hist_result *h, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The hits that @key adds to h->decided and h->to_decide. */
double diff_key_weight(const struct hist_key_result *key);

void diff_clear_key(struct hist_key_result *key);

#endif
