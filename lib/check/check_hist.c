// SPDX-License-Identifier: LGPL-2.1
/*
 * check_hist.c - the trigger of a histogram of a query
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/check/check_constant.h"
#include "lib/check/check_hist.h"

int hist_check_make_expr(struct hist_expr **expr, const struct query_hist *hist,
			 const struct hist_event *event, const char *clock,
			 struct hist_error *error, char **bad)
{
	const char *text = hist->raw ? hist->raw : hist->filter;
	char *own = NULL;
	int ret;

	*bad = NULL;
	if (text && event) {
		if (hist_check_replace_constants(&own, text, event))
			return -ENOMEM;
		text = own;
	}
	if (!hist->raw) {
		ret = hist_expr_build(expr, hist->keys, hist->values, hist->sort, text, clock,
				      hist->more, error, bad);
		free(own);
		return ret;
	}
	ret = hist_expr_parse(expr, text, error);
	*bad = own ? own : strdup(text);
	return *bad ? ret : -ENOMEM;
}
