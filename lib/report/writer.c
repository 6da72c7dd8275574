// SPDX-License-Identifier: LGPL-2.1
/*
 * writer.c - functions that the writers of all formats share
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/label/label.h"
#include "lib/report/writer.h"

static void clear_writer(struct hist_writer *w)
{
	if (w->ops->clear)
		w->ops->clear(w);
	hist_strbuf_free(&w->out);
	hist_strbuf_free(&w->text);
	free(w);
}

struct hist_writer *hist_writer_new(const struct hist_writer_ops *ops,
				    const struct hist_writer_options *options)
{
	struct hist_writer *w = calloc(1, ops->size);

	if (!w)
		return NULL;
	w->ops = ops;
	w->o = *options;
	if (!ops->begin || !ops->begin(w))
		return w;
	clear_writer(w);
	return NULL;
}

void hist_writer_histogram(struct hist_writer *w, const struct hist_series_info *info,
			   const char *name)
{
	if (w->error)
		return;
	w->info = info;
	w->name = name;
	w->ns = hist_clock_is_ns(info->def.clock);
	hist_columns_make(&w->columns, info->def.schema, HIST_COLUMNS_DATA, NULL);
	if (w->ops->histogram)
		w->error = w->ops->histogram(w);
}

void hist_writer_snapshot(struct hist_writer *w, const struct hist_view *view)
{
	if (!w->error)
		w->error = w->ops->snapshot(w, view);
}

void hist_writer_histogram_end(struct hist_writer *w)
{
	if (!w->error && w->ops->histogram_end)
		w->error = w->ops->histogram_end(w);
}

int hist_writer_free(struct hist_writer *w, const struct hist_series_damage *damage,
		     struct hist_error *error)
{
	int ret;

	if (!w)
		return -ENOMEM;
	if (!w->error && damage)
		w->error = w->ops->end(w, damage);
	ret = w->error;
	if (error && ret)
		*error = w->failure;
	clear_writer(w);
	return ret;
}
