/* SPDX-License-Identifier: GPL-2.0 */
/* recorded_episodes.h - the captured episodes of a recording (record --threshold) */
#ifndef KERNELSHARK_PLUGIN_EVENTS_RECORDED_EPISODES_H
#define KERNELSHARK_PLUGIN_EVENTS_RECORDED_EPISODES_H

#include <stdbool.h>

#include "lib/hist/schema.h"
#include "lib/ringbuf/events.h"
#include "lib/series/episode.h"

/* Times are those of the file's trace clock. */
struct recorded_episode {
	struct hist_episode what; /* as in the file: the time at which the latency was counted */
	/*
	 * The times of the events START and END in the buffer of the episode.  An episode
	 * that is not a latency has only the time of its event, in both.
	 */
	uint64_t start, end;
	bool has_excess; /* the threshold of the recording is known */
	uint64_t excess; /* time above it, in ns */
	char *parts; /* "95 % hog/177 [49]; 3 % irq local_timer"; escaped; "" if not known */
};

struct recorded_episodes {
	struct recorded_episode *list; /* the worst first */
	unsigned int n;
	struct hist_episode *read; /* owns the strings of @list */
	unsigned int nread;
};

/*
 * recorded_episodes_read - read the episodes of @dat, with the stories from @events
 * Damaged episodes, and those without a buffer, are left out.  -ENOMEM, or the errno of
 * read().  Call recorded_episodes_clear() in any case.
 */
int recorded_episodes_read(struct recorded_episodes *e, struct tracedat_reader *dat,
			   struct hist_events *events);
void recorded_episodes_clear(struct recorded_episodes *e);

/*
 * recorded_episode_is_in - true if a cell of a heat map counted the latency
 * @axis: the key of the axis.  The cell has @ge <= key <= @le, and was counted after @from
 * and not after @to.
 */
bool recorded_episode_is_in(const struct recorded_episode *e, const struct hist_key_desc *axis,
			    uint64_t ge, uint64_t le, uint64_t from, uint64_t to);

#endif
