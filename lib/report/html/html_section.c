// SPDX-License-Identifier: LGPL-2.1
/*
 * html_section.c - one histogram in an HTML report: facts, warnings, charts
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/report/html/html.h"
#include "lib/report/text/views.h"
#include "lib/report/worst_line.h"
#include "lib/report/xml.h"

void html_text(struct html *h)
{
	xml_text(&h->base.out, &h->base.text);
}

/* Write @s into @b, escaped as by html_str(). */
static void html_put(struct hist_strbuf *b, struct html *h, const char *s)
{
	hist_escape(hist_strbuf_clear(&h->base.text), s, strlen(s), 0);
	xml_text(b, &h->base.text);
}

void html_str(struct html *h, const char *s)
{
	html_put(&h->base.out, h, s);
}

/* True if histogram @i is the first with a host, and this host. */
static bool is_new_host(const struct html *h, unsigned int i)
{
	const char *host = h->base.o.hists[i]->def.host, *other;
	unsigned int j;

	for (j = 0; j < i && host; j++) {
		other = h->base.o.hists[j]->def.host;
		if (other && !strcmp(other, host))
			return false;
	}
	return host && *host;
}

/* The system of all targets, or "". */
static const char *common_system(const struct html *h)
{
	const char *first = h->base.o.nhists ? h->base.o.hists[0]->def.uname : NULL, *uname;
	unsigned int i;

	for (i = 0; i < h->base.o.nhists && first; i++) {
		uname = h->base.o.hists[i]->def.uname;
		if (strcmp(first, uname ? uname : ""))
			return "";
	}
	return first ? first : "";
}

void html_make_heading(struct html *h)
{
	const char *uname = common_system(h), *lead = " of ";
	unsigned int i;

	hist_strbuf_str(&h->title, "Histograms");
	for (i = 0; i < h->base.o.nhists; i++) {
		if (!is_new_host(h, i))
			continue;
		hist_strbuf_str(&h->title, lead);
		html_put(&h->title, h, h->base.o.hists[i]->def.host);
		lead = ", ";
	}
	if (!*uname)
		return;
	hist_strbuf_str(&h->origin, "<p>");
	html_put(&h->origin, h, uname);
	hist_strbuf_str(&h->origin, "</p>\n");
}

void html_add_link(struct html *h)
{
	hist_strbuf_printf(&h->nav, "<li><a href=\"#h%u\">", h->hists);
	html_put(&h->nav, h, h->course.name);
	hist_strbuf_str(&h->nav, "</a></li>\n");
}

static void html_put_fact(struct html *h, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	hist_strbuf_printf(&h->base.out, "<dt>%s</dt><dd>", name);
	html_str(h, value);
	html_raw(h, "</dd>\n");
}

static void fact_begin(struct html *h, const char *name, const char *id)
{
	hist_strbuf_printf(&h->base.out, "<div><dt>%s</dt><dd class=\"fact-%s\">", name, id);
}

static void fact_count(struct html *h, const char *name, const char *id, uint64_t n)
{
	fact_begin(h, name, id);
	hist_number_put_grouped(&h->base.out, n, false);
	html_raw(h, "</dd></div>\n");
}

static void html_put_facts(struct html *h)
{
	const struct chart_data *c = &h->course;
	struct hist_strbuf *b = &h->base.out;
	bool ns = h->base.ns;
	uint64_t time =
		c->has_from && c->total.time > c->from_time ? c->total.time - c->from_time : 0;

	hist_strbuf_str(b, "<dl class=\"facts\">\n");
	fact_count(h, "Hits", "hits", c->total.hits);
	fact_count(h, "Entries", "entries", chart_data_entries(c));
	fact_count(h, "Dropped", "dropped", c->loss.dropped);
	fact_count(h, "Snapshots", "snapshots", c->shown);
	if (time) {
		fact_begin(h, "Time", "time");
		hist_unit_put(b, time, false, ns ? HIST_UNIT_NS : HIST_UNIT_NONE);
		hist_strbuf_str(b, ns ? "</dd></div>\n" : " ticks</dd></div>\n");
	}
	if (time && ns) {
		uint64_t counted =
			c->total.hits -
			(c->map && c->map->before <= c->total.hits &&
					 c->value == hist_schema_hitcount(chart_data_schema(c))
				 ? c->map->before
				 : 0);

		fact_begin(h, "Hits per second", "rate");
		hist_number_put_short(b, counted / (time / 1e9));
		hist_strbuf_str(b, "</dd></div>\n");
	}
	hist_strbuf_str(b, "</dl>\n");
}

