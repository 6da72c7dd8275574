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

#include "lib/base/varint.h"
#include "lib/ringbuf/events.h"
#include "lib/tracedat/tracedat_private.h"

/* Ids of CPUs are below that; the kernel's limit is 8192. */
#define EVENTS_CPUS_MAX 65536
#define EVENTS_BUFFERS_MAX 4096
/* Pages of the ring buffer: RB_WRITE_MASK allows 1 MiB. */
#define EVENTS_PAGE_MIN 512
#define EVENTS_PAGE_MAX (1u << 20)

/* A part of the file: of version 7 a section, which may be compressed. */
struct events_part {
	uint64_t at, size; /* of its data in the file; size 0: none */
	bool packed;	   /* TRACEDAT_COMPRESSED_HEADER and the compressed data */
};

/* Where the pages of a CPU are; of a packed buffer, its chunks. */
struct events_cpu {
	uint32_t cpu;
	uint64_t at, size;
};

struct events_buffer {
	struct hist_events_buffer facts;
	char *clock; /* owned, as facts.name is; may be NULL */
	uint32_t page_size;
	bool packed;
	uint64_t places; /* of version 6: where those of its pages stand; 0: nowhere */
	struct events_cpu *cpus; /* by their numbers */
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
	char *ftrace, *others; /* what the texts are in; owned */
};

struct events_comms {
	char *text;	       /* comms end with a NUL */
	struct events_comm {
		uint32_t pid;
		uint32_t at; /* in @text */
	} *list; /* by pid */
	size_t n;
	bool ready;
};

/* What it takes to decompress a chunk. */
struct events_packer {
	struct hist_compressor *compressor;
	unsigned char *in; /* of @room bytes */
	size_t room;
};

/*
 * Those that are not in use.  A walk has one only while it decompresses, so that there are as many
 * as threads, and not as CPUs.
 */
struct events_packers {
	pthread_mutex_t lock;
	struct events_packer *free[64];
	unsigned int n;
};

/* See events_time.c; all 0: times are as they are in the pages. */
struct events_time {
	uint64_t offset; /* ns, added to all */
	uint32_t mult, shift; /* ticks to ns; mult 0: not */
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
	bool is_mapped; /* pages are, where they are not compressed */
	struct events_formats formats;
	struct events_part kallsyms, cmdlines;
	struct hist_symbols *symbols; /* NULL before the first lookup, and after an error */
	int symbols_error;
	struct events_comms comms;
	int names_error; /* hist_events_names_error() */
	struct events_packers *packers;
	struct events_time time;
};

/* --- events.c --- */

/* Data from the file, in its byte order.  The functions below set take.failed at the end of it. */
struct events_bytes {
	struct take take;
	bool big_endian;
};

struct events_bytes events_bytes(const struct hist_events *events, const void *data, size_t len);
/* The number of @size bytes (2, 4 or 8) at @p, and the next one in @b; 0 if @b has failed. */
uint64_t events_number(bool big_endian, const void *p, unsigned int size);
uint64_t events_take_number(struct events_bytes *b, unsigned int size);
/* The next string with its NUL; NULL if @b has failed. */
const char *events_take_string(struct events_bytes *b);
/* A u64 and as many bytes; NULL if @b has failed. */
const char *events_take_sized(struct events_bytes *b, size_t *len);

/* Of @name, which is not NULL; @clock may be.  The top one is there already: -EBADMSG, -ENOMEM. */
int events_add_buffer(struct hist_events *events, const char *name, const char *clock,
		      struct events_buffer **buffer);
/* In any order; -EBADMSG: twice, or a number that no CPU has. */
int events_add_cpu(struct events_buffer *buffer, uint32_t cpu, uint64_t at, uint64_t size);
/* "header_page", u64, text, "header_event", u64, text; *@used bytes of it. */
int events_take_headers(struct hist_events *events, const char *data, size_t len);

/* pread() of all @len bytes at offset @at of the file; -EBADMSG if the file ends before. */
int events_read(const struct hist_events *events, uint64_t at, void *data, size_t len);

/*
 * events_part_read - all of a part of at most @max bytes, with a NUL behind it; malloc'ed
 * -EBADMSG: larger, damaged or cut; -ENOMEM, or the errno of read.
 */
int events_part_read(const struct hist_events *events, const struct events_part *part, size_t max,
		     char **data, size_t *len);

/* --- events_time.c --- */

/* True for an option about times. */
bool events_time_wants(uint16_t id);
/* -EBADMSG: damaged, -ENOMEM */
int events_time_take(struct hist_events *events, uint16_t id, const void *data, size_t size);
void events_time_clear(struct events_time *time);

/* --- chunk_decompress.c --- */

struct events_packers *events_packers_new(void);
void events_packers_free(struct events_packers *packers);
/*
 * Read @packed bytes at offset @at of the file, and decompress them to exactly @len bytes.
 * -EBADMSG: damaged or truncated; -ENOMEM, or the errno of read().
 */
int events_unpack(const struct hist_events *events, uint64_t at, size_t packed, void *data,
		  size_t len);

/* --- the two layouts; *@why is a static sentence --- */

int events_open_v6(struct hist_events *events, const char **why);
int events_open_v7(struct hist_events *events, const char **why);

/* --- events_formats.c; the texts become its own --- */

int events_formats_ftrace(struct hist_events *events, char *data, size_t len);
int events_formats_others(struct hist_events *events, char *data, size_t len);
void events_formats_free(struct events_formats *formats);

/* --- events_names.c --- */

void events_names_free(struct hist_events *events);

#endif
