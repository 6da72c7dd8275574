/* SPDX-License-Identifier: GPL-2.0 */
/*
 * function_expand.h - expand --function and --function-latency to events of a plan
 *
 *   --function GLOB[,GLOB]...
 *   --function-latency GLOB[,GLOB]...[:UNIT]
 *
 * GLOB is a pattern of set_ftrace_filter without '!' and ':'; UNIT is nsecs (default) or usecs.
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
#ifndef TRACECMD_SESSION_FUNCTION_EXPAND_H
#define TRACECMD_SESSION_FUNCTION_EXPAND_H

#include <stdbool.h>

#include "target/local/target.h"
#include "tracecmd/plan/plan.h"

/*
 * A kernel adds and removes kprobes one by one, and needs about 10 ms for each. A tracer counts more
 * functions; nothing else measures times in an instance on kernels without fprobe events.
 */
#define FUNCTION_KPROBES_MAX 64
#define FUNCTION_LATENCY_KPROBES_MAX 128

/*
 * Events of probes are FUNCTION_GROUP:FUNCTION_ENTRY_UNIQUE and FUNCTION_GROUP:FUNCTION_RETURN_UNIQUE.
 * The latency is the event of latency_expand() with the same @unique.
 */
#define FUNCTION_GROUP "tch_function"
#define FUNCTION_ENTRY "entry"
#define FUNCTION_RETURN "return"

/*
 * function_expand - add the events for @event to @plan
 * @event: of kind PLAN_FUNCTION or PLAN_FUNCTION_LATENCY; not one of @plan's array.
 * @unique, @clock: as in latency_expand(). @engine: true if the user-space engine counts.
 * -EINVAL, -EOPNOTSUPP or the error of a read, after a message; -ENOMEM.
 */
int function_expand(struct plan *plan, const struct plan_event *event, const char *unique,
		    const char *clock, struct hist_target *t, bool engine);

/*
 * function_needs_tracer - check if hist triggers cannot count a --function of @plan
 * *@needs: the kernel has no fprobe events and the functions are too many for kprobes. Returns
 * like function_expand().
 */
int function_needs_tracer(const struct plan *plan, struct hist_target *t, bool *needs);

#endif
