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

#include "lib/expr/expr.h"
#include "target/local/target.h"

/*
 * others_check_paused - check that a trigger with :pause does not pause an existing histogram
 * -EEXIST if @expr has :pause and the trigger file @path has a histogram with the same keys.
 */
int others_check_paused(const struct hist_expr *expr, struct hist_target *t, const char *path);

/*
 * others_check_name - check that the name of @expr is unused
 * -EEXIST if a trigger of any event has the same name, at the top level or in an instance.
 * Reads all trigger files, but only if @expr has a name.
 */
int others_check_name(const struct hist_expr *expr, struct hist_target *t);

#endif
