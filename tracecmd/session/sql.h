/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sql.h - what a query of libtracefs counts
 *
 * The language is that of tracefs_sql(3); the parser and its messages are
 * libtracefs's.  Only its strings are taken: writing is ours.
 */
#ifndef TRACECMD_SESSION_SQL_H
#define TRACECMD_SESSION_SQL_H

#include "target/local/target.h"
#include "tracecmd/plan/plan.h"

/*
 * sql_expand - add the objects and events of a query to @plan
 * @event: of kind PLAN_SQL, with the histograms that -k and the like asked for;
 * not one of @plan's array.  A query without JOIN is a histogram by itself and
 * takes none.  @unique and @clock: as latency_expand()'s.
 * -EINVAL or what reading formats gave, after a message; -ENOMEM.
 */
int sql_expand(struct plan *plan, const struct plan_event *event, const char *unique,
	       const char *clock, struct hist_target *t);

#endif
