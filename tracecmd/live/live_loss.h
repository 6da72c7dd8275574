/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_loss.h - how many events the ring buffers of an instance had no room for
 *
 * A page of a ring buffer says that events before it were lost, but how many only where it has
 * room left for the number, and a page that was overtaken by its writer is full.  The ring
 * buffer's own counts know: per_cpu/cpuN/stats has what was overwritten before anybody read it
 * (overrun), what came while the writer stood in its own way (commit overrun), and what was not
 * taken where nothing may be overwritten (dropped events).  rb_move_tail() and
 * tracing_stats_read() of the kernel's kernel/trace/.
 */
#ifndef TRACECMD_LIVE_LIVE_LOSS_H
#define TRACECMD_LIVE_LIVE_LOSS_H

#include "lib/ringbuf/ring_page.h"
#include "tracecmd/trigger/counter.h"

struct live_loss {
	const struct trigger_set *set;
	uint64_t before; /* counted before we began */
	uint64_t counted; /* by the ring buffers, since */
	uint64_t told; /* by the pages, where they say how many */
	uint64_t places, unknown; /* gaps; those of unknown size */
	uint64_t asked; /* places, when the counts were last read */
	bool exact; /* the counts could be read */
};

/* All zero, but what the instance of @set has lost up to now, which must be there. */
void live_loss_begin(struct live_loss *loss, const struct trigger_set *set);

/* What @page says of the events before it. */
void live_loss_page(struct live_loss *loss, const struct hist_page *page);

/* Reads the counts of all CPUs, if there is a reason to. */
void live_loss_update(struct live_loss *loss);

/* How many events; where the counts can't be read so many, or more. */
uint64_t live_loss_events(const struct live_loss *loss);

/* One line on standard error, if there was any. */
void live_loss_tell(const struct live_loss *loss);

#endif
