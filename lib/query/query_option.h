/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * query_option.h - add the options that say what to count to a query
 *
 *	-e SYS:EVENT  -k KEYS  -v VALS  -s SORT  -f FILTER  -R TRIGGER
 *	--latency  --sql  --function  --function-latency  --tracer  --synthetic
 *
 * The command line, a preset and the panel of KernelShark use the same options.
 */
#ifndef LIB_QUERY_QUERY_OPTION_H
#define LIB_QUERY_QUERY_OPTION_H

#include <stddef.h>

#include "lib/query/query.h"
#include "lib/base/error.h"

/*
 * query_option_apply - add the option @name, such as "-k" or "--latency", with its value
 * @value must remain valid as long as the query.  -ENOENT: no such option; -EINVAL: a sentence,
 * perhaps with a hint, is in @error; -ENOMEM.
 */
int query_option_apply(struct query *query, const char *name, const char *value,
		       struct hist_error *error);

/*
 * query_option_check - check the options as a whole: each event has a histogram, each of them keys
 * @events_suffice: the events are recorded, too, so that they need no histogram.  -EINVAL with a
 * sentence in @error.
 */
int query_option_check(const struct query *query, bool events_suffice, struct hist_error *error);

#endif
