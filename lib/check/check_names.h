/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * check_names.h - errors for a field that does not exist
 */
#ifndef LIB_CHECK_CHECK_NAMES_H
#define LIB_CHECK_CHECK_NAMES_H

#include "lib/event/event.h"
#include "lib/expr/expr_private.h"

/* The use of a field: it decides which names are possible besides the event's fields. */
enum hist_use {
	HIST_USE_KEY,
	HIST_USE_VALUE, /* also in definitions of variables */
	HIST_USE_FILTER,
};

/* -EINVAL with *@error filled: a near name, or the list of the event's fields; or -ENOMEM. */
int hist_no_field(const char *name, struct hist_span at, enum hist_use use,
		  const struct hist_event *event, struct hist_error *error);

/* Set the hint of @error to "its fields: ..."; returns -EINVAL. */
int hist_hint_fields(const struct hist_event *event, struct hist_error *error);

#endif
