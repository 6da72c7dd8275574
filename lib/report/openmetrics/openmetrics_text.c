// SPDX-License-Identifier: LGPL-2.1
/*
 * openmetrics_text.c - names, labels and refusals in the text format of OpenMetrics
 *
 * Invariant: a label's value has no quote and no backslash without an escape.
 */
#include <errno.h>
#include <inttypes.h>

#include "lib/report/openmetrics/openmetrics.h"

void openmetrics_clean_name(char *s)
{
	for (; *s; s++)
		if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
		      (*s >= '0' && *s <= '9')))
			*s = '_';
}

static void openmetrics_put_escaped(struct hist_strbuf *b, const char *s, size_t len)
{
	for (; len; len--, s++) {
		if (*s == '\\' || *s == '"')
			hist_strbuf_char(b, '\\');
		hist_strbuf_char(b, *s);
	}
}

void openmetrics_put_label(struct hist_strbuf *b, const char *name, const char *suffix,
			   const char *s, size_t len)
{
	hist_strbuf_str(b, name);
	hist_strbuf_str(b, suffix);
	hist_strbuf_add(b, "=\"", 2);
	openmetrics_put_escaped(b, s, len);
	hist_strbuf_char(b, '"');
}

void openmetrics_put_range(struct hist_strbuf *b, const char *name,
			   const struct hist_bounds *bounds)
{
	hist_strbuf_printf(b, "%s_ge=\"", name);
	hist_strbuf_number(b, bounds->ge, bounds->is_signed);
	hist_strbuf_printf(b, "\",%s_le=\"", name);
	hist_strbuf_number(b, bounds->le, bounds->is_signed);
	hist_strbuf_char(b, '"');
}

int openmetrics_refuse_series(struct openmetrics *o, const char *name, uint64_t series)
{
	return hist_error_set(
		&o->base.failure, -EINVAL,
		"%s: more than %" PRIu32 " time series (%" PRIu64 " so far)\nselect one event with "
		"-e, raise --max-series, or record fewer distinct keys, for example with .log2",
		name, o->base.o.max_series, series);
}
