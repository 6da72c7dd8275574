/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * tracedat.h - trace.dat version 7 files, as far as histograms need them
 *
 * Written: a file without events that every stock tool opens, to which
 * sections are appended one by one; and sections attached to a finished file.
 * Read: the header, the options, and the sections from an offset on.
 * Source of the layout: trace-cmd.dat.v7(5); Documentation/trace-cmd-hist.dat.5.txt
 * tells what we put into it.
 *
 * Offsets and sizes are bytes.  Functions return 0 or -errno.
 */
#ifndef LIB_TRACEDAT_TRACEDAT_H
#define LIB_TRACEDAT_TRACEDAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/compress.h"

struct iovec;

/*
 * Our section and option id: far above those that upstream allots upwards
 * (26 and more are free in 3.4), 0x9157 as in HIST.
 */
#define TRACEDAT_HIST_ID 0x9157

/* What a file says of the machine it was made on.  All strings may be NULL. */
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
	const char *system; /* "ftrace" ones go into the ftrace section */
	const char *text;
	size_t len;
};

struct tracedat_contents {
	struct tracedat_machine machine;
	const char *header_page; /* NUL-terminated texts of events/header_page, header_event */
	const char *header_event;
	const struct tracedat_format *formats; /* those of one system stand together */
	size_t nformats;
	enum hist_compression compression;
};

struct tracedat_writer;

/*
 * tracedat_create - write a complete, valid file without events to @fd
 * @fd: open for reading and writing, empty; stays the caller's.
 * @contents: copied into the file, not needed afterwards.
 * The single options section ends with one TRACEDAT_HIST_ID option: 24 bytes,
 * see TRACEDAT_HIST_OPTION_SIZE below, pointing just behind the section.
 * -EINVAL: @fd is not empty, long or page size make no sense, a header text is
 * missing.  When the write fails, the file is empty again.
 */
int tracedat_create(struct tracedat_writer **writer, int fd,
		    const struct tracedat_contents *contents);

/*
 * Where a file goes that is not written to a descriptor.
 * @put: take all of the @n buffers, or nothing and give -errno.  @offset is the
 * number of bytes taken before.  @v itself may be changed.
 */
struct tracedat_sink {
	int (*put)(struct tracedat_sink *sink, struct iovec *v, int n, uint64_t offset);
};

/*
 * tracedat_create_to - the same into @sink, which must outlive the writer
 * -EINVAL as above, or what @put gives.
 */
int tracedat_create_to(struct tracedat_writer **writer, struct tracedat_sink *sink,
		       const struct tracedat_contents *contents);

/*
 * tracedat_attach - prepare a finished v7 file for appending
 * @fd: open for reading and writing; stays the caller's.
 * Takes byte order and compression from the file.  Writes nothing.
 * -EINVAL: not a v7 file; -EEXIST: it has our option already, if only a stale
 * one; -EBADMSG: damaged, or its sections do not reach to its end; -ENOTSUP: an
 * unknown compression, or the last options section is compressed.
 */
int tracedat_attach(struct tracedat_writer **writer, int fd);

/*
 * tracedat_link - after tracedat_attach(): append an options section with our
 * option and, last, enter its offset into the file's last DONE option, which
 * makes it known in one 8-byte write
 * Called before the first section is appended, the option points just behind
 * itself: every section is known as soon as it is appended, and when the file
 * is cut later, only what is behind the cut is lost.  Called after that, it
 * points back to the first one of ours: all of them become known at once, but
 * a cut anywhere behind the old end of the file takes the stock tools' events
 * along.
 * -EINVAL: not attached, or linked already.  On failure the file is what it was
 * before the call.
 */
int tracedat_link(struct tracedat_writer *writer);

/*
 * tracedat_link_top - the same, and the buffer @name becomes the top one
 * For files of stock `trace-cmd record -B NAME`, which has the events in a buffer of that name
 * and a top buffer without any: programs that show the top buffer alone show nothing of it.
 * Our options section then takes the place of all from the first with a buffer on: it
 * has the same options, but for the empty top buffer, and for the name.
 * -ENOENT: @name is no buffer of the file, or the top buffer has events, or the options
 * are arranged as stock trace-cmd does not: the file is what it was, and not linked.
 */
int tracedat_link_top(struct tracedat_writer *writer, const char *name);

#define TRACEDAT_PARTS_MAX 15

/*
 * tracedat_append - append one section made of @nparts buffers
 * The section header (id, flags 0, description string, size) is added; one
 * system call, or one call of the sink, writes all of it.  -EINVAL: more parts than TRACEDAT_PARTS_MAX.
 * All or nothing: when the write fails (ENOSPC, EFBIG...) the file is cut back to
 * the length it had, and the error is returned.
 */
int tracedat_append(struct tracedat_writer *writer, uint16_t id, const struct iovec *parts,
		    int nparts);

