/* SPDX-License-Identifier: GPL-2.0 */
/*
 * capture_private.h - shared by the files of a capture
 */
#ifndef TRACECMD_RECORD_CAPTURE_PRIVATE_H
#define TRACECMD_RECORD_CAPTURE_PRIVATE_H

#include "tracecmd/record/capture.h"

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
