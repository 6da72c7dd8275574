/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * pair_histograms.h - find the histogram of each recording that belongs to the same trigger
 *
 * Two histograms are a pair if event and meaning agree.  The meaning is the keys, values,
 * variables, actions, filter and clock of the trigger; its size, sort order, name and
 * state are ignored.  If several agree, they are paired in order: the first with the first.
 * Remaining histograms of one event are paired as well, and are incomparable.
 */
#ifndef LIB_DIFF_PAIR_HISTOGRAMS_H
#define LIB_DIFF_PAIR_HISTOGRAMS_H

#include "lib/series/series.h"

/* One histogram over all files. */
struct hist_pair {
	char *name;	 /* "kmem:kmalloc", "kmem:kmalloc#1" */
	char *event;
	char *trigger;	 /* of the first file that has it */
	char *meaning;	 /* the trigger in canonical form, without ignored parts */
	int *hists;	 /* number of the histogram in each file, or -1 */
	char why[256];	 /* why the pair is incomparable, or "" */
};

struct hist_pairs {
	unsigned int n;
	struct hist_pair *pairs; /* in the order of the first file */
};

/* hist_pairs_make - pair the histograms of @n open files.  *@pairs is zero.  0 or -ENOMEM. */
int hist_pairs_make(struct hist_pairs *pairs, struct hist_series *const *files, unsigned int n);
void hist_pairs_clear(struct hist_pairs *pairs);

#endif
