/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * series_private.h - the index of a file, shared by the readers of lib/series
 */
#ifndef LIB_SERIES_SERIES_PRIVATE_H
#define LIB_SERIES_SERIES_PRIVATE_H

#include "lib/base/names.h"
#include "lib/series/record.h"
#include "lib/tracedat/tracedat_format.h"

#define SEEKS_MAX 4096
#define BAD_MAX 4096
/* Limit of listed snapshot offsets, for all histograms together. */
#define LISTED_MAX (1u << 20)

/* A full snapshot that a walk can begin at. */
struct series_seek {
	uint64_t offset; /* of the section header */
	uint64_t time;
	uint32_t seq;
	uint32_t section; /* its index in the list of sections */
};

struct stream_index {
	struct hist_series_info info;
	/* That of the file, if info has another one (hist_series_regroup()), or NULL. */
	const struct hist_schema *recorded;
	struct series_seek *seeks;
	unsigned int nseeks;
	unsigned int stride; /* every stride-th full snapshot is in seeks */
	uint64_t fulls;
	uint64_t *sections; /* offsets of all snapshots, if the series lists them */
	uint32_t nsections, sections_room;
	/* offsets of sections of the (first) file, or 0 */
	uint64_t first_at;   /* the first snapshot of the recording, if an earlier file has it */
	uint64_t cleared_at; /* what was counted before a clearing in an earlier file */
	bool refused; /* a newer program must read this histogram; it has no snapshots here */
	unsigned int nth, same; /* index among, and number of, histograms of the same event */
};

struct hist_series {
	struct tracedat_reader *dat;
	struct hist_compressor *compressor;
	uint64_t first; /* offset of the first histogram section */
	struct stream_index *streams; /* by number in the file */
	unsigned int nstreams;
	uint32_t streams_room;
	uint64_t listed; /* offsets in all streams; above LISTED_MAX no offset is kept */
	uint64_t defined; /* bytes of all definitions and names */
	unsigned int *known; /* numbers of the streams that a user can select */
	unsigned int nknown;
	struct hist_series_damage damage;
	uint64_t *bad; /* offsets where damage was counted, sorted; at most BAD_MAX */
	unsigned int nbad;
	uint32_t bad_room;
	bool sound; /* a pass verified the checksums of all bodies and found no damage */
	bool refused_definition; /* a definition was refused, so some histograms may have none */
	bool is_fork; /* the index belongs to another series, but maybe not the streams */
	struct hist_schema **regrouped; /* owned schemas of streams */
	unsigned int nregrouped;
	bool in_pool; /* the compressor belongs to the pool of the file */
	char *path;   /* of the (first) file */
	char *range;  /* "FIRST to LAST" of joined files, or NULL */
	struct names joined; /* paths of the joined files after the first */
};

/*
 * Finds the record at or after *@offset and moves *@offset past it.
 * 1: *@h is filled and *@body is the offset of its body; 0: end of the file; -errno.
 */
int series_next_record(struct hist_series *series, uint64_t *offset, struct record_header *h,
		       uint64_t *body);

/* Checked and uncompressed body, valid until the next read; @body NULL: only check it.  -EBADMSG,
 * -ENOMEM. */
int series_read_body(struct hist_series *series, const struct record_header *h, uint64_t offset,
		     const void **body);

/*
 * True if a full snapshot with the number @seq repeats the one before it, whose number is
 * @last_seq.
 * The first snapshot of a file of a rotated recording is the last one of the file before.
 */
static inline bool series_is_repeated(const struct record_header *h, uint32_t last_seq)
{
	return h->type == RECORD_FULL && h->seq == last_seq;
}

/* The schema of the rows in the file. */
static inline const struct hist_schema *series_schema(const struct stream_index *x)
{
	return x->recorded ? x->recorded : x->info.def.schema;
}

/* Counts @sections unusable sections at @offset, and the @lost snapshots that depend on them. */
void series_count_bad(struct hist_series *series, uint64_t offset, unsigned int sections,
		      uint32_t lost);

/* The state of a walk over the snapshots of one histogram. */
struct series_walk {
	bool live; /* the last snapshot is intact, so that a delta can follow it */
	bool any;  /* a snapshot was found, intact or not */
	uint32_t last_seq;
	uint64_t part_end; /* of the file that has the last snapshot */
};

/*
 * series_walked - note that a walk passed a snapshot, and count what is damaged or missing
 * @ret: the result of decoding it; -ESTALE: a delta from a snapshot that is not known.
 * 0, or @ret if the walk cannot go on.
 */
int series_walked(struct hist_series *series, struct series_walk *walk,
		  const struct record_header *h, uint64_t body, int ret);

#endif
