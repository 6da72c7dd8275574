/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session_messages.h - messages to the user about the histograms of a session
 */
#ifndef TRACECMD_SESSION_SESSION_MESSAGES_H
#define TRACECMD_SESSION_SESSION_MESSAGES_H

#include "tracecmd/session/session.h"

/* Print all objects and triggers to stdout, for --dry-run. 0, or -errno after a message. */
int session_print(const struct session *s);

/* Report dropped hits of the last snapshots on stderr, one line per histogram. */
void session_report_dropped(const struct session *s);

/*
 * session_weigh_self - count from now on the hits that the recorder itself causes
 * The user-space engine and lists of tasks leave out the recorder already.
 */
void session_weigh_self(struct session *s);

/*
 * session_report_result - report all that limits the result, after the last snapshots
 * Dropped hits and other losses, pauses and changes by other programs, snapshot() actions that ran,
 * and a large share of the recorder itself, if weighs_self of the session is set.
 */
void session_report_result(const struct session *s);

/*
 * Report the hits that probes missed, and those that the helper triggers of --latency and --sql
 * dropped, so that pairs are missing. Call it after the counter has stopped.
 */
void session_report_helper_drops(struct session *s);

#endif
