/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * pair_histograms.h - which histograms of several recordings are the same one
 *
 * Two are the same when event and meaning agree: keys, values, variables, actions,
 * filter and clock of the trigger; not its size, order of rows, name or state.  Of
 * several that agree, the first goes with the first, the second with the second.
 * What is left over of the same event goes together as well, and cannot be compared.
 */
#ifndef LIB_DIFF_PAIR_HISTOGRAMS_H
#define LIB_DIFF_PAIR_HISTOGRAMS_H

#include "lib/series/series.h"

/* One histogram over all files. */
struct hist_pair {
	char *name;	 /* "kmem:kmalloc", "kmem:kmalloc#1" */
	char *event;
	char *trigger;	 /* of the first file that has it */
	char *meaning;	 /* the trigger in one form, without what does not matter */
	int *hists;	 /* its number in each file, or -1 */
	char why[256];	 /* why it cannot be compared, or "" */
};

struct hist_pairs {
	unsigned int n;
	struct hist_pair *pairs; /* in the order of the first file */
};

/* hist_pairs_make - of @n open files.  0 or -ENOMEM; begin with all zero. */
int hist_pairs_make(struct hist_pairs *pairs, struct hist_series *const *files, unsigned int n);
void hist_pairs_clear(struct hist_pairs *pairs);

#endif
