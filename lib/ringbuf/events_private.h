/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * events_private.h - structures shared by the readers of events in a trace.dat file
 *
 * events_v6.c and events_v7.c find the parts of a file.  The contents of formats, symbols, comms
 * and pages are the same in both versions.
 */
#ifndef LIB_RINGBUF_EVENTS_PRIVATE_H
#define LIB_RINGBUF_EVENTS_PRIVATE_H

#include <pthread.h>
#include <stdlib.h>

#include "lib/base/varint.h"
#include "lib/ringbuf/events.h"
#include "lib/tracedat/tracedat_format.h"

/* A uname or a list of clocks is one line; a buffer's name is that of a directory. */
#define EVENTS_STRING_MAX 4096
/* The formats of a kernel with all modules need a tenth of this. */
#define EVENTS_FORMATS_MAX (64u << 20)
#define EVENTS_HEADERS_MAX (256u << 10)

/* Numbers of CPUs are below this; the limit of the kernel is 8192. */
#define EVENTS_CPUS_MAX 65536
#define EVENTS_BUFFERS_MAX 4096
/* Pages of the ring buffer: RB_WRITE_MASK allows 1 MiB. */
#define EVENTS_PAGE_MIN 512
#define EVENTS_PAGE_MAX (1u << 20)

/* A part of the file. In version 7 it is a section, which may be compressed. */
struct events_part {
	uint64_t at, size; /* of its data in the file; size 0: none */
	bool packed;	   /* TRACEDAT_COMPRESSED_HEADER and the compressed data */
};

/* The place of a CPU's pages, or of its chunks if the buffer is packed. */
struct events_cpu {
	uint32_t cpu;
	uint64_t at, size;
};

struct events_buffer {
	struct hist_events_buffer facts;
	char *clock; /* owned, as facts.name is; may be NULL */
	uint32_t page_size;
	bool packed;
	uint64_t places; /* version 6: offset of the list of its CPUs; 0: none */
	struct events_cpu *cpus; /* in the order of their numbers */
	unsigned int ncpus;
};

struct events_format {
	const char *system;
	const char *name; /* in @text, not NUL-terminated */
	const char *text;
	size_t name_len, len;
};

struct events_formats {
	struct events_format *list;
	unsigned int n;
	char *ftrace, *others; /* the memory of the texts; owned */
};

struct events_comms {
	char *text;	       /* comms end with a NUL */
	struct events_comm {
		uint32_t pid;
		uint32_t at; /* in @text */
	} *list; /* by pid */
	size_t n;
	bool ready; /* atomic */
};

/* A decompressor, with a buffer for compressed data. */
struct chunk_decompressor {
	struct hist_compressor *compressor;
	unsigned char *in; /* of @room bytes */
	size_t room;
};

/*
 * The decompressors that are not in use.  A walk holds one only while it decompresses, so their
 * number is that of the threads, not that of the CPUs.
 */
struct chunk_decompressors {
	pthread_mutex_t lock;
	struct chunk_decompressor *free[64];
	unsigned int n;
};

/* See events_time.c.  All 0: times are not adjusted. */
struct events_time {
	uint64_t offset; /* ns, added to all */
	uint32_t mult, shift; /* converts ticks to ns; mult 0: no conversion */
	bool interpolate;
	struct events_shift *shifts; /* of the top buffer's CPUs, to the host's clock */
	uint32_t nshifts;
	struct hist_events_guest *guests; /* names owned */
	unsigned int nguests;
};

struct hist_events {
	struct tracedat_reader *file;
	struct hist_events_machine machine;
	char *clock, *clock_text;
	struct events_buffer *buffers; /* the first is the top one */
	unsigned int nbuffers;
	bool has_text; /* of a latency tracer */
	struct events_formats formats;
	struct events_part kallsyms, cmdlines;
	pthread_mutex_t names_lock;    /* of those below until they are ready */
	struct hist_kallsyms *symbols; /* NULL before the first lookup, and after an error */
	int symbols_error;
	bool symbols_ready; /* atomic */
	struct events_comms comms;
	int names_error; /* atomic; hist_events_names_error() */
	struct chunk_decompressors *packers;
	struct events_time time;
};

/* --- events_bytes.c --- */

/* Data from the file, in its byte order.  The functions below set take.failed at the end of it. */
struct events_bytes {
	struct varint_reader take;
	bool big_endian;
};

struct events_bytes events_bytes(const struct hist_events *events, const void *data, size_t len);
/* The next number of @size bytes (2, 4 or 8); 0 if @b has failed. */
uint64_t events_take_number(struct events_bytes *b, unsigned int size);
/* The next string with its NUL; NULL if @b has failed. */
const char *events_take_string(struct events_bytes *b);
/* A u64 and as many bytes; NULL if @b has failed. */
const char *events_take_sized(struct events_bytes *b, size_t *len);

