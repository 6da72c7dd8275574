// SPDX-License-Identifier: LGPL-2.1
/*
 * writer.c - functions that the writers of all formats share
 */
#include <errno.h>
#include <stdarg.h>

#include "lib/report/writer.h"

void hist_writer_fail(struct hist_writer *w, int error, const char *fmt, ...)
{
	va_list ap;

	if (w->error)
		return;
	w->error = error;
	va_start(ap, fmt);
	vsnprintf(w->why, sizeof(w->why), fmt, ap);
	va_end(ap);
}

int hist_writer_free(struct hist_writer *w, const struct hist_series_damage *damage, char *why,
		     size_t why_len)
{
	int ret;

	if (why && why_len)
		why[0] = '\0';
	if (!w)
		return -ENOMEM;
	if (!w->error && damage)
		w->ops->end(w, damage);
	ret = w->error;
	if (why && why_len)
		snprintf(why, why_len, "%s", w->why);
	w->ops->free(w);
	return ret;
}
