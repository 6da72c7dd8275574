/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * modifier_fit_private.h - which modifiers fit what a name stands for
 */
#ifndef LIB_EXPR_MODIFIER_FIT_PRIVATE_H
#define LIB_EXPR_MODIFIER_FIT_PRIVATE_H

#include "lib/expr/field_resolve.h"
#include "lib/expr/modifier_fit.h"

/* @field: with HIST_MEANS_FIELD.  HIST_FITS_NOT where @meaning is no field of an event. */
enum hist_fit hist_fit(enum hist_modifier modifier, enum hist_meaning meaning,
		       const struct hist_event_field *field, bool is_key);

#endif
