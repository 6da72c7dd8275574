/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sql.h - ask libtracefs what a --sql query means (lib/query/sql.h)
 *
 * The language is that of tracefs_sql(3).  libtracefs parses the query and the formats of its
 * events and writes the error messages, in a process of its own (tracecmd/base/confine.h): queries
 * come from presets and formats from recordings, and some crash it.  Only its strings are used; the
 * session itself writes to tracefs.
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
