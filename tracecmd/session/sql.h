/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sql.h - expand a --sql query to objects and events of a plan
 *
 * The language is that of tracefs_sql(3). libtracefs parses the query and writes the error
 * messages. Only its strings are used; the session itself writes to tracefs.
 */
#ifndef TRACECMD_SESSION_SQL_H
#define TRACECMD_SESSION_SQL_H

#include "helper/local/target.h"
#include "lib/expr/kernel_features.h"
#include "tracecmd/plan/plan.h"

/*
 * sql_expand - add the objects and events of a query to @plan
 * @event: an event of kind QUERY_SQL with the histograms of -k and similar options; it must not be
 * an element of @plan->query.events. A query without JOIN defines its own histogram and accepts no
 * other. @unique, @clock and @kernel: as in latency_expand().
 * 0; -EINVAL or the error of a read, after a message; -ENOMEM.
 */
int sql_expand(struct plan *plan, const struct query_event *event, const char *unique,
	       const char *clock, struct hist_target *t, const struct hist_kernel *kernel);

#endif
