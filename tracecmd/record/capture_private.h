/* SPDX-License-Identifier: GPL-2.0 */
/*
 * capture_private.h - shared by the files of a capture
 */
#ifndef TRACECMD_RECORD_CAPTURE_PRIVATE_H
#define TRACECMD_RECORD_CAPTURE_PRIVATE_H

#include <pthread.h>

#include "tracecmd/record/capture.h"

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

/* Find the usual events that this kernel has, and those of presets: c->events. */
int capture_events_find(struct capture *c);

/* Make the instance of one source, and record all events of the capture in it. */
int capture_instance_make(struct capture *c, struct capture_source *s);

/* The same for the watching instance, which records nothing before capture_watch_start(). */
int capture_watch_make(struct capture *c);
int capture_watch_start(struct capture *c);

/*
 * capture_arm - let the kernel freeze the ring buffer at the next hit of at least s->limit
 * @again: a trigger of an earlier call exists.
 */
int capture_arm(struct capture *c, struct capture_source *s, bool again);

#endif
