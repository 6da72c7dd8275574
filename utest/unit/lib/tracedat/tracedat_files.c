// SPDX-License-Identifier: GPL-2.0
/*
 * tracedat_files.c - trace.dat files in memory; see tracedat_files.h
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/tracedat/tracedat_format.h"
#include "utest/unit/lib/tracedat/tracedat_files.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"

/* Where the build does not say, the tests are run in the top directory. */
#ifndef UTEST_DATA
#define UTEST_DATA "utest/data"
#endif

static void need(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(2);
}

int memory_file(void)
{
	int fd = memfd_create("trace.dat", MFD_CLOEXEC);

	need(fd >= 0, "memfd_create");
	return fd;
}

int memory_file_with(const void *data, size_t len)
{
	int fd = memory_file();

	need(pwrite(fd, data, len, 0) == (ssize_t)len, "pwrite");
	return fd;
}

unsigned char *file_content(int fd, size_t *len)
{
	unsigned char *data;
	struct stat st;

	need(!fstat(fd, &st), "fstat");
	*len = st.st_size;
	data = malloc(*len + 1);
	need(data && pread(fd, data, *len, 0) == (ssize_t)*len, "pread");
	return data;
}

unsigned char *data_file(const char *name, size_t *len)
{
	unsigned char *data;
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", UTEST_DATA, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	need(fd >= 0, path);
	data = file_content(fd, len);
	close(fd);
	return data;
}

static struct {
	size_t most, calls;
	bool interrupt, interrupted;
	int error;
} writes = { SIZE_MAX, SIZE_MAX, false, false, 0 };

void limit_writes(size_t most, bool interrupt, size_t calls, int error)
{
	writes.most = most;
	writes.interrupt = interrupt;
	writes.interrupted = false;
	writes.calls = calls;
	writes.error = error;
}

/* Stands in for the C library's. */
ssize_t pwritev(int fd, const struct iovec *v, int n, off_t offset)
{
	size_t left = writes.most, len;
	ssize_t done = 0, ret;

	if (writes.interrupt && !writes.interrupted) {
		writes.interrupted = true;
		errno = EINTR;
		return -1;
	}
	writes.interrupted = false;
	if (!writes.calls) {
		errno = writes.error;
		return -1;
	}
	writes.calls -= writes.calls != SIZE_MAX;
	for (; n && left; v++, n--) {
		len = v->iov_len < left ? v->iov_len : left;
		ret = len ? pwrite(fd, v->iov_base, len, offset + done) : 0;
		if (ret < 0)
			return done ? done : ret;
		done += ret;
		left -= ret;
		if ((size_t)ret < v->iov_len)
			break;
	}
	return done;
}

int open_file(struct tracedat_reader **reader, int fd, struct hist_error *error)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return tracedat_open(reader, path, error);
}

int open_content(struct tracedat_reader **reader, const void *data, size_t len,
		 struct hist_error *error)
{
	int fd = memory_file_with(data, len), ret;

	ret = open_file(reader, fd, error);
	close(fd);
	return ret;
}

int append_fill(struct tracedat_writer *writer, unsigned char fill, size_t len)
{
	unsigned char *data = malloc(len + 1);
	struct iovec part = { data, len };
	int ret;

	need(data, "malloc");
	memset(data, fill, len);
	ret = tracedat_append(writer, TRACEDAT_HIST_ID, &part, 1);
	free(data);
	return ret;
}

int count_sections(struct tracedat_reader *reader, uint64_t offset, int *end)
{
	struct tracedat_section section;
	int n = 0;

	while ((*end = tracedat_read_section(reader, offset, &section)) == 1) {
		n += section.id == TRACEDAT_HIST_ID;
		offset = section.data + section.size;
	}
	return n;
}

unsigned char *sample_file(enum hist_compression compression, bool big_endian, size_t *len,
			   size_t *first)
{
	struct tracedat_contents contents = fixture_contents(compression);
	struct tracedat_writer *writer = NULL;
	int fd = memory_file();
	unsigned char *data;

	contents.machine.big_endian = big_endian;
	errno = -tracedat_create(&writer, fd, &contents);
	need(!errno, "tracedat_create");
	*first = writer->size;
	errno = -(append_fill(writer, 0xaa, 40) | append_fill(writer, 0, 0) |
		  append_fill(writer, 1, 7));
	need(!errno, "tracedat_append");
	tracedat_writer_free(writer);
	data = file_content(fd, len);
	close(fd);
	return data;
}