static void html_put_origin(struct html *h)
{
	const struct chart_data *c = &h->course;
	const struct hist_series_info *info = h->course.info;
	const struct hist_definition *def = &info->def;
	struct hist_strbuf *b = &h->base.out;
	bool ns = h->base.ns;
	const char *taken;
	char words[128];
	size_t len;

	hist_strbuf_str(b, "<p class=\"trigger\"><code>");
	html_str(h, def->trigger);
	hist_strbuf_str(b, "</code></p>\n<dl class=\"about\">\n");
	html_put_fact(h, "Event", def->event);
	html_put_fact(h, "Engine", def->engine);
	html_put_fact(h, "Clock", def->clock);
	html_put_fact(h, "Instance", def->instance);
	html_put_fact(h, "Host", def->host);
	html_put_fact(h, "System", def->uname);
	hist_strbuf_printf(b, "<dt>Recorded</dt><dd>%" PRIu32 " snapshot%s, %" PRIu32 "-%" PRIu32
				    ", from ", info->snapshots, text_plural(info->snapshots),
			   info->first_seq, info->last_seq);
	hist_label_put_time(b, info->first_time, ns);
	hist_strbuf_str(b, " to ");
	hist_label_put_time(b, info->last_time, ns);
	hist_strbuf_str(b, ns ? " s</dd>\n" : " ticks</dd>\n");
	if (h->course.wall && !info->timeline) {
		hist_strbuf_str(b, "<dt>Date</dt><dd>");
		hist_view_put_date(b, h->course.wall);
		hist_strbuf_str(b, "</dd>\n");
	}
	if (info->timeline) {
		hist_strbuf_str(b, "<dt>Times</dt><dd>");
		hist_strbuf_str(b, info->timeline->on_line ? "Unix time in seconds; the first "
				"snapshot is at " :
				"trace clock of this file, not aligned with the other files");
		if (info->timeline->on_line)
			hist_view_put_date(b, info->timeline->origin);
		hist_strbuf_str(b, "</dd>\n");
	}
	if (hist_extent_format(c->extent, c->from_seq, c->from_hits, words, sizeof(words)))
		html_put_fact(h, c->from_seq ? "Earlier hits" : "Set-up", words);
	if (c->table && c->total.flags & HIST_SNAP_TAKEN) {
		taken = hist_table_string(c->table, c->total.taken, &len);
		hist_escape(hist_strbuf_clear(&h->base.text), taken, len, 0);
		hist_strbuf_str(b, "<dt>Action snapshot()</dt><dd>");
		html_text(h);
		hist_strbuf_str(b, "</dd>\n");
	}
	hist_strbuf_str(b, "</dl>\n");
}

static void html_put_warnings(struct html *h)
{
	const struct hist_loss *loss = &h->course.loss;
	char note[256];
	unsigned int i;

	for (i = 0; hist_loss_format(loss, i, note, sizeof(note)); i++) {
		if (!i)
			hist_strbuf_printf(
				&h->base.out,
				"<div class=\"warn\" role=\"note\"><strong>%s</strong>\n<ul>\n",
				hist_loss_has_hits(loss) ? "Incomplete data" : "Notes");
		html_raw(h, "<li>");
		html_str(h, note);
		html_raw(h, "</li>\n");
	}
	if (i)
		html_raw(h, "</ul></div>\n");
}

