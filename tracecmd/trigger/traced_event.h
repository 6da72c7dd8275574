/* SPDX-License-Identifier: GPL-2.0 */
/*
 * traced_event.h - one event, and the histograms that we put on it
 *
 * An event has one `hist` file for all its triggers, so it is read once for
 * all of its histograms.  Functions return 0 or -errno and have told the user
 * why on stderr, unless they say otherwise.
 */
#ifndef TRACECMD_TRIGGER_TRACED_EVENT_H
#define TRACECMD_TRIGGER_TRACED_EVENT_H

#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/expr/kernel_features.h"
#include "lib/expr/switch_trigger.h"
#include "lib/hist/table.h"
#include "lib/histfile/hist_raw.h"
#include "lib/histfile/hist_text.h"
#include "lib/series/series.h"
#include "target/local/target.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/target/probe_misses.h"
#include "tracecmd/undo/undo.h"

struct source_hist {
	struct hist_expr *expr; /* as it is written to the kernel */
	char *printed;		/* as the kernel prints it back: how we know its block */
	struct hist_table *table;
	struct hist_text_parser *parser;
	struct hist_raw_reader *reader; /* or NULL: read by the text */
	struct hist_snapshot snap; /* the last one */
	int number;		   /* in the series */
	int counter;		   /* in our own engine, where that counts */
	bool told_ambiguous;
	bool stopped;		   /* it counts nothing any more, */
	uint64_t stopped_at;	   /* since this time of the trace clock at the latest */
	unsigned int pauses;	   /* snapshots that found it paused, and not by the recorder */
	bool was_paused;	   /* the last one did */
	bool may_pause;		   /* the plan itself pauses it: ":pause", or a switch */
	bool cleared;		   /* by somebody, since the snapshot before */
};

struct source {
	char *system, *name;
	char *full_name; /* "sched:sched_switch" */
	char *title; /* what it is called in files; the plan's, or the same as full_name */
	char *format; /* text of the format file */
	size_t format_len;
	struct hist_event *event;
	struct source_hist *hists;
	unsigned int nhists;
	struct source_hist *helpers; /* hidden ones: only set, never read; as hists but for that */
	unsigned int nhelpers;
	struct hist_switch **switches; /* see switch_trigger.h */
	unsigned int nswitches;
	char *dir; /* "instances/x/events/sched/sched_switch", once attached */
	int file;  /* handle of the hist file, or -1 */
	bool reads_raw;	 /* see traced_event_raw.h */
	int raw;	 /* handle of hist_raw then */
	bool text_next;	 /* the text is to be read once, for what hist_raw does not tell */
	bool took_raw;	 /* what was read last is of hist_raw */
	struct probe_misses misses; /* if its event is that of a probe */
	struct hist_symbols *symbols; /* of its kernel, once stacks want them */
};

/* Looks up "SYSTEM:EVENT", "SYSTEM/EVENT" or "EVENT" on the target. */
int source_find(struct source *s, struct hist_target *t, const char *name);

/*
 * An event that is not there yet, as a synthetic event or probe is made before
 * its triggers are set: only the names.  @system: for a name without one.
 */
int source_expect(struct source *s, struct hist_target *t, const char *name,
		  const char *system);

/* The expected event has been made: reads its format. */
int source_arrived(struct source *s, struct hist_target *t);

/* What it is called in files, other than by its name. -ENOMEM. */
int source_set_title(struct source *s, const char *title);

/*
 * source_helper_drops - how many hits the hidden histograms had no room for
 * Asked when all is over.  0 where it cannot be told.
 */
uint64_t source_helper_drops(const struct source *s, struct hist_target *t);

/*
 * Parses one histogram, which is checked by scope_check(); nothing is written.
 * @clock: for a -k expression that uses timestamps.
 */
int source_add_hist(struct source *s, const struct plan_hist *hist, const char *clock);

/* Sets the triggers in the instance at @dir, each noted in @undo. */
int source_attach(struct source *s, struct hist_target *t, struct undo *undo, const char *dir);

/*
 * source_write_trigger - note @text for the trigger file @path, and write it
 * A failed note is reported here, and nothing is written.  If the kernel refuses @text, the
 * note is taken back and *@refused is the -errno, for the caller to explain; otherwise it is 0.
 */
int source_write_trigger(struct hist_target *t, struct undo *undo, const char *path, const char *text,
			 int *refused);

/*
 * source_learn_block - read @h from now on as the hist file prints it in @block
 * A histogram without an expression gets the printed one.  -errno without a message.
 */
int source_learn_block(const struct source *s, struct source_hist *h,
		       const struct hist_text_block *block);

/* Stops histogram @hist from counting: 0, or what the write of the trigger gives. */
int source_pause(struct source *s, unsigned int hist, struct hist_target *t);

/* The same for what counts into a histogram of another event; before that is stopped. */
void source_pause_helpers(struct source *s, struct hist_target *t);

/*
 * source_clear_hist - somebody cleared the histogram: it begins anew
 * The next snapshot of it will have HIST_SNAP_RESET.
 */
void source_clear_hist(struct source_hist *h);

/* Our histogram that the kernel prints as @trigger, or NULL. */
struct source_hist *source_hist_of(struct source *s, const char *trigger, size_t len);

/* All of them were found in what was read?  Else -ENOENT after a message. */
int source_check_found(const struct source *s, unsigned int found);

/*
 * source_parse - the text of the hist file into the snapshots of the histograms
 * A histogram that somebody cleared begins anew, with HIST_SNAP_RESET.
 * -EBADMSG: not what a kernel prints; -ENOENT: a trigger of ours is gone.
 */
int source_parse(struct source *s, const struct target_buf *text);

/* Frees what is in it, not *s itself. */
void source_clear(struct source *s, struct hist_target *t);

#endif
