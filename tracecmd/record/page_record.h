/* SPDX-License-Identifier: GPL-2.0 */
/*
 * page_record.h - record the events of a session without stock trace-cmd, for --events
 *
 * Stock trace-cmd records only this machine, and only CPUs that are online at its start. It cannot
 * read events that the user-space engine consumes, and writes a file without episodes. With this
 * engine, the pages that it reads are kept; a capture gets them, too. Otherwise the events are
 * enabled in the instance of the session, and the recorder fetches the pages from the target.
 *
 * The order of calls is page_record_start(), page_record_follow() any number of times,
 * page_record_stop(), page_record_clear(). A zeroed struct does nothing.
 * Functions return 0, or -errno after a message.
 */
#ifndef TRACECMD_RECORD_PAGE_RECORD_H
#define TRACECMD_RECORD_PAGE_RECORD_H

#include "tracecmd/live/live_loss.h"
#include "tracecmd/output/page_spool.h"
#include "tracecmd/record/stacks.h"
#include "tracecmd/target/cpu_pages.h"
#include "tracecmd/trigger/counter.h"

struct page_record {
	struct page_spool *spool; /* NULL: not started */
	struct counter *counter;
	struct stacks *stacks; /* the caller's */
	struct counter_pages next; /* that of a capture, which gets all calls, too */
	const char *output; /* for messages */
	bool fetches; /* otherwise the counter reads the pages */
	uint64_t fetched; /* end of the last fetch, CLOCK_MONOTONIC */
	struct cpu_pages from;
	struct target_buf pages; /* of one CPU */
	struct live_loss loss;
};

/* True if --events of this session needs it; @captures: episodes are appended to the file, too. */
bool page_record_is_needed(const struct counter *counter, bool captures);

/* Check that the target can send its pages. Changes nothing. */
int page_record_check(const struct hist_target *t);

/* Start before counter_ops.attach(), in the instance of the counter. @output: the output file. */
int page_record_start(struct page_record *r, struct counter *counter, const char *output,
		      const struct file_place *place, struct stacks *stacks);

/* The longest time in ms until page_record_follow() is due; -1: no limit. */
int page_record_wait_ms(const struct page_record *r);
/* Fetch pages, if that is due. */
int page_record_follow(struct page_record *r);

/*
 * Append all events to the file, after the last tick of the counter. @dat: the writer of the file.
 */
int page_record_stop(struct page_record *r, struct tracedat_writer *dat);

void page_record_clear(struct page_record *r);

#endif
