/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * series.h - histograms over time, in sections of a trace.dat
 *
 * The format is written down byte by byte in trace-cmd-hist.dat(5).  In short:
 * each snapshot of each histogram is one section: a full one with all keys, or
 * the difference to the snapshot before it; full ones come again when the
 * differences since the last have grown to four times its size, so that a
 * reader can seek, and damage costs no more than what is up to the next full
 * one.
 *
 * Functions return 0 or -errno unless they say otherwise.
 */
#ifndef LIB_SERIES_SERIES_H
#define LIB_SERIES_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/hist/table.h"
#include "lib/tracedat/tracedat.h"

/* What one histogram is; strings owned by whoever made it. */
struct hist_definition {
	const char *event;   /* "sched:sched_switch" */
	const char *trigger; /* as it was written to the kernel */
	const char *engine;  /* "kernel", "user", "replay" */
	const char *clock;   /* "mono" */
	const char *instance; /* tracefs instance it ran in, "" for the top */
	const char *uname;   /* of the target */
	const char *host;    /* of the target */
	const struct hist_schema *schema;
};

/* --- writing --- */

struct hist_series_writer;

/* @dat stays the caller's and must outlive the writer. */
int hist_series_writer_new(struct hist_series_writer **writer, struct tracedat_writer *dat);
void hist_series_writer_free(struct hist_series_writer *writer);

/*
 * hist_series_define - add a histogram; returns its number (0, 1, ...)
 * Its definition goes into the file with its first snapshot, so that the
 * schema may still be settled by the first rows (HIST_KEY_UNKNOWN).
 * @table must outlive the writer; @def is copied but for the schema, which is
 * the table's.
 */
int hist_series_define(struct hist_series_writer *writer, const struct hist_definition *def,
		       struct hist_table *table);

/*
 * hist_series_add - append one snapshot of histogram @hist
 * @snap is not changed.  On failure the file is as it was, and the next
 * snapshot will be written as if this one had never been (with a gap in seq).
 */
int hist_series_add(struct hist_series_writer *writer, int hist,
		    const struct hist_snapshot *snap);

/*
 * hist_series_finish - append the mark of a recording that ended in order
 * Without it the report says that the recording was interrupted.
 */
int hist_series_finish(struct hist_series_writer *writer);

#define HIST_SERIES_ALIVE_SIZE 56

/*
 * hist_series_alive - a whole section that tells nothing, for a sink that must
 * not be silent for long
 * The sink may put it between any two sections that it was given.
 */
void hist_series_alive(const struct hist_series_writer *writer,
		       unsigned char section[HIST_SERIES_ALIVE_SIZE]);

/* --- reading --- */

struct hist_series;

/*
 * What a histogram is among those of other files in one report.
 * There the times of its info and of its snapshots may be on the one line of all.
 */
struct hist_among {
	const char *name; /* in its own file, see hist_series_name() */
	/* Times are ns since 1970 (UTC); else they are those of its own trace clock. */
	bool on_line;
	uint64_t origin;   /* of the line: the first snapshot of all files */
	uint64_t from, to; /* what charts over time span, so that they compare */
};

/* One histogram of a file, from one pass over the section headers. */
struct hist_series_info {
	struct hist_definition def; /* owned by the series */
	uint32_t snapshots;	    /* intact or not yet known to be damaged */
	uint32_t first_seq, last_seq;
	uint64_t first_time, last_time; /* trace clock; ns or the clock's unit */
	uint32_t resets;	    /* times that somebody cleared it */
	uint32_t first_reset;	    /* seq of the first snapshot after that */
	uint32_t stops;		    /* snapshots with HIST_SNAP_STOPPED */
	uint32_t first_stop;	    /* seq of the first of them */
	/* Set by who reports on several files, in a copy; the series leaves NULL. */
	const struct hist_among *among;
};