/* pread() of all @len bytes at offset @at of the file; -EBADMSG if the file ends before. */
int events_read(const struct hist_events *events, uint64_t at, void *data, size_t len);

/* Parse a part, and take ownership of @data.  0, -EBADMSG, -ENOMEM. */
typedef int events_take(struct hist_events *events, char *data, size_t len);
/*
 * events_part_take - read a whole part of at most @max bytes, decompress it, and pass it to @take
 * A NUL follows its @len bytes.  -EBADMSG: larger, damaged or truncated; -ENOMEM, or the errno of
 * read().
 */
int events_part_take(struct hist_events *events, const struct events_part *part, size_t max,
		     events_take *take);

/*
 * events_explain - the result of reading a part: -EBADMSG and -ENODATA mean what @damaged says
 * Returns -EBADMSG then, and otherwise @ret, which speaks for itself.
 */
int events_explain(int ret, struct hist_error *error, const char *damaged);

/* --- events_parts.c --- */

static inline void events_clear_buffer(struct events_buffer *b)
{
	free((char *)b->facts.name);
	free(b->clock);
	free(b->cpus);
	*b = (struct events_buffer){ 0 };
}

/*
 * Add a buffer.  "" is the top-level buffer: the first call adds it, later ones fill it in again.
 * @clock may be NULL.  -EBADMSG, -ENOMEM.
 */
int events_add_buffer(struct hist_events *events, const char *name, const char *clock,
		      struct events_buffer **buffer);
/* Add a CPU, in any order.  -EBADMSG: it exists already, or its number is too large. */
int events_add_cpu(struct events_buffer *buffer, uint32_t cpu, uint64_t at, uint64_t size);
/* Take an option that both versions have: the times, the uname, the clock or the number of CPUs. */
int events_take_option(struct hist_events *events, const struct tracedat_option *option);
/* "header_page", u64, text, "header_event", u64, text. */
events_take events_take_headers;

/* --- events_time.c --- */

/* Take an option that is about times; others are ignored.  -EBADMSG: damaged, -ENOMEM */
int events_time_take(struct hist_events *events, const struct tracedat_option *option);
void events_time_clear(struct events_time *time);

/* --- chunk_decompress.c --- */

struct chunk_decompressors *chunk_decompressors_new(void);
void chunk_decompressors_free(struct chunk_decompressors *packers);
/*
 * Read @packed bytes at offset @at of the file, and decompress them to exactly @len bytes.
 * -EBADMSG: damaged or truncated; -ENOMEM, or the errno of read().
 */
int chunk_decompress(const struct hist_events *events, uint64_t at, size_t packed, void *data,
		     size_t len);

/* --- events_ahead.c: a thread that decompresses the next chunks of each walk --- */

/*
 * The unit is a run of chunks: to decompress one takes about as long as to wake a thread up.
 *
 * A walk alternates: events_ahead_take() for the run that it needs, then events_ahead_want() for
 * the one after it.  All functions are for the thread of the walks.
 */
#define CHUNK_HEADER 8

struct chunk {
	uint32_t packed, raw; /* sizes */
};

#define CHUNK_RUN_MAX 16

/* Chunks that follow each other, and the size of their data. */
struct chunk_run {
	uint64_t at; /* of the header of the first one in the file */
	unsigned int n;
	struct chunk chunks[CHUNK_RUN_MAX];
	size_t len;
};

/* The next run of one walk.  NULL: out of memory. */
struct run_ahead;
struct run_ahead *events_ahead_open(struct hist_events_ahead *ahead);
void events_ahead_close(struct run_ahead *next);

/* events_ahead_want - the walk will need @run; the thread holds as much memory as its data */
void events_ahead_want(struct run_ahead *next, const struct chunk_run *run);

/*
 * events_ahead_take - get the run at @at of the file
 * If it is the wanted one, decompress what is left of it, exchange its data for *@data of *@room
 * bytes, and fill *@run.  False: it is not, or a chunk cannot be decompressed; the walk reads its
 * chunks itself.
 */
bool events_ahead_take(struct run_ahead *next, uint64_t at, unsigned char **data, size_t *room,
		       struct chunk_run *run);

#define EVENTS_ONLY_TEXT "the file contains the text output of a latency tracer, and no events"

/* --- the two layouts --- */

int events_open_v6(struct hist_events *events, struct hist_error *error);
int events_open_v7(struct hist_events *events, struct hist_error *error);

/* --- events_formats.c --- */

events_take events_formats_ftrace, events_formats_others;
void events_formats_free(struct events_formats *formats);

/* --- events_names.c --- */

void events_names_free(struct hist_events *events);

#endif
