/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * refusal.h - the likely reason why a kernel refused a trigger
 *
 * The functions explain errors that are not in error_log.  event_hist_trigger_parse() and the
 * functions it calls often refuse with only an errno, and hist_err() does not report problems of
 * the instance.  Callers must read error_log first: the kernel's own message is certain, this
 * reason is only likely.
 */
#ifndef LIB_CHECK_REFUSAL_H
#define LIB_CHECK_REFUSAL_H

#include <stdbool.h>

#include "lib/event/event.h"
#include "lib/expr/expr.h"

/*
 * hist_refusal_explain - explain the refusal of the trigger @expr
 * @event: may be NULL.
 * @err: the positive errno.
 * @error: what and hint are set, each in one line; hint may be "".
 * False if what is only the text of strerror().
 */
bool hist_refusal_explain(const struct hist_expr *expr, const struct hist_event *event, int err,
			  struct hist_error *error);

#endif
