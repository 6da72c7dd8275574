/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * record.h - encode and decode histogram sections: the 40-byte header and the body after it
 *
 * Source of the layout: trace-cmd-hist.dat(5).
 */
#ifndef LIB_SERIES_RECORD_H
#define LIB_SERIES_RECORD_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/varint.h"
#include "lib/series/series.h"

#define RECORD_MAGIC 0x43455248u /* "HREC" when little endian */
#define RECORD_VERSION 1
#define RECORD_HEADER_SIZE 40
#define RECORD_BODY_MAX (256u << 20)
#define RECORD_HISTS_MAX 65535u
#define RECORD_ENTRIES_MAX (3u << 16) /* of one histogram; the kernel allows at most 2^17 */
#define RECORD_DEFINITION_MAX (256u << 10) /* its body, uncompressed */

/*
 * The memory limit, in bytes, for a file of @size bytes.  It applies separately to a body, to the
 * strings of a histogram, and to all definitions together.  Uncompressed data never exceeds the
 * limit, so the writer does not compress data that would exceed it.
 */
static inline uint64_t record_weight_max(uint64_t size)
{
	return size < RECORD_BODY_MAX / 16 ? (8u << 20) + 16 * size : RECORD_BODY_MAX + (8u << 20);
}

static inline bool record_weight_ok(uint64_t weight, uint64_t size)
{
	return weight <= record_weight_max(size);
}

enum record_type {
	RECORD_DEFINITION = 1,
	RECORD_FULL = 2,
	RECORD_DELTA = 3,
	RECORD_END = 4,
	RECORD_KEEPALIVE = 5, /* keepalive, without information */
	RECORD_NAMES = 6, /* names of numbers of the keys; older readers pass over it */
	RECORD_EPISODE = 7, /* a latency above the threshold (episode.h); likewise */
	RECORD_FIRST = 8, /* the first snapshot of the recording, in a later file; likewise */
	RECORD_CLEARED = 9, /* what was counted before the histogram was cleared; likewise */
};

/*
 * The limit for decompression: a body above it is considered hostile.  The writer does not
 * compress a body that would exceed the limit.
 */
static inline bool record_ratio_ok(uint64_t raw_len, uint64_t stored_len)
{
	return raw_len <= (1u << 20) || raw_len / 2048 <= stored_len;
}

/* In flags, together with the HIST_SNAP_ ones. */
#define RECORD_WALL 0x8u /* the body has the wall-clock time */
#define RECORD_EVENTS_LOST 0x10u /* the body has the number of lost events */
#define RECORD_LOSSES 0x10000u /* the body has the list of losses (loss.h) */
#define RECORD_COMPRESSED 0x80000000u
/*
 * Flags for later versions.  A reader ignores other unknown flags, because they do not change the
 * body.  It must refuse a section with one of these.
 */
#define RECORD_REFUSED_FLAGS 0x7ffe0000u

/* Does a section of @snap need RECORD_LOSSES? */
static inline bool record_has_losses(const struct hist_snapshot *snap)
{
	unsigned int k;

	for (k = 0; k < HIST_LOSS_KINDS; k++) {
		if (snap->losses[k])
			return true;
	}
	return false;
}

struct record_header {
	uint8_t version;
	uint8_t type;
	uint16_t hist;
	uint32_t seq;
	uint32_t flags;
	uint64_t time;
	uint32_t raw_len;    /* of the body, uncompressed */
	uint32_t stored_len; /* of the body, in the file */
	uint32_t body_crc;   /* of the body as stored */
};

void record_header_encode(const struct record_header *h, bool big_endian,
			  unsigned char out[RECORD_HEADER_SIZE]);
/* 0, or -EBADMSG: no magic, wrong checksum, lengths out of bounds. */
int record_header_decode(struct record_header *h, bool big_endian, const void *data);

/*
 * record_append - write the section of a body as it is stored
 * Sets the version, stored_len and body_crc of @h; raw_len is the caller's.  0, or an error of
 * tracedat_append().
 */
