/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan_threshold.h - the options of a threshold: --threshold, --on-threshold, --worst and -b
 *
 * The words of --on-threshold are those of rtla(1).  Functions return 0 or -errno after a message.
 */
#ifndef TRACECMD_PLAN_PLAN_THRESHOLD_H
#define TRACECMD_PLAN_PLAN_THRESHOLD_H

#include "tracecmd/base/options.h"
#include "tracecmd/plan/plan.h"

/* What an action number @i of --on-threshold begins with, or is; NULL after the last. */
const char *plan_threshold_action(unsigned int i);

/* option_row.take; the options apply to a struct plan. */
int plan_threshold_set(void *plan, const struct option_row *row, char *text);
int plan_threshold_add_action(void *plan, const struct option_row *row, char *text);
int plan_threshold_set_episodes(void *plan, const struct option_row *row, char *text);
int plan_threshold_set_buffer(void *plan, const struct option_row *row, char *text);

/* Check the combination of options after all are known, and add the default action. */
int plan_threshold_check(struct plan *plan);

#endif
