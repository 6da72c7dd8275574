// SPDX-License-Identifier: GPL-2.0
/*
 * tracedat_make.c - make trace.dat files for stock_tools.sh, and say what our
 * reader makes of them
 *
 *   tracedat_make create FILE COMPRESSION SECTIONS BYTES
 *   tracedat_make attach FILE SECTIONS BYTES    link when all are appended
 *   tracedat_make link FILE SECTIONS BYTES      link before the first
 *   tracedat_make top FILE SECTIONS BYTES NAME  the same, and buffer NAME is the top one
 *   tracedat_make state FILE     FOUND SECTIONS whole|cut, STALE, NONE or BAD,
 *                                and the offset of the last section header
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "utest/unit/lib/tracedat/tracedat_fixture.h"

static int fail(const char *what, int error)
{
	fprintf(stderr, "tracedat_make: %s: %s\n", what, strerror(-error));
	return 2;
}

/* Sections of bytes that do not compress and hold every value, 0 included. */
static int append(struct tracedat_writer *writer, int sections, size_t bytes)
{
	unsigned char *blob = malloc(bytes);
	struct iovec part = { blob, bytes };
	uint32_t random = 1;
	size_t i;
	int n, ret = blob ? 0 : -ENOMEM;

	for (n = 0; n < sections && !ret; n++) {
		for (i = 0; i < bytes; i++) {
			random = random * 1664525 + 1013904223;
			blob[i] = random >> 24;
		}
		ret = tracedat_append(writer, TRACEDAT_HIST_ID, &part, 1);
	}
	free(blob);
	return ret;
}

static int create(const char *path, const char *compression, int sections, size_t bytes)
{
	int kind = hist_compression_from_name(compression), fd, ret;
	struct tracedat_writer *writer = NULL;
	struct tracedat_contents contents;

	if (kind < 0)
		return fail(compression, kind);
	contents = fixture_contents(kind);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (fd < 0)
		return fail(path, -errno);
	ret = tracedat_create(&writer, fd, &contents);
	if (!ret)
		ret = append(writer, sections, bytes);
	tracedat_writer_free(writer);
	close(fd);
	return ret ? fail(path, ret) : 0;
}

static int attach(const char *path, int sections, size_t bytes, bool link_first, const char *top)
{
	struct tracedat_writer *writer = NULL;
	int fd = open(path, O_RDWR), ret;

	if (fd < 0)
		return fail(path, -errno);
	ret = tracedat_attach(&writer, fd);
	if (!ret && link_first)
		ret = top ? tracedat_link_top(writer, top) : tracedat_link(writer);
	if (!ret)
		ret = append(writer, sections, bytes);
	if (!ret && !link_first)
		ret = tracedat_link(writer);
	tracedat_writer_free(writer);
	close(fd);
	return ret ? fail(path, ret) : 0;
}

static int state(const char *path)
{
	static const char *const names[] = { "NONE", "STALE", "BAD", "FOUND" };
	enum tracedat_hist_state hist;
	struct tracedat_section section;
	struct tracedat_reader *reader;
	uint64_t at, last = 0;
	struct hist_error error = { 0 };
	int ret, n = 0;

	ret = tracedat_open(&reader, path, &error);
	if (ret) {
		fprintf(stderr, "tracedat_make: %s: %s\n", path, hist_error_what(&error, ret));
		return 2;
	}
	hist = tracedat_find_hist(reader, &at);
	printf("%s", names[hist]);
	if (hist == TRACEDAT_HIST_FOUND) {
		while ((ret = tracedat_read_section(reader, at, &section)) == 1) {
			if (section.id == TRACEDAT_HIST_ID) {
				last = at;
				n++;
			}
			at = section.data + section.size;
		}
		printf(" %d %s %llu", n, ret ? "cut" : "whole", (unsigned long long)last);
	}
	printf("\n");
	tracedat_reader_free(reader);
	return 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";

	if (!strcmp(verb, "create") && argc == 6)
		return create(argv[2], argv[3], atoi(argv[4]), strtoul(argv[5], NULL, 0));
	if (!strcmp(verb, "attach") && argc == 5)
		return attach(argv[2], atoi(argv[3]), strtoul(argv[4], NULL, 0), false, NULL);
	if (!strcmp(verb, "link") && argc == 5)
		return attach(argv[2], atoi(argv[3]), strtoul(argv[4], NULL, 0), true, NULL);
	if (!strcmp(verb, "top") && argc == 6)
		return attach(argv[2], atoi(argv[3]), strtoul(argv[4], NULL, 0), true, argv[5]);
	if (!strcmp(verb, "state") && argc == 3)
		return state(argv[2]);
	fprintf(stderr, "usage: tracedat_make create FILE COMPRESSION SECTIONS BYTES\n"
			"       tracedat_make attach|link FILE SECTIONS BYTES\n"
			"       tracedat_make top FILE SECTIONS BYTES NAME\n"
			"       tracedat_make state FILE\n");
	return 2;
}
