/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * series_private.h - what series.c and cursor.c share
 */
#ifndef LIB_SERIES_SERIES_PRIVATE_H
#define LIB_SERIES_SERIES_PRIVATE_H

#include "lib/series/record.h"

#define SEEKS_MAX 4096
#define BAD_MAX 4096
/* Snapshots of all histograms together whose places are known. */
#define LISTED_MAX (1u << 20)

/* A full snapshot that a walk can begin at. */
struct seek {
	uint64_t offset; /* of the section header */
	uint64_t time;
	uint32_t seq;
};

struct stream_index {
	struct hist_series_info info;
	struct seek *seeks;
	unsigned int nseeks;
	unsigned int stride; /* every stride-th full snapshot is in seeks */
	uint64_t fulls;
	uint64_t *sections; /* offsets of all snapshots, if the series lists them */
	uint32_t nsections, sections_room;
	unsigned int nth, same; /* of histograms of the same event, and how many there are */
};

struct hist_series {
	struct tracedat_reader *dat;
	struct hist_compressor *compressor;
	uint64_t first; /* offset of our first section */
	struct stream_index *streams; /* by number in the file */
	unsigned int nstreams;
	uint32_t streams_room;
	uint64_t listed; /* offsets in all streams; beyond LISTED_MAX there are none */
	uint64_t defined; /* bytes of all definitions */
	unsigned int *known; /* those of them that a user may ask for */
	unsigned int nknown;
	struct hist_series_damage damage;
	uint64_t *bad; /* where damage was counted, in order; at most BAD_MAX places */
	unsigned int nbad;
	uint32_t bad_room;
	bool sound; /* a pass has summed all bodies, and found no damage */
	bool later_version;
	bool is_fork; /* the streams are another's */
};

/*
 * The record at or behind *@offset; *@offset moves behind it.
 * 1: filled, *@body is where its body stands; 0: end of the file; -errno.
 */
int series_next_record(struct hist_series *series, uint64_t *offset, struct record_header *h,
		       uint64_t *body);

/* The checked body as it is in the file; valid until the next read.  -EBADMSG, -ENOMEM. */
int series_stored(struct hist_series *series, const struct record_header *h, uint64_t offset,
		  const void **stored);

/* The checked, uncompressed body; valid until the next read.  -EBADMSG, -ENOMEM. */
int series_body(struct hist_series *series, const struct record_header *h, uint64_t offset,
		const void **body);

/* Fills nth and same of the streams that are known.  -ENOMEM. */
int series_number_names(struct hist_series *series);

/*
 * Counts @sections at @offset that could not be used, and the @lost snapshots
 * it costs; only once, though several walks may pass the same place (more
 * often only without memory or beyond BAD_MAX places).
 */
void series_count_bad(struct hist_series *series, uint64_t offset, unsigned int sections,
		      uint32_t lost);

#endif
