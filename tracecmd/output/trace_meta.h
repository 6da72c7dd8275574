/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace_meta.h - what stands in a trace.dat before the snapshots
 *
 * The machine, the formats of the events in use and of ftrace's own, which the
 * marks need.
 */
#ifndef TRACECMD_OUTPUT_TRACE_META_H
#define TRACECMD_OUTPUT_TRACE_META_H

#include "lib/tracedat/tracedat.h"
#include "target/local/target.h"
#include "tracecmd/trigger/traced_event.h"

struct contents {
	struct tracedat_contents dat; /* the rest is what it points to */
	struct target_buf page, event;
	struct tracedat_format *formats;
	struct target_buf *texts; /* those formats that were read here */
	unsigned int nformats, ntexts;
};

/*
 * contents_read - collect them
 * @clock_text: content of trace_clock.  It, the target and the sources must stay.
 * 0 or -errno; in any case contents_clear() is due.
 */
int contents_read(struct contents *c, struct hist_target *t, const struct source *sources,
		  unsigned int nsources, const char *clock_text);
void contents_clear(struct contents *c);

#endif
