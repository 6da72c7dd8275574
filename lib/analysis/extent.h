/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * extent.h - what a report of a recording covers if the user chose no snapshots
 *
 * A trigger counts as soon as it is set.  Setting the next trigger causes hits, because the
 * kernel allocates memory and the recorder makes system calls.  A recorder therefore takes
 * the first snapshot when all triggers are set.  A report shows what was counted from the
 * first snapshot to the last; what was counted before is the set-up.  All formats take this
 * rule, and the words for it, from this file.
 */
#ifndef LIB_ANALYSIS_EXTENT_H
#define LIB_ANALYSIS_EXTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hist_definition;

enum hist_extent {
	HIST_EXTENT_CHOSEN,   /* the user named the snapshots */
	HIST_EXTENT_RECORDED, /* from the first snapshot to the last, without the set-up */
	HIST_EXTENT_SINGLE,   /* the only snapshot, whole: it includes the set-up */
	HIST_EXTENT_REPLAY,   /* the last snapshot, whole: a replay does not have a set-up */
};

/* @first, @last: sequence numbers of the first and the last intact snapshot. */
enum hist_extent hist_extent_find(const struct hist_definition *def, uint32_t first, uint32_t last);

static inline bool hist_extent_is_whole(enum hist_extent extent)
{
	return extent == HIST_EXTENT_SINGLE || extent == HIST_EXTENT_REPLAY;
}

/*
 * hist_extent_title - "set-up", what was counted before snapshot @seq
 * "earlier hits" if the recording has earlier snapshots, which the files do not contain: `record
 * --keep` removed their files, they were not given, or they are damaged.
 */
const char *hist_extent_title(uint32_t seq);

/*
 * hist_extent_format - what became of the set-up, for after hist_extent_title()
 * @seq: the first snapshot; @hits: what it holds.  False, and "" in @buf, if there is
 * nothing to say.
 */
bool hist_extent_format(enum hist_extent extent, uint32_t seq, uint64_t hits, char *buf,
			size_t len);

#endif
