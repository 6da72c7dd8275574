// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_svg.c - one chart of one histogram as an SVG file
 *
 * The chart is drawn at the end of the histogram, and written at the end of the file.  It
 * contains the notes on damage, and its height depends on their number.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/xml.h"
#include "lib/report/html/assets.h"
#include "lib/report/html/svg_chart.h"
#include "lib/report/text_column.h"
#include "lib/report/writer.h"

#define WIDTH 900
#define MARGIN 20
#define COLUMNS 240
#define BARS 100
#define LABELS 30 /* default for --top: rows of a heat map without an axis */

struct svg {
	struct hist_writer base;
	struct hist_writer_options o;
	struct course course;
	unsigned int hists;
	double height;
	struct hist_strbuf body, text;
};

static void histogram(struct hist_writer *base, const struct hist_series_info *info,
		      const char *name)
{
	struct svg *s = (struct svg *)base;
	bool over_time = s->o.view == HIST_VIEW_HEATMAP || s->o.view == HIST_VIEW_PERCENTILES;

	if (s->hists++) {
		hist_writer_fail(base, -EINVAL, "one chart shows one histogram, and there are more: "
						"choose one with -e EVENT, as --list names them");
		return;
	}
	if (over_time && s->o.top && hist_axis_key(info->def.schema) >= 0) {
		hist_writer_fail(base, -EINVAL, "a chart over an axis and time has no rows that --top could "
						"choose: leave it out");
		return;
	}
	hist_writer_result(base, course_begin(&s->course, info, name, over_time ? COLUMNS : 0));
}

static void snapshot(struct hist_writer *base, const struct hist_view *view)
{
	struct svg *s = (struct svg *)base;

	if (s->course.shown && !s->course.map) {
		hist_writer_fail(base, -EINVAL, "one chart of bars shows one snapshot, and there are "
						"more: choose with --at, --snapshot or --between");
		return;
	}
	hist_writer_result(base, course_take(&s->course, view));
}

static const char *chart_name(const struct svg *s)
{
	switch (s->o.view) {
	case HIST_VIEW_HEATMAP:
		return "heat map over time";
	case HIST_VIEW_PERCENTILES:
		return "percentiles over time";
	default:
		return "total";
	}
}

/* "74,245 hits in 94 entries, snapshot 3 at 36.059849, host vm, Linux ..." */
static void subtitle(struct svg *s)
{
	const struct course *c = &s->course;
	const struct hist_definition *def = &c->info->def;
	bool ns = hist_clock_is_ns(def->clock);
	struct hist_strbuf *b = &s->text;
	char words[128];

	b->len = 0;
	chart_count(b, c->total.hits);
	hist_strbuf_str(b, " hits in ");
	chart_count(b, c->rows.total);
	hist_strbuf_str(b, c->rows.total == 1 ? " entry" : " entries");
	if (c->shown) {
		hist_strbuf_str(b, c->has_from ? ", from " : ", at ");
		if (c->has_from) {
			hist_label_time(b, c->from_time, ns);
			hist_strbuf_str(b, " to ");
		}
		hist_label_time(b, c->total.time, ns);
	}
	if (hist_extent_words(c->extent, c->from_seq, c->from_hits, words, sizeof(words)))
		hist_strbuf_printf(b, ", " HIST_EXTENT_TITLE ": %s", words);
	hist_strbuf_str(b, ", engine ");
	hist_escape(b, def->engine, strlen(def->engine), 0);
	hist_strbuf_str(b, ", clock ");
	hist_escape(b, def->clock, strlen(def->clock), 0);
	if (def->host && *def->host) {
		hist_strbuf_str(b, ", host ");
		hist_escape(b, def->host, strlen(def->host), 0);
	}
	if (def->uname && *def->uname) {
		hist_strbuf_str(b, ", ");
		hist_escape(b, def->uname, strlen(def->uname), 0);
	}
}

static void heading(struct svg *s)
{
	const struct course *c = &s->course;
	const struct hist_definition *def = &c->info->def;
	struct hist_strbuf *b = &s->text;

	b->len = 0;
	hist_escape(b, c->name, strlen(c->name), 0);
	hist_strbuf_str(b, ": ");
	hist_strbuf_str(b, chart_name(s));
	svg_label(&s->body, "heading", 's', MARGIN, 34, b, 90);
	b->len = 0;
	hist_escape(b, def->trigger, strlen(def->trigger), 0);
	svg_label(&s->body, "label", 's', MARGIN, 54, b, (WIDTH - 2 * MARGIN) / SVG_CHAR);
	subtitle(s);
	svg_label(&s->body, "muted", 's', MARGIN, 72, b, (WIDTH - 2 * MARGIN) / 6.2);
}

