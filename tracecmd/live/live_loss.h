/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_loss.h - count the events that the ring buffers of a session lost
 *
 * A ring buffer page has a flag for events that were lost before it. It has their number only if
 * the page has room for that, and a page that the writer overran is full. The ring buffer's own
 * counts in per_cpu/cpuN/stats are complete: events overwritten before they were read (overrun),
 * events lost because the writer was interrupted too often (commit overrun), and events rejected in
 * a buffer without overwrite (dropped events). Source: rb_move_tail() and tracing_stats_read() in
 * the kernel's kernel/trace/.
 */
#ifndef TRACECMD_LIVE_LIVE_LOSS_H
#define TRACECMD_LIVE_LIVE_LOSS_H

#include "lib/ringbuf/ring_page.h"
#include "tracecmd/trigger/counter.h"

struct live_loss {
	const struct trigger_set *set;
	uint64_t before; /* count of the ring buffers before the session */
	uint64_t counted; /* count of the ring buffers since then */
	uint64_t reported; /* sum of the numbers in the pages */
	uint64_t places, unknown; /* number of gaps; number of gaps of unknown size */
	uint64_t asked; /* value of places when the counts were last read */
	bool exact; /* the counts could be read */
};

/* Initialize @loss with the current counts of the instances of @set, which must exist. */
void live_loss_begin(struct live_loss *loss, const struct trigger_set *set);

/* Add the events that were lost before @page. */
void live_loss_add_page(struct live_loss *loss, const struct hist_ring_page *page);

/* Read the counts of all ring buffers, if they can have changed. */
void live_loss_update(struct live_loss *loss);

/* Number of lost events; a lower limit if the counts cannot be read. */
uint64_t live_loss_count_events(const struct live_loss *loss);

/* Report the loss in one line on stderr, if there is any. */
void live_loss_report(const struct live_loss *loss);

#endif
