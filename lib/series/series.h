/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * series.h - write and read series of histogram snapshots in a trace.dat file
 *
 * Each snapshot of each histogram is one section.  A full snapshot has all keys and values; a
 * delta has the difference from the previous snapshot.  The writer adds a full snapshot when
 * the deltas since the last one exceed four times its size.  Full snapshots let a reader seek,
 * and they limit the loss after damage to the snapshots before the next full one.
 *
 * Source of the format: trace-cmd-hist.dat(5).
 *
 * Functions return 0 or -errno unless they say otherwise.
 */
#ifndef LIB_SERIES_SERIES_H
#define LIB_SERIES_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/hist/regroup.h"
#include "lib/tracedat/tracedat.h"
#include "lib/base/error.h"

/* The description of one histogram.  Its creator owns the strings. */
struct hist_definition {
	const char *event;   /* "sched:sched_switch" */
	const char *trigger; /* as it was written to the kernel, or what @joined counts */
	const char *engine;  /* "kernel", "user", "replay" */
	const char *clock;   /* "mono" */
	const char *instance; /* tracefs instance; "" for the top-level instance */
	const char *uname;   /* of the target */
	const char *host;    /* of the target */
	const char *joined;  /* the kernel's triggers, one a line, if they are several; or "" */
	const struct hist_schema *schema;
};

/* --- writing --- */

struct hist_series_writer;

/* The caller keeps ownership of @dat, which must outlive the writer. */
int hist_series_writer_new(struct hist_series_writer **writer, struct tracedat_writer *dat);
void hist_series_writer_free(struct hist_series_writer *writer);

/*
 * hist_series_define - add a histogram; returns its number (0, 1, ...)
 * Its definition is written with its first snapshot, because the first rows may still change
 * the schema (HIST_KEY_UNKNOWN).
 * @table must outlive the writer.  @def is copied, except the schema: the writer uses the
 * schema of the table.
 */
int hist_series_define(struct hist_series_writer *writer, const struct hist_definition *def,
		       struct hist_table *table);

/*
 * hist_series_add - append one snapshot of histogram @hist
 * @snap is not changed.  On failure the file lacks this snapshot, which leaves a gap in seq.  The
 * next snapshot is then a full one.  The definition of the histogram may be in the file even so.
 */
int hist_series_add(struct hist_series_writer *writer, int hist,
		    const struct hist_snapshot *snap);

/*
 * hist_series_finish - append the end mark of a complete recording
 * If the end mark is missing, the report says that the recording was interrupted.
 */
int hist_series_finish(struct hist_series_writer *writer);

/* hist_series_prepare - before the first snapshot: the series will go on in other files */
void hist_series_prepare(struct hist_series_writer *writer);

/*
 * hist_series_continue - go on in another file, after hist_series_finish()
 * @dat: a new file, of the same byte order and compression, that must outlive the writer.
 * The file begins with the last snapshot of each histogram, as a full one with the same sequence
 * number, so it can be read without the file before.  After hist_series_prepare() it also has the
 * first snapshot of the recording, and what was counted before the histogram was cleared.
 * On failure the writer cannot be used any more.
 */
int hist_series_continue(struct hist_series_writer *writer, struct tracedat_writer *dat);

#define HIST_SERIES_KEEPALIVE_SIZE 56

/*
 * hist_series_make_keepalive - make a keepalive section without information
 * A sink that must not be silent for long may send it between any two sections.
 */
void hist_series_make_keepalive(const struct hist_series_writer *writer,
				unsigned char section[HIST_SERIES_KEEPALIVE_SIZE]);

/* --- reading --- */

struct hist_series;

/*
 * The place of a histogram in a report on several files.
 * In such a report, the times of its info and snapshots may be on a time line shared by all files.
 */
struct hist_timeline {
	const char *name; /* in its own file, see hist_series_name() */
	/* true: times are ns since 1970 (UTC); false: times of its own trace clock */
	bool on_line;
	uint64_t offset;   /* on_line: added to times of the trace clock, modulo 2^64 */
	uint64_t origin;   /* of the time line: the first snapshot of all files */
	uint64_t from, to; /* range of charts over time; equal ranges make charts comparable */
};