static void warn(struct svg *s, const char *words)
{
	struct hist_strbuf line = { 0 };

	hist_strbuf_str(&line, "\xe2\x96\xb2 ");
	hist_strbuf_str(&line, words);
	svg_label(&s->body, "warn", 's', MARGIN, s->height + 14, &line, (WIDTH - 2 * MARGIN) / 6.2);
	s->height += 18;
	hist_writer_result(&s->base, line.error);
	hist_strbuf_free(&line);
}

static void histogram_end(struct hist_writer *base)
{
	static const uint32_t usual[] = { 500000, 900000, 990000 };
	struct svg *s = (struct svg *)base;
	struct course *c = &s->course;
	unsigned int n = s->o.nquantiles ? s->o.nquantiles : 3, i;
	const uint32_t *p = s->o.nquantiles ? s->o.quantiles : usual;
	double width = WIDTH - 2 * MARGIN, height;
	char note[256];
	int ret;

	ret = course_end(c, s->o.top, s->o.top ? s->o.top : LABELS);
	if (ret) {
		hist_writer_result(base, ret);
		return;
	}
	heading(s);
	s->height = 84;
	for (i = 0; course_note(c, i, note, sizeof(note)); i++)
		warn(s, note);
	hist_strbuf_str(&s->body, "<g transform=\"translate(20,");
	svg_real(&s->body, s->height + 6);
	hist_strbuf_str(&s->body, ")\">\n");
	if (s->o.view == HIST_VIEW_HEATMAP)
		height = svg_heatmap(&s->body, c, width);
	else if (s->o.view == HIST_VIEW_PERCENTILES)
		height = svg_percentiles(&s->body, c, width, p, n);
	else
		height = svg_bars(&s->body, c, width, s->o.top ? UINT32_MAX : BARS,
				  s->o.top != 0);
	hist_strbuf_str(&s->body, "</g>\n");
	s->height += height + 16;
	hist_writer_result(base, s->body.error ? s->body.error : s->text.error);
}

static void end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct svg *s = (struct svg *)base;
	struct hist_strbuf b = { 0 };
	char words[256];

	if (hist_damage_words(damage, words, sizeof(words)))
		warn(s, words);
	hist_strbuf_str(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" "
			    "aria-labelledby=\"title desc\" width=\"900\" height=\"");
	svg_real(&b, s->height);
	hist_strbuf_str(&b, "\" viewBox=\"0 0 900 ");
	svg_real(&b, s->height);
	hist_strbuf_str(&b, "\">\n<title id=\"title\">");
	s->text.len = 0;
	hist_escape(&s->text, s->course.name, strlen(s->course.name), 0);
	xml_text(&b, &s->text);
	hist_strbuf_str(&b, ": ");
	hist_strbuf_str(&b, chart_name(s));
	hist_strbuf_str(&b, "</title>\n<desc id=\"desc\">");
	subtitle(s);
	xml_text(&b, &s->text);
	hist_strbuf_str(&b, "</desc>\n<style>\n");
	hist_strbuf_add(&b, (const char *)asset_chart_css, asset_chart_css_len);
	hist_strbuf_str(&b, "</style>\n");
	svg_rect(&b, "bg", 0, 0, WIDTH, s->height);
	hist_strbuf_append(&b, &s->body);
	hist_strbuf_str(&b, "</svg>\n");
	hist_writer_result(base, s->body.error ? s->body.error : s->text.error);
	if (!base->error)
		hist_writer_result(base, hist_strbuf_flush(&b, s->o.f));
	hist_strbuf_free(&b);
}

static void free_svg(struct hist_writer *base)
{
	struct svg *s = (struct svg *)base;

	course_clear(&s->course);
	hist_strbuf_free(&s->body);
	hist_strbuf_free(&s->text);
	free(s);
}

static const struct hist_writer_ops ops = {
	.histogram = histogram,
	.snapshot = snapshot,
	.histogram_end = histogram_end,
	.end = end,
	.free = free_svg,
};

struct hist_writer *hist_writer_svg(const struct hist_writer_options *options)
{
	struct svg *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->base.ops = &ops;
	s->o = *options;
	return &s->base;
}
