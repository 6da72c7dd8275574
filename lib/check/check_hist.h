/* SPDX-License-Identifier: LGPL-2.1 */
/* check_hist.h - the trigger of a histogram of a query */
#ifndef LIB_CHECK_CHECK_HIST_H
#define LIB_CHECK_CHECK_HIST_H

#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/query/query.h"

/*
 * hist_check_make_expr - parse the trigger of @hist, or build it from -k and similar options
 * Names of constants are replaced by their numbers (check_constant.h) if @event is not NULL.
 * @clock: as in hist_expr_build().  0; -EINVAL with *@error, whose span is in *@bad, malloc'ed;
 * -ENOMEM.  Free *@bad in any case.
 */
int hist_check_make_expr(struct hist_expr **expr, const struct query_hist *hist,
			 const struct hist_event *event, const char *clock,
			 struct hist_error *error, char **bad);

#endif
