/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * episode.h - write and read the episodes of a recording: latencies above a threshold
 *
 * `record --threshold` keeps the events around the worst latencies.  The events of an episode are a
 * separate buffer in the trace.dat file, and a section of type 7 describes it.  To show the
 * story of an episode:
 *
 *   tracedat_open(&dat, path, &why);
 *   hist_episodes_read(&list, &n, dat);
 *   hist_events_open(...), and walk the buffer list[i].buffer (lib/ringbuf/events.h)
 *
 * The buffer has the events of all CPUs that were the last ones before @end, and the kernel froze
 * it at @end.  With HIST_EPISODE_TIMED, the latency began at @start and ended at @end on CPU @cpu.
 *
 * Source of the format: trace-cmd-hist.dat(5), "Episodes".
 */
#ifndef LIB_SERIES_EPISODE_H
#define LIB_SERIES_EPISODE_H

#include <stdint.h>

#include "lib/tracedat/tracedat.h"

#define HIST_EPISODE_TIMED 1 /* @start and @value are valid: the histogram is one of a latency */
#define HIST_EPISODE_CUT 2   /* the events begin after @start: the ring buffer was too small */

/* Times are those of the trace clock of the histogram, in ns. */
struct hist_episode {
	const char *event;  /* of the histogram, as in its definition: "latency:a..b" */
	const char *buffer; /* of the file: "episode-1" is the worst */
	/* what the latency belongs to, "next_pid=17" or "dev=8388608 sector=99"; may be "" */
	const char *key;
	uint64_t origin; /* time of the first snapshot of the recording, which identifies it */
	uint64_t start, end;
	uint64_t value; /* the latency */
	uint64_t threshold; /* what it had to reach; 0: not known, or a filter */
	unsigned int cpu; /* of @end */
	unsigned int flags;
};

/*
 * hist_episode_append - append the section that describes an episode
 * Errors of tracedat_append(); -ENOMEM.
 */
int hist_episode_append(struct tracedat_writer *dat, const struct hist_episode *episode);

/*
 * hist_episodes_read - read all episodes of a file, in the order of the file: the worst first
 * @list is malloc'ed and owns its strings: hist_episodes_free().  *@n is 0 if the file has none.
 * The walk ends at the first damaged section header.  0; -ENOMEM, or the errno of read().
 */
int hist_episodes_read(struct hist_episode **list, unsigned int *n, struct tracedat_reader *dat);
void hist_episodes_free(struct hist_episode *list, unsigned int n);

#endif
