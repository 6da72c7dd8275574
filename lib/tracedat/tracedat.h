/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * tracedat.h - write and read the sections of trace.dat version 7 files
 *
 * The writer creates a file without events that every stock tool opens, and appends sections.
 * It can also attach sections to a finished file.
 * The reader reads the header, the options, and the sections from an offset on.
 *
 * Source of the layout: trace-cmd.dat.v7(5).  The contents of histogram sections are in
 * trace-cmd-hist.dat(5).
 *
 * Offsets and sizes are bytes.  Functions return 0 or -errno.
 */
#ifndef LIB_TRACEDAT_TRACEDAT_H
#define LIB_TRACEDAT_TRACEDAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/error.h"
#include "lib/base/bytes.h"
#include "lib/tracedat/compress.h"

struct iovec;

/*
 * The id of histogram sections and of the histogram option.  It is far above the ids that
 * upstream assigns in ascending order (26 and above are free in 3.4).  0x9157 resembles HIST.
 */
#define TRACEDAT_HIST_ID 0x9157

/* Facts about the recorded machine.  All strings may be NULL. */
struct tracedat_machine {
	const char *uname;	 /* "Linux host 6.12.. x86_64", as trace-cmd writes it */
	const char *trace_clock; /* content of the trace_clock file: "local [mono] ..." */
	unsigned int cpus;
	unsigned int page_size;
	unsigned int long_size; /* 4 or 8, of user space */
	bool big_endian;
};

/* One event format file. */
struct tracedat_format {
	const char *system; /* formats of "ftrace" go into the ftrace section */
	const char *text;
	size_t len;
};

struct tracedat_contents {
	struct tracedat_machine machine;
	const char *header_page; /* NUL-terminated texts of events/header_page, header_event */
	const char *header_event;
	const struct tracedat_format *formats; /* grouped by system */
	size_t nformats;
	const char *names; /* of tasks, as in saved_cmdlines: "17 cat\n"; or NULL */
	const char
		*symbols; /* of the kernel, as in kallsyms: "ffffffff81000000 T _text\n"; or NULL */
	enum hist_compression compression;
	uint64_t trace_id; /* the same in all files of one recording; 0: the only file */
};

struct tracedat_writer;

/*
 * tracedat_create - write a complete, valid file without events to @fd
 * @fd: open for reading and writing, and empty; the caller closes it.
 * @contents: copied into the file and not needed afterwards.
 * The single options section ends with one TRACEDAT_HIST_ID option of 24 bytes
 * (TRACEDAT_HIST_OPTION_SIZE), which points to the end of the section.
 * -EINVAL: @fd is not empty, long or page size is invalid, or a header text is missing.  If the
 * write fails, the file is truncated to 0 bytes.
 */
int tracedat_create(struct tracedat_writer **writer, int fd,
		    const struct tracedat_contents *contents);

/*
 * The destination of a file that is not written to a descriptor.
 * @put: consume all of the @n buffers, or consume nothing and return -errno.  @offset is the
 * number of bytes consumed before.  @put may change @v.
 */
struct tracedat_sink {
	int (*put)(struct tracedat_sink *sink, struct iovec *v, int n, uint64_t offset);
};

/*
 * tracedat_create_to - same as tracedat_create(), but into @sink, which must outlive the writer
 * -EINVAL as above, or the error of @put.
 */
int tracedat_create_to(struct tracedat_writer **writer, struct tracedat_sink *sink,
		       const struct tracedat_contents *contents);

/*
 * tracedat_attach - prepare a finished v7 file for appending
 * @fd: open for reading and writing; the caller closes it.
 * Byte order and compression are those of the file.  Writes nothing.
 * -EINVAL: not a v7 file; -EEXIST: the file already has a histogram option, even a stale one;
 * -EBADMSG: damaged, or the sections do not extend to the end of the file; -ENOTSUP: unknown
 * compression, or the last options section is compressed.
 */
int tracedat_attach(struct tracedat_writer **writer, int fd);

/*
 * tracedat_link - make attached sections visible to readers, after tracedat_attach()
 * Appends an options section with the histogram option.  The last step writes its offset, 8
 * bytes in one write, to the last DONE option of the file.
 * If called before the first tracedat_append(), the option points to the end of its own section.
 * Each section is then visible as soon as it is appended, and truncation loses only the data
 * after the cut.  If called later, the option points back to the first histogram section.  All
 * sections then become visible at once, but truncation anywhere after the old end of the file
 * also loses the events for stock tools.
 * -EINVAL: not attached, or already linked.  On failure the file is unchanged.
 */
int tracedat_link(struct tracedat_writer *writer);

