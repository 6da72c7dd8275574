/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - histograms running on a target: begun, read, taken away again
 *
 * What a verb does with the snapshots is its own business: `record` writes
 * them to a file.  The calls come in this order: session_look(),
 * session_begin(), session_attach(), then session_tick() at will,
 * session_pause() perhaps, and session_close() on every way out, also after a
 * failure of any of them.
 *
 * Functions return 0 or -errno after a message on stderr.
 */
#ifndef TRACECMD_SESSION_SESSION_H
#define TRACECMD_SESSION_SESSION_H

#include "target/local/target.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/session/trigger_context.h"
#include "tracecmd/trigger/counter.h"
#include "tracecmd/trigger/dynevent.h"
#include "tracecmd/trigger/instance.h"
#include "tracecmd/trigger/traced_event.h"
#include "tracecmd/undo/undo.h"

struct session {
	const struct plan *plan;
	struct hist_target *target;
	struct hist_kernel kernel; /* what it can do */
	struct undo *undo;
	struct instance instance;
	struct object *objects; /* of the plan's */
	unsigned int nobjects;
	struct scope scope;
	struct source *sources; /* of the plan's events, in its order */
	unsigned int nsources;
	/* a histogram of ftrace:print: a mark of ours would be counted in it */
	bool counts_marks;
	struct counter *counter; /* who counts */
};

/*
 * Looks up and checks everything that can be; changes nothing on the target, which
 * is opened as the plan says, but where @s has one already.  The same holds for the counter.
 * Expands the plan (plan_expand.h), which must stay until session_close().
 */
int session_look(struct session *s, struct plan *plan);

/* Would session_begin() find what it needs?  Changes nothing. */
int session_look_begin(const struct session *s);

/*
 * session_begin - the journal, the plan's objects, and the instance
 * Sources of events that an object makes have no @event and @format before.
 */
int session_begin(struct session *s);

/* Sets the triggers, in the order of the plan. */
int session_attach(struct session *s);

/* For the loop of one who waits, as target_stay_ms() and target_stay(), and for the counter. */
int session_stay_ms(const struct session *s);
int session_stay(struct session *s);

/*
 * session_tick - one look at all histograms
 * Their snapshots get their values and flags, and their time and read_ns; seq and
 * missed are the caller's.  @take is called for each event with histograms.  The values of
 * each histogram are those of one moment, read at @snap.time at the latest.
 */
int session_tick(struct session *s, counter_take take, void *arg);

/*
 * Says on stderr where the triggers behind a --latency or --sql had no room, so
 * that pairs are missing.  After session_pause().
 */
void session_tell_helper_drops(struct session *s);

/*
 * Stops counting where the kernel lets itself be stopped.  What is read of a histogram then
 * has the time at which it was stopped, though others were stopped and read in between.
 */
void session_pause(struct session *s);

/* Takes back all that was changed, newest first.  A zeroed session is fine. */
int session_close(struct session *s);

#endif
