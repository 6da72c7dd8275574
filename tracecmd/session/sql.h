/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sql.h - expand a --sql query to objects and events of a query (lib/query)
 *
 * The language is that of tracefs_sql(3). libtracefs parses the query and writes the error
 * messages. Only its strings are used; the session itself writes to tracefs. A query without JOIN
 * defines its own histogram and accepts no other.
 */
#ifndef TRACECMD_SESSION_SQL_H
#define TRACECMD_SESSION_SQL_H

#include "helper/local/target.h"
#include "lib/query/source.h"

/* For query_source.sql: reads the formats of the events from a target. */
struct sql_source {
	struct query_sql sql; /* first */
	struct hist_target *target;
};

/* Only sets members; @t must outlive @s. */
void sql_source_init(struct sql_source *s, struct hist_target *t);

#endif
