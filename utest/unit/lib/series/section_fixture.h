/* SPDX-License-Identifier: GPL-2.0 */
/*
 * section_fixture.h - the last snapshot of a file, with other bytes and right checksums
 *
 * All functions end the program after a message when something goes wrong.
 */
#ifndef UTEST_UNIT_LIB_SERIES_SECTION_FIXTURE_H
#define UTEST_UNIT_LIB_SERIES_SECTION_FIXTURE_H

#include "lib/series/record.h"

struct section_fixture {
	struct record_header h;
	uint64_t at;	     /* of the section in the file */
	unsigned char *body; /* uncompressed, h.raw_len bytes; malloc'ed */
};

/* The last snapshot in the file at @path, of any histogram. */
void section_fixture_last(const char *path, struct section_fixture *section);
/* @section becomes the end of the file, with h.raw_len bytes of @body. */
void section_fixture_put(const char *path, const struct section_fixture *section,
			 const unsigned char *body);

#endif
