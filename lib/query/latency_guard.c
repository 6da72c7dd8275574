// SPDX-License-Identifier: LGPL-2.1
/*
 * latency_guard.c - leave latencies that cannot be out of histograms
 */
#include <errno.h>
#include <string.h>

#include "lib/expr/expr.h"
#include "lib/query/guard.h"
#include "lib/query/latency_guard.h"
#include "lib/query/query.h"

static const char *latency_guard_limit(bool nsecs)
{
	return nsecs ? GUARD_NS : GUARD_US;
}

int latency_guard_add(struct query *query, const char **filter, const char *lat, bool nsecs)
{
	if (*filter)
		*filter = query_own_printf(query, "(%s) && %s < %s", *filter, lat,
					  latency_guard_limit(nsecs));
	else
		*filter = query_own_printf(query, "%s < %s", lat, latency_guard_limit(nsecs));
	return *filter ? 0 : -ENOMEM;
}

int latency_guard_add_raw(struct query *query, const char **trigger, const char *lat, bool nsecs)
{
	struct hist_expr *expr;
	const char *filter;
	int ret = hist_expr_parse(&expr, *trigger, NULL);

	/* a syntax error is reported later */
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	filter = expr->filter;
	ret = latency_guard_add(query, &filter, lat, nsecs);
	if (!ret) {
		*trigger =
			query_own_printf(query, "%.*s if %s", (int)expr->end, expr->text, filter);
		ret = *trigger ? 0 : -ENOMEM;
	}
	hist_expr_free(expr);
	return ret;
}

static int latency_guard_hide(struct query *query, const char *trigger)
{
	struct query_hist *hist = trigger ? query_add_hist(query) : NULL;

	if (!hist)
		return -ENOMEM;
	hist->hidden = true;
	hist->raw = trigger;
	return 0;
}

int latency_guard_count(struct query *query, const char *lat, bool nsecs, const char *unique)
{
	return latency_guard_hide(query, query_own_printf(query,
		"hist:name=below_%s:keys=common_type:size=128 if %s >= %s", unique, lat,
		latency_guard_limit(nsecs)));
}

int latency_guard_count_ends(struct query *query, const char *filter, const char *unique)
{
	return latency_guard_hide(query, query_own_printf(query,
		"hist:name=ends_%s:keys=common_type:size=128%s%s", unique, filter ? " if " : "",
		filter ? filter : ""));
}
