/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * modifier_fit.h - which modifiers fit a field, as a key and as a value
 *
 * The one table behind hist_expr_check() and `trace-cmd hist list`.  It is of
 * kernel 6.12; what an older one lacks altogether (.percent, .graph,
 * .stacktrace) is for the caller to know.  Source: parse_field(),
 * create_hist_field() and __create_val_field() in trace_events_hist.c; the
 * tests try each of its cells on real kernels.
 */
#ifndef LIB_EXPR_MODIFIER_FIT_H
#define LIB_EXPR_MODIFIER_FIT_H

#include <stdbool.h>

#include "lib/event/event.h"
#include "lib/expr/expr.h"

enum hist_fit {
	HIST_FITS,
	/*
	 * The kernel takes it, but it means nothing: a sum of pointers to
	 * strings, the logarithm of one.  hist_expr_check() refuses it.
	 */
	HIST_FITS_SENSELESS,
	HIST_FITS_NOT, /* the kernel refuses it */
};

/*
 * hist_modifier_fits - does "@name.@modifier" fit as a key, or else as a value?
 * @name: a field of @event, or common_timestamp, common_cpu, common_stacktrace,
 * hitcount or one of their old names.  HIST_MOD_NONE asks for the bare name.
 * HIST_FITS_NOT where there is no such field, and for the sort modifiers.
 */
enum hist_fit hist_modifier_fits(enum hist_modifier modifier, const char *name,
				 const struct hist_event *event, bool is_key);

#endif
