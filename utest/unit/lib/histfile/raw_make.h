/* SPDX-License-Identifier: GPL-2.0 */
/*
 * raw_make.h - the bytes of a hist_raw file with one histogram, for tests
 *
 * Written after include/uapi/linux/trace_hist.h of kernel-patches/, not after
 * what reads it.
 */
#ifndef UTEST_UNIT_LIB_HISTFILE_RAW_MAKE_H
#define UTEST_UNIT_LIB_HISTFILE_RAW_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RAW_MAKE_ROOM 8192

struct raw_make {
	bool swap; /* in the other byte order */
	unsigned int long_size;
	uint64_t id, resets, hits;
	const char *trigger;
	struct raw_make_field {
		uint32_t flags, offset, size;
		const char *name;
		uint64_t buckets;
	} fields[4];
	unsigned int nfields;
	uint32_t comm, entry_size, nentries;
	unsigned char entries[2048];
	/* what is made */
	unsigned char data[RAW_MAKE_ROOM];
	size_t len;
};

/* One more entry, all 0. */
void raw_make_entry(struct raw_make *m);
/* Into the last entry. */
void raw_make_number(struct raw_make *m, uint32_t offset, uint64_t number);
void raw_make_string(struct raw_make *m, uint32_t offset, const char *s);
/* Fills data and len. */
void raw_make_file(struct raw_make *m);

#endif
