/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * sql_expand.h - make --sql a histogram, or the triggers of a JOIN and the synthetic event between
 */
#ifndef LIB_QUERY_SQL_EXPAND_H
#define LIB_QUERY_SQL_EXPAND_H

#include "lib/query/source.h"

/*
 * sql_expand - add what the query means to @query
 * @event: of kind QUERY_SQL, with its histograms; not one of the array of @query.
 * @unique: for the name of the synthetic event.
 * A query without JOIN defines its own histogram and accepts no other.
 * Returns as latency_expand(); or what query_sql.parse() gave.
 */
int sql_expand(struct query *query, const struct query_event *event, const char *unique,
	       const struct query_source *source, struct hist_error *refusal);

#endif
