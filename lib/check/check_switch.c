// SPDX-License-Identifier: LGPL-2.1
/*
 * check_switch.c - check whether the kernel accepts an enable_hist or disable_hist trigger
 */
#include <errno.h>
#include <string.h>

#include "lib/check/check_private.h"
#include "lib/expr/expr_parts.h"
#include "lib/expr/switch_trigger.h"

/* event_enable_register_trigger() treats enable_hist and disable_hist as one kind. */
static int check_once(const struct hist_switch *sw, const struct hist_event *event,
		      const struct hist_check_context *context, struct hist_error *error)
{
	const struct hist_check_switch *other;
	unsigned int i;

	for (i = 0; i < context->nswitches; i++) {
		other = &context->switches[i];
		if (!hist_event_is(other->event, event->system, event->name) ||
		    strcmp(other->sw->system, sw->system) || strcmp(other->sw->event, sw->event))
			continue;
		return hist_expr_error_refuse(
			error, sw->event_span,
			"use different events to enable and to disable the histogram",
			"a trigger on %s:%s already enables or disables "
			"this event",
			event->system, event->name);
	}
	return 0;
}

int hist_check_switch_trigger(const struct hist_switch *sw, const struct hist_event *event,
			      const struct hist_check_context *context, struct hist_error *error)
{
	const struct hist_event *unused;
	struct hist_kernel newest;
	int ret = 0;

	if (context && context->find_event)
		ret = context->find_event(context->data, sw->system, sw->event, &unused);
	if (ret == -ENOENT)
		return hist_check_refuse_event(context, sw->system, sw->event, sw->event_span,
					       error);
	if (ret)
		return ret;
	if (context && check_once(sw, event, context, error))
		return -EINVAL;
	if (!sw->filter)
		return 0;
	hist_kernel_set_newest(&newest);
	return hist_check_filter(sw->filter_tree, sw->filter, sw->filter_start, event,
				 context && context->kernel ? context->kernel : &newest, error);
}
