/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * tracedat_format.h - structures of trace.dat files, for the readers and writers of their sections
 */
#ifndef LIB_TRACEDAT_TRACEDAT_FORMAT_H
#define LIB_TRACEDAT_TRACEDAT_FORMAT_H

#include "lib/base/error.h"
#include "lib/base/bytes.h"
#include "lib/base/file_place.h"
#include "lib/base/strbuf.h"
#include "lib/tracedat/tracedat.h"

/* trace-cmd.dat.v7(5): each section has a header, each option a shorter one. */
#define TRACEDAT_SECTION_HEADER 16
#define TRACEDAT_OPTION_HEADER 6
#define TRACEDAT_COMPRESSED 1 /* in a section's flags; the data begins with two u32 */
#define TRACEDAT_COMPRESSED_HEADER 8

/* Ids of the options and sections that this library uses. */
enum {
	TRACEDAT_DONE = 0, /* as a section: the options */
	TRACEDAT_DATE = 1,
	TRACEDAT_BUFFER = 3,
	TRACEDAT_TRACECLOCK = 4,
	TRACEDAT_UNAME = 5,
	TRACEDAT_OFFSET = 7,
	TRACEDAT_CPUCOUNT = 8,
	TRACEDAT_TRACEID = 11,
	TRACEDAT_TIME_SHIFT = 12,
	TRACEDAT_GUEST = 13,
	TRACEDAT_TSC2NSEC = 14,
	TRACEDAT_STRINGS = 15,
	TRACEDAT_HEADER_INFO = 16,
	TRACEDAT_FTRACE_EVENTS = 17,
	TRACEDAT_EVENT_FORMATS = 18,
	TRACEDAT_KALLSYMS = 19,
	TRACEDAT_PRINTK = 20,
	TRACEDAT_CMDLINES = 21,
	TRACEDAT_BUFFER_TEXT = 22,
};

/* How a file is found: by its path, or, if @of is not NULL, by infile_open_beside(). */
struct tracedat_name {
	const char *path;
	const struct file_place *of;
	uid_t owner;
};

/*
 * A file that a reader reads, through a window that moves forward.  @big has one read that is
 * larger than the window; the next read frees it.
 */
struct tracedat_source {
	int fd; /* -1: none until the next read */
	bool owns_fd;
	unsigned char *window, *big;
	uint64_t start; /* offset of the window in the file */
	size_t len;
	/* the others are only for a file of a pool */
	struct tracedat_pool *pool;
	struct tracedat_name name; /* its path is malloc'ed */
	struct stat file;
	uint64_t read; /* number of the last read of all files of the pool */
};

/* One option. */
struct tracedat_option {
	const struct tracedat_section *section; /* that has the option */
	bool big_endian;
	uint16_t id;
	uint32_t size;
	const unsigned char *data; /* valid until the walk goes on */
	uint64_t at; /* offset of the data in the file; 0: in a compressed section */
};

/* Facts from the options. */
struct tracedat_options {
	bool has_events;
	uint64_t trace_id; /* 0: none */
	uint64_t last_done; /* offset of the data of the last DONE; 0: in a compressed section */
	bool has_hist;	    /* the other members describe the last histogram option */
	bool hist_good;	    /* size, magic, version and CRC are right */
	uint64_t hist_offset;
	uint64_t hist_home; /* offset of the options section that has the option */
	uint64_t hist_home_end;
};

/* One of the joined files: the bytes from @skip on are those from @start to @end of the reader. */
struct tracedat_part {
	struct tracedat_source *source;
	uint64_t start, end, skip;
};

struct tracedat_reader {
	struct tracedat_source *source;
	bool big_endian;
	unsigned int version;	/* 6 or 7; no other member is read for any other version */
	unsigned int long_size; /* of user space: 4 or 8 */
	uint32_t page_size;
	enum hist_compression compression;
	uint64_t size;
	uint64_t options_at;  /* offset of the first options section; none in version 6 */
	uint64_t sections_at; /* end of the header: offset of the first section */
	struct tracedat_options options;
	enum tracedat_hist_state hist_state;
	struct tracedat_part *parts; /* NULL: only the file of @source */
	unsigned int nparts;
	uint32_t parts_room;
};

/* A descriptor, valid until another file of the pool is read, or -errno. */
int tracedat_source_fd(struct tracedat_source *source);
/* tracedat_read_all() from the file. */
int tracedat_source_read_all(struct tracedat_source *source, void *data, size_t len,
			     uint64_t offset);
/* Same as tracedat_open(), for a descriptor that the caller closes. */
int tracedat_open_fd(struct tracedat_reader **reader, int fd, struct hist_error *error);

/*
 * tracedat_open_header - read only the header, of any version; the caller checks reader->version
 * Errors of tracedat_open().  @pool may be NULL.
 */
int tracedat_open_header(struct tracedat_pool *pool, struct tracedat_reader **reader,
			 const char *path, struct hist_error *error);

/*
 * tracedat_load - read @size bytes at offset @at into memory, and decompress them if @packed
 * *@data is malloc'ed, and a NUL follows its *@len bytes; both are unchanged after an error.
 * -EBADMSG: damaged, or larger than @max; -ENODATA: the file is truncated; -ENOMEM, or the errno
 * of pread().
 */
int tracedat_load(const struct tracedat_reader *reader, uint64_t at, uint64_t size, bool packed,
		  size_t max, char **data, size_t *len);

typedef int tracedat_option_take(void *arg, const struct tracedat_option *option);

/*
 * tracedat_options_visit - call @take for each option of a version 7 file, including DONE
 * A result of @take other than 0 ends the walk.  -EBADMSG: damaged; -ENOMEM; the errno of read().
 */
int tracedat_options_visit(struct tracedat_reader *reader, tracedat_option_take *take, void *arg,
			   struct hist_error *error);

/* Writes a section header to @out. */
void tracedat_put_section_header(bool big_endian, void *out, uint16_t id, uint16_t flags,
				 uint32_t description, uint64_t size);

/* A descriptor as a sink. */
struct tracedat_file {
	struct tracedat_sink sink;
	int fd;
};

/*
 * A writer: the offset and the description of the next section.
 * Invariant: the file is @size bytes long and has only complete sections, except if truncation
 * failed after a failed write.  The next append then overwrites the rest.
 */
struct tracedat_writer {
	struct tracedat_sink *sink;
	struct tracedat_file file; /* the default sink */
	bool big_endian;
	bool attached; /* true between attach and link */
	enum hist_compression compression;
	uint64_t size;
	uint64_t first;	     /* offset of the first histogram section; 0: none yet */
	uint64_t last_done;  /* offset that a link is written to: the last DONE option; 0: a sink */
	struct hist_strbuf buffers; /* BUFFER options that tracedat_link_buffers() will write */
	uint32_t strings;    /* bytes of strings so far; string ids are offsets into them */
	uint32_t hist_title; /* string id of the description of histogram sections */
};

/*
 * Append an options section with @len bytes of @options, and the histogram option if the file is
 * attached and lacks it.  The offset of the section is written to offset @pointer: the DONE option
 * that links it.
 */
int tracedat_link_options(struct tracedat_writer *writer, const void *options, size_t len,
			  uint64_t pointer);

/* Append a number of @size bytes, in the byte order of the file. */
static inline void tracedat_put_number(struct hist_strbuf *b, bool big_endian, unsigned int size,
				       uint64_t v)
{
	unsigned char p[8];

	bytes_put_u64(big_endian, p, v);
	hist_strbuf_add(b, big_endian ? p + 8 - size : p, size);
}

#endif
