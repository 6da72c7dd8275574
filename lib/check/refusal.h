/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * refusal.h - the likely reason why a kernel refused a trigger
 *
 * For what stands in no error_log: much that event_hist_trigger_parse() and
 * what it calls refuse they refuse with an errno only, and hist_err() is silent
 * about what concerns the instance.  Look into error_log first: what the kernel
 * says itself is right, and this only likely.
 */
#ifndef LIB_CHECK_REFUSAL_H
#define LIB_CHECK_REFUSAL_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/event/event.h"
#include "lib/expr/expr.h"

enum hist_write {
	HIST_WRITE_SET,	   /* "hist:..." */
	HIST_WRITE_CHANGE, /* with :pause, :cont or :clear, of one that is there */
	HIST_WRITE_REMOVE, /* "!hist:..." */
};

/*
 * hist_explain - one line, without a newline, into @buf of @size bytes
 * @event: may be NULL.  @err: the positive errno.  @buf is cut where it is too
 * small; 200 bytes are enough.
 * False, with @buf empty, where there is nothing to say but strerror().
 */
bool hist_explain(enum hist_write what, const struct hist_expr *expr,
		  const struct hist_event *event, int err, char *buf, size_t size);

#endif
