/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * loss_notes.h - what is missing in the numbers of a histogram, as sentences
 */
#ifndef LIB_ANALYSIS_LOSS_NOTES_H
#define LIB_ANALYSIS_LOSS_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hist/loss.h"

struct hist_definition;
struct hist_rows;
struct hist_series_damage;
struct hist_table;
struct hist_view;

/* Sums over the snapshots that are shown; all zero: nothing is missing. */
struct hist_loss {
	uint64_t dropped; /* hits */
	uint64_t probe_misses; /* hits that the kernel missed */
	uint64_t resets;  /* times that it was cleared */
	uint64_t missed;  /* snapshots that were due and not taken */
	uint64_t events_lost; /* at least so many, before they could be counted */
	uint64_t lost;	  /* snapshots that are not in the file, or damaged */
	uint64_t kinds[HIST_LOSS_KINDS];
	uint64_t full_stacks; /* hist_loss_count_full_stacks() */
	bool stopped;	  /* HIST_SNAP_STOPPED at any time */
	bool misses_unknown; /* HIST_SNAP_MISSES_UNKNOWN */
	bool ambiguous;	  /* HIST_SNAP_AMBIGUOUS */
};

#define HIST_LOSS_DROPPED_HINT "record fewer distinct keys, or use -R with a larger size="
/* @when: "this time" of a difference, or "the recording" */
#define HIST_LOSS_CLEARED(when) \
	"the histogram was cleared during " when ": only later hits are counted"
#define HIST_LOSS_STOPPED \
	"another program or trigger paused or stopped the counting: hits during that time may be " \
	"missing"
#define HIST_LOSS_AMBIGUOUS \
	"some names in the hist file are ambiguous, so some rows may be wrong"
#define HIST_LOSS_MISSES_UNKNOWN "the kernel does not count hits that this probe missed"

/*
 * hist_loss_count_full_stacks - count the stacks in @rows that have as many frames as were kept
 * Their outer frames may be missing.  0 if @rows is NULL; @table may then be NULL, too.
 */
uint64_t hist_loss_count_full_stacks(const struct hist_definition *def,
				     const struct hist_table *table, const struct hist_rows *rows);

/* hist_loss_add - add what is missing in @view, except full stacks */
void hist_loss_add(struct hist_loss *loss, const struct hist_view *view);

/* Are hits missing, and not only snapshots or frames? */
bool hist_loss_has_hits(const struct hist_loss *loss);

/* Write sentence number @i to @buf; false if there are fewer.  "hint: ..." is a sentence, too. */
bool hist_loss_format(const struct hist_loss *loss, unsigned int i, char *buf, size_t len);

/*
 * hist_loss_format_damage - write the damage of a file, as one sentence
 * Returns false, with "" in @buf, if there is none.
 */
bool hist_loss_format_damage(const struct hist_series_damage *damage, char *buf, size_t len);

#endif
