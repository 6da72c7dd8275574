/* SPDX-License-Identifier: GPL-2.0 */
/*
 * foreign_triggers.h - histograms of other people that a trigger of ours would touch
 *
 * Two ways lead into them.  A trigger with :pause that equals one that is there
 * pauses that one, and nothing of ours is made.  A name=NAME that is in use,
 * anywhere in the kernel, makes one histogram of both.
 *
 * Functions return 0, or -errno after a message on stderr.
 */
#ifndef TRACECMD_TRIGGER_FOREIGN_TRIGGERS_H
#define TRACECMD_TRIGGER_FOREIGN_TRIGGERS_H

#include "lib/expr/expr.h"
#include "target/local/target.h"

/*
 * others_check_paused - -EEXIST when @expr says :pause and the trigger file at
 * @path has a histogram that it might mean: one with the same keys.
 */
int others_check_paused(const struct hist_expr *expr, struct hist_target *t, const char *path);

/*
 * others_check_name - -EEXIST when a trigger of any event, of the top level or
 * of an instance, has the name that @expr gives
 * Reads every trigger file there is, but only for an expression with a name.
 */
int others_check_name(const struct hist_expr *expr, struct hist_target *t);

#endif
