/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener_sink.h - sink that sends the recording to a listener while it is made (-N)
 *
 * The listener's file is independent of the local file. If the link stalls, snapshots are omitted
 * there and counted as missed, like snapshots that were not taken in time. Sequence numbers of the
 * other snapshots have no gap.
 */
#ifndef TRACECMD_OUTPUT_LISTENER_SINK_H
#define TRACECMD_OUTPUT_LISTENER_SINK_H

#include "tracecmd/output/listener_link.h"
#include "tracecmd/output/sink.h"

struct listener_sink {
	struct sink sink;
	struct listener_link *push;
	bool lost; /* the link is lost, and a message was printed */
	bool skip; /* the current interval is omitted */
	uint64_t skipped;
};

/* Initialize @l, which must be zeroed. @address must outlive it. SINK_CONNECT connects. */
void listener_sink_init(struct listener_sink *l, const char *address);

#endif
