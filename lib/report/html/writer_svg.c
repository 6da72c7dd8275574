// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_svg.c - one chart of one histogram, or the time lines of episodes, as an SVG file
 *
 * The chart is drawn at the end of the histogram, and written at the end of the file.  It
 * contains the notes on damage, and its height depends on their number.
 */
#include <errno.h>
#include <inttypes.h>

#include "lib/analysis/loss_notes.h"
#include "lib/report/html/assets.h"
#include "lib/report/html/chart_data.h"
#include "lib/report/html/svg_chart.h"
#include "lib/report/html/svg_scene.h"
#include "lib/report/text_column.h"
#include "lib/report/writer.h"
#include "lib/report/xml.h"

#define WIDTH 900
#define MARGIN 20
#define COLUMNS 240
#define BARS 100
#define CULPRITS 4
#define LABELS 30 /* default for --top: rows of a heat map without an axis */

struct svg {
	struct hist_writer base; /* base.out: the chart, without its frame */
	struct chart_data course;
	unsigned int hists;
	double height;
};

static int svg_begin_histogram(struct hist_writer *base)
{
	struct svg *s = (struct svg *)base;
	bool over_time = base->o.view == HIST_VIEW_HEATMAP || base->o.view == HIST_VIEW_PERCENTILES;

	if (s->hists++)
		return hist_error_set(&base->failure, -EINVAL,
				      "a chart shows only one histogram\nselect one of "
				      "'trace-cmd hist report --list' with -e EVENT");
	if (over_time && base->o.top && hist_axis_key(base->info->def.schema) >= 0)
		return hist_error_set(
			&base->failure, -EINVAL,
			"--top has no effect on a chart of buckets over time\nremove --top");
	return chart_data_begin(&s->course, base->info, base->name, over_time ? COLUMNS : 0);
}

static int svg_add_snapshot(struct hist_writer *base, const struct hist_view *view)
{
	struct svg *s = (struct svg *)base;

	if (s->course.shown && !s->course.map)
		return hist_error_set(&base->failure, -EINVAL,
				      "a bar chart shows only one snapshot\nselect one with "
				      "--at, --snapshot or --between");
	return chart_data_add(&s->course, view);
}

static const char *const chart_names[] = {
	[HIST_VIEW_TABLE] = "total",
	[HIST_VIEW_BARS] = "total",
	[HIST_VIEW_HEATMAP] = "heat map over time",
	[HIST_VIEW_PERCENTILES] = "percentiles over time",
};

static void put_escaped(struct hist_strbuf *b, const char *lead, const char *s)
{
	if (!s || !*s)
		return;
	hist_strbuf_str(b, lead);
	hist_escape(b, s, strlen(s), 0);
}

/* "74,245 hits in 94 entries, snapshot 3 at 36.059849, host vm, Linux ..." */
static void svg_put_subtitle(struct svg *s)
{
	const struct chart_data *c = &s->course;
	const struct hist_definition *def = &c->info->def;
	struct hist_strbuf *b = &s->base.text;
	bool ns = s->base.ns;
	char words[128];

	hist_number_put_grouped(hist_strbuf_clear(b), c->total.hits, false);
	hist_strbuf_str(b, c->total.hits == 1 ? " hit in " : " hits in ");
	hist_number_put_grouped(b, chart_data_entries(c), false);
	hist_strbuf_str(b, chart_data_entries(c) == 1 ? " entry" : " entries");
	if (c->shown) {
		hist_strbuf_str(b, c->has_from ? ", from " : ", at ");
		if (c->has_from) {
			hist_label_put_time(b, c->from_time, ns);
			hist_strbuf_str(b, " to ");
		}
		hist_label_put_time(b, c->total.time, ns);
	}
	if (hist_extent_format(c->extent, c->from_seq, c->from_hits, words, sizeof(words)))
		hist_strbuf_printf(b, ", %s: %s", hist_extent_title(c->from_seq), words);
	hist_strbuf_str(b, ", engine ");
	put_escaped(b, "", def->engine);
	hist_strbuf_str(b, ", clock ");
	put_escaped(b, "", def->clock);
	put_escaped(b, ", host ", def->host);
	put_escaped(b, ", ", def->uname);
}

static void svg_put_heading(struct svg *s)
{
	const struct chart_data *c = &s->course;
	const struct hist_definition *def = &c->info->def;
	struct hist_strbuf *b = &s->base.text;

	put_escaped(hist_strbuf_clear(b), "", c->name);
	hist_strbuf_str(b, ": ");
	hist_strbuf_str(b, chart_names[s->base.o.view]);
	svg_title(&s->base.out, "heading", 's', MARGIN, 34, b, 90);
	put_escaped(hist_strbuf_clear(b), "", def->trigger);
	svg_title(&s->base.out, "label", 's', MARGIN, 54, b, (WIDTH - 2 * MARGIN) / SVG_CHAR);
	svg_put_subtitle(s);
	svg_title(&s->base.out, "muted", 's', MARGIN, 72, b, (WIDTH - 2 * MARGIN) / SVG_TICK_CHAR);
}

static void svg_put_warning(struct svg *s, const char *words)
{
	struct hist_strbuf *b = hist_strbuf_clear(&s->base.text);

	hist_strbuf_str(b, "\xe2\x96\xb2 ");
	hist_strbuf_str(b, words);
	svg_title(&s->base.out, "warn", 's', MARGIN, s->height + 14, b,
		  (WIDTH - 2 * MARGIN) / SVG_TICK_CHAR);
	s->height += 18;
}

