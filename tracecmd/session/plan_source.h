/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan_source.h - the events of a target, of coming probes, and of tracers, for a query
 */
#ifndef TRACECMD_SESSION_PLAN_SOURCE_H
#define TRACECMD_SESSION_PLAN_SOURCE_H

#include "helper/local/target.h"
#include "lib/query/source.h"
#include "tracecmd/plan/plan.h"

struct plan_source {
	struct query_source source;
	struct hist_target *target;
};

/* The source of @plan on @t. @kernel and @clock: as in struct query_source. */
struct plan_source plan_source_of(const struct plan *plan, struct hist_target *t, const char *clock,
				  const struct hist_kernel *kernel);

/* Print why a query was refused, with @ret, which is returned. */
int plan_source_report(int ret, const struct query_refusal *refusal);

#endif
