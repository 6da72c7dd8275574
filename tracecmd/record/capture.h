/* SPDX-License-Identifier: GPL-2.0 */
/*
 * capture.h - watch a threshold during a recording, and capture the events around episodes
 *
 * For each latency, an instance of its own records the scheduler, interrupts, softirqs, timers and
 * the events of the recording into a ring buffer that overwrites the oldest events.  The trigger
 * `snapshot:1 if lat_us >= N` of the synthetic event swaps the ring buffer with a second one of the
 * same size at the moment of the hit.  The recorder reads the frozen events, writes them to a side
 * file (episode_file.h), and sets the trigger again.  After --worst N episodes, the trigger asks
 * for more than the least of them.
 *
 * The user-space engine finds hits itself, and the events come from what it reads
 * (capture_window.h).
 *
 * Another instance has only the hits above the threshold: it wakes the recorder and counts them.
 *
 * Memory in the kernel: two ring buffers of -b KiB per CPU and latency.  Memory of the recorder:
 * one ring buffer of all CPUs.  Disk: --worst N plus one of these for each latency.
 *
 * The order of calls is capture_check(), capture_begin(), capture_start(), capture_follow() and
 * pairs of capture_end_file() and capture_next_file() any number of times, capture_finish(),
 * capture_clear().  A capture of a plan without a threshold does
 * nothing.  Functions return 0, or -errno after a message.
 */
#ifndef TRACECMD_RECORD_CAPTURE_H
#define TRACECMD_RECORD_CAPTURE_H

#include "lib/tracedat/tracedat.h"
#include "tracecmd/base/outfile.h"
#include "tracecmd/output/episode_file.h"
#include "tracecmd/record/capture_source.h"
#include "tracecmd/record/stacks.h"
#include "tracecmd/record/threshold_action.h"
#include "tracecmd/session/session.h"

struct capture_window;

struct capture {
	const struct plan *plan; /* NULL: no threshold */
	struct session *session;
	struct capture_source *sources;
	unsigned int nsources;
	bool keeps; /* captures episodes */
	struct traced_event *events; /* captured in addition to the events of the session */
	unsigned int nevents;
	char *watch_dir;
	int watch; /* descriptor of its trace_pipe, or that of @window; -1: none */
	struct capture_window *window; /* with the user-space engine, instead of the instances */
	const struct tracedat_contents *contents;
	struct episode_files side; /* those of the current file */
	struct stacks *stacks; /* the caller's */
	uint64_t origin; /* time of the first snapshot of that file */
	unsigned int files; /* number of side files of the current file */
	bool ending; /* no more hits follow */
	bool failed; /* an episode could not be saved, and a message was printed */
	uint64_t lost; /* hits that were overwritten before they were read */
	uint64_t looked; /* end of the last capture_follow(), CLOCK_MONOTONIC; 0: none */
	struct target_buf *pages; /* the frozen ring buffer of each CPU */
	struct cpu_pages watched; /* the ring buffers of @watch_dir */
	struct target_buf hits; /* pages of one of them */
	struct target_buf names; /* of tasks, at the last episode */
	struct threshold_action action;
};

/* Check what can be checked before the first change, after session_check(). */
int capture_check(struct capture *c, const struct plan *plan, struct session *session);

/* Print what capture_begin() and capture_start() would set, for --dry-run. */
void capture_print(const struct capture *c);

/* Make the instances, between session_begin() and session_attach(). */
int capture_begin(struct capture *c);

/*
 * capture_start - begin to watch, after the first snapshot
 * @output: the file; NULL if nothing is captured.  @contents: those of the file.  Both must outlive
 * @c, or @output the next call of capture_next_file().
 */
int capture_start(struct capture *c, const struct outfile *output,
		  const struct tracedat_contents *contents);

/* Descriptor for poll(); -1: not now, or none, because the target is on another machine. */
int capture_fd(const struct capture *c);
/* The longest time in ms that poll() may wait; -1: no limit. */
int capture_wait_ms(const struct capture *c);
/* True if capture_follow() is due; @readable: the descriptor is. */
bool capture_is_due(const struct capture *c, bool readable);

/* Handle the episodes since the last call.  *@stop is set if the recording must end. */
int capture_follow(struct capture *c, bool *stop);

/*
 * capture_end_file - handle the episodes until now, and append the worst to the file (--rotate)
 * @dat: its writer.  *@stop is set if the recording must end.
 * After it capture_next_file() must follow, when the first snapshots of the next file, @output, are
 * the last ones of this file: it has worst episodes of its own.
 */
int capture_end_file(struct capture *c, struct tracedat_writer *dat, bool *stop);
int capture_next_file(struct capture *c, const struct outfile *output);

/*
 * capture_finish - handle the last episodes, and append the worst to the last file
 * Call it after counter_ops.pause().  @dat: its writer, which may be NULL without capture.
 */
int capture_finish(struct capture *c, struct tracedat_writer *dat);

/* Print how many episodes there were, and what is missing. */
void capture_report(const struct capture *c);

/* Before session_close(), which removes the instances. */
void capture_clear(struct capture *c);
/* After session_close(), which ends the counter. */
void capture_free(struct capture *c);

#endif