static void html_put_chart(struct html *h, const struct svg_chart *chart)
{
	struct hist_strbuf *b = &h->base.out, body = { 0 }, about = { 0 };
	double height = chart->draw(&body, &h->course, chart->width, &h->base.o);
	const char *kind = chart->kind, *caption = chart->caption;

	chart->put_about(&h->course, &about);
	hist_strbuf_printf(b, "<figure class=\"%s chart-%s\"><figcaption>%s <small>",
			   chart->width == SVG_HALF ? "half" : "wide", kind, caption);
	hist_strbuf_append(b, &about);
	hist_strbuf_printf(b, "</small></figcaption>\n<div class=\"scroll\" tabindex=\"0\" "
			      "role=\"group\" aria-label=\"%s\"><svg class=\"chart\" role=\"img\" "
			      "viewBox=\"0 0",
			   caption);
	svg_step(b, ' ', chart->width);
	svg_step(b, ' ', height);
	hist_strbuf_printf(b, "\" aria-labelledby=\"t-%s-%u d-%s-%u\">\n<title id=\"t-%s-%u\">",
			   kind, h->hists, kind, h->hists, kind, h->hists);
	html_str(h, h->course.name);
	hist_strbuf_printf(b, ": %s</title>\n<desc id=\"d-%s-%u\">", caption, kind, h->hists);
	hist_strbuf_append(b, &about);
	html_raw(h, "</desc>\n");
	hist_strbuf_append(b, &body);
	hist_strbuf_str(b, "</svg></div></figure>\n");
	hist_strbuf_free(&body);
	hist_strbuf_free(&about);
}

#define HTML_CHART(name) &svg_chart_##name,
static const struct svg_chart *const html_charts[] = { SVG_CHARTS(HTML_CHART) };
#define HTML_CHARTS (sizeof(html_charts) / sizeof(*html_charts))

static void html_put_charts(struct html *h)
{
	unsigned int half = 0, i;

	for (i = 0; i < HTML_CHARTS; i++)
		half += html_charts[i]->width == SVG_HALF && html_charts[i]->has(&h->course);
	html_raw(h, half > 1 ? "<div class=\"pair two\">\n" : "<div class=\"pair\">\n");
	for (i = 0; i < HTML_CHARTS; i++)
		if (html_charts[i]->width == SVG_HALF && html_charts[i]->has(&h->course))
			html_put_chart(h, html_charts[i]);
	html_raw(h, "</div>\n");
	for (i = 0; i < HTML_CHARTS; i++)
		if (html_charts[i]->width == SVG_WIDE && html_charts[i]->has(&h->course))
			html_put_chart(h, html_charts[i]);
}

/* The largest values of a latency, largest first. */
static void html_put_worst(struct html *h)
{
	const struct hist_worst_list *list = &h->course.worst;
	uint32_t n = list->n < HTML_GROUPS ? list->n : HTML_GROUPS, i;

	if (!n)
		return;
	html_raw(h, "<h3>Worst latencies</h3>\n<ol class=\"worst\">\n");
	for (i = 0; i < n; i++) {
		html_raw(h, "<li>");
		worst_line_put(hist_strbuf_clear(&h->base.text), h->course.info, list,
			       &list->list[i], 0);
		html_text(h);
		html_raw(h, "</li>\n");
	}
	html_raw(h, "</ol>\n");
	if (n < list->n)
		hist_strbuf_printf(&h->base.out, "<p>%" PRIu32 " more</p>\n", list->n - n);
}

int html_put_section(struct html *h)
{
	const struct chart_data *c = &h->course;
	int ret = 0;

	hist_strbuf_printf(&h->base.out, "<section class=\"hist\" id=\"h%u\">\n<h2>", h->hists);
	html_str(h, c->name);
	html_raw(h, "</h2>\n");
	html_put_origin(h);
	html_put_warnings(h);
	if (!c->shown) {
		html_raw(h, "<p>The file does not contain the requested snapshots.</p>\n");
	} else {
		html_put_facts(h);
		html_put_charts(h);
		html_put_worst(h);
		html_put_episodes(h);
		ret = html_put_percentiles(h);
		if (!ret)
			ret = html_put_rows(h);
	}
	html_raw(h, "</section>\n");
	return ret;
}
