// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_text.c - a report as text for people, in one of the views
 *
 * A view of single snapshots is written when it arrives.  One blank line separates two
 * views.  A note at the end reports damage of the file.
 */
#include <errno.h>

#include "lib/analysis/loss_notes.h"
#include "lib/analysis/percentiles.h"
#include "lib/report/text/views.h"
#include "lib/report/writer.h"

struct text {
	struct hist_writer base;
	unsigned int shown; /* number of views so far */
	struct hist_percentiles *percentiles, *groups;
	struct percentile_lines lines; /* of the current histogram */
	struct heatmaps *maps; /* of the current histogram; NULL before its first snapshot */
};

/* The percentiles of one line of many, which also has the maximum. */
static const uint32_t brief[] = { 500000, 990000 };

static int text_begin_report(struct hist_writer *base)
{
	const struct hist_writer_options *o = &base->o;
	struct text *t = (struct text *)base;

	t->percentiles = hist_percentiles_new(o->quantiles, o->nquantiles, o->top);
	t->groups = o->nquantiles ? hist_percentiles_new(o->quantiles, o->nquantiles, o->top) :
				    hist_percentiles_new(brief, sizeof(brief) / sizeof(*brief),
							 o->top);
	if (!t->percentiles || !t->groups)
		return -ENOMEM;
	t->groups->has_shapes = true;
	return 0;
}

static int text_add_snapshot(struct hist_writer *base, const struct hist_view *view)
{
	const struct hist_view_style *style = &base->o.style;
	struct text *t = (struct text *)base;
	FILE *f = base->o.f;

	if (base->o.view == HIST_VIEW_HEATMAP)
		return view_heatmaps_add(&t->maps, base, view);
	if (base->o.view == HIST_VIEW_PERCENTILES && base->o.intervals) {
		if (!t->lines.begun && t->shown++)
			fputc('\n', f);
		return hist_view_percentile_lines(f, view, style, t->groups, &t->lines);
	}
	if (t->shown++)
		fputc('\n', f);
	switch (base->o.view) {
	case HIST_VIEW_SUMMARY:
		return hist_view_summary(f, view, style, t->percentiles, t->groups);
	case HIST_VIEW_PERCENTILES:
		return hist_view_percentiles(f, view, style, t->percentiles);
	case HIST_VIEW_BARS:
		return hist_view_bars(f, view, style, NULL);
	default:
		return hist_view_table(f, view, style);
	}
}

static int text_end_histogram(struct hist_writer *base)
{
	struct text *t = (struct text *)base;
	int ret;

	t->lines = (struct percentile_lines){ 0 };
	if (!t->maps)
		return 0;
	if (t->shown++)
		fputc('\n', base->o.f);
	ret = view_heatmaps_print(t->maps, base->o.f);
	view_heatmaps_free(t->maps);
	t->maps = NULL;
	return ret;
}

static int text_write_end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct text *t = (struct text *)base;
	char words[256];
	int ret = 0;

	if (base->o.episodes) {
		ret = view_episodes_print(base->o.f, base->o.episodes, &base->o.style);
		t->shown++;
	}
	if (hist_loss_format_damage(damage, words, sizeof(words)))
		fprintf(base->o.f, "%s# note: %s\n", t->shown ? "\n" : "", words);
	return ret;
}

static void writer_text_clear(struct hist_writer *base)
{
	struct text *t = (struct text *)base;

	view_heatmaps_free(t->maps);
	hist_percentiles_free(t->percentiles);
	hist_percentiles_free(t->groups);
}

const struct hist_writer_ops hist_writer_text = {
	.size = sizeof(struct text),
	.begin = text_begin_report,
	.snapshot = text_add_snapshot,
	.histogram_end = text_end_histogram,
	.end = text_write_end,
	.clear = writer_text_clear,
};
