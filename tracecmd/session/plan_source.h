/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan_source.h - expand the query of a plan for a target
 *
 * The target answers what the expansions of lib/query ask: which events, functions, tracers and
 * settings it has.  libtracefs expands --sql.
 */
#ifndef TRACECMD_SESSION_PLAN_SOURCE_H
#define TRACECMD_SESSION_PLAN_SOURCE_H

#include "helper/local/target.h"
#include "lib/query/source.h"
#include "tracecmd/plan/plan.h"
#include "tracecmd/session/sql.h"

struct plan_source {
	struct query_source source; /* first */
	struct sql_source sql;
	struct hist_target *target;
	char unique[32];
};

/* Only sets members; @plan, @t and @kernel must outlive @s. @kernel: NULL if the engine counts. */
void plan_source_init(struct plan_source *s, const struct plan *plan, struct hist_target *t,
		      const struct hist_kernel *kernel);

/* Print @refusal, if it is set, and return @ret. */
int plan_source_report(int ret, const struct hist_error *refusal);

/* Expand the query of @plan, and print its notes.  Returns as query_expand(), after a message. */
int plan_source_expand(struct plan *plan, const struct query_source *source);

/* Whether --engine auto counts functions with a tracer and the user-space engine. */
enum function_tracer {
	FUNCTION_TRACER_NONE,	 /* no: hist triggers count */
	FUNCTION_TRACER_CHEAPER, /* it can do the same, and costs the functions less */
	FUNCTION_TRACER_NEEDED,	 /* the functions are too many for kprobes */
};

/*
 * plan_source_choose_tracer - choose what counts the functions of a plan with --engine auto
 * A tracer is cheaper if the functions of one option are all that @plan counts on this machine, in
 * an instance of our own, and if it counts all keys, clocks and filters of the option. Hist
 * triggers count everything else, because they lose no events. Call it only for a target that has
 * them. Sets *@choice. 0, or -errno
 * after a message.
 */
int plan_source_choose_tracer(const struct plan *plan, struct hist_target *t,
			      enum function_tracer *choice);

#endif
