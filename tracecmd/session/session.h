/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - run the histograms of a plan on a target: set up, read, remove
 *
 * The verbs use a session and decide what to do with the snapshots: `record` writes them to a
 * file. The order of calls is session_check(), session_begin(), session_attach(),
 * session_release(), session_tick() any number of times, optionally session_pause(),
 * session_close(). session_tick() can come before session_release(), too. session_close() is
 * required on every path, also after a failure.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_SESSION_SESSION_H
#define TRACECMD_SESSION_SESSION_H

#include "helper/local/target.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/session/compat_calls.h"
#include "tracecmd/session/task_filter.h"
#include "tracecmd/session/trigger_context.h"
#include "tracecmd/trigger/counter.h"
#include "tracecmd/trigger/dynevent.h"
#include "tracecmd/trigger/instance.h"
#include "tracecmd/trigger/traced_event.h"
#include "tracecmd/undo/undo.h"

struct session {
	const struct plan *plan;
	struct hist_target *target;
	struct hist_kernel kernel; /* features of the target's kernel */
	const struct query_source *recorded; /* of a replay; NULL: the target answers */
	struct undo *undo;
	struct instance instance;
	struct task_filter filter; /* the tasks whose events are counted */
	struct dynevent *dynevents; /* the plan's objects, in its order */
	unsigned int ndynevents;
	struct trigger_context scope;
	struct traced_event *sources; /* the plan's events, in its order */
	unsigned int nsources;
	/* the plan has a histogram of ftrace:print, which would count snapshot markers */
	bool counts_marks;
	struct counter *counter; /* the counting engine */
	bool weighs_self; /* session_report_self() is wanted at the end */
	/*
	 * count the recorder's own hits of the first histogram of each source
	 * (session_weigh_self()), or 0; or NULL
	 */
	int *self_hits;
	pid_t command; /* the child that is the command of the recording, or 0 */
	struct hist_machine_names *names; /* of the target; NULL: not read yet */
	struct compat_calls compat; /* not for a replay */
};

/*
 * Look up and check everything that can be checked in advance. Changes nothing on the target.
 * Opens the target and creates the counter as the plan says, unless @s already has them.
 * Expands the query of the plan (lib/query/query_expand.h); the plan must outlive the session.
 */
int session_check(struct session *s, struct plan *plan);

/*
 * session_begin - create the undo log, the plan's objects and the instance
 * Before this call, sources for events of an object have no @event and no @format.
 */
int session_begin(struct session *s);

/* Give the event of @source, if it is known, the names of the target's machine. */
int session_set_names(struct session *s, struct traced_event *source);

/* Set the triggers, in the order of the plan. */
int session_attach(struct session *s);

/*
 * session_release - count from now on
 * What the plan has without a latency counts since session_attach(). A first tick before this call
 * has no pair yet, so each later number of pairs is since then.
 */
int session_release(struct session *s);

/* Count nothing from now on. The next tick is the last one. */
void session_pause(struct session *s);

/*
 * session_tick - one tick of the counter
 * Names of system calls in the snapshots that @take gets are right, or say that they can be wrong.
 */
int session_tick(struct session *s, counter_take take, void *arg);

/*
 * session_note_short_log2 - note the hits that may be in a lower bucket of .log2
 * A 32-bit kernel @kernel of @t, without the patches of kernel-patches/, uses the lower 32 bits of
 * a 64-bit number.  Durations in us or longer units are not noted: 2^32 us are 71 minutes.  Sets
 * the loss of the snapshot of @h.
 */
void session_note_short_log2(const struct hist_target *t, const struct hist_kernel *kernel,
			     struct traced_hist *h);

/*
 * For loops that wait for a long time: session_keepalive_ms() returns the longest time that poll()
 * may sleep, in ms (-1: no limit).  After this time call session_keepalive(), which pings the
 * target.  -errno if the connection to the target is lost.
 */
int session_keepalive_ms(const struct session *s);
int session_keepalive(struct session *s);

/*
 * session_task_fd - a descriptor for poll(); when it is readable, session_follow_tasks() is due
 * -1: never due.
 */
int session_task_fd(const struct session *s);
int session_follow_tasks(struct session *s);
/* Count the events of task @pid too. */
int session_add_task(struct session *s, pid_t pid);

/* Undo all changes, newest first. A zeroed session is valid. */
int session_close(struct session *s);

#endif
