/* SPDX-License-Identifier: GPL-2.0 */
/*
 * counter.h - interface of the counting engines of a session
 *
 * The session chooses one counter and then only calls its operations. The kernel counter uses hist
 * triggers (kernel_counter.h). The live counter feeds events to the user-space engine (live.h).
 * That of a replay feeds it recorded events, in one tick (replay.c).
 *
 * Invariant: a counter borrows everything in its set. The session frees the counter first.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_TRIGGER_COUNTER_H
#define TRACECMD_TRIGGER_COUNTER_H

#include "lib/expr/synth.h"
#include "tracecmd/kernel/foreign_writes.h"
#include "tracecmd/trigger/instance.h"
#include "tracecmd/trigger/traced_event.h"

/* The triggers to count, with their target and instance. */
struct trigger_set {
	const struct plan *plan;
	struct hist_target *target;
	struct undo *undo;
	struct instance *instance;
	struct traced_event *sources; /* in the order of the plan */
	unsigned int nsources;
	struct hist_synth *const *synths; /* the plan's synthetic events */
	unsigned int nsynths;
	const struct traced_event
		*more; /* that the user-space engine records without counting them */
	unsigned int nmore;
};

/* Events that a recorder wants to get. */
struct counter_watch {
	const struct traced_event *source;
	const char *filter; /* "lat_us >= 1000" */
};

/*
 * What the user-space engine passes to a recorder that keeps events; members may be NULL. All
 * functions are called by any thread, one call at a time. They return 0, or -errno, which ends the
 * counter.
 */
struct counter_pages {
	/*
	 * @page is a whole page of trace_pipe_raw, valid during the call. @again: it replaces the
	 * page of this CPU before.
	 */
	int (*take)(void *arg, unsigned int cpu, const void *page, bool again);
	/* All events before @until were counted; pages of later events may have been taken. */
	int (*counted)(void *arg, uint64_t until);
	/* A hit of @watches[@n], in the order of times. @data: as hist_engine_take has it. */
	int (*hit)(void *arg, unsigned int n, unsigned int cpu, uint64_t time,
		   const unsigned char *data, uint32_t len);
	const struct counter_watch *watches;
	unsigned int nwatches;
	void *arg;
};

struct counter {
	const struct counter_ops *ops;
	struct counter_pages
		pages;	  /* only the user-space engine reads pages; set before attach() */
	int keepalive_ms; /* keepalive() is due after this time without a tick; 0: never */
	struct foreign_writes writes; /* from attach() to pause() or free() */
	struct trigger_set set;
};

/* Called when the histograms of @source have their values. A result other than 0 ends the tick. */
typedef int (*counter_take)(void *arg, struct traced_event *source);

struct counter_ops {
	const char *name; /* name in files: "kernel", "user", "replay" */
	/*
	 * True for the user-space engine: it accepts the grammar of the newest kernel, and
	 * generates synthetic events itself.
	 */
	bool engine;
	/* Check that the histograms can be read as the plan says. Changes nothing. */
	int (*check)(struct counter *c);
	/* Start to count in the instance of the set. */
	int (*attach)(struct counter *c);
	/*
	 * Run one tick: set values, flags, time and read_ns of the snapshots of all histograms;
	 * the caller sets seq and missed. Calls @take for each source with histograms, in the order
	 * of the set. The values of a histogram are those of one moment, which is not later than
	 * the time of the snapshot.
	 */
	int (*tick)(struct counter *c, counter_take take, void *arg);
	int (*keepalive)(struct counter *c); /* for a counter with keepalive_ms */
	/*
	 * Stop counting, if the kernel allows it, and end @writes. The next tick is the last. The
	 * snapshot of a stopped histogram has the time at which the histogram was stopped.
	 */
	void (*pause)(struct counter *c);
	/* Report on stderr the hits that no row contains. Call it after pause(). */
	void (*report_loss)(struct counter *c);
	void (*free)(struct counter *c); /* optional */
};

/* True if @source counts in any task, in the instance @anywhere_dir of its set. */
bool counter_is_anywhere(const struct traced_event *source);
/* The instance in which @source counts: "instances/NAME". */
const char *counter_event_dir(const struct trigger_set *s, const struct traced_event *source);

/*
 * counter_begin_writes - watch the files that the hits of @c depend on; @c->writes has the result
 * If that is not possible, prints a warning. Call it at the end of attach().
 */
void counter_begin_writes(struct counter *c);

/* counter_ops.look of the user-space engine. */
int counter_check_engine(struct counter *c);

/*
 * The moment of a read: time on the trace clock, wall-clock time (0 if unknown), and duration of
 * the read in ns.
 */
struct counter_moment {
	uint64_t time, wall, read_ns;
};

/* Set @moment to now, for a read that began at @begin (timer_now()). */
int counter_take_moment(const struct counter *c, uint64_t begin, struct counter_moment *moment);

/* Set time and flags of the snapshots of @source, which already have their values. */
void counter_stamp(struct counter *c, struct traced_event *source,
		   const struct counter_moment *moment);

/* Report that the hidden triggers of @source dropped @drops hits, if @drops is not 0. */
void counter_report_helper_drops(const struct traced_event *source, uint64_t drops);

#endif