int record_append(struct tracedat_writer *dat, struct record_header *h, const void *stored,
		  size_t len);

/* False: a newer program wrote the section, and this reader must not decode its body. */
static inline bool record_is_readable(const struct record_header *h)
{
	return h->version == RECORD_VERSION && !(h->flags & RECORD_REFUSED_FLAGS);
}

/* --- bodies --- */

void definition_encode(struct hist_strbuf *b, const struct hist_definition *def);
/*
 * -EBADMSG, -ENOMEM; -ENOTSUP: a kind of key or value that only a later version knows.
 * On success *def owns everything: definition_free().
 */
int definition_decode(struct hist_definition *def, struct varint_reader *t);
/* Copies all except the schema.  On -ENOMEM some may be copied; call definition_free(). */
int definition_copy_names(struct hist_definition *to, const struct hist_definition *from);
void definition_free(struct hist_definition *def);

/* The numbers of names of each key that a file already has. */
struct written_names {
	uint32_t n[HIST_KEYS_MAX];
};

/*
 * definition_encode_names - encode the names of keys that @written does not contain
 * Returns how many.  *@now: what the file contains after they are written.
 */
uint32_t definition_encode_names(struct hist_strbuf *b, const struct hist_schema *schema,
				 const struct written_names *written, struct written_names *now);
/* Add the names to the keys of @schema.  0, -EBADMSG: some of them may be added; -ENOMEM. */
int definition_decode_names(const struct hist_schema *schema, struct varint_reader *t);

/*
 * snapshot_encode - encode @to as the difference from @from
 * @from: the previous snapshot, or NULL for a full snapshot, which needs no other.
 * @strings, @entries: number of the table's strings and entries that a reader already has (0 for
 * a full snapshot).
 * @resets: number of resets of the histogram so far; only full snapshots contain it.
 * The header needs RECORD_WALL if @to has a wall-clock time, RECORD_EVENTS_LOST if events were
 * lost, and HIST_SNAP_MISSES and HIST_SNAP_TAKEN if @to has them.
 */
void snapshot_encode(struct hist_strbuf *b, const struct hist_table *table,
		     const struct hist_snapshot *to, const struct hist_snapshot *from,
		     uint32_t strings, uint32_t entries, uint32_t resets);

/* The entries that a snapshot changed or added, each once and in ascending order. */
struct changed_entries {
	uint32_t *entries;
	uint32_t n, room;
	bool known; /* false: any entry may have changed */
};

/* A digest of the encoded keys of a full snapshot; the next full one mostly has the same keys. */
struct full_keys {
	uint64_t seed, hash; /* of the encoded bytes */
	size_t len;
	/* state of the table after these keys; the digest is valid only in the same state */
	uint64_t generation;
	uint32_t strings, entries;
};

/* The first keys of a full snapshot differ from those of the table, or have another order. */
#define SNAPSHOT_OTHER_KEYS (-EXDEV)

/*
 * snapshot_take_head - decode the start of a body, up to the keys
 * @snap: the previous snapshot; for a full snapshot all zero, except its seq.
 * @flags: of the header.  *@base: the resets for a full snapshot, otherwise the seq of the previous
 * one.  Errors are kept in @t.
 */
void snapshot_take_head(struct varint_reader *t, struct hist_snapshot *snap, uint32_t flags,
			uint64_t *base);

/*
 * snapshot_decode - decode a body: update @snap from the previous snapshot to the next one
 * New keys are added to @table.
 * For a full snapshot @snap must be cleared, except its seq; *@resets is set.
 * @keys: all zero at first.  @flags: of the header.
 * -EBADMSG: invalid; -ESTALE: not a difference from the snapshot in @snap;
 * SNAPSHOT_OTHER_KEYS: decode the body again with an empty table; -ENOMEM.
 * On failure @snap is undefined and @table may have more entries and strings than before.
 */
int snapshot_decode(struct varint_reader *t, struct hist_table *table, struct hist_snapshot *snap,
		    bool full,
		    uint32_t flags, uint32_t *resets, struct full_keys *keys,
		    struct changed_entries *changed);

#endif
