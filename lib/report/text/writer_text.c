// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_text.c - a report as text for people, in one of the views
 *
 * A view of single snapshots is written when it arrives.  One blank line separates two
 * views.  A note at the end reports damage of the file.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/percentiles.h"
#include "lib/report/text/view_heatmap.h"
#include "lib/report/writer.h"

struct text {
	struct hist_writer base;
	struct hist_writer_options o;
	unsigned int shown; /* number of tables or bars so far */
	struct hist_percentiles *percentiles;
	bool any; /* the current histogram has a snapshot */
	struct heatmaps *maps; /* of the current histogram */
};

static void histogram(struct hist_writer *base, const struct hist_series_info *info,
		      const char *name)
{
	struct text *t = (struct text *)base;

	if (t->o.view != HIST_VIEW_HEATMAP)
		return;
	t->maps = heatmaps_new(info, name, &t->o.style, t->o.top);
	if (!t->maps)
		base->error = -ENOMEM;
}

static int show(struct text *t, const struct hist_view *view)
{
	FILE *f = t->o.f;

	switch (t->o.view) {
	case HIST_VIEW_TABLE:
		return hist_view_table(f, view, &t->o.style);
	case HIST_VIEW_BARS:
		return hist_view_bars(f, view, &t->o.style);
	case HIST_VIEW_PERCENTILES:
		return hist_view_percentiles(f, view, &t->o.style, t->percentiles);
	case HIST_VIEW_HEATMAP:
		return heatmaps_add(t->maps, view);
	}
	return -EINVAL;
}

static void snapshot(struct hist_writer *base, const struct hist_view *view)
{
	struct text *t = (struct text *)base;

	if (t->o.view != HIST_VIEW_HEATMAP && t->shown++)
		fputc('\n', t->o.f);
	t->any = true;
	hist_writer_result(base, show(t, view));
}

static void histogram_end(struct hist_writer *base)
{
	struct text *t = (struct text *)base;

	if (t->maps && t->any) {
		if (t->shown++)
			fputc('\n', t->o.f);
		hist_writer_result(base, heatmaps_print(t->maps, t->o.f));
	}
	heatmaps_free(t->maps);
	t->maps = NULL;
	t->any = false;
}

static void end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct text *t = (struct text *)base;
	char words[256];

	if (hist_damage_words(damage, words, sizeof(words)))
		fprintf(t->o.f, "%s# note: %s\n", t->shown ? "\n" : "", words);
}

static void free_text(struct hist_writer *base)
{
	struct text *t = (struct text *)base;

	heatmaps_free(t->maps);
	hist_percentiles_free(t->percentiles);
	free(t);
}

static const struct hist_writer_ops ops = {
	.histogram = histogram,
	.snapshot = snapshot,
	.histogram_end = histogram_end,
	.end = end,
	.free = free_text,
};

struct hist_writer *hist_writer_text(const struct hist_writer_options *options)
{
	struct text *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->base.ops = &ops;
	t->o = *options;
	if (options->view == HIST_VIEW_PERCENTILES) {
		t->percentiles = hist_percentiles_new(options->quantiles, options->nquantiles,
						      options->top);
		if (!t->percentiles) {
			free(t);
			return NULL;
		}
	}
	return &t->base;
}
