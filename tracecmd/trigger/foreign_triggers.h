/* SPDX-License-Identifier: GPL-2.0 */
/*
 * foreign_triggers.h - detect conflicts with the histograms of other programs
 *
 * A new trigger can change an existing histogram in two ways. A trigger with :pause that equals an
 * existing trigger pauses that one, and the kernel creates no histogram. A trigger with name=NAME
 * shares the histogram of any trigger with that name, anywhere in the kernel.
 *
 * Functions return 0, or -errno after printing a message to stderr.
 */
#ifndef TRACECMD_TRIGGER_FOREIGN_TRIGGERS_H
#define TRACECMD_TRIGGER_FOREIGN_TRIGGERS_H

#include "helper/local/target.h"
#include "lib/expr/expr.h"

/*
 * foreign_triggers_check_paused - check that a trigger with :pause does not pause an existing
 * histogram
 * @dir: directory of the event, "instances/x/events/sched/sched_switch".
 * -EEXIST if @expr has :pause and a histogram of the event has the same keys.
 */
int foreign_triggers_check_paused(const struct hist_expr *expr, struct hist_target *t,
				  const char *dir);

/*
 * foreign_triggers_check_name - check that the name of @expr is unused
 * -EEXIST if a trigger of any event has the same name, at the top level or in an instance.
 * Reads all trigger files, but only if @expr has a name.
 */
int foreign_triggers_check_name(const struct hist_expr *expr, struct hist_target *t);

/* A walk over trigger files. The caller sets the first three members and frees text.data. */
struct trigger_files {
	struct hist_target *target;
	/* Called with the text of "@dir/@event/trigger". A result other than 0 ends the walk. */
	int (*take)(void *arg, const char *dir, const char *event, char *text);
	void *arg;
	struct target_buf text;
	bool incomplete; /* a file or directory cannot be read */
};

/*
 * trigger_files_read - read the file of one event
 * trigger_files_walk - read the files of all events
 * @dir: "events/SYSTEM" for one event; "events", also of an instance, for all.
 * 0, or the result of @take.
 */
int trigger_files_read(struct trigger_files *f, const char *dir, const char *event);
int trigger_files_walk(struct trigger_files *f, const char *dir);

#endif
