/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * computed_units.h - the units of latencies that triggers compute from time stamps
 */
#ifndef LIB_CHECK_COMPUTED_UNITS_H
#define LIB_CHECK_COMPUTED_UNITS_H

#include "lib/check/check.h"
#include "lib/hist/schema.h"

/*
 * computed_units_set - set the units of keys and values of a synthetic event, whatever their names
 * @event: the event of the histogram; nothing is set if it is not a synthetic event of @context.
 * @context: the definition of @event, and the triggers that generate it.
 * @clock_is_ns: common_timestamp counts nanoseconds.
 * A unit is set only if all triggers that generate the event pass a time in this unit.
 */
void computed_units_set(struct hist_schema *schema, const struct hist_event *event,
			const struct hist_check_context *context, bool clock_is_ns);

#endif