/* One histogram of a file, from one pass over the section headers. */
struct hist_series_info {
	struct hist_definition def; /* owned by the series */
	uint32_t snapshots;	    /* except those that are known to be damaged */
	uint32_t first_seq, last_seq;
	uint64_t first_time, last_time; /* trace clock; ns or the clock's unit */
	uint32_t resets;	    /* number of times that the histogram was cleared */
	uint32_t first_reset;	    /* seq of the first snapshot after the first reset */
	uint32_t stops;		    /* snapshots with HIST_SNAP_STOPPED */
	uint32_t first_stop;	    /* seq of the first such snapshot */
	/* A report on several files sets it in a copy; it is NULL in the series. */
	const struct hist_timeline *timeline;
};

/* Damage of a file; all zero if the file is intact. */
struct hist_series_damage {
	bool unfinished;     /* no end mark: the recorder was killed or still runs */
	bool truncated;	     /* the file ends inside a section */
	/* histogram sections: bad checksum, invalid, or refused; known so far */
	uint64_t bad_sections;
	uint64_t lost_snapshots; /* not rebuilt because of bad sections; known so far */
	uint64_t refused_sections; /* those of bad_sections that only a newer program can read */
	uint32_t refused_flags;	   /* their flags that this reader must not ignore */
	uint8_t refused_version;   /* the highest format version of them */
};

/*
 * hist_series_format_refused - say which sections were refused, as a sentence without a period
 * The sentence is at most 150 bytes.  False: no section was refused, and buf is empty.
 */
bool hist_series_format_refused(const struct hist_series_damage *damage, char *buf, size_t len);

/*
 * hist_series_open - open a file and walk its section headers
 * Memory does not grow with the number of snapshots.
 * On failure @error is a sentence for the user.  It names what was lost if
 * stock tools (split, convert) dropped the histograms, and -ENODATA then has a hint.
 * An errno of open(), such as -ENOENT; -EINVAL: not a trace.dat file, or version 6;
 * -ENODATA: no histograms in the file; -EBADMSG: too damaged to use; -ENOMEM.
 */
int hist_series_open(struct hist_series **series, const char *path, struct hist_error *error);
/* The same for one of many files, which share the descriptors of @pool; NULL: no pool. */
int hist_series_open_in(struct tracedat_pool *pool, struct hist_series **series, const char *path,
			struct hist_error *error);
/* The same for an open file; @fd remains the caller's, and @path is only its name. */
int hist_series_open_fd(struct hist_series **series, int fd, const char *path,
			struct hist_error *error);
void hist_series_free(struct hist_series *series);

/*
 * hist_series_join - join the files of each recording that was written to several files
 * @files: @n open series, before their first use.  Series with one tracedat_trace_id() whose
 * snapshots follow each other become one series, which takes the place of its first file in
 * @files.  The others are freed.
 * Files that overlap, such as a file and its copy, are not joined.
 * *@left: how many series are left, also on failure; @files has NULL after them.
 * 0, or -errno: -ENOMEM, or of read().
 */
int hist_series_join(struct hist_series **files, unsigned int n, unsigned int *left);

/* The path as it was given to hist_series_open(), or "FIRST to LAST" of joined files. */
const char *hist_series_path(const struct hist_series *series);

/* The path of file @i of joined files, from 0 in the order of time; NULL: there are no more. */
const char *hist_series_file_path(const struct hist_series *series, unsigned int i);

/* Show numbers and addresses instead of names in all histograms (hist_key_desc.shows_numbers). */
void hist_series_show_numbers(struct hist_series *series);

/*
 * hist_series_regroup - show histogram @hist with the buckets of @buckets (hist_buckets_set())
 * From now on its schema has these buckets, and new cursors and counters merge the rows.  Not while
 * there is a cursor of @series; a fork does not change the series that it is from.
 * 0; -EINVAL with @error set; -ENOMEM.
 */
int hist_series_regroup(struct hist_series *series, unsigned int hist,
			struct hist_buckets *buckets, struct hist_error *error);

unsigned int hist_series_count(const struct hist_series *series);
const struct hist_series_info *hist_series_info(const struct hist_series *series,
						unsigned int hist);
const struct hist_series_damage *hist_series_damage(const struct hist_series *series);
/* The reader of the file itself (clock, uname, has events). */
const struct tracedat_reader *hist_series_file(const struct hist_series *series);

/*
 * hist_series_is_sound - true if hist_series_visit_heads() found neither damage nor losses
 * All checksums are then correct.  A body may still be invalid, which only a cursor detects.
 */
bool hist_series_is_sound(const struct hist_series *series);

/*
 * hist_series_name - "kmem:kmalloc", or "kmem:kmalloc#1" if several histograms have the event
 * The name is malloc'ed; NULL if out of memory.
 */
