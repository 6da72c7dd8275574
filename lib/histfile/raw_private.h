/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * raw_private.h - the layout of a hist_raw file
 *
 * hist_raw.c (file) and raw_reader.c (entries) share this layout.  Offsets and flags are those of
 * include/uapi/linux/trace_hist.h in kernel-patches/.  Structures may grow at their end, so a
 * reader needs only the offsets of the members that it uses.
 */
#ifndef LIB_HISTFILE_RAW_PRIVATE_H
#define LIB_HISTFILE_RAW_PRIVATE_H

#include <string.h>

#include "lib/base/bytes.h"
#include "lib/histfile/hist_raw.h"

#define RAW_MAGIC 0x54534948u
#define RAW_VERSION 1

enum { /* struct trace_hist_head */
	HEAD_VERSION = 4,
	HEAD_HEAD_SIZE = 6,
	HEAD_HISTS = 8,
	HEAD_LONG_SIZE = 12,
	HEAD_FILE_SIZE = 16,
	HEAD_TIMESTAMP = 24,
	HEAD_CLOCK = 32,
	HEAD_CLOCK_LEN = 16,
	HEAD_SIZE = 48,
};

enum { /* struct trace_hist */
	HIST_BLOCK_SIZE = 0,
	HIST_ID = 8,
	HIST_RESETS = 16,
	HIST_HITS = 24,
	HIST_DROPS = 32,
	HIST_FLAGS = 40,
	HIST_ENTRIES_COUNT = 44,
	HIST_ENTRY_SIZE = 52,
	HIST_FIELDS_COUNT = 56,
	HIST_FIELD_SIZE = 60,
	HIST_FIELDS = 64,
	HIST_TRIGGER = 68,
	HIST_COMM = 72,
	HIST_ENTRIES = 76,
	HIST_SIZE = 80,
};

#define HIST_FL_PAUSED (1u << 0)

enum { /* struct trace_hist_field */
	FIELD_FLAGS = 0,
	FIELD_OFFSET = 4,
	FIELD_BYTES = 8,
	FIELD_NAME = 12,
	FIELD_BUCKETS = 16, /* N of .buckets=N, K of .log2=K */
	FIELD_SIZE = 24,
};

#define FIELD_KEY (1u << 0)
#define FIELD_STRING (1u << 2)
#define FIELD_STACKTRACE (1u << 3)
#define FIELD_HEX (1u << 8)
#define FIELD_SYM (1u << 9)
#define FIELD_SYM_OFFSET (1u << 10)
#define FIELD_EXECNAME (1u << 11)
#define FIELD_SYSCALL (1u << 12)
#define FIELD_LOG2 (1u << 13)
#define FIELD_BUCKET (1u << 14)
#define FIELD_PERCENT (1u << 16)
#define FIELD_GRAPH (1u << 17)

/* The size of a task's name, with the NUL. */
#define RAW_COMM 16

#endif
