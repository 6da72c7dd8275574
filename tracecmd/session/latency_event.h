/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency_event.h - find the events of a --latency
 */
#ifndef TRACECMD_SESSION_LATENCY_EVENT_H
#define TRACECMD_SESSION_LATENCY_EVENT_H

#include "lib/query/latency_parse.h"
#include "tracecmd/trigger/traced_event.h"

/*
 * latency_event_find - find the event of @side: a probe of @plan, an event of a tracer, or an event of
 * the target
 * @event: the --latency. Sets @s, which the caller clears also after a failure, and side->event to
 * "SYS:EVENT".
 * *@guess: the event as it is if the kernel chooses strings for types that are not given, for
 * hist_event_free(); NULL: all types are known.
 * -EINVAL or the error of a read, after a message; -ENOMEM.
 */
int latency_event_find(const struct plan *plan, const struct query_event *event,
		       struct latency_side *side, struct traced_event *s, struct hist_event **guess,
		       struct hist_target *t);

/* Write "use one of: a, b, ..." to @text, with as many of @names as fit. */
void latency_list_names(char *text, size_t size, const char *const *names, unsigned int n);

/*
 * The type of the synthetic field: the type of @f if synthetic events support it, otherwise an
 * unsigned type of the same size. Signed fields become unsigned too: the variable that carries
 * the value is unsigned, and the kernel refuses a different type.
 */
const char *latency_event_field_type(const struct hist_event_field *f);

#endif
