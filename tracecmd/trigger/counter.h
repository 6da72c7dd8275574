/* SPDX-License-Identifier: GPL-2.0 */
/*
 * counter.h - what counts the hits of a session's triggers
 *
 * The session chooses a counter once and then only calls it: the kernel with its hist triggers
 * (kernel_counter.h), or the user-space engine over events that happen (live.h). A replay only
 * names its counter, because it has no ticks.
 *
 * Invariant: a counter borrows all of its set. The session frees the counter first.
 *
 * Functions return 0 or -errno after a message on stderr.
 */
#ifndef TRACECMD_TRIGGER_COUNTER_H
#define TRACECMD_TRIGGER_COUNTER_H

#include "lib/expr/synth.h"
#include "tracecmd/trigger/instance.h"
#include "tracecmd/trigger/traced_event.h"

/* The triggers to count, and where. */
struct trigger_set {
	const struct plan *plan;
	struct hist_target *target;
	struct undo *undo;
	struct instance *instance;
	struct source *sources; /* in the order of the plan */
	unsigned int nsources;
	struct hist_synth *const *synths; /* the plan's synthetic events */
	unsigned int nsynths;
};

struct counter {
	const struct counter_ops *ops;
	struct trigger_set set;
};

/* The histograms of @source have their values. A result other than 0 ends the tick. */
typedef int (*counter_take)(void *arg, struct source *source);

struct counter_ops {
	const char *name; /* in files: "kernel", "user", "replay" */
	/* Ours: it takes what the newest kernel takes, and makes the synthetic events itself. */
	bool engine;
	/* Can the histograms be read as the plan says? Changes nothing. */
	int (*look)(struct counter *c);
	/* Begins to count, in the instance of the set. */
	int (*attach)(struct counter *c);
	/*
	 * One tick: the snapshots of all histograms get their values, flags, time and read_ns.
	 * Calls @take for each source with histograms, in the order of the set.
	 */
	int (*tick)(struct counter *c, counter_take take, void *arg);
	/* Optional: keepalive() is due after so many ms without a tick, or -1; as target_stay(). */
	int (*keepalive_ms)(const struct counter *c);
	int (*keepalive)(struct counter *c);
	/* No more hits: the next tick is the last. */
	void (*pause)(struct counter *c);
	/* After pause(): reports on stderr which hits are in no row. */
	void (*report_loss)(struct counter *c);
	void (*free)(struct counter *c); /* optional */
};

/* counter_ops.look of the user-space engine. */
int counter_look_engine(struct counter *c);

/* When histograms were read. */
struct counter_moment {
	uint64_t time, wall, read_ns;
};

/* What was begun at @begin (timer_now()) is read; the moment is now. */
int counter_take_moment(const struct counter *c, uint64_t begin, struct counter_moment *moment);

/* Time and flags of the snapshots of @source, which have their values. */
void counter_stamp(const struct counter *c, struct source *source,
		   const struct counter_moment *moment);

/* Reports that the hidden triggers of @source dropped @drops hits, if any. */
void counter_report_helper_drops(const struct source *source, uint64_t drops);

/* NULL is fine. */
void counter_free(struct counter *c);

#endif
