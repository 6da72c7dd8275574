/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * tracedat_private.h - what reading and writing trace.dat files share
 */
#ifndef LIB_TRACEDAT_TRACEDAT_PRIVATE_H
#define LIB_TRACEDAT_TRACEDAT_PRIVATE_H

#include "lib/tracedat/tracedat.h"

/* trace-cmd.dat.v7(5): each section has a header, each option a shorter one. */
#define TRACEDAT_SECTION_HEADER 16
#define TRACEDAT_OPTION_HEADER 6
#define TRACEDAT_COMPRESSED 1 /* in a section's flags; the data begins with two u32 */
#define TRACEDAT_COMPRESSED_HEADER 8

/* Ids of options and sections, those that matter here. */
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

/*
 * A part of the file that is kept in memory.  @window slides; @big holds a
 * single read that is larger, and is freed at the next one.
 */
struct tracedat_window {
	unsigned char *data;
	uint64_t start;
	size_t len;
	unsigned char *big;
};

/* The data of one options section, in the file or unpacked. */
struct tracedat_source {
	struct tracedat_reader *reader;
	struct tracedat_section section;
	const unsigned char *raw; /* NULL: in the file, from section.data on */
	uint64_t len;
};

/* One option: @size bytes at @at of its section, which is not beyond its end. */
struct tracedat_option {
	const struct tracedat_source *source;
	uint16_t id;
	uint32_t size;
	uint64_t at;
};

/* What the options say. */
struct tracedat_options {
	bool has_events;
	uint64_t formats;   /* header of the section with the formats of events; 0: none */
	uint64_t last_done; /* of the 8 bytes of the last DONE; 0: in a compressed section */
	bool has_hist;	    /* the rest is of our option, the last one of several */
	bool hist_good;	    /* size, magic, version and CRC are right */
	uint64_t hist_offset;
	uint64_t hist_home; /* of the options section that holds it */
	uint64_t hist_home_end;
};

struct tracedat_reader {
	int fd;
	bool owns_fd;
	bool big_endian;
	unsigned int version;	/* 6 or 7; of any other nothing but it is read */
	unsigned int long_size; /* of user space: 4 or 8 */
	uint32_t page_size;
	enum hist_compression compression;
	uint64_t size;
	uint64_t options_at;  /* of the first options section; none in version 6 */
	uint64_t sections_at; /* behind the header: the first section of all */
	struct tracedat_options options;
	enum tracedat_hist_state hist_state;
	struct tracedat_window window;
};

/* As tracedat_open(), for a descriptor that stays the caller's. */
int tracedat_open_fd(struct tracedat_reader **reader, int fd, const char **why);

/*
 * tracedat_open_any - the header alone, of any version: look at reader->version
 * @fd stays the caller's, unless owns_fd is set.  Errors as of tracedat_open().
 */
int tracedat_open_any(struct tracedat_reader **reader, int fd, const char **why);
/* A descriptor for tracedat_open_any(), or -errno. */
int tracedat_open_path(const char *path);

/* pread() of all of @len bytes: 0, -ENODATA at the end of the file, or its errno. */
int tracedat_read_all(int fd, void *data, size_t len, uint64_t offset);

/* @len bytes at @at of an option, as tracedat_read(). */
int tracedat_option_read(const struct tracedat_option *option, uint32_t at, size_t len,
			 const void **data);

/*
 * tracedat_options_walk - @take gets each option of a file of version 7, DONE included
 * What it returns other than 0 ends the walk.  -EBADMSG: damaged; or the errno of read, -ENOMEM.
 * *@why is a static sentence, also when @take failed.
 */
int tracedat_options_walk(struct tracedat_reader *reader,
			  int (*take)(void *data, const struct tracedat_option *option), void *data,
			  const char **why);

/* Fills reader->options; 0, or -errno with a static sentence in *@why. */
int tracedat_options_read(struct tracedat_reader *reader, const char **why);

/* The 24 bytes of our option. */
void tracedat_hist_option(bool big_endian, uint64_t offset,
			  unsigned char option[TRACEDAT_HIST_OPTION_SIZE]);

/* A section header at @out. */
void tracedat_section_header(bool big_endian, void *out, uint16_t id, uint16_t flags,
			     uint32_t description, uint64_t size);

/* A descriptor as a sink. */
struct tracedat_file {
	struct tracedat_sink sink;
	int fd;
};

/*
 * A writer: where the next section goes and what it is called.
 * Invariant: the file is @size bytes long, whole sections all of them, except
 * after a failure to cut it back; the next append then overwrites the rest.
 */
struct tracedat_writer {
	struct tracedat_sink *sink;
	struct tracedat_file file; /* its sink, where it has no other */
	bool big_endian;
	bool attached; /* and not linked yet */
	enum hist_compression compression;
	uint64_t size;
	uint64_t first;	     /* of our first section; 0: none yet */
	uint64_t last_done;  /* attached: where link writes */
	uint32_t strings;    /* bytes of strings so far, as ids count them */
	uint32_t hist_title; /* string id of the description of our sections */
};

/*
 * tracedat_link(), with @len bytes of other options before ours, and with the offset of the
 * new options section written to @pointer, which is where the options lead on from there.
 */
int tracedat_link_options(struct tracedat_writer *writer, const void *options, size_t len,
			  uint64_t pointer);

/* A writer into @sink, or into @fd when that is NULL; NULL without memory. */
struct tracedat_writer *tracedat_writer_new(struct tracedat_sink *sink, int fd);

#endif
