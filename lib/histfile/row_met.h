/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * row_met.h - what a reading of a hist file already met of each entry of the table
 *
 * The kernel can list one key in several rows (tracing_map.c: two CPUs insert the key at the same
 * time; add_to_key() of Linux 7 copies the bytes after the end of a name into the key).  Their
 * order changes with each sort.  A row with fewer hits than the entry before is therefore no
 * clearing as long as other rows of the same entry follow.  Invariant: "shrunk" is the number of
 * entries whose rows of this reading have fewer hits together than the entry before the reading.
 */
#ifndef LIB_HISTFILE_ROW_MET_H
#define LIB_HISTFILE_ROW_MET_H

#include <stdbool.h>
#include <stdint.h>

struct row_met {
	uint32_t reading; /* the last reading in which the entry was found; 0: none */
	uint32_t next;	  /* entry of the next row in that reading, for readers that guess it */
	uint64_t before;  /* hits of the entry before that reading */
};

/* True if this is the first row of the entry in @reading. */
static inline bool row_met_is_first(struct row_met *met, uint32_t reading)
{
	bool first = met->reading != reading;

	met->reading = reading;
	return first;
}

/* @into: the hits of the entry, before @hits of one more row are set (if @first) or added. */
static inline void row_met_compare(struct row_met *met, bool first, uint64_t into, uint64_t hits,
				   uint32_t *shrunk)
{
	if (first) {
		met->before = into;
		*shrunk += hits < into;
	} else if (into < met->before && into + hits >= met->before) {
		(*shrunk)--;
	}
}

#endif
