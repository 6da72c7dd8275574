/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace_meta.h - collect the part of a trace.dat before the snapshots
 *
 * It describes the machine, the formats of the events in use, and the formats of the ftrace system,
 * which the snapshot markers need.
 */
#ifndef TRACECMD_OUTPUT_TRACE_META_H
#define TRACECMD_OUTPUT_TRACE_META_H

#include "lib/tracedat/tracedat.h"
#include "tracecmd/trigger/counter.h"

struct trace_meta {
	struct tracedat_contents dat; /* points to the other members */
	struct target_buf page, event;
	struct tracedat_format *formats;
	struct target_buf *texts; /* texts of the formats that trace_meta_read() read */
	unsigned int nformats, ntexts;
};

/*
 * trace_meta_read - read the contents from the target
 * @more: @nmore further events with formats. @clock_text: content of trace_clock. @clock_text,
 * @more and the members of @set must outlive @c.
 * 0 or -errno. Call trace_meta_clear() in any case.
 */
int trace_meta_read(struct trace_meta *c, const struct trigger_set *set,
		    const struct traced_event *more, unsigned int nmore, const char *clock_text);
void trace_meta_clear(struct trace_meta *c);

#endif
