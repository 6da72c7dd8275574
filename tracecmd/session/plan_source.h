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

#endif
