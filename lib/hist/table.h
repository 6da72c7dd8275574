/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * table.h - the entries of one histogram, and their values in a snapshot
 *
 * A struct hist_table holds only the keys.  Each distinct key gets an entry number, 0, 1, 2, ... in
 * the order of first appearance.  Entries are never removed, because a hist trigger that is not
 * cleared only grows.  A struct hist_snapshot is an array of values indexed by entry number.  Two
 * snapshots can be compared or subtracted entry by entry, without a look-up.
 *
 * Functions return 0 or -errno; nothing visible changes on failure.
 */
#ifndef LIB_HIST_TABLE_H
#define LIB_HIST_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hist/loss.h"
#include "lib/hist/schema.h"

#define HIST_NO_STRING UINT32_MAX
#define HIST_NO_ENTRY UINT32_MAX

/* One key of one entry; enum hist_key_kind determines which members are used. */
struct hist_cell {
	uint64_t num;
	uint32_t str; /* string id in the table, or HIST_NO_STRING */
};

struct hist_table;

/* Copies @schema.  NULL if out of memory. */
struct hist_table *hist_table_new(const struct hist_schema *schema);
void hist_table_free(struct hist_table *table);

/* Removes all entries and strings; keeps the schema. */
void hist_table_clear(struct hist_table *table);

/*
 * hist_table_move - replace the contents of @to with those of @from
 * @to gets a new generation, as after hist_table_clear(), and keeps its schema.  The caller must
 * still free @from.
 */
void hist_table_move(struct hist_table *to, struct hist_table *from);

/*
 * hist_table_generation - a number that changes with each clear, and differs between tables
 * Entry numbers of another generation are not valid.
 */
uint64_t hist_table_generation(const struct hist_table *table);

/* Owned by the table.  The parser may use it to replace HIST_KEY_UNKNOWN. */
struct hist_schema *hist_table_schema(const struct hist_table *table);

uint32_t hist_table_entries(const struct hist_table *table);
uint32_t hist_table_strings(const struct hist_table *table);

/* The nkeys cells of @entry; valid until the next entry is added. */
const struct hist_cell *hist_table_cells(const struct hist_table *table, uint32_t entry);

/*
 * String @id and its length in bytes.  The string may contain any byte, also NUL; a NUL that is not
 * counted follows it.  Valid until a string is added.  If @id does not exist, the result is "" with
 * length 0.
 */
const char *hist_table_string(const struct hist_table *table, uint32_t id, size_t *len);

/*
 * hist_table_name - the string of @cell, which is its key number @key or names it
 * The names of the key come first (key_names.h).
 */
const char *hist_table_name(const struct hist_table *table, unsigned int key,
			    const struct hist_cell *cell, size_t *len);

/* The approximate memory of the strings: their bytes, and 33 more for each string. */
uint64_t hist_table_weight(const struct hist_table *table);

/* Set the limit of hist_table_weight(); it is UINT32_MAX for a new table. */
void hist_table_limit(struct hist_table *table, uint64_t weight);

/* The total memory of the table in bytes. */
size_t hist_table_memory(const struct hist_table *table);

/*
 * hist_table_intern - the id of a string, which is added if it is new
 * 0; -ENOMEM; -E2BIG at 256 MiB of strings, or at the limit.
 */
int hist_table_intern(struct hist_table *table, const char *s, size_t len, uint32_t *id);

/* Find the id of an existing string; false if the string does not exist. */
bool hist_table_find(const struct hist_table *table, const char *s, size_t len, uint32_t *id);

/*
 * Reserve memory for @more entries, so that adding them does not allocate.  -ENOMEM, -E2BIG at
 * 2^32.
 */
int hist_table_reserve(struct hist_table *table, uint32_t more);

/*
 * hist_table_add - the entry with these cells, which is added if it is new
 * Two entries are the same if their numbers are equal and, for HIST_KEY_STRING and HIST_KEY_STACK,
 * their strings.  A pid's comm or an address's symbol only names the number, so the kernel's rare
 * duplicates become one entry.  A new entry looks up the names of its numbers (key_names.h).
 * 0, -ENOMEM, or -E2BIG at 2^32.
 */
int hist_table_add(struct hist_table *table, const struct hist_cell *cells, uint32_t *entry);

/*
 * hist_table_add_from - the entry with the keys of entry @entry of @from, which has the same schema
 * Strings get the numbers of @table; a number without a string in @from keeps none.
 * Errors of hist_table_add() and hist_table_intern().
 */
int hist_table_add_from(struct hist_table *table, const struct hist_table *from, uint32_t entry,
			uint32_t *added);