/* What is not in order with a file; all zero is good. */
struct hist_series_damage {
	bool unfinished;     /* no end mark: killed, or still being recorded */
	bool truncated;	     /* the file ends inside a section */
	uint64_t bad_sections;	/* ours, with a wrong checksum or nonsense inside; known so far */
	uint64_t lost_snapshots; /* could not be rebuilt for that; known so far */
};

/*
 * hist_series_open - open a file and walk its section headers
 * Memory does not grow with the number of snapshots.
 * On failure @why (of @why_len bytes) is a sentence for the user, saying what
 * was lost where stock tools (split, convert) have dropped it.
 * -ENOENT and the like from open; -EINVAL: not a trace.dat, version 6;
 * -ENODATA: no histograms in it; -EBADMSG: damaged beyond use; -ENOMEM.
 */
int hist_series_open(struct hist_series **series, const char *path, char *why, size_t why_len);
void hist_series_free(struct hist_series *series);

unsigned int hist_series_count(const struct hist_series *series);
const struct hist_series_info *hist_series_info(const struct hist_series *series,
						unsigned int hist);
const struct hist_series_damage *hist_series_damage(const struct hist_series *series);
/* For the words about the file itself (clock, uname, has events). */
const struct tracedat_reader *hist_series_file(const struct hist_series *series);

/*
 * hist_series_name - "kmem:kmalloc", or "kmem:kmalloc#1" where the file has several of it
 * malloc'ed; NULL without memory.
 */
char *hist_series_name(const struct hist_series *series, unsigned int hist);

/* Does SYS:EVENT, SYS/EVENT or EVENT, with or without #N, mean the histogram of that name? */
bool hist_name_fits(const char *name, const char *wanted);

/* A walk over the snapshots of one histogram, in order. */
struct hist_cursor;

/*
 * hist_cursor_open - a walk that begins at or before snapshot @seq
 * It begins at the full snapshot nearest before; call hist_cursor_next()
 * until it has what is wanted.  Each cursor has a table of its own.
 */
int hist_cursor_open(struct hist_cursor **cursor, struct hist_series *series,
		     unsigned int hist, uint32_t seq);
/* The same by time: begins at or before the last snapshot not after @time. */
int hist_cursor_open_at(struct hist_cursor **cursor, struct hist_series *series,
			unsigned int hist, uint64_t time);
void hist_cursor_free(struct hist_cursor *cursor);

/*
 * hist_cursor_next - rebuild the next snapshot
 * 1: *@snap is it, owned by the cursor, valid until the next call;
 * 0: no more; -ENOMEM, -EIO.  Damaged snapshots are passed over and counted in
 * hist_series_damage(); a gap shows in snap->seq.
 */
int hist_cursor_next(struct hist_cursor *cursor, const struct hist_snapshot **snap);

/*
 * hist_cursor_until - end the walk before the first snapshot with a number above @seq
 * hist_cursor_next() gives 0 there, and the table stays that of the snapshot before.
 */
void hist_cursor_until(struct hist_cursor *cursor, uint32_t seq);

/* What the cursor takes in memory. */
size_t hist_cursor_memory(const struct hist_cursor *cursor);

/* What hist_cursor_next() gave last; NULL before that, and where something damaged came behind it. */
const struct hist_snapshot *hist_cursor_snapshot(const struct hist_cursor *cursor);

/*
 * hist_cursor_changed - *@n entries that changed or came since the snapshot before
 * "Before" is what hist_cursor_next() gave last; all other entries have the same values in
 * both.  Each once, in ascending order, valid until the next call.  NULL when that
 * is not known, as at a full snapshot: any entry may have changed.
 */
const uint32_t *hist_cursor_changed(const struct hist_cursor *cursor, uint32_t *n);

/*
 * The keys for the snapshots of this cursor.  After a snapshot with
 * HIST_SNAP_RESET entry numbers begin anew.
 */
const struct hist_table *hist_cursor_table(const struct hist_cursor *cursor);

#endif
