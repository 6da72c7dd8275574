/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * modifier_fit_private.h - which modifiers fit a resolved name
 */
#ifndef LIB_EXPR_MODIFIER_FIT_PRIVATE_H
#define LIB_EXPR_MODIFIER_FIT_PRIVATE_H

#include "lib/expr/field_resolve.h"
#include "lib/expr/modifier_fit.h"

/* @field: used for HIST_MEANS_FIELD.  HIST_FITS_NOT if @meaning is not a field of an event. */
enum hist_fit hist_fit(enum hist_modifier modifier, enum hist_meaning meaning,
		       const struct hist_event_field *field, bool is_key);

bool hist_modifier_fits_operand(enum hist_modifier modifier);
/* True for .log2 and .buckets. */
bool hist_modifier_makes_range(enum hist_modifier modifier);

#endif
