/* SPDX-License-Identifier: GPL-2.0 */
/*
 * traced_event.h - one event, and the histograms that a session sets on it
 *
 * An event has one `hist` file for all its triggers. One read of that file returns all histograms
 * of the event.
 *
 * Functions return 0, or -errno after printing a message to stderr, unless stated otherwise.
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
	struct hist_expr *expr; /* as written to the kernel */
	char *printed;		/* as the kernel prints it: identifies its block in the hist file */
	struct hist_table *table;
	struct hist_text_parser *parser;
	struct hist_raw_reader *reader; /* NULL: the text is read */
	struct hist_snapshot snap; /* the last snapshot */
	int number;		   /* index in the series */
	int counter;		   /* index in the user-space engine, if that counts */
	bool told_ambiguous;
	bool stopped;		   /* the recorder stopped it */
	uint64_t stopped_at;	   /* trace clock: no hit is counted after this time */
	unsigned int pauses;	   /* number of snapshots that found it paused by another program */
	bool was_paused;	   /* the last snapshot found it paused by another program */
	bool may_pause;		   /* the plan itself pauses it: ":pause", or a switch trigger */
	bool cleared;		   /* cleared since the previous snapshot */
};

struct source {
	char *system, *name;
	char *full_name; /* "sched:sched_switch" */
	char *title; /* name in files: the plan's title, or the same as full_name */
	char *format; /* text of the format file */
	size_t format_len;
	struct hist_event *event;
	struct source_hist *hists;
	unsigned int nhists;
	struct source_hist *helpers; /* hidden histograms: set like hists, but not recorded */
	unsigned int nhelpers;
	struct hist_switch **switches; /* see switch_trigger.h */
	unsigned int nswitches;
	char *dir; /* "instances/x/events/sched/sched_switch", once attached */
	int file;  /* handle of the hist file, or -1 */
	bool reads_raw;	 /* see traced_event_raw.h */
	int raw;	 /* handle of hist_raw then */
	bool text_next;	 /* read the text once, for names that hist_raw does not contain */
	bool took_raw;	 /* the last read was of hist_raw */
	struct probe_misses misses; /* if the event is a probe */
	struct hist_symbols *symbols; /* of the target's kernel; loaded for the first stack */
};

/* Look up "SYSTEM:EVENT", "SYSTEM/EVENT" or "EVENT" on the target. */
int source_find(struct source *s, struct hist_target *t, const char *name);

/*
 * Set only the names, for a synthetic event or probe that does not exist yet. @system is the
 * system of a name without one.
 */
int source_expect(struct source *s, struct hist_target *t, const char *name,
		  const char *system);

/* Read the format of an event of source_expect(), after the event was created. */
int source_arrived(struct source *s, struct hist_target *t);

/* Set the name in files, if it is not the event's name. 0 or -ENOMEM. */
int source_set_title(struct source *s, const char *title);

/*
 * source_helper_drops - number of hits that the hidden histograms dropped
 * Call it after counting has stopped. 0 if the number cannot be read.
 */
uint64_t source_helper_drops(const struct source *s, struct hist_target *t);

/*
 * Parse one histogram and add it to @s. Writes nothing; scope_check() checks the histogram.
 * @clock: clock of a -k expression that uses timestamps.
 */
int source_add_hist(struct source *s, const struct plan_hist *hist, const char *clock);

/* Set the triggers in the instance at @dir, each after an entry in @undo. */
int source_attach(struct source *s, struct hist_target *t, struct undo *undo, const char *dir);

/*
 * source_write_trigger - add @text to the undo log, then write it to the trigger file @path
 * If the undo log fails, this function reports the error and writes nothing. If the kernel
 * refuses @text, the undo entry is cancelled and *@refused is the -errno, which the caller
 * explains; otherwise *@refused is 0.
 */
int source_write_trigger(struct hist_target *t, struct undo *undo, const char *path, const char *text,
			 int *refused);

/*
 * source_learn_block - identify @h from now on by the trigger text of @block
 * @h gets the printed expression if it has none. 0, or -errno without a message.
 */
int source_learn_block(const struct source *s, struct source_hist *h,
		       const struct hist_text_block *block);

/* Pause histogram @hist. 0, or the -errno of the write to the trigger file; no message. */
int source_pause(struct source *s, unsigned int hist, struct hist_target *t);

/*
 * Pause the helpers with a name=NAME, which count into a histogram of another event. Call it
 * before that histogram is paused.
 */
void source_pause_helpers(struct source *s, struct hist_target *t);

/*
 * source_clear_hist - start a histogram again after another program cleared it
 * Its next snapshot has HIST_SNAP_RESET.
 */
void source_clear_hist(struct source_hist *h);

/* The histogram of @s that the kernel prints as @trigger, or NULL. */
struct source_hist *source_hist_of(struct source *s, const char *trigger, size_t len);

/* 0 if @found is the number of histograms of @s; otherwise -ENOENT after a message. */
int source_check_found(const struct source *s, unsigned int found);

/*
 * source_parse - parse the text of the hist file into the snapshots of the histograms
 * A histogram that another program cleared starts again, with HIST_SNAP_RESET.
 * -EBADMSG: not the text of a hist file; -ENOENT: a trigger of @s was removed.
 */
int source_parse(struct source *s, const struct target_buf *text);

/* Free the members of @s, not @s itself. */
void source_clear(struct source *s, struct hist_target *t);

#endif
