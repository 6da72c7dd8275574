/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * replay_recording.h - connect a recording to an engine, and write the counts of a replay to a
 * series of snapshots
 *
 * A replay takes these steps:
 *   1. hist_replay_fill_machine() fills the machine for hist_engine_new() from the recording.
 *   2. The caller adds its triggers with hist_engine_add().
 *   3. hist_replay_define() adds each histogram that the file will contain to a series.
 *   4. hist_replay_run() calls the caller's snapshot function, which passes each moment to
 *      hist_replay_record().
 *
 * A series that was begun is never taken back.  If a replay begins again, because a map
 * overflowed (replay.h), hist_replay_record() counts the snapshots and skips those in the file.
 *
 * Functions return 0 or -errno.
 */
#ifndef LIB_REPLAY_RECORDING_H
#define LIB_REPLAY_RECORDING_H

#include "lib/event/machine_names.h"
#include "lib/replay/replay.h"
#include "lib/series/series.h"

/*
 * hist_replay_fill_machine - fill all of *@machine from @buffer of @events
 * @buffer is below hist_events_nbuffers().  Allocates nothing and cannot fail.
 * @events must outlive each engine of the machine: the engine looks up symbols and comms in
 * @events while it makes snapshots.  hist_events_names_error() then says if names are missing.
 */
void hist_replay_fill_machine(struct hist_engine_machine *machine, struct hist_events *events,
			      unsigned int buffer);

/* One histogram of the file.  Pointers are the caller's. */
struct hist_replay_hist {
	const char *event;	    /* "sched:sched_switch"; for hist_replay_define() only */
	const char *trigger;	    /* "hist:keys=..."; for hist_replay_define() only */
	unsigned int counter;	    /* what hist_engine_add() returned */
	struct hist_table *table;   /* of the engine's schema of @counter */
	struct hist_snapshot *snap; /* {} at first; the caller clears it */
	int number;		    /* in the series; hist_replay_define() sets it */
};

/* The caller sets the first four members and clears the struct at the end. */
struct hist_replay_recording {
	struct hist_events *events;
	unsigned int buffer;
	bool has_wall; /* times are ns since 1970, and the snapshots say so */
	struct hist_series_writer *series;
	struct hist_replay_hist *hists;
	unsigned int nhists;
	uint32_t written;  /* snapshots in the series */
	uint32_t position; /* snapshots since the replay began or began again */
};

/*
 * hist_replay_read_names - add the names of interrupts and devices that the histograms of a file
 * have
 * @path: the file with the events.  `record --events` writes both into one file; a file without
 * histograms has no names.  0 or -ENOMEM.
 */
int hist_replay_read_names(struct hist_machine_names *names, const char *path);

/*
 * hist_replay_define - add @hist to the series, with the clock and machine of the recording
 * Its table and snapshot must outlive the recording.  -ENOMEM, or -E2BIG if the series is full:
 * the recording and the series are as before.
 */
int hist_replay_define(struct hist_replay_recording *r, const struct hist_replay_hist *hist);

/*
 * hist_replay_record - count all histograms at @moment and append them to the series
 * A time before that of the last snapshot becomes that time.
 * The function counts all histograms before it appends the first one, so that an overflow leaves
 * no half of a moment.  If the series has this moment from before the replay began again, only
 * counts and values of the snapshots change.
 * -EOVERFLOW, to be returned to hist_replay_run(): the series is unchanged; -ENOMEM; an errno of
 * hist_events_names_error() or of hist_series_add().  After an error other than -EOVERFLOW some
 * histograms may lack this snapshot in the series.
 */
int hist_replay_record(struct hist_replay_recording *r, const struct hist_replay_moment *moment);

/* Frees the list of histograms; not their tables and snapshots, and not the series. */
void hist_replay_clear(struct hist_replay_recording *r);

#endif
