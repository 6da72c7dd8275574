// SPDX-License-Identifier: GPL-2.0
/*
 * section_fixture.c - the last snapshot of a file, with other bytes and right checksums
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/series/series_private.h"
#include "lib/tracedat/tracedat_format.h"
#include "utest/unit/lib/series/section_fixture.h"

static void must(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "section_fixture: %s\n", what);
	exit(2);
}

void section_fixture_last(const char *path, struct section_fixture *section)
{
	struct hist_series *series;
	struct record_header h;
	uint64_t offset, at, stored = 0;
	const void *body;
	struct hist_error error = { 0 };

	must(!hist_series_open(&series, path, &error), path);
	for (offset = series->first; series_next_record(series, &offset, &h, &at) == 1;) {
		if (h.type != RECORD_FULL && h.type != RECORD_DELTA)
			continue;
		section->h = h;
		stored = at;
	}
	must(stored && !series_read_body(series, &section->h, stored, &body), path);
	section->at = stored - RECORD_HEADER_SIZE - TRACEDAT_SECTION_HEADER;
	section->body = malloc(section->h.raw_len + 1);
	must(section->body, "out of memory");
	memcpy(section->body, body, section->h.raw_len);
	hist_series_free(series);
}

void section_fixture_put(const char *path, const struct section_fixture *section,
			 const unsigned char *body)
{
	unsigned char head[TRACEDAT_SECTION_HEADER], header[RECORD_HEADER_SIZE];
	struct record_header h = section->h;
	int fd = open(path, O_WRONLY);

	h.flags &= ~RECORD_COMPRESSED;
	h.stored_len = h.raw_len;
	h.body_crc = crc32(0, body, h.raw_len);
	record_header_encode(&h, false, header);
	tracedat_put_section_header(false, head, TRACEDAT_HIST_ID, 0, 0,
				    sizeof(header) + h.raw_len);
	must(fd >= 0 && !ftruncate(fd, section->at) && lseek(fd, 0, SEEK_END) >= 0 &&
	     write(fd, head, sizeof(head)) == sizeof(head) &&
	     write(fd, header, sizeof(header)) == sizeof(header) &&
	     write(fd, body, h.raw_len) == (ssize_t)h.raw_len, path);
	close(fd);
}
