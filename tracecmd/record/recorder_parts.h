/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recorder_parts.h - what `record` can do besides the snapshots, each in a part
 *
 * A part records the events, captures episodes, or records stacks.  The recorder calls all parts
 * at each phase of a recording, in the order of its list, and each part looks into the plan whether
 * it has work.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_RECORD_RECORDER_PARTS_H
#define TRACECMD_RECORD_RECORDER_PARTS_H

#include "tracecmd/output/output_file.h"
#include "tracecmd/output/trace_meta.h"
#include "tracecmd/record/stacks.h"
#include "tracecmd/session/session.h"

/* What the recorder and its parts share. */
struct recorder_common {
	struct plan *plan;
	struct session session;
	struct sink *file;	       /* of plan->output or of --rotate; NULL: only a listener */
	struct output output;	       /* without --rotate */
	const struct outfile *current; /* the open file of @file; NULL: only a listener */
	struct trace_meta contents;    /* of each file */
	struct stacks stacks;	       /* of the recorded and of the captured events */
	const struct traced_event *captured; /* in addition to the events of the session */
	unsigned int ncaptured;
	bool keeps;	  /* episodes are captured */
	bool takes_pages; /* page_record records the events, so the stock program does not */
	bool stopped;	  /* by --on-threshold stop */
};

enum recorder_phase {
	RECORDER_CHECK,	 /* after session_check(); changes nothing */
	RECORDER_PRINT,	 /* instead of the rest: what would be set, for --dry-run */
	RECORDER_MAKE,	 /* after session_begin() */
	RECORDER_START,	 /* before session_attach(), after all parts made their instances */
	RECORDER_WATCH,	 /* after the first snapshot */
	RECORDER_APPEND, /* after the last snapshot: append to the file */
	RECORDER_JOIN,	 /* after the end of the file */
	RECORDER_REPORT, /* print what is missing */
	RECORDER_PHASES
};

/* All members except @size are optional.  @size: of a part, which begins as zeros. */
struct recorder_part_ops {
	size_t size;
	int (*phase[RECORDER_PHASES])(void *part, struct recorder_common *r);
	/* Descriptor for poll(); -1: not now, or none. */
	int (*fd)(const void *part);
	/* The longest time in ms that poll() may wait; -1: no limit. */
	int (*wait_ms)(const void *part);
	/* Do what is due after poll(); @readable: the descriptor is.  Sets r->stopped. */
	int (*follow)(void *part, struct recorder_common *r, bool readable);
	/*
	 * With --rotate: complete a file, and begin the next one, r->current.  The first snapshots
	 * of the next file are the last ones of this file.
	 */
	int (*end_file)(void *part, struct recorder_common *r, struct tracedat_writer *dat);
	int (*next_file)(void *part, struct recorder_common *r);
	/* Before session_close(), which removes the instances; called on every path. */
	void (*clear)(void *part);
	/* After session_close(): until then the counter may call the part. */
	void (*free)(void *part, struct recorder_common *r);
};

/* The events of --events: without the stock trace-cmd, or with it. */
extern const struct recorder_part_ops page_record_part, stock_record_part;
extern const struct recorder_part_ops capture_part; /* --threshold: see capture.h */
extern const struct recorder_part_ops stacks_part;  /* --stacks: see stacks.h */

#endif
