/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener_sink.h - the recording that goes to a listener while it is made (-N)
 *
 * A file of its own: where the link stalls, snapshots are left out there that
 * the local file has.  They are counted as missed, as those are for which there
 * was no time; the numbers of the others stay without a gap.
 */
#ifndef TRACECMD_OUTPUT_LISTENER_SINK_H
#define TRACECMD_OUTPUT_LISTENER_SINK_H

#include "tracecmd/output/listener_link.h"
#include "tracecmd/output/sink.h"

struct listener_sink {
	struct sink sink;
	const char *address;
	struct push *push;
	struct tracedat_writer *dat;
	struct hist_series_writer *series;
	bool lost; /* and that was said */
	bool skip; /* this interval is left out */
	uint64_t skipped;
};

/* @address must outlive @l, which is zeroed. SINK_CONNECT connects. */
void listener_sink_init(struct listener_sink *l, const char *address);

#endif
