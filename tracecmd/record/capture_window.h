/* SPDX-License-Identifier: GPL-2.0 */
/*
 * capture_window.h - the events around episodes that the user-space engine finds
 *
 * The engine reads the ring buffers of the session. A window keeps copies of the last pages of each
 * CPU. When the engine has counted all events up to some time, the worst hit of each source is cut:
 * the window gives the pages before it. The main thread then writes them to a side file.
 *
 * Memory: the pages of -b KiB per CPU before the last counted event, those of later events (the
 * engine reads at most 16 MiB of a CPU at once), and -b KiB per CPU and source for a cut.
 *
 * Invariant: everything is accessed under the lock. The counter may call after capture_clear(), and
 * the window then does nothing.
 */
#ifndef TRACECMD_RECORD_CAPTURE_WINDOW_H
#define TRACECMD_RECORD_CAPTURE_WINDOW_H

#include "tracecmd/record/capture_private.h"

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
