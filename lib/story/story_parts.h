/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * story_parts.h - add up what happened into parts and a time line
 */
#ifndef LIB_STORY_STORY_PARTS_H
#define LIB_STORY_STORY_PARTS_H

#include "lib/base/hash_index.h"
#include "lib/story/story.h"

struct story_parts {
	struct hist_story_part *list;
	uint32_t n;
	struct hash_index index; /* of @list, by kind, number and name */
	struct hist_story_span *spans;
	uint32_t nspans;
	uint64_t least; /* shorter spans are merged; 0: none so far */
	uint32_t last;	/* the part of the last call */
	uint64_t run;	/* time since that part began, for hist_story_part.longest */
	uint64_t width; /* of the whole window */
	uint64_t limit; /* the time after it is excess; 0: no threshold is known */
};

/*
 * story_parts_add - give the time from @from, which is the end of the last call, to @to to @what
 * 0 or -ENOMEM.
 */
int story_parts_add(struct story_parts *parts, const struct hist_story_frame *what, uint64_t from,
		    uint64_t to);

/* The part of @what, or NULL if it has no time so far. */
struct hist_story_part *story_parts_find(struct story_parts *parts,
					 const struct hist_story_frame *what);

/* Sort the parts, the largest first; the spans keep their parts.  0 or -ENOMEM. */
int story_parts_sort(struct story_parts *parts);
void story_parts_clear(struct story_parts *parts);

#endif
