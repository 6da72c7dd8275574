/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * diff_private.h - what the parts of a comparison share
 */
#ifndef LIB_DIFF_DIFF_PRIVATE_H
#define LIB_DIFF_DIFF_PRIVATE_H

#include "lib/diff/diff.h"
#include "lib/diff/pair_histograms.h"
#include "lib/series/series.h"

/* While it is made. */
struct comparing {
	struct hist_comparison *c;
	const struct hist_compare_options *options;
	unsigned int nfiles, nbase; /* files of base come first */
	const char **names;
	struct hist_series **files;
	struct hist_pairs pairs;
	bool offsets;	      /* all kernels are the same build */
	bool applied, limit_has_unit; /* as in struct hist_subject */
	char *why;
	size_t why_len;
};

/*
 * compare_pair - the result of one pair, but for verdicts
 * 0; -errno with a sentence in c->why where a file cannot be read.  @h may be
 * filled in part and is the caller's to free.
 */
int compare_pair(struct comparing *c, struct hist_hist_result *h, const struct hist_pair *pair);

/* diff_keys.c: fills h->keys from what was read. */
struct hist_subject;
struct hist_match;
int compare_keys(struct hist_subject *s, struct hist_hist_result *h,
		 const struct hist_match *match);

/* diff_verdict.c: verdicts of all, the order of keys, --top. */
int compare_verdicts(struct hist_comparison *c, const struct hist_compare_options *options);

/* Adds a sentence to the notes. */
int compare_note(struct hist_comparison *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds to h->why, with "; " between. */
void compare_why(struct hist_hist_result *h, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Its part of h->decided and h->to_decide. */
double compare_key_weight(const struct hist_key_result *key);

void compare_key_clear(struct hist_key_result *key);

#endif
