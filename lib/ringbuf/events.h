/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * events.h - read the events of a trace.dat file, version 6 or 7
 *
 * hist_events_open() reads the offsets of all parts and the event formats.  Symbols and comms are
 * read at the first lookup.  A walk decompresses each chunk of a compressed file once.
 *
 * Threads: a struct hist_events does not change after it was opened, except its symbols and comms,
 * which a lock protects.  Any thread may look up names, and walk its own struct hist_events_pages.
 * The struct hist_events must outlive all walks.
 *
 * Files are read with pread(), so truncation during a walk gives an error.
 * Invariant: each value from the file is checked against the file size before use.
 *
 * Source of the layout: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5).
 */
#ifndef LIB_RINGBUF_EVENTS_H
#define LIB_RINGBUF_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/event/kallsyms.h"
#include "lib/ringbuf/ring_page.h"
#include "lib/base/error.h"

struct hist_events;

/*
 * hist_events_open - open a trace.dat file
 * On failure @error is a sentence for the user.  An errno of open(), such as
 * -ENOENT; -EINVAL: not a trace.dat file; -EBADMSG: too damaged to use; -ENOTSUP: unknown version
 * or compression, or a `latency` (text) file; -ENOMEM.
 * A file without events can be opened and has no pages.
 */
int hist_events_open(struct hist_events **events, const char *path, struct hist_error *error);
/* The same for one of many files (tracedat_pool_new()), read by one thread; NULL: no pool. */
struct tracedat_pool;
int hist_events_open_in(struct tracedat_pool *pool, struct hist_events **events, const char *path,
			struct hist_error *error);
void hist_events_free(struct hist_events *events);

/* The machine it was recorded on. */
struct hist_events_machine {
	char *uname; /* or NULL */
	char *host;  /* from it, or NULL */
	unsigned int cpus;
	unsigned int page_size;
	unsigned int user_long_size; /* from the header of the file */
	struct hist_ring_page_layout layout; /* with the long of its kernel, from header_page */
	char *header_page, *header_event; /* texts */
	uint64_t trace_id;	/* from stock record, if the recording has guests; 0: none */
	uint64_t host_trace_id; /* of the recording of its host; 0: not a guest */
	bool has_date; /* adjusted times are wall-clock times, in ns since 1970 */
};
const struct hist_events_machine *hist_events_machine(const struct hist_events *events);

/* --- buffers: 0 is the top-level buffer --- */

unsigned int hist_events_nbuffers(const struct hist_events *events);

struct hist_events_buffer {
	const char *name;  /* "" for the top-level buffer */
	const char *clock; /* "mono": its clock; the clock of the file if the buffer has none */
	const char *clock_text; /* text of the trace_clock file, "local [mono] ...", or NULL */
	unsigned int cpus; /* numbers of CPUs are below this; some may have no pages */
	uint64_t bytes;	   /* of pages as stored in the file, for progress */
};
const struct hist_events_buffer *hist_events_buffer(const struct hist_events *events,
						    unsigned int buffer);

/* --- times --- */

/*
 * hist_events_time - convert the time of an event in a page as stock trace-cmd does
 * A recording may have these adjustments:
 *   - the measured offsets of a guest's clock from the host's, for each CPU, and only for the
 *     top-level buffer, as in stock trace-cmd;
 *   - the factor from ticks to nanoseconds (the clock is then "tsc2nsec");
 *   - a constant offset (`record --date`, `--ts-offset`).
 * Pages have unadjusted times.  Adjusted times are for display and for comparison with other
 * recordings.  They may go back at the border between two measurements.
 * hist_events_adjusts_time(): false if no time of the buffer is adjusted.
 */
uint64_t hist_events_time(const struct hist_events *events, unsigned int buffer, unsigned int cpu,
			  uint64_t time);
bool hist_events_adjusts_time(const struct hist_events *events, unsigned int buffer);

/* A guest listed in the recording of a host; @trace_id is the machine.trace_id of the guest. */
struct hist_events_guest {
	const char *name;
	uint64_t trace_id;
};
/* The @i-th guest; NULL after the last one. */
const struct hist_events_guest *hist_events_guest(const struct hist_events *events, unsigned int i);

