/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session_messages.h - what people are told of a session's histograms
 */
#ifndef TRACECMD_SESSION_SESSION_MESSAGES_H
#define TRACECMD_SESSION_SESSION_MESSAGES_H

#include "tracecmd/session/session.h"

/* For --dry-run: all objects and triggers, to stdout.  0, or -errno after a message. */
int session_print(const struct session *s);

/* Hits that had no room in a map, as the last snapshots say: a line each on stderr. */
void session_tell_dropped(const struct session *s);

/* Triggers that others had paused, as the snapshots found them. */
void session_tell_paused(const struct session *s);

/* Of a snapshot() in an instance that is removed at the end. */
void session_tell_buffer(const struct session *s);

/* What the kernel says of the last snapshot() of each histogram. */
void session_tell_taken(const struct session *s);

/* What the probes missed, also those of a --latency or --sql. Reads it once more. */
void session_tell_misses(struct session *s);

#endif