/*
 * tracedat_link_top - same as tracedat_link(), and make the buffer @name the top buffer
 * It is for files of stock `trace-cmd record -B NAME`.  Such a file has the events in the buffer
 * NAME and an empty top buffer, so programs that show only the top buffer show no events.
 * The new options section replaces all options sections from the first with a buffer on.  It has
 * the same options, except the empty top buffer and the name of the other buffer.
 * -ENOENT: @name is not a buffer of the file, or the top buffer has events, or stock trace-cmd
 * does not write options in this order.  The file is then unchanged and not linked.
 */
int tracedat_link_top(struct tracedat_writer *writer, const char *name);

#define TRACEDAT_PARTS_MAX 15

/*
 * tracedat_append - append one section made of @nparts buffers
 * The function adds the section header (id, flags 0, description string, size).  It writes the
 * section with one system call, or one call of the sink.
 * -EINVAL: more parts than TRACEDAT_PARTS_MAX.  If the write fails (ENOSPC, EFBIG...), the file is
 * truncated to its previous length, and the error is returned.
 */
int tracedat_append(struct tracedat_writer *writer, uint16_t id, const struct iovec *parts,
		    int nparts);

/* The size of the file in bytes. */
uint64_t tracedat_size(const struct tracedat_writer *writer);

/* --- buffers: events of the ring buffer --- */

/*
 * tracedat_resume - continue a file of tracedat_create(), such as one whose recorder was killed
 * @fd: open for reading and writing; the caller closes it.  A truncated section at the end is cut.
 * -ENODATA: the file has no histogram option; -ENOTSUP: the last options section is compressed;
 * or an error of tracedat_attach().
 */
int tracedat_resume(struct tracedat_writer **writer, int fd);

/* Whole pages of the ring buffer of one CPU. */
struct tracedat_pages {
	unsigned int cpu;
	const void *data;
	size_t len; /* a multiple of the page size */
};

/*
 * tracedat_append_buffer - append one section with the events of @n CPUs
 * @name: of the buffer, not "".  @clock: "mono".  @page_size: of the pages, a power of 2.
 * Readers see the buffer after tracedat_link_buffers().  Errors of tracedat_append(); -ENOMEM.
 */
int tracedat_append_buffer(struct tracedat_writer *writer, const char *name, const char *clock,
			   uint32_t page_size, const struct tracedat_pages *cpus, unsigned int n);

/*
 * tracedat_append_names - append the names of tasks, as in saved_cmdlines: "17 cat\n"
 * They replace those of the file, together with tracedat_link_buffers().  Errors of
 * tracedat_append_buffer().
 */
int tracedat_append_names(struct tracedat_writer *writer, const char *names, size_t len);
/* Likewise, the symbols of the kernel, as in kallsyms. */
int tracedat_append_symbols(struct tracedat_writer *writer, const char *symbols, size_t len);

/*
 * tracedat_link_buffers - make all appended buffers visible to readers, at once
 * Appends an options section, and then writes its offset, 8 bytes, to the last DONE option.
 * Nothing happens without new buffers and names.  -EINVAL: the file is a sink, or attached and not
 * linked.
 */
int tracedat_link_buffers(struct tracedat_writer *writer);

struct tracedat_reader;

/*
 * tracedat_copy_buffer - append the first buffer with events of @from, under the name @name
 * The function needs memory for the buffer.  -ENODATA: @from has no such buffer, or its pages are
 * compressed; -EBADMSG: damaged; or an error of tracedat_append_buffer().
 */
int tracedat_copy_buffer(struct tracedat_writer *writer, struct tracedat_reader *from,
			 const char *name);

void tracedat_writer_free(struct tracedat_writer *writer);

/* --- reading --- */

/*
 * tracedat_open - open a file, check its header, and read its options
 * The reader keeps the current size of the file and ignores data that is appended later.
 * @error may be NULL.
 * -EINVAL: not a trace.dat file of version 7; -EBADMSG: damaged, or truncated before the end of
 * the options; -ENOTSUP: unknown compression; -ENOMEM, or the errno of open() or read().
 */
int tracedat_open(struct tracedat_reader **reader, const char *path, struct hist_error *error);
/* The same for an open file, which the reader closes, also on failure. */
int tracedat_take_fd(struct tracedat_reader **reader, int fd, struct hist_error *error);
void tracedat_reader_free(struct tracedat_reader *reader);

/*
 * What the readers of many files share: a fixed number of descriptors, and memory of reading.  A
 * read of a file without a descriptor opens it again, and fails with -EIO if its path does not
 * name it any more.
 * All readers of a pool are those of one thread.
 */
struct tracedat_pool;

/* NULL without memory. */
struct tracedat_pool *tracedat_pool_new(void);
/* The readers are freed before it. */
void tracedat_pool_free(struct tracedat_pool *pool);
/* The path of the first file that was removed or replaced before a read; NULL: none. */
const char *tracedat_pool_lost(const struct tracedat_pool *pool);
/* A compressor of all readers; the pool owns it.  NULL without memory. */
struct hist_compressor *tracedat_pool_compressor(struct tracedat_pool *pool,
						 enum hist_compression kind);