/* --- formats --- */

/*
 * hist_events_format - the text of events/SYSTEM/NAME/format (including "ftrace")
 * The text is valid as long as @events and not NUL-terminated.  -ENOENT: not in the file.
 */
int hist_events_format(const struct hist_events *events, const char *system, const char *name,
		       const char **text, size_t *len);

/* The @i-th format in the order of the file; false after the last one. */
bool hist_events_format_at(const struct hist_events *events, unsigned int i, const char **system,
			   const char **text, size_t *len);

/* --- names --- */

/*
 * hist_events_symbol - look up the kernel symbol that contains @address (kallsyms.h)
 * Its name is valid as long as @events.  -ENOENT: not found; -ENOMEM.
 */
int hist_events_symbol(struct hist_events *events, uint64_t address, struct hist_symbol *symbol);

/* The next name of a function, as hist_kallsyms_next_function(). */
const char *hist_events_next_function(struct hist_events *events, size_t *i);

/* The last saved comm of @pid, or NULL; "<idle>" for pid 0, as in the kernel. */
const char *hist_events_comm(struct hist_events *events, uint32_t pid);

/*
 * hist_events_names_error - 0, or the error because of which names may be missing
 * -ENOMEM, or the errno of read().  The error persists: check it after all lookups.
 */
int hist_events_names_error(const struct hist_events *events);

/* --- pages --- */

struct hist_events_pages;
struct hist_events_ahead;

/*
 * hist_events_pages_open - start a walk over the pages of one CPU of one buffer, in file order
 * The walk is empty if the CPU has no pages.  -EINVAL: @buffer does not exist; -ENOMEM.
 */
int hist_events_pages_open(struct hist_events_pages **pages, const struct hist_events *events,
			   unsigned int buffer, unsigned int cpu);
void hist_events_pages_free(struct hist_events_pages *pages);

/*
 * hist_events_ahead_new - a thread that decompresses ahead for the walks of one other thread
 * NULL if the buffer is not compressed, or if the thread cannot be started.  Free it after the
 * walks, and before @events.
 */
struct hist_events_ahead *hist_events_ahead_new(const struct hist_events *events,
						unsigned int buffer);
void hist_events_ahead_free(struct hist_events_ahead *ahead);

/*
 * hist_events_pages_read_ahead - let @ahead decompress the next chunks while a walk uses its block
 * The walk returns the same pages and errors.  Without effect if @ahead is NULL, or if memory is
 * short.
 */
void hist_events_pages_read_ahead(struct hist_events_pages *pages, struct hist_events_ahead *ahead);

/*
 * hist_events_pages_next - get the next page, which is valid until the next call
 * 1: *@page is at its first event; 0: no more pages; -EBADMSG: skipped damaged or missing pages,
 * once for all that are missing at the end (hist_events_pages_damage());
 * -ENODATA: the file, not compressed, was truncated after it was opened; -EIO, -ENOMEM.
 */
int hist_events_pages_next(struct hist_events_pages *pages, struct hist_ring_page *page);

/* What a walk could not read. */
struct hist_events_damage {
	uint64_t missing_pages; /* after the end of the file */
	uint64_t damaged_pages;
	/* of compressed pages that are missing, or so damaged that their number is unknown */
	uint64_t missing_bytes;
};

/* hist_events_pages_damage - add what the walk could not read since its start or last seek */
void hist_events_pages_damage(const struct hist_events_pages *pages,
			      struct hist_events_damage *damage);

/* Bytes of the pages of this CPU, as stored in the file. */
uint64_t hist_events_pages_bytes(const struct hist_events_pages *pages);
/* The number of these bytes that the walk has passed. */
uint64_t hist_events_pages_done(const struct hist_events_pages *pages);

/*
 * hist_events_pages_seek - go to the last page that begins at or before @time, or to the first page
 * The function bisects over the times of pages and decompresses the pages that it reads.
 */
int hist_events_pages_seek(struct hist_events_pages *pages, uint64_t time);

#endif
