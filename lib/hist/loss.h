/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * loss.h - kinds of what the rows of a histogram do not count, or count with a reservation
 *
 * A snapshot has one number for each kind.  All files, formats, views and verbs walk this list, so
 * a new kind is one row in loss.c, and a line in trace-cmd-hist.dat(5) and read_dat.py.
 */
#ifndef LIB_HIST_LOSS_H
#define LIB_HIST_LOSS_H

#include <stdbool.h>
#include <stdint.h>

/* The numbers are part of the file format: add a kind before HIST_LOSS_KINDS, and remove none. */
enum hist_loss_kind {
	HIST_LOSS_OTHER,	    /* kinds that only a later version knows */
	HIST_LOSS_UNMATCHED_STARTS, /* a latency: START without END */
	HIST_LOSS_UNMATCHED_ENDS,
	HIST_LOSS_USUAL_STARTS, /* the same, if the recipe says that this is normal */
	HIST_LOSS_USUAL_ENDS,
	HIST_LOSS_BELOW_ZERO,	 /* END before START, as both were on two CPUs at once, or above 104
				    days */
	HIST_LOSS_COMPAT_CALLS,	 /* system calls of 32-bit programs with numbers of the 64-bit table
				  */
	HIST_LOSS_NATIVE_CALLS,	 /* of 64-bit programs with numbers of the 32-bit table */
	HIST_LOSS_MISSING_PAGES, /* of a recording whose events were counted */
	HIST_LOSS_MISSING_BYTES, /* the same, if compressed pages are missing */
	HIST_LOSS_DAMAGED_PAGES,
	HIST_LOSS_DAMAGED_EVENTS, /* shorter than their format */
	HIST_LOSS_NO_STACK,	  /* hits without the stack that is a key */
	HIST_LOSS_ABSENT_EVENTS,  /* events of the trigger that do not occur in a recording */
	HIST_LOSS_SHORT_LOG2,	  /* hits of .log2 of 64-bit numbers that a 32-bit kernel counted */
	HIST_LOSS_CUT_KEYS,	  /* hits in rows with a string that may be cut
				     (hist_snapshot_count_cut()) */
	HIST_LOSS_KINDS
};

struct hist_loss_traits {
	const char *name; /* in json, csv and OpenMetrics; kinds of one name never occur together */
	const char *words; /* "3 WORDS", for lists */
	/* "note: 1 ONE", "note: 3 MANY"; NULL: text and pictures have no note */
	const char *one, *many;
	bool hits; /* the rows lack hits that they would have otherwise */
	bool falls; /* the number can become smaller: a START gets its END later */
};

/* Kinds from HIST_LOSS_KINDS on are HIST_LOSS_OTHER. */
const struct hist_loss_traits *hist_loss_traits(unsigned int kind);

/*
 * hist_loss_set_unmatched - set the numbers of STARTs and ENDs that have no partner
 * @usual_starts, @usual_ends: the recipe says that they are normal.
 */
void hist_loss_set_unmatched(uint64_t losses[HIST_LOSS_KINDS], uint64_t starts, uint64_t ends,
			     bool usual_starts, bool usual_ends);

/* The sum of @losses[] over the kinds with hits. */
uint64_t hist_loss_sum_hits(const uint64_t losses[HIST_LOSS_KINDS]);

#endif
