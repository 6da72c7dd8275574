/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listener_sink.h - the recording that goes to a listener while it is made (-N)
 *
 * A file of its own: where the link stalls, snapshots are left out there that
 * the local file has.  They are counted as missed, as those are for which there
 * was no time; the numbers of the others stay without a gap.
 *
 * Functions return 0 or -errno after a message.  A zeroed stream is one that
 * nobody asked for: with it, they do nothing.
 */
#ifndef TRACECMD_OUTPUT_LISTENER_SINK_H
#define TRACECMD_OUTPUT_LISTENER_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/series/series.h"
#include "tracecmd/output/listener_link.h"

struct stream {
	const char *address; /* NULL: there is none */
	struct push *push;
	struct tracedat_writer *dat;
	struct hist_series_writer *series;
	bool lost; /* and that was said */
	bool skip; /* this interval is left out */
	uint64_t skipped;
};

/* Connects; nothing of the recording is there yet.  @address must outlive the stream. */
int stream_open(struct stream *s, const char *address);

/* Sends what stands before the snapshots. */
int stream_begin(struct stream *s, const struct tracedat_contents *contents);

/* As hist_series_define(). */
int stream_define(struct stream *s, const struct hist_definition *def, struct hist_table *table);

/*
 * stream_interval - the snapshots that follow are of one interval
 * With @last they are sent in any case; otherwise not while much waits.
 */
void stream_interval(struct stream *s, bool last);

/* -EPIPE when the link is lost; only the first time with a message. */
int stream_add(struct stream *s, int hist, const struct hist_snapshot *snap);

/* To poll; -1 when there is none, or it is lost. */
int stream_fd(const struct stream *s);

/* 0, or -EPIPE as above. */
int stream_check(struct stream *s);

/* The mark of a recording that ended in order. */
int stream_end(struct stream *s);

/*
 * stream_finish - wait until the listener has it all; says how many snapshots
 * were left out
 * @signals: of signals_catch(), one of which ends the waiting; or -1.
 */
int stream_finish(struct stream *s, int signals);

void stream_clear(struct stream *s);

#endif
