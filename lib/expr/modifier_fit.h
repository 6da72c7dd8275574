/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * modifier_fit.h - which modifiers fit a field, as a key and as a value
 *
 * hist_check_expr() and `trace-cmd hist list` use this table.  It describes kernel 6.12; the caller
 * must handle modifiers that an older kernel lacks (.percent, .graph, .stacktrace).  Source:
 * parse_field(), create_hist_field() and __create_val_field() in trace_events_hist.c.  The tests
 * try each cell of the table on real kernels.
 */
#ifndef LIB_EXPR_MODIFIER_FIT_H
#define LIB_EXPR_MODIFIER_FIT_H

#include <stdbool.h>

#include "lib/event/event.h"
#include "lib/expr/expr.h"
#include "lib/expr/field_resolve.h"

enum hist_modifier_fit {
	HIST_FITS,
	/*
	 * The kernel accepts it, but the result is meaningless, such as a sum or a logarithm of
	 * pointers to strings.  hist_check_expr() refuses it.
	 */
	HIST_FITS_SENSELESS,
	HIST_FITS_NOT, /* the kernel refuses it */
};

/*
 * hist_modifier_fits - does "@name.@modifier" fit as a key (@is_key), or as a value?
 * @name: a field of @event, or common_timestamp, common_cpu, common_stacktrace, hitcount or one of
 * their old names.
 * @modifier: HIST_MOD_NONE checks the name without a modifier.
 * HIST_FITS_NOT if there is no such field, and for the sort modifiers.
 */
enum hist_modifier_fit hist_modifier_fits(enum hist_modifier modifier, const char *name,
					  const struct hist_event *event, bool is_key);

/*
 * The same for a resolved name.  @field: used for HIST_MEANS_FIELD.  HIST_FITS_NOT if @meaning is
 * not a field of an event.
 */
enum hist_modifier_fit hist_modifier_fits_meaning(enum hist_modifier modifier,
						  enum hist_meaning meaning,
						  const struct hist_event_field *field,
						  bool is_key);

bool hist_modifier_fits_operand(enum hist_modifier modifier);
/* True for .log2 and .buckets. */
bool hist_modifier_makes_range(enum hist_modifier modifier);

#endif
