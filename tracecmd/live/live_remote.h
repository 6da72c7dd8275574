/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_remote.h - what came into the ring buffers of a machine elsewhere
 *
 * Nobody waits there: between two rounds events stand in the ring buffer, and those that
 * it has no room for are lost, and told.
 */
#ifndef TRACECMD_LIVE_LIVE_REMOTE_H
#define TRACECMD_LIVE_LIVE_REMOTE_H

#include "lib/ringbuf/ring_page.h"
#include "target/local/target.h"

/* How long events may stand there, in ms: a MiB a CPU holds some 20,000. */
#define LIVE_PULL_MS 100

struct live_pull {
	struct hist_target *target;
	const char *dir; /* of the instance */
	struct hist_page_layout layout;
	struct target_buf buf; /* free(data) at the end */
	uint64_t bad_pages;
	/* Each page with events; other than 0 ends the round. */
	int (*take)(void *arg, unsigned int cpu, struct hist_page *page);
	void *arg;
};

/*
 * live_pull_round - all CPUs, one after the other
 * How many pages came (a round that brings none has seen all that was before it), or -errno.
 */
int live_pull_round(struct live_pull *pull);

#endif
