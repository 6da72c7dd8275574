/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracer_expand.h - expand --tracer to an event of a plan
 *
 *   --tracer TRACER[:OPTION=VALUE]...
 *   --tracer function[:GLOB[,GLOB]...]
 *   --tracer function_graph[:GLOB[,GLOB]...]
 *
 * The tracers timerlat, osnoise and hwlat write entries of one kind, without being asked for each.
 * function and function_graph are those that --function and --function-latency use with the
 * user-space engine. No hist trigger can count the entries of a tracer, so the user-space engine
 * counts them in the private instance, or replay counts those of a recording.
 *
 * The options are files of tracefs that all instances share, so they are refused if they would
 * disturb another program that uses such a tracer.
 */
#ifndef TRACECMD_SESSION_TRACER_EXPAND_H
#define TRACECMD_SESSION_TRACER_EXPAND_H

#include "helper/local/target.h"
#include "tracecmd/plan/plan.h"

/*
 * tracer_expand - add the event for @event to @plan, with the tracer and its settings
 * @event: of kind QUERY_TRACER; not one of @plan's array. @unique, @clock: as in latency_expand().
 * Only reads from the target. -EINVAL, -EOPNOTSUPP, -EBUSY or the error of a read, after a message;
 * -ENOMEM.
 */
int tracer_expand(struct plan *plan, const struct query_event *event, const char *unique,
		  const char *clock, struct hist_target *t);

#endif
