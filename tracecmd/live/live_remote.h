/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live_remote.h - fetch the ring buffer pages of a remote target
 *
 * No process on the target reads the ring buffer between two rounds. The events stay there, and
 * events for which the buffer has no room are lost and reported.
 */
#ifndef TRACECMD_LIVE_LIVE_REMOTE_H
#define TRACECMD_LIVE_LIVE_REMOTE_H

#include "lib/ringbuf/ring_page.h"
#include "target/local/target.h"

/* Time between two rounds in ms. A buffer of 1 MiB per CPU holds about 20,000 events. */
#define LIVE_PULL_MS 100

struct live_pull {
	struct hist_target *target;
	const char *dir; /* directory of the instance */
	struct hist_page_layout layout;
	struct target_buf buf; /* the caller frees buf.data at the end */
	uint64_t bad_pages;
	/* Called for each page with events. A result other than 0 ends the round. */
	int (*take)(void *arg, unsigned int cpu, struct hist_page *page);
	void *arg;
};

/*
 * live_pull_round - fetch the pages of all CPUs, one CPU after the other
 * Returns the number of pages, or -errno. A round without pages proves that all events from
 * before the round were fetched.
 */
int live_pull_round(struct live_pull *pull);

#endif