char *hist_series_name(const struct hist_series *series, unsigned int hist);
/* The same for the histogram @nth, from 0, of @same histograms of one event. */
char *hist_series_make_name(const char *event, unsigned int nth, unsigned int same);

/* True if @wanted (SYS:EVENT, SYS/EVENT or EVENT, each with or without #N) matches @name. */
bool hist_series_name_matches(const char *name, const char *wanted);

/*
 * hist_series_begin_counting - counters of a histogram that begin with the recording
 * The caller then calls hist_counted_update() with snapshots of the series.  *@counted has what was
 * counted before the histogram was cleared in earlier files.
 * @without_setup: subtract the first snapshot of the recording.
 * 1: done; 0: the first snapshot of the recording is not known, and not subtracted; -errno.
 */
struct hist_counted;
int hist_series_begin_counting(struct hist_counted **counted, struct hist_series *series,
			       unsigned int hist, bool without_setup);

/* A walk over the snapshots of one histogram, in order. */
struct hist_cursor;

/*
 * hist_cursor_open - start a walk at or before snapshot @seq
 * The walk starts at the nearest indexed full snapshot at or before @seq.
 * Call hist_cursor_next() until it returns the wanted snapshot.  Each cursor has its own table.
 */
int hist_cursor_open(struct hist_cursor **cursor, struct hist_series *series,
		     unsigned int hist, uint32_t seq);
/* The same by time: the walk starts at or before the last snapshot that is not after @time. */
int hist_cursor_open_at(struct hist_cursor **cursor, struct hist_series *series,
			unsigned int hist, uint64_t time);
void hist_cursor_free(struct hist_cursor *cursor);

/*
 * hist_cursor_next - rebuild the next snapshot
 * 1: *@snap is the snapshot, owned by the cursor and valid until the next call;
 * 0: no more snapshots; -ENOMEM, -EIO.  Damaged snapshots are skipped and counted in
 * hist_series_damage(); they leave a gap in snap->seq.
 */
int hist_cursor_next(struct hist_cursor *cursor, const struct hist_snapshot **snap);

/*
 * hist_cursor_until - end the walk before the first snapshot with a number above @seq
 * hist_cursor_next() then returns 0, and the table remains that of the last snapshot.
 */
void hist_cursor_until(struct hist_cursor *cursor, uint32_t seq);

/*
 * Called for each snapshot that hist_cursor_skip() skips.
 * @head: only seq, time, and the flags HIST_SNAP_RESET and HIST_SNAP_STOPPED are set.
 */
typedef void hist_cursor_skipped(void *data, const struct hist_snapshot *head);

/*
 * hist_cursor_skip - move on to the last indexed full snapshot with a number up to @seq
 * The walk reads only the headers of the snapshots before it, and hist_cursor_next() then returns
 * that snapshot.  The walk does not move if there is none ahead, or if the file is not sound
 * (hist_series_is_sound()): all snapshots are then needed to find what is lost.
 * Entry numbers keep their meaning, as in a walk over all snapshots.  The snapshot has
 * HIST_SNAP_RESET if the histogram was cleared since the last one that was rebuilt.
 * -ENOMEM, -EIO.
 */
int hist_cursor_skip(struct hist_cursor *cursor, uint32_t seq, hist_cursor_skipped *skipped,
		     void *data);

/* Memory of the cursor, in bytes. */
size_t hist_cursor_memory(const struct hist_cursor *cursor);

/*
 * The last snapshot from hist_cursor_next().  NULL before the first snapshot, and if a damaged or
 * skipped snapshot followed the last one.
 */
const struct hist_snapshot *hist_cursor_snapshot(const struct hist_cursor *cursor);

/*
 * hist_cursor_changed - the *@n entries that were changed or added since the previous snapshot
 * The previous snapshot is the one that hist_cursor_next() returned before the current one.  All
 * other entries have the same values in both.  Each entry is listed once, in ascending order;
 * the list is valid until the next call.  NULL if the changes are unknown, such as at a full
 * snapshot: any entry may have changed.
 */
const uint32_t *hist_cursor_changed(const struct hist_cursor *cursor, uint32_t *n);

/*
 * The table of keys for the snapshots of this cursor.  Entry numbers restart at a snapshot with
 * HIST_SNAP_RESET.
 */
const struct hist_table *hist_cursor_table(const struct hist_cursor *cursor);

#endif
