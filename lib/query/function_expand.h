/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * function_expand.h - expand --function and --function-latency to events of a query
 *
 *   --function GLOB[,GLOB]...
 *   --function-latency GLOB[,GLOB]...[:UNIT]
 *
 * GLOB is "FUNCTION" or "MODULE:FUNCTION", both patterns of set_ftrace_filter without '!'; UNIT is
 * nsecs (default) or usecs.
 *
 *                     what counts                              since
 *   kernel            an fprobe event with one hist trigger    CONFIG_FPROBE_EVENTS (6.5)
 *                     a kprobe event with a place for each     before
 *                     function, at most FUNCTION_KPROBES_MAX,
 *                     or FUNCTION_LATENCY_KPROBES_MAX
 *   user              the tracer function or function_graph    function_graph in an instance
 *                     in the private instance
 *   replay            the recorded events of these tracers
 *
 * A latency of the kernel is --latency between an entry event and a return event of the same task
 * and function. A latency of function_graph is in its event funcgraph_exit.
 */
#ifndef LIB_QUERY_FUNCTION_EXPAND_H
#define LIB_QUERY_FUNCTION_EXPAND_H

#include "lib/query/source.h"

/*
 * A kernel adds and removes kprobes one by one, and needs about 10 ms for each. A tracer counts
 * more functions; nothing else measures times in an instance on kernels without fprobe events.
 */
#define FUNCTION_KPROBES_MAX 64
#define FUNCTION_LATENCY_KPROBES_MAX 128

/*
 * Events of probes are FUNCTION_GROUP:FUNCTION_ENTRY_UNIQUE and
 * FUNCTION_GROUP:FUNCTION_RETURN_UNIQUE.
 * The latency is the event of latency_expand() with the same @unique.
 */
#define FUNCTION_GROUP "tch_function"
#define FUNCTION_ENTRY "entry"
#define FUNCTION_RETURN "return"

/*
 * function_expand - add the events for @event to @query
 * @event: of kind QUERY_FUNCTION or QUERY_FUNCTION_LATENCY; not one of the array of @query.
 * @unique: as in latency_expand().  -EINVAL, -EOPNOTSUPP or the error of a read, with @refusal;
 * -ENOMEM.
 */
int function_expand(struct query *query, const struct query_event *event, const char *unique,
		    const struct query_source *source, struct hist_error *refusal);

/* With a threshold in tracing_thresh, function_graph writes only the calls that take longer. */
bool function_has_threshold(const struct query_source *source);

#endif
