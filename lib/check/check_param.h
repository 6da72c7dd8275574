/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_param.h - check the parameters of actions
 */
#ifndef LIB_CHECK_CHECK_PARAM_H
#define LIB_CHECK_CHECK_PARAM_H

#include "lib/check/check_type.h"

/* Check trace(SYNTH,PARAM..) or SYNTH(PARAM..). */
int hist_check_trace(struct hist_check *c, const struct hist_action *action,
		     struct hist_typed_action *typed);

/* A parameter must have at least two bytes (parse_action_params()). */
int hist_check_param_text(struct hist_check *c, const struct hist_param *param);

/*
 * A field as a parameter becomes a variable of the same name.  -EINVAL if this event has such a
 * variable already.
 */
int hist_check_field_variable(struct hist_check *c, const struct hist_param *param);

/* Will the kernel make the parameter a variable of this trigger? */
bool hist_param_is_own_field(const struct hist_check *c, const struct hist_action *action,
			     const struct hist_param *param);

#endif
