/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recording.h - the histograms of one trace.dat, and when their snapshots were taken
 *
 * What is known of a file after one walk over it, in which every body is checked
 * and none is rebuilt.  A recording never changes after it was opened, so that any
 * number of threads may read it; what is appended to the file later is not in it.
 * It takes 48 bytes for each snapshot.
 *
 * Times are those of the file's trace clock: ns where recording_is_ns(), and then
 * they are on the axis of the file's events (KernelShark adds the offset of the
 * stream); else in the clock's own unit, on no such axis.
 */
#ifndef KERNELSHARK_PLUGIN_MODEL_RECORDING_H
#define KERNELSHARK_PLUGIN_MODEL_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "lib/event/event.h"
#include "lib/series/series.h"

struct recording;

/* One snapshot that can be rebuilt. */
struct recording_snapshot {
	uint64_t time;
	uint64_t hits, entries, dropped; /* the kernel's totals at this moment */
	uint32_t seq;	/* its number in the file, as in `report --snapshot` */
	uint32_t flags; /* HIST_SNAP_...; RESET also where only falling hits tell it */
	uint32_t lost;	/* snapshots missing or damaged between the one before and this */
};

/*
 * recording_open - read the trace.dat at @path
 * The caller gets the first reference.  On failure *@r is untouched and @why (of
 * @why_len bytes) is a sentence for the user; errors are those of hist_series_open(),
 * -ENODATA: there are no histograms in it, which is no mistake of a trace file.
 */
int recording_open(struct recording **r, const char *path, char *why, size_t why_len);

/* Both may be called from any thread; unref takes NULL.  ref returns @r. */
struct recording *recording_ref(struct recording *r);
void recording_unref(struct recording *r);

/* As it was opened. */
const char *recording_path(const struct recording *r);

/* How many histograms it has: 1 or more.  Below, @hist is less than that. */
unsigned int recording_count(const struct recording *r);
/* "kmem:kmalloc", or "kmem:kmalloc#1" where there are several (hist_series_name()). */
const char *recording_name(const struct recording *r, unsigned int hist);
/* Definition (event, trigger, instance, clock, host...), schema, and the ends of time. */
const struct hist_series_info *recording_info(const struct recording *r, unsigned int hist);

/*
 * recording_snapshots - the snapshots of @hist, by ascending seq; *@n is 0 where all
 * of them are damaged
 * Everywhere in the panel the *index* of a snapshot is its place in here, from 0.
 * Times ascend too, but where somebody has set the clock back.
 */
const struct recording_snapshot *recording_snapshots(const struct recording *r, unsigned int hist,
						     uint32_t *n);

/* The clock counts ns, so that times are on the axis of the events. */
bool recording_is_ns(const struct recording *r, unsigned int hist);

/* The file holds events, so that there is something to filter behind a key. */
bool recording_has_events(const struct recording *r);

/* The fields of its event, as the file tells them; NULL where it does not. */
const struct hist_event *recording_event(const struct recording *r, unsigned int hist);

/* What is not in order with the file, all of which is known; for hist_damage_words(). */
const struct hist_series_damage *recording_damage(const struct recording *r);

/*
 * recording_series - another reader of the file, to walk over its snapshots
 * For the calling thread alone; hist_series_free() it before the recording goes.
 * Numbers of histograms are the same.  0; -ENOMEM, -EMFILE and the like.
 */
int recording_series(const struct recording *r, struct hist_series **series);

/*
 * recording_reach - the index of the last snapshot not after @time; -1: all are after it
 * "Last" as `report --at` takes it: the one before the first that is after @time.
 * By binary search.
 */
int64_t recording_reach(const struct recording *r, unsigned int hist, uint64_t time);

#ifdef __cplusplus
}
#endif

#endif