static int svg_end_histogram(struct hist_writer *base)
{
	struct svg *s = (struct svg *)base;
	struct chart_data *c = &s->course;
	double width = WIDTH - 2 * MARGIN, height;
	unsigned int i;
	char note[256];
	int ret;

	ret = chart_data_end(c, base->o.top, base->o.top ? base->o.top : LABELS);
	if (ret)
		return ret;
	svg_put_heading(s);
	s->height = 84;
	for (i = 0; hist_loss_format(&c->loss, i, note, sizeof(note)); i++)
		svg_put_warning(s, note);
	hist_strbuf_str(&s->base.out, "<g transform=\"translate(20");
	svg_step(&s->base.out, ',', s->height + 6);
	hist_strbuf_str(&s->base.out, ")\">\n");
	if (s->base.o.view == HIST_VIEW_HEATMAP)
		height = svg_chart_heatmap.draw(&s->base.out, c, width, &base->o);
	else if (s->base.o.view == HIST_VIEW_PERCENTILES)
		height = svg_chart_percentiles.draw(&s->base.out, c, width, &base->o);
	else
		height = svg_draw_bars(&s->base.out, c, width, s->base.o.top ? UINT32_MAX : BARS,
				       s->base.o.top != 0);
	hist_strbuf_str(&s->base.out, "</g>\n");
	s->height += height + 16;
	return base->out.error ? base->out.error : base->text.error;
}

/* The name of the chart, into base.text. */
static void svg_put_name(struct svg *s)
{
	struct hist_strbuf *b = hist_strbuf_clear(&s->base.text);

	if (s->base.o.episodes) {
		hist_strbuf_str(b, "The worst episodes");
		return;
	}
	put_escaped(b, "", s->course.name);
	hist_strbuf_str(b, ": ");
	hist_strbuf_str(b, chart_names[s->base.o.view]);
}

/* What the chart shows, into base.text. */
static void svg_put_description(struct svg *s)
{
	if (!s->base.o.episodes) {
		svg_put_subtitle(s);
		return;
	}
	hist_report_total_put(hist_strbuf_clear(&s->base.text), s->base.o.episodes, CULPRITS, 0);
}

/* The heading and the time line of an episode. */
static void svg_put_episode(struct svg *s, const struct hist_report_episode *e)
{
	struct hist_strbuf *b = hist_strbuf_clear(&s->base.text);

	hist_strbuf_printf(b, "%" PRIu32 ": ", e->rank);
	hist_unit_put(b, hist_report_episode_ns(e), false, HIST_UNIT_NS);
	put_escaped(b, ", ", e->histogram);
	put_escaped(b, ", ", e->what.key);
	hist_strbuf_str(b, ", at ");
	hist_label_put_time(b, e->what.end + e->time_offset, true);
	hist_strbuf_printf(b, ", CPU %u", e->what.cpu);
	svg_title(&s->base.out, "label", 's', MARGIN, s->height + 14, b,
		  (WIDTH - 2 * MARGIN) / SVG_CHAR);
	s->height += 24;
	if (!hist_report_episode_ns(e))
		return;
	hist_strbuf_str(&s->base.out, "<g transform=\"translate(20");
	svg_step(&s->base.out, ',', s->height);
	hist_strbuf_str(&s->base.out, ")\">\n");
	s->height += svg_draw_story(&s->base.out, e->story, WIDTH - 2 * MARGIN) + 12;
	hist_strbuf_str(&s->base.out, "</g>\n");
}

static void svg_put_episodes(struct svg *s)
{
	uint32_t i;

	svg_put_name(s);
	svg_title(&s->base.out, "heading", 's', MARGIN, 34, &s->base.text, 90);
	svg_put_description(s);
	svg_title(&s->base.out, "label", 's', MARGIN, 54, &s->base.text,
		  (WIDTH - 2 * MARGIN) / SVG_CHAR);
	s->height = 68;
	for (i = 0; i < s->base.o.episodes->n; i++)
		svg_put_episode(s, &s->base.o.episodes->list[i]);
}

static int svg_write_document(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct svg *s = (struct svg *)base;
	struct hist_strbuf b = { 0 };
	char words[256];
	int ret;

	if (base->o.episodes)
		svg_put_episodes(s);
	if (hist_loss_format_damage(damage, words, sizeof(words)))
		svg_put_warning(s, words);
	hist_strbuf_str(&b,
			"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" "
			"aria-labelledby=\"title desc\" width=\"900\" height=");
	svg_step(&b, '"', s->height);
	hist_strbuf_str(&b, "\" viewBox=\"0 0 900");
	svg_step(&b, ' ', s->height);
	hist_strbuf_str(&b, "\">\n<title id=\"title\">");
	svg_put_name(s);
	xml_text(&b, &s->base.text);
	hist_strbuf_str(&b, "</title>\n<desc id=\"desc\">");
	svg_put_description(s);
	xml_text(&b, &s->base.text);
	hist_strbuf_str(&b, "</desc>\n<style>\n");
	hist_strbuf_add(&b, (const char *)asset_chart_css, asset_chart_css_len);
	hist_strbuf_str(&b, "</style>\n");
	svg_rect(&b, "bg", 0, 0, WIDTH, s->height);
	hist_strbuf_append(&b, &base->out);
	hist_strbuf_str(&b, "</svg>\n");
	hist_strbuf_fail(&b, base->text.error);
	hist_strbuf_fail(&b, base->out.error);
	ret = hist_strbuf_flush(&b, base->o.f);
	hist_strbuf_free(&b);
	return ret;
}

static void svg_clear(struct hist_writer *base)
{
	chart_data_clear(&((struct svg *)base)->course);
}

const struct hist_writer_ops hist_writer_svg = {
	.size = sizeof(struct svg),
	.histogram = svg_begin_histogram,
	.snapshot = svg_add_snapshot,
	.histogram_end = svg_end_histogram,
	.end = svg_write_document,
	.clear = svg_clear,
};
