/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * tracer_expand.h - expand --tracer to an event of a query
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
#ifndef LIB_QUERY_TRACER_EXPAND_H
#define LIB_QUERY_TRACER_EXPAND_H

#include "lib/query/source.h"

/* The name of tracer number @i; NULL after the last. */
const char *tracer_expand_name(unsigned int i);

/*
 * tracer_expand - add the event for @event to @query, with the tracer and its settings
 * @event: of kind QUERY_TRACER; not one of the array of @query. @unique: as in latency_expand().
 * -EINVAL, -EOPNOTSUPP, -EBUSY, -ENODATA or the error of a read, with @refusal; -ENOMEM.
 */
int tracer_expand(struct query *query, const struct query_event *event, const char *unique,
		  const struct query_source *source, struct hist_error *refusal);

#endif
