/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_param.h - check the parameters of actions
 */
#ifndef LIB_CHECK_CHECK_PARAM_H
#define LIB_CHECK_CHECK_PARAM_H

#include "lib/check/check_type.h"

/* trace(SYNTH,PARAM..) and SYNTH(PARAM..) */
int hist_check_trace(struct hist_check *c, const struct hist_action *action);

/* parse_action_params(): two bytes at least. */
int hist_check_param_text(struct hist_check *c, const struct hist_param *param);

/*
 * A field as parameter becomes a variable of its name: -EINVAL where this event
 * has such a variable already.
 */
int hist_check_field_variable(struct hist_check *c, const struct hist_param *param);

/* Will the kernel make a variable of this trigger of it? */
bool hist_param_is_own_field(const struct hist_check *c, const struct hist_action *action,
			     const struct hist_param *param);

#endif
