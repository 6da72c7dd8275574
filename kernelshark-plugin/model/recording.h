/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recording.h - the histograms and episodes of one trace.dat file, and the times of their snapshots
 *
 * Contains what one walk over the file finds. The walk checks every snapshot body but
 * does not decode any. A recording is immutable after it is opened, so any number of
 * threads may read it; data appended to the file later is not included. It uses 48
 * bytes for each snapshot.
 *
 * Times are those of the file's trace clock. If recorded_hist.ns, they are in ns on
 * the time axis of the file's events (KernelShark adds the offset of the stream).
 * Otherwise they are in the unit of the clock and do not match the events.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_RECORDING_H
#define KERNELSHARK_PLUGIN_MODEL_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lib/event/event.h"
#include "lib/hist/schema.h"
#include "lib/ringbuf/events.h"
#include "lib/series/episode.h"
#include "lib/series/series.h"
#include "lib/base/error.h"

/* A snapshot that can be decoded. */
struct recording_snapshot {
	uint64_t time;
	uint64_t hits, entries, dropped; /* the kernel's totals at this time */
	uint32_t seq;	/* sequence number, as in `report --snapshot` */
	uint32_t flags; /* HIST_SNAP_...; RESET also if only a decrease of hits shows it */
	uint32_t lost;	/* snapshots missing or damaged since the previous snapshot */
};

/* One histogram. */
struct recorded_hist {
	/* definition (event, trigger, instance, clock, host...), schema, first and last time */
	const struct hist_series_info *info;
	char *name; /* "kmem:kmalloc", or "kmem:kmalloc#1" if there are several */
	/*
	 * In ascending order of sequence numbers; @n is 0 if all are damaged. In the panel,
	 * the *index* of a snapshot is its position in this array, from 0. Times also
	 * ascend, except if the clock was set back.
	 */
	struct recording_snapshot *snapshots;
	uint32_t n, room;
	uint64_t *reach;	  /* NULL if times ascend */
	struct hist_event *event; /* its fields; NULL if the file does not describe them */
	bool ns; /* the clock counts ns, so that times are on the time axis of the events */
};

/* A captured episode (record --threshold). */
struct recorded_episode {
	struct hist_episode what; /* as in the file: the time at which the latency was counted */
	/*
	 * The times of the events START and END in the buffer of the episode.  An episode
	 * that is not a latency has only the time of its event, in both.
	 */
	uint64_t start, end;
	bool has_excess; /* the threshold of the recording is known */
	uint64_t excess; /* time above it, in ns */
	char *parts; /* "95 % hog/177 [RT 50]; 3 % irq local_timer"; escaped; "" if not known */
};

struct recorded_episodes {
	struct recorded_episode *list; /* the worst first */
	unsigned int n;
	struct hist_episode *read; /* owns the strings of @list */
	unsigned int nread;
};

/* Read only. */
struct recording {
	unsigned int references; /* atomic */
	char *path;		 /* as passed to recording_open() */
	/*
	 * Knows all damage of the file. Only recording.c walks over it; others walk over a
	 * hist_series_fork(), one for each thread.
	 */
	struct hist_series *series;
	struct recorded_hist *hists; /* 1 or more, with the numbers of @series */
	unsigned int count;
	bool has_events; /* the file contains events, so that a key can be used as an event filter
			  */
	struct recorded_episodes episodes;
};

/*
 * recording_open - read the trace.dat file at @path
 * The caller gets the first reference. On failure *@r is unchanged and @error is
 * a sentence for the user. The errors are those of
 * hist_series_open(). -ENODATA: the file does not contain histograms, which is valid
 * for a trace file.
 */
int recording_open(struct recording **r, const char *path, struct hist_error *error);
/* The same if the events of the file are open; @events: NULL if they cannot be read. */
int recording_open_with(struct recording **r, const char *path, struct hist_events *events,
			struct hist_error *error);

/* Any thread may call both. unref accepts NULL. ref returns @r. */
struct recording *recording_ref(struct recording *r);
void recording_unref(struct recording *r);

/*
 * recording_find_snapshot - the index of the last snapshot not after @time; -1: all are after @time
 * As for `report --at`, this is the snapshot before the first snapshot that is after
 * @time. Uses binary search.
 */
int64_t recording_find_snapshot(const struct recording *r, unsigned int hist, uint64_t time);

/*
 * recording_find_nearest - the index of the snapshot with sequence number @seq, or of the nearest
 * Of two that are equally near, the later one; 0 if the histogram has no snapshot.
 */
uint32_t recording_find_nearest(const struct recorded_hist *h, uint32_t seq);

/*
 * recording_episode_is_in - true if a cell of a heat map counted the latency
 * @axis: the key of the axis.  The cell has @ge <= key <= @le, and was counted after @from
 * and not after @to.
 */
bool recording_episode_is_in(const struct recorded_episode *e, const struct hist_key_desc *axis,
			    uint64_t ge, uint64_t le, uint64_t from, uint64_t to);

#endif