/* Likewise, the number of string @id of @from; HIST_NO_STRING if @from does not have it. */
int hist_table_intern_from(struct hist_table *table, const struct hist_table *from, uint64_t id,
			   uint32_t *added);

/* Remove all except the first @entries and @strings, which keep their numbers. */
void hist_table_cut(struct hist_table *table, uint32_t entries, uint32_t strings);

/*
 * Bits of hist_snapshot.flags; part of the file format.  record.h has 0x8, 0x10, 0x10000 and bit
 * 31.
 */
#define HIST_SNAP_RESET 0x1	/* another user cleared the histogram: counting restarted */
#define HIST_SNAP_PAUSED 0x2	/* taken while paused: Hits and rows are consistent */
#define HIST_SNAP_AMBIGUOUS 0x4 /* some rows had several readings (hist_text.h) */
#define HIST_SNAP_MISSES 0x20	/* a probe: probe_misses is valid */
#define HIST_SNAP_MISSES_UNKNOWN 0x40 /* a probe whose misses the kernel does not count */
#define HIST_SNAP_STOPPED 0x80	/* paused or stopped by another user: hits may be missing */
#define HIST_SNAP_TAKEN 0x100	/* a snapshot() action was executed: taken is valid */

/* Owns @values, an array of at least @nentries * nvalues values, entry after entry. */
struct hist_snapshot {
	uint32_t seq;	  /* 0, 1, 2, ...; a gap is a lost snapshot */
	uint32_t flags;
	uint64_t time;	  /* trace clock after the read, in ns or the clock's unit */
	uint64_t wall;	  /* the same moment in ns since 1970 (UTC); 0: not recorded */
	uint64_t read_ns; /* duration of the read, ns */
	uint64_t hits;	  /* "Totals:" of the kernel */
	uint64_t entries;
	uint64_t dropped;
	uint64_t missed;   /* intervals without a snapshot since the recording began */
	/*
	 * The minimum number of events lost before they could be counted, since the recording
	 * began.  Used if the kernel does not count itself; the events need not belong to this
	 * histogram.
	 */
	uint64_t events_lost;
	uint64_t probe_misses; /* hits that the probe missed since the recording began */
	uint64_t losses[HIST_LOSS_KINDS]; /* since the recording began */
	uint32_t taken; /* string id: the kernel's text about the last snapshot() */
	uint32_t nentries; /* number of entries in the table at this moment */
	uint32_t room;	   /* capacity of @values in entries */
	uint64_t *values;
};

/* True if the trace clock @clock counts nanoseconds (trace_clocks[] in trace.c). */
bool hist_clock_is_ns(const char *clock);

/* Make room for @nentries; new values are 0.  -ENOMEM. */
int hist_snapshot_grow(struct hist_snapshot *snap, const struct hist_schema *schema,
		       uint32_t nentries);
/* Copy all except the values; the caller must make @dst->values fit the new number of entries. */
void hist_snapshot_copy_head(struct hist_snapshot *dst, const struct hist_snapshot *src);
/* Copy @src to @dst; @dst is unchanged on -ENOMEM. */
int hist_snapshot_copy(struct hist_snapshot *dst, const struct hist_snapshot *src,
		       const struct hist_schema *schema);
/*
 * hist_snapshot_follow - update @dst, a copy of an earlier @src, to the current @src
 * Only the values of the @n entries in @changed have changed since; @src must not have fewer
 * entries.
 */
int hist_snapshot_follow(struct hist_snapshot *dst, const struct hist_snapshot *src,
			 const struct hist_schema *schema, const uint32_t *changed, uint32_t n);
/* Free the values and zero the struct, but do not free the struct. */
void hist_snapshot_clear(struct hist_snapshot *snap);

/*
 * hist_snapshot_count_cut - hits of the rows whose string has hist_key_desc.longest bytes
 * @table: that of @snap.  Rows count as one hit each if they have no hitcount.
 */
uint64_t hist_snapshot_count_cut(const struct hist_snapshot *snap, const struct hist_table *table);

/* to -= from for the losses, which do not go below 0; @from may be NULL. */
void hist_snapshot_subtract_losses(struct hist_snapshot *to, const struct hist_snapshot *from);

/*
 * hist_snapshot_subtract - to -= from, value by value modulo 2^64
 * Hits, dropped, missed, events_lost, probe_misses and losses are subtracted too.  Values that are
 * not sums (hist_value_is_sum()) keep their value in @to.  If @to has HIST_SNAP_RESET or is later
 * than a reset, pass @from = NULL: nothing is subtracted.
 */
void hist_snapshot_subtract(struct hist_snapshot *to, const struct hist_snapshot *from,
			    const struct hist_schema *schema);

#endif