/* tracedat_open() of a file of @pool; NULL: as tracedat_open(). */
int tracedat_open_in(struct tracedat_pool *pool, struct tracedat_reader **reader, const char *path,
		     struct hist_error *error);

/*
 * tracedat_open_beside - tracedat_open_in() of a file that infile_open_beside() opens
 * @of outlives the reader.  Errors of both.
 */
struct file_place;
int tracedat_open_beside(struct tracedat_pool *pool, struct tracedat_reader **reader,
			 const struct file_place *of, const char *name, uid_t owner);

/*
 * tracedat_reopen - create another reader of the same open file, with the file size of @reader
 * Errors of tracedat_open() if the file was overwritten, or the errno of dup().
 * -EINVAL after tracedat_join().
 */
int tracedat_reopen(struct tracedat_reader **copy, const struct tracedat_reader *reader);

/*
 * tracedat_join - continue the sections of @reader with the histogram sections of @next
 * The sections have offsets from the old size of @reader on, and its size grows.  @reader takes the
 * file of @next, which can then only be freed.
 * -EINVAL: @next has no histogram sections, or another byte order or compression; -ENOMEM.  On
 * failure both are unchanged.
 */
int tracedat_join(struct tracedat_reader *reader, struct tracedat_reader *next);

/*
 * tracedat_read_names - read the names of tasks
 * *@names is malloc'ed, and "" without names.  -EBADMSG: damaged or too long; -ENOMEM, or the errno
 * of read().
 */
int tracedat_read_names(struct tracedat_reader *reader, char **names);
/* Likewise, the symbols of the kernel. */
int tracedat_read_symbols(struct tracedat_reader *reader, char **symbols);

/* The TRACEID option: the same number in all files of one recording; 0: none. */
uint64_t tracedat_trace_id(const struct tracedat_reader *reader);

/* True if the file has event buffers that are not empty. */
bool tracedat_has_events(const struct tracedat_reader *reader);

enum tracedat_hist_state {
	TRACEDAT_HIST_NONE,  /* no option: never recorded, or dropped by `split` */
	TRACEDAT_HIST_STALE, /* the option without its sections: dropped by `convert` */
	TRACEDAT_HIST_BAD,   /* the option is damaged or has a later version */
	TRACEDAT_HIST_FOUND,
};

/*
 * tracedat_find_hist - find the first histogram section header
 * If the option points to the end of its options section, the state is FOUND, even at the end of
 * the file.  If it points before that section (late tracedat_link()), the state is STALE unless a
 * complete section with TRACEDAT_HIST_ID is at that offset.  *@offset is set only with FOUND.
 */
enum tracedat_hist_state tracedat_find_hist(const struct tracedat_reader *reader,
					    uint64_t *offset);

struct tracedat_section {
	uint64_t offset; /* of the section header */
	uint64_t data;	 /* of the data after the header */
	uint64_t size;	 /* of the data */
	uint16_t id;
	uint16_t flags;
};

/*
 * tracedat_part_end - the end of the file, or of that one of joined files which has @offset
 * No section extends past it.
 */
uint64_t tracedat_part_end(const struct tracedat_reader *reader, uint64_t offset);

/*
 * tracedat_read_section - read the section header at @offset
 * 1: *@section is filled; 0: end of the file; -ENODATA: header or data extend past the end of
 * the file (truncated); or the errno of read().  *@section is set only with 1.
 * The function reads through a window, so a forward walk does not need one system call per
 * section.
 */
int tracedat_read_section(struct tracedat_reader *reader, uint64_t offset,
			  struct tracedat_section *section);

/*
 * tracedat_read - read @len bytes at @offset
 * The reader owns *@data, which is valid until the next call.  -ENODATA: past the end of the
 * file; -ENOMEM; or the errno of read().  The function allocates up to @len bytes, at most the
 * size of the file.  The caller must bound a @len that comes from the file.
 */
int tracedat_read(struct tracedat_reader *reader, uint64_t offset, size_t len, const void **data);

/*
 * The histogram option, 24 bytes, in the file's byte order:
 *    0 u32 magic 0x54534948 (the bytes "HIST" when little endian)
 *    4 u16 version, 1
 *    6 u16 flags, 0
 *    8 u64 offset of the header of the first histogram section
 *   16 u32 CRC-32 (zlib) of the 16 bytes before
 *   20 u32 0
 */
#define TRACEDAT_HIST_MAGIC 0x54534948u
#define TRACEDAT_HIST_VERSION 1
#define TRACEDAT_HIST_OPTION_SIZE 24

#endif
