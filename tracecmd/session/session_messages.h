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
 * Report the other losses of the last snapshots (loss.h): hits that are not counted as warnings,
 * and the rest as notes, except with -q.
 */
void session_report_losses(const struct session *s);

/* Report triggers that snapshots found paused by another program. */
void session_report_paused(const struct session *s);

/* Report changes by other programs that stop events, or can. */
void session_report_stopped(const struct session *s);

/*
 * Report the events of which the recorder itself made a large share of the hits. Needs
 * weighs_self of the session.
 */
void session_report_self(const struct session *s);

/* Warn about a snapshot() action in an instance that is removed at the end. */
void session_report_buffer(const struct session *s);

/* Report what the kernel printed about the last snapshot() action of each histogram. */
void session_report_taken(const struct session *s);

/*
 * Report the hits that probes missed, and those that the helper triggers of --latency and --sql
 * dropped, so that pairs are missing. Call it after the counter has stopped.
 */
void session_report_helper_drops(struct session *s);

#endif
