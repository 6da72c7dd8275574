/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracedat_files.h - trace.dat files in memory, for the tracedat tests
 *
 * All of them end the test program when the set-up itself fails.
 */
#ifndef UTEST_UNIT_LIB_TRACEDAT_TRACEDAT_FILES_H
#define UTEST_UNIT_LIB_TRACEDAT_TRACEDAT_FILES_H

#include "lib/tracedat/tracedat.h"

/* A file without a name, empty or with a content; close() it. */
int memory_file(void);
int memory_file_with(const void *data, size_t len);

/* The content of the file, malloc'ed. */
unsigned char *file_content(int fd, size_t *len);

/* utest/data/NAME, malloc'ed. */
unsigned char *data_file(const char *name, size_t *len);

/* tracedat_open() of a descriptor. */
int open_file(struct tracedat_reader **reader, int fd, struct hist_error *error);

/* As tracedat_open(), for a content; the reader outlives @data. */
int open_content(struct tracedat_reader **reader, const void *data, size_t len,
		 struct hist_error *error);

/*
 * From now on each pwritev() of the library writes at most @most bytes, is first
 * interrupted when @interrupt, and fails with @error when @calls writes were
 * done.  limit_writes(SIZE_MAX, false, SIZE_MAX, 0) is as usual.
 */
void limit_writes(size_t most, bool interrupt, size_t calls, int error);

/* Appends one section of ours made of @len bytes @fill. */
int append_fill(struct tracedat_writer *writer, unsigned char fill, size_t len);

/*
 * The number of our sections from @offset to the end; *@end is what
 * tracedat_read_section() says there.
 */
int count_sections(struct tracedat_reader *reader, uint64_t offset, int *end);

/*
 * A file of 3 sections of ours with 40, 0 and 7 bytes; *@first is where they
 * begin.  malloc'ed.
 */
unsigned char *sample_file(enum hist_compression compression, bool big_endian, size_t *len,
			   size_t *first);

#endif
