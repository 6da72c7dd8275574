/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_names.h - say that there is no field, event or variable of a name
 */
#ifndef LIB_CHECK_CHECK_NAMES_H
#define LIB_CHECK_CHECK_NAMES_H

#include "lib/event/event.h"
#include "lib/expr/expr_private.h"

/*
 * What a field is looked for as: decides which names beside the event's fields
 * can be meant.
 */
enum hist_use {
	HIST_USE_KEY,
	HIST_USE_VALUE, /* and in definitions of variables */
	HIST_USE_FILTER,
};

/* -EINVAL with *@error filled: a near name, or the event's fields; or -ENOMEM. */
int hist_no_field(const char *name, struct hist_span at, enum hist_use use,
		  const struct hist_event *event, struct hist_error *error);

/* "its fields: ..." as the hint of @error. */
void hist_hint_fields(const struct hist_event *event, struct hist_error *error);

#endif
