/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * query_expand.h - check the needs of a query, and expand its options to events with triggers
 */
#ifndef LIB_QUERY_QUERY_EXPAND_H
#define LIB_QUERY_QUERY_EXPAND_H

#include "lib/query/source.h"

/*
 * query_expand - replace --latency, --sql, --function and --tracer by events
 * First checks what presets need: an option of an optional event that @source lacks is left out,
 * with a note. Only reads from @source. -EINVAL, -EOPNOTSUPP or the error of a read, and @refusal
 * is set or the user was told; -ENOMEM. On failure the query can only be cleared.
 */
int query_expand(struct query *query, const struct query_source *source,
		 struct hist_error *refusal);

#endif
