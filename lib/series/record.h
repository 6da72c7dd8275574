/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * record.h - the 40 bytes at the start of each of our sections, and the
 * bodies behind them, as trace-cmd-hist.dat(5) tells
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
#define RECORD_ENTRIES_MAX (3u << 16) /* of one histogram; a kernel's has at most 2^17 */
#define RECORD_DEFINITION_MAX (256u << 10) /* its body, uncompressed */

/*
 * Bytes that the file of @size bytes may become in memory: a body, the strings of a histogram, and
 * all definitions together, each.  What is written without compression always keeps to this, so
 * the writer leaves uncompressed what would not.
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
	RECORD_ALIVE = 5, /* tells nothing */
};

/*
 * A compressed body that grows more than this is made to hurt; the writer
 * leaves one uncompressed that would.
 */
static inline bool record_ratio_ok(uint64_t raw_len, uint64_t stored_len)
{
	return raw_len <= (1u << 20) || raw_len / 2048 <= stored_len;
}

/* In flags, next to the HIST_SNAP_ ones. */
#define RECORD_WALL 0x8u /* the body has the wall-clock time */
#define RECORD_EVENTS_LOST 0x10u /* the body has how many events were lost */
#define RECORD_COMPRESSED 0x80000000u

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

void record_header_put(const struct record_header *h, bool big_endian,
		       unsigned char out[RECORD_HEADER_SIZE]);
/* 0, or -EBADMSG: no magic, wrong checksum, lengths out of bounds. */
int record_header_take(struct record_header *h, bool big_endian, const void *data);

/* --- bodies --- */

void definition_put(struct hist_strbuf *b, const struct hist_definition *def);
/* -EBADMSG, -ENOMEM; on success *def owns everything: definition_free(). */
int definition_take(struct hist_definition *def, struct take *t);
void definition_free(struct hist_definition *def);

/*
 * snapshot_put - @to as the difference to @from
 * @from: the snapshot before, or NULL for a full one, which stands alone.
 * @strings, @entries: how many of the table's a reader has already (0 for a
 * full one).
 * @resets: how often the histogram was reset so far; only full ones carry it.
 * The header needs RECORD_WALL if @to has a wall-clock time, RECORD_EVENTS_LOST if events were
 * lost, and HIST_SNAP_MISSES and HIST_SNAP_TAKEN if @to has them.
 */
void snapshot_put(struct hist_strbuf *b, const struct hist_table *table,
		  const struct hist_snapshot *to, const struct hist_snapshot *from,
		  uint32_t strings, uint32_t entries, uint32_t resets);

/* The entries that a snapshot changed or added, each once and in order. */
struct changed_entries {
	uint32_t *entries;
	uint32_t n, room;
	bool known; /* false: it may be all */
};

/* What the keys of a full snapshot were in its body; those of the next are mostly the same. */
struct full_keys {
	uint64_t seed, hash; /* of their bytes */
	size_t len;
	/* the table is still as they made it */
	uint64_t generation;
	uint32_t strings, entries;
};

/* A full snapshot has other keys, or in another order, than those that the table begins with. */
#define SNAPSHOT_OTHER_KEYS (-EXDEV)

/*
 * snapshot_take - the reverse: @snap, holding the snapshot before, becomes the
 * next; new keys go into @table
 * For a full one @snap must be cleared, except its seq; *@resets is set.
 * @keys: begin with all zero.  @flags: of the header.
 * -EBADMSG: nonsense; -ESTALE: not made against the snapshot in @snap;
 * SNAPSHOT_OTHER_KEYS: take it again, with an empty table; -ENOMEM.
 * On failure @snap is undefined and @table may have more entries and strings than before.
 */
int snapshot_take(struct take *t, struct hist_table *table, struct hist_snapshot *snap, bool full,
		  uint32_t flags, uint32_t *resets, struct full_keys *keys,
		  struct changed_entries *changed);

#endif
