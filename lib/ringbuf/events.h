/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * events.h - the events that a trace.dat holds, version 6 or 7
 *
 * Opening reads where things are, and the formats of events; symbols and comms are looked
 * up when they are first asked for.  Pages of a compressed file are decompressed
 * chunk by chunk, each once.
 * Source of the layout: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5).
 *
 * A struct hist_events does not change after it was opened but for its symbols and
 * comms: several threads may each walk a struct hist_pages of their own over it, while one
 * asks for names.  It must outlive them.  Files are read with pread(): one that is cut
 * meanwhile gives an error.  Nothing from the file is used before it was checked
 * against the size of the file.
 */
#ifndef LIB_RINGBUF_EVENTS_H
#define LIB_RINGBUF_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/event/kallsyms.h"
#include "lib/ringbuf/ring_page.h"

struct hist_events;

/*
 * hist_events_open
 * On failure @why (of @why_len bytes) is a sentence for the user.  -ENOENT and the like from
 * open; -EINVAL: not a trace.dat; -EBADMSG: damaged beyond use; -ENOTSUP: a version or
 * compression that is not known, or a `latency` (text) file; -ENOMEM.
 * A file without events opens, with no pages in it.
 */
int hist_events_open(struct hist_events **events, const char *path, char *why, size_t why_len);
void hist_events_free(struct hist_events *events);

/*
 * hist_events_map - walks that are opened from now on read a file that is not compressed by mappings
 * In little more than half of the time.  A file that somebody cuts meanwhile then raises
 * SIGBUS, as does a disk that fails: for programs that are prepared for it.
 */
void hist_events_map(struct hist_events *events);

/* The machine it was recorded on. */
struct hist_events_machine {
	const char *uname; /* or NULL */
	const char *host;  /* from it, or NULL */
	unsigned int cpus;
	unsigned int page_size;
	unsigned int user_long_size; /* as the file's header says */
	struct hist_page_layout layout; /* with the long of its kernel, from header_page */
	const char *header_page, *header_event; /* texts */
	uint64_t trace_id;	/* that stock record gave it, where there are guests; 0: none */
	uint64_t host_trace_id; /* of the recording of its host; 0: it is no guest's */
};
const struct hist_events_machine *hist_events_machine(const struct hist_events *events);

/* --- buffers: 0 is the top one --- */

unsigned int hist_events_nbuffers(const struct hist_events *events);

struct hist_events_buffer {
	const char *name;  /* "" for the top one */
	const char *clock; /* "mono": what its times are; the file's, where it names none */
	const char *clock_text; /* "local [mono] ..." as the trace_clock file had it, or NULL */
	unsigned int cpus; /* numbers of CPUs are below this; some may have no pages */
	uint64_t bytes;	   /* of pages, as they are in the file: for progress */
};
const struct hist_events_buffer *hist_events_buffer(const struct hist_events *events,
						    unsigned int buffer);

/* --- times --- */

/*
 * hist_events_time - an event's time as stock trace-cmd tells it
 * A recording may say how far its clock was from the host's when it was measured (of a guest; CPU
 * by CPU, for its top buffer alone, as stock trace-cmd has it), how ticks become
 * nanoseconds (then the clock is called "tsc2nsec"), and what is to be added (`record --date`,
 * `--ts-offset`).  Pages have the time of the recording: this is it for people, and for other
 * recordings.  Later events may come out earlier where two measurements meet.
 * hist_events_moves_time(): false where all of them are as they are.
 */
uint64_t hist_events_time(const struct hist_events *events, unsigned int buffer, unsigned int cpu,
			  uint64_t time);
bool hist_events_moves_time(const struct hist_events *events, unsigned int buffer);
/* Times are those of the day then, in ns since 1970. */
bool hist_events_has_date(const struct hist_events *events);

/* A guest that the recording of a host knows: whose machine.trace_id is this one. */
struct hist_events_guest {
	const char *name;
	uint64_t trace_id;
};
/* The @i-th; NULL behind the last. */
const struct hist_events_guest *hist_events_guest(const struct hist_events *events, unsigned int i);

/* --- formats --- */

/*
 * hist_events_format - the text of events/SYSTEM/NAME/format ("ftrace" included)
 * Valid as long as @events; not NUL-terminated.  -ENOENT: the file has none.
 */
int hist_events_format(const struct hist_events *events, const char *system, const char *name,
		       const char **text, size_t *len);

/* The @i-th of all formats, in the order of the file; false behind the last. */
bool hist_events_format_at(const struct hist_events *events, unsigned int i, const char **system,
			   const char **text, size_t *len);

/* --- names --- */

/*
 * hist_events_symbol - the kernel symbol that @address lies in; kallsyms.h
 * Its name is valid as long as @events.  -ENOENT: none; -ENOMEM.
 */
int hist_events_symbol(struct hist_events *events, uint64_t address, struct hist_symbol *symbol);

/* The comm of @pid as it was saved last, or NULL; of 0 always "<idle>", as the kernel has it. */
const char *hist_events_comm(struct hist_events *events, uint32_t pid);

/*
 * hist_events_names_error - 0, or why the above has left out names that the file may have
 * -ENOMEM, or the errno of read.  It stays: ask when all names are made.
 */
int hist_events_names_error(const struct hist_events *events);

/* --- pages --- */

struct hist_pages;

/*
 * hist_pages_open - a walk over the pages of one CPU of one buffer, in their order
 * A CPU that has none gives a walk of no pages.  -EINVAL: no such buffer; -ENOMEM.
 */
int hist_pages_open(struct hist_pages **pages, const struct hist_events *events,
		    unsigned int buffer, unsigned int cpu);
void hist_pages_free(struct hist_pages *pages);

/*
 * hist_pages_next - 1: *@page has begun; 0: no more; -EBADMSG: a damaged chunk or page,
 * which is passed over; -EIO, -ENOMEM
 * The page is valid until the next call.
 */
int hist_pages_next(struct hist_pages *pages, struct hist_page *page);

/* Bytes of pages that this CPU has, as they are in the file. */
uint64_t hist_pages_bytes(const struct hist_pages *pages);
/* How many of them this walk has behind it. */
uint64_t hist_pages_done(const struct hist_pages *pages);

/*
 * hist_pages_seek - to the last page that begins at or before @time, or the first one
 * By bisection over the pages' own times; decompresses what it looks at.
 */
int hist_pages_seek(struct hist_pages *pages, uint64_t time);

#endif