/* Bytes in the file so far; where the next section would begin. */
uint64_t tracedat_size(const struct tracedat_writer *writer);
enum hist_compression tracedat_writer_compression(const struct tracedat_writer *writer);
bool tracedat_writer_big_endian(const struct tracedat_writer *writer);

void tracedat_writer_free(struct tracedat_writer *writer);

/* --- reading --- */

struct tracedat_reader;

/*
 * tracedat_open - open and check the header, and read the options
 * The file is read as long as it is now; what is appended later is not seen.
 * On failure *@why (may be NULL) is a static sentence: "not a trace.dat file",
 * "version 6: histograms need version 7"...  -EINVAL for what is no such file,
 * -EBADMSG for damage or a cut before the end of the options, -ENOTSUP for an
 * unknown compression, -ENOMEM, or the errno of open/read.
 */
int tracedat_open(struct tracedat_reader **reader, const char *path, const char **why);
void tracedat_reader_free(struct tracedat_reader *reader);

/*
 * tracedat_reopen - another reader of the same open file, of the size that @reader knows
 * Errors as of tracedat_open(), where somebody has written over it, or of dup.
 */
int tracedat_reopen(struct tracedat_reader **copy, const struct tracedat_reader *reader);

bool tracedat_big_endian(const struct tracedat_reader *reader);
enum hist_compression tracedat_compression(const struct tracedat_reader *reader);
uint64_t tracedat_file_size(const struct tracedat_reader *reader);
/* True when the file holds event buffers that are not empty. */
bool tracedat_has_events(const struct tracedat_reader *reader);

/*
 * tracedat_event_format - the text of events/SYSTEM/NAME/format, as the file has it
 * *@text is malloc'ed, with a NUL behind its *@len bytes.  -ENOENT: it has none; -EBADMSG:
 * damaged; -ENOMEM, or the errno of read.
 */
int tracedat_event_format(struct tracedat_reader *reader, const char *system, const char *name,
			  char **text, size_t *len);

enum tracedat_hist_state {
	TRACEDAT_HIST_NONE,  /* no option: never recorded, or dropped by `split` */
	TRACEDAT_HIST_STALE, /* the option is there, the sections are not: `convert` */
	TRACEDAT_HIST_BAD,   /* the option itself is damaged or of a later version */
	TRACEDAT_HIST_FOUND,
};

/*
 * tracedat_hist_first - where our first section header stands
 * Where the options end that hold our option: always FOUND, even at the end of
 * the file.  Anywhere before them, which is where a late tracedat_link() finds
 * them: STALE when no whole section with our id stands there.  *@offset is
 * only set with FOUND.
 */
enum tracedat_hist_state tracedat_hist_first(const struct tracedat_reader *reader,
					     uint64_t *offset);

struct tracedat_section {
	uint64_t offset; /* of the section header */
	uint64_t data;	 /* of the data behind it */
	uint64_t size;	 /* of the data */
	uint16_t id;
	uint16_t flags;
};

/*
 * tracedat_section_at - the section header at @offset
 * 1 filled; 0 clean end of file; -ENODATA: header or data run over the end of
 * the file (a truncated tail); or the errno of read.  *@section is only set
 * with 1.  Reads through a window, so that walking forward costs no system
 * call a section.
 */
int tracedat_section_at(struct tracedat_reader *reader, uint64_t offset,
			struct tracedat_section *section);

/*
 * tracedat_read - @len bytes at @offset; -ENODATA past the end
 * *@data is the reader's, valid until its next call.  Memory is taken for @len
 * (-ENOMEM), which is at most the size of the file: bound it where it came
 * from the file.  Otherwise the errno of read.
 */
int tracedat_read(struct tracedat_reader *reader, uint64_t offset, size_t len, const void **data);

/* Integers in the file's byte order. */
uint16_t tracedat_u16(bool big_endian, const void *p);
uint32_t tracedat_u32(bool big_endian, const void *p);
uint64_t tracedat_u64(bool big_endian, const void *p);
void tracedat_put_u16(bool big_endian, void *p, uint16_t v);
void tracedat_put_u32(bool big_endian, void *p, uint32_t v);
void tracedat_put_u64(bool big_endian, void *p, uint64_t v);

/*
 * Our option, 24 bytes, in the file's byte order:
 *    0 u32 magic 0x54534948 (the bytes "HIST" when little endian)
 *    4 u16 version, 1
 *    6 u16 flags, 0
 *    8 u64 offset of the header of our first section
 *   16 u32 CRC-32 (zlib) of the 16 bytes before
 *   20 u32 0
 */
#define TRACEDAT_HIST_MAGIC 0x54534948u
#define TRACEDAT_HIST_VERSION 1
#define TRACEDAT_HIST_OPTION_SIZE 24

#endif
