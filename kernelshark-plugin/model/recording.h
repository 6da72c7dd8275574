/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recording.h - the histograms of one trace.dat file, and the times of their snapshots
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

#include "kernelshark-plugin/events/recorded_episodes.h"
#include "lib/event/event.h"
#include "lib/ringbuf/events.h"
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

#endif
