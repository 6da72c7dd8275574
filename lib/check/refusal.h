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
#include <stddef.h>

#include "lib/event/event.h"
#include "lib/expr/expr.h"

enum hist_write {
	HIST_WRITE_SET,	   /* "hist:..." */
	HIST_WRITE_CHANGE, /* with :pause, :cont or :clear, for an existing trigger */
	HIST_WRITE_REMOVE, /* "!hist:..." */
};

/*
 * hist_refusal_explain - write one line, without a newline, into @buf of @size bytes
 * @event: may be NULL.
 * @err: the positive errno.
 * @buf: the text is truncated if it does not fit; 200 bytes are enough.
 * False, with @buf empty, if strerror() is the only explanation.
 */
bool hist_refusal_explain(enum hist_write what, const struct hist_expr *expr,
			  const struct hist_event *event, int err, char *buf, size_t size);

#endif
