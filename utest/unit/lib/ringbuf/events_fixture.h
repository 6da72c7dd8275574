/* SPDX-License-Identifier: GPL-2.0 */
/*
 * events_fixture.h - recorded files of data/, what stock trace-cmd prints of them, and a walk
 */
#ifndef UTEST_UNIT_LIB_RINGBUF_EVENTS_FIXTURE_H
#define UTEST_UNIT_LIB_RINGBUF_EVENTS_FIXTURE_H

#include "lib/ringbuf/events.h"

#define SEVERAL "events/several.dat"
#define SIX "events/six.dat"
#define LOST "events/lost.dat"

/*
 * `trace-cmd report -t --cpu 0 several.dat`: the first and the last event of the top buffer.  A
 * task, and lines of the kallsyms that it was recorded with.
 */
#define KNOWN_EVENTS 361
#define KNOWN_FIRST UINT64_C(46162010205)
#define KNOWN_LAST UINT64_C(46734762223)
#define KNOWN_PID 184
#define KNOWN_COMM "dd"
#define KNOWN_ADDRESS UINT64_C(0xffffffffb4e45480)
#define KNOWN_SYMBOL "vfs_read"
#define KNOWN_SIZE 0x8d0
#define MODULE_ADDRESS UINT64_C(0xffffffffc0457980)
#define MODULE_SYMBOL "null_queue_rq [null_blk]"
#define END_ADDRESS UINT64_C(0xffffffffb7630000)

/* One of data/; a failure ends the test. */
struct hist_events *events_fixture_open(const char *name);

/* What a walk finds. */
struct events_found {
	uint64_t events, first, last, types, lost, gaps, pages, bad;
};

/* All pages of one CPU, with looks at the progress. */
void events_fixture_walk(const struct hist_events *events, unsigned int buffer, unsigned int cpu,
			 struct events_found *found);

#endif
