/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan_options.h - command line options that define what is counted
 *
 * The verbs that start histograms share this table of options.
 */
#ifndef TRACECMD_PLAN_PLAN_OPTIONS_H
#define TRACECMD_PLAN_PLAN_OPTIONS_H

#include "tracecmd/base/options.h"
#include "tracecmd/plan/plan.h"

/* For options_parse(), with a struct plan as the first member of what the options apply to. */
extern const struct option_row plan_option_rows[];

/*
 * plan_apply_option - apply the option of plan_option_rows with the letter or name of @row to @plan
 * For verbs with a row of their own for it.  0; -ENOMEM; -ENOENT: not such an option; or another
 * -errno after a message.
 */
int plan_apply_option(void *plan, const struct option_row *row, char *value);

/* --key: an option of all verbs with --target. */
int plan_take_key(void *to, const struct option_row *row, char *file);

/* Check the combination of options, such as events without histograms. */
int plan_check(const struct plan *plan);

#endif
