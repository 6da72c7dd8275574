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
 * (capture_window.c).
 *
 * Another instance has only the hits above the threshold: it wakes the recorder and counts them.
 *
 * Memory in the kernel: two ring buffers of -b KiB per CPU and latency.  Memory of the recorder:
 * one ring buffer of all CPUs.  Disk: --worst N plus one of these for each latency.
 *
 * The recorder calls capture_part (recorder_parts.h).  A capture of a plan without a threshold does
 * nothing.  Functions return 0, or -errno after a message.
 *
 * That engine reads the ring buffers of the session.  A window keeps copies of the last pages of
 * each CPU.  When the engine has counted all events up to some time, the worst hit of each source
 * is cut: the window gives the pages before it.  The main thread then writes them to a side file.
 * Memory: the pages of -b KiB per CPU before the last counted event, those of later events (the
 * engine reads at most 16 MiB of a CPU at once), and -b KiB per CPU and source for a cut.
 *
 * Invariant: everything of a window is accessed under its lock.  The counter may call after the
 * capture was cleared, and the window then does nothing.
 */
#ifndef TRACECMD_RECORD_CAPTURE_H
#define TRACECMD_RECORD_CAPTURE_H

#include <pthread.h>

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

/* Handle the episodes since the last call.  *@stop is set if the recording must end. */
int capture_follow(struct capture *c, bool *stop);

/* --- capture_episode.c --- */

/* Hits since the last look, and the largest of them. */
struct new_hits {
	uint64_t n;
	struct threshold_hit largest;
};

/* Count a hit of @s: in @new, and as waiting if it would be captured. */
void capture_count_hit(struct new_hits *new, struct capture_source *s,
		       const struct capture_hit *hit);

/* The waiting hits except @found, which may be NULL, were missed. */
void capture_count_missed(struct capture_source *s, const struct capture_hit *found);

/*
 * capture_keep_cut - keep the episode of @hit with its @pages if it is one of the worst
 * @dropped: events of its CPU before the pages are missing. @lock protects @s; not held by the
 * caller.
 */
int capture_keep_cut(struct capture *c, struct capture_source *s, const struct capture_hit *hit,
		     const char *key, struct target_buf *pages, bool dropped,
		     pthread_mutex_t *lock);

/*
 * capture_forget_kept - capture from now on what has the threshold, for the next file
 * Returns true if the limit had risen, or nothing more was to be captured.
 */
bool capture_forget_kept(const struct capture *c, struct capture_source *s);

/*
 * capture_arm - let the kernel freeze the ring buffer at the next hit of at least s->limit
 * @again: a trigger of an earlier call exists.
 */
int capture_arm(struct capture *c, struct capture_source *s, bool again);

/*
 * Read the frozen ring buffer of a source, set the trigger again, and then keep the episode if it
 * is one of the worst.  If its file cannot be written, no more episodes are captured.
 */
int capture_take_frozen(struct capture *c, struct capture_source *s);

/*
 * Set the trigger to the threshold again.  What froze the ring buffer since the last look is
 * counted as missed, because the frozen events must not come before later ones.
 */
int capture_arm_lower(struct capture *c, struct capture_source *s);

/* --- capture_window.c --- */

/* Connect a window with the counter, before session_attach(): c->window and c->watch. */
int capture_window_open(struct capture *c);

/* Take the hits from now on. */
void capture_window_start(struct capture *c);

/* Capture from now on what has the threshold, as at the start. */
void capture_window_next_file(struct capture *c);

/* Handle the hits and the cuts since the last call. */
int capture_window_follow(struct capture *c, struct new_hits *new);

/* The counter may still call. capture_window_free() must be called after it was freed. */
void capture_window_close(struct capture_window *w);
void capture_window_free(struct capture_window *w);

#endif
