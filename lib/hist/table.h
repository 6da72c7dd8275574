/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * table.h - the entries of one histogram, and their values at one moment
 *
 * A struct hist_table knows the keys only: it gives each distinct key an entry
 * number, 0, 1, 2, ... in the order of first appearance, and never takes one
 * away (a hist trigger that is not cleared only grows).  A struct
 * hist_snapshot is a vector of values indexed by entry number, so that two
 * snapshots are compared or subtracted number by number, without a look-up.
 *
 * Functions return 0 or -errno; on failure nothing visible has changed.
 */
#ifndef LIB_HIST_TABLE_H
#define LIB_HIST_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hist/schema.h"

#define HIST_NO_STRING UINT32_MAX
#define HIST_NO_ENTRY UINT32_MAX

/* One key of one entry; see enum hist_key_kind for what is used. */
struct hist_cell {
	uint64_t num;
	uint32_t str; /* string id in the table, or HIST_NO_STRING */
};

struct hist_table;

/* @schema is copied.  NULL without memory. */
struct hist_table *hist_table_new(const struct hist_schema *schema);
void hist_table_free(struct hist_table *table);

/* Forgets all entries and strings; keeps the schema. */
void hist_table_clear(struct hist_table *table);

/* @to gets what is in @from, as after a clearing, and keeps its schema; @from is to be freed. */
void hist_table_move(struct hist_table *to, struct hist_table *from);

/*
 * Another number after each clearing, and for each table: what entry numbers of
 * another generation meant is gone.
 */
uint64_t hist_table_generation(const struct hist_table *table);

/* Owned by the table.  The parser may settle HIST_KEY_UNKNOWN through it. */
struct hist_schema *hist_table_schema(const struct hist_table *table);

uint32_t hist_table_entries(const struct hist_table *table);
uint32_t hist_table_strings(const struct hist_table *table);

/* The nkeys cells of @entry; valid until the next entry is added. */
const struct hist_cell *hist_table_cells(const struct hist_table *table, uint32_t entry);

/*
 * String @id with its length in bytes (it may hold any byte, NUL included; a
 * NUL that is not counted follows).  Valid until a string is added.  An
 * @id that does not exist gives "" and 0.
 */
const char *hist_table_string(const struct hist_table *table, uint32_t id, size_t *len);

/* What the strings take in memory, about: their bytes, and 33 more for each. */
uint64_t hist_table_weight(const struct hist_table *table);

/* Strings may weigh so much at most; UINT32_MAX when the table is new. */
void hist_table_limit(struct hist_table *table, uint64_t weight);

/* All that the table takes in memory. */
size_t hist_table_memory(const struct hist_table *table);

/*
 * hist_table_intern - the id of a string, new or known
 * -ENOMEM; -E2BIG at 256 MiB of bytes, or at the limit.
 */
int hist_table_intern(struct hist_table *table, const char *s, size_t len, uint32_t *id);

/* The id of a string that is there; false: there is none. */
bool hist_table_find(const struct hist_table *table, const char *s, size_t len, uint32_t *id);

/* Room for @more entries, so that adding them takes no more memory.  -ENOMEM, -E2BIG at 2^32. */
int hist_table_reserve(struct hist_table *table, uint32_t more);

/*
 * hist_table_add - the entry with these cells, new or known
 * Two entries are one when their numbers agree and, for HIST_KEY_STRING and
 * HIST_KEY_STACK, their strings: a pid's comm and an address's symbol only
 * name the number, so that the kernel's rare duplicates fall together.
 * -ENOMEM, -E2BIG at 2^32.
 */
int hist_table_add(struct hist_table *table, const struct hist_cell *cells, uint32_t *entry);

/* Forgets all but the first @entries and @strings, which keep their numbers. */
void hist_table_cut(struct hist_table *table, uint32_t entries, uint32_t strings);

/* Bits of hist_snapshot.flags; part of the file format. */
#define HIST_SNAP_RESET 0x1	/* somebody cleared the histogram: counting began anew */
#define HIST_SNAP_PAUSED 0x2	/* taken while paused: Hits and rows agree */
#define HIST_SNAP_AMBIGUOUS 0x4 /* rows could not all be told apart (hist_text.h) */
#define HIST_SNAP_MISSES 0x20	/* of a probe: probe_misses is valid */
#define HIST_SNAP_MISSES_UNKNOWN 0x40 /* of a probe whose misses the kernel does not count */
#define HIST_SNAP_STOPPED 0x80	/* paused, and not by the recorder: it counted nothing then */
#define HIST_SNAP_TAKEN 0x100	/* a snapshot() action was carried out: taken is valid */

/* Owns @values, room for at least @nentries * nvalues, entry after entry. */
struct hist_snapshot {
	uint32_t seq;	  /* 0, 1, 2, ...; a gap is a lost snapshot */
	uint32_t flags;
	uint64_t time;	  /* trace clock, after the read; ns, or the clock's unit */
	uint64_t wall;	  /* the same moment in ns since 1970 (UTC); 0: not recorded */
	uint64_t read_ns; /* how long the read took, ns */
	uint64_t hits;	  /* "Totals:" of the kernel */
	uint64_t entries;
	uint64_t dropped;
	uint64_t missed;   /* intervals without a snapshot since the recording began */
	/*
	 * Where the kernel does not count itself: events that were lost before they could be
	 * counted, this or more since the recording began, of this histogram or not
	 */
	uint64_t events_lost;
	uint64_t probe_misses; /* hits of the probe that the kernel missed since the recording began */
	uint32_t taken; /* string of the table: what the kernel says of the last snapshot() */
	uint32_t nentries; /* entries of the table that exist at this moment */
	uint32_t room;	   /* entries that @values has room for */
	uint64_t *values;
};

/* Makes room for @nentries; new values are 0.  -ENOMEM. */
int hist_snapshot_grow(struct hist_snapshot *snap, const struct hist_schema *schema,
		       uint32_t nentries);
/* dst becomes a copy of src; -ENOMEM leaves dst as it was. */
int hist_snapshot_copy(struct hist_snapshot *dst, const struct hist_snapshot *src,
		       const struct hist_schema *schema);
/*
 * hist_snapshot_follow - as hist_snapshot_copy(), where dst has what src had before
 * the @n entries @changed got other values; src has no fewer entries
 */
int hist_snapshot_follow(struct hist_snapshot *dst, const struct hist_snapshot *src,
			 const struct hist_schema *schema, const uint32_t *changed, uint32_t n);
/* Frees the values and zeroes the struct; not the struct itself. */
void hist_snapshot_clear(struct hist_snapshot *snap);

/*
 * hist_snapshot_subtract - to -= from, value by value modulo 2^64
 * Hits, dropped, missed, events_lost and probe_misses likewise.  Values that are no sums (hist_value_is_sum())
 * keep what they are in @to.  Where @to carries HIST_SNAP_RESET or came after
 * a reset, pass from = NULL: the difference is against nothing.
 */
void hist_snapshot_subtract(struct hist_snapshot *to, const struct hist_snapshot *from,
			    const struct hist_schema *schema);

#endif
