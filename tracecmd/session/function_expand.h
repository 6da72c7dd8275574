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

#include "helper/local/target.h"
#include "lib/expr/kernel_features.h"
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
 * @event: of kind QUERY_FUNCTION or QUERY_FUNCTION_LATENCY; not one of @plan's array.
 * @unique, @clock: as in latency_expand(). @kernel: as there.
 * -EINVAL, -EOPNOTSUPP or the error of a read, after a message; -ENOMEM.
 */
int function_expand(struct plan *plan, const struct query_event *event, const char *unique,
		    const char *clock, struct hist_target *t, const struct hist_kernel *kernel);

/* Whether --engine auto counts functions with a tracer and the user-space engine. */
enum function_tracer {
	FUNCTION_TRACER_NONE,	 /* no: hist triggers count */
	FUNCTION_TRACER_CHEAPER, /* it can do the same, and costs the functions less */
	FUNCTION_TRACER_NEEDED,	 /* the functions are too many for kprobes */
};

/*
 * function_choose_tracer - choose what counts the functions of a plan with --engine auto
 * A tracer is cheaper if the functions of one option are all that @plan counts on this machine, in
 * an instance of our own, and if it counts all keys, clocks and filters of the option. Hist
 * triggers count everything else, because they lose no events. Call it only for a target that has
 * them. Sets *@choice. Returns like function_expand().
 */
int function_choose_tracer(const struct plan *plan, struct hist_target *t,
			   enum function_tracer *choice);

#endif
