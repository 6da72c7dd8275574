/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * field_units.h - the units of fields whose names do not contain them
 *
 * The unit of other durations is part of the name, as in "lat_us" (lib/label/unit.h).
 */
#ifndef LIB_HIST_FIELD_UNITS_H
#define LIB_HIST_FIELD_UNITS_H

#include "lib/hist/schema.h"

#define FIELD_UNIT_NS "ns"
#define FIELD_UNIT_US "us"

/* field_units_find - "ns", "us", or NULL for a field of SYSTEM:EVENT without a known unit */
const char *field_units_find(const char *system, const char *event, const char *field);

/*
 * field_units_is_elapsed - is the number of a field the time that ended when the event happened?
 * False for other durations, such as sums of a period, and for unknown fields.
 */
bool field_units_is_elapsed(const char *system, const char *event, const char *field);

/* field_units_set - set the units of all keys and values that are fields of SYSTEM:EVENT */
void field_units_set(struct hist_schema *schema, const char *system, const char *event);

/* The same for "SYSTEM:EVENT", as it is in files. */
void field_units_set_named(struct hist_schema *schema, const char *event);

#endif
