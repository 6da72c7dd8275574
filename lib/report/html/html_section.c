// SPDX-License-Identifier: LGPL-2.1
/*
 * html_section.c - one histogram in an HTML report: facts, warnings, charts
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/xml.h"
#include "lib/report/html/html.h"

#define WIDE 1140
#define HALF 640

void html_text(struct html *h)
{
	xml_text(&h->out, &h->text);
}

void html_str(struct html *h, const char *s)
{
	h->text.len = 0;
	hist_escape(&h->text, s, strlen(s), 0);
	html_text(h);
}

/* The number of histograms before @i with the same host. */
static unsigned int hosts_before(const struct html *h, unsigned int i)
{
	const char *host = h->o.hists[i]->def.host;
	unsigned int j, n = 0;

	for (j = 0; j < i; j++)
		n += !strcmp(h->o.hists[j]->def.host ? h->o.hists[j]->def.host : "", host ? host : "");
	return n;
}

static void put_hosts(struct html *h)
{
	const char *host, *lead = " of ";
	unsigned int i;

	for (i = 0; i < h->o.nhists; i++) {
		host = h->o.hists[i]->def.host;
		if (!host || !*host || hosts_before(h, i))
			continue;
		hist_strbuf_str(&h->text, lead);
		hist_escape(&h->text, host, strlen(host), 0);
		lead = ", ";
	}
}

static bool one_system(const struct html *h)
{
	const char *first = h->o.hists[0]->def.uname, *uname;
	unsigned int i;

	for (i = 0; i < h->o.nhists; i++) {
		uname = h->o.hists[i]->def.uname;
		if (strcmp(first ? first : "", uname ? uname : ""))
			return false;
	}
	return true;
}

void html_heading(struct html *h)
{
	const char *uname = h->o.nhists && one_system(h) ? h->o.hists[0]->def.uname : NULL;

	hist_strbuf_str(&h->title, "Histograms");
	h->text.len = 0;
	put_hosts(h);
	xml_text(&h->title, &h->text);
	if (!uname || !*uname)
		return;
	h->text.len = 0;
	hist_escape(&h->text, uname, strlen(uname), 0);
	hist_strbuf_str(&h->origin, "<p>");
	xml_text(&h->origin, &h->text);
	hist_strbuf_str(&h->origin, "</p>\n");
}

void html_link(struct html *h)
{
	const char *name = h->course.name;

	hist_strbuf_printf(&h->nav, "<li><a href=\"#h%u\">", h->hists);
	h->text.len = 0;
	hist_escape(&h->text, name, strlen(name), 0);
	xml_text(&h->nav, &h->text);
	hist_strbuf_str(&h->nav, "</a></li>\n");
}

static void about(struct html *h, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	hist_strbuf_str(&h->out, "<dt>");
	hist_strbuf_str(&h->out, name);
	hist_strbuf_str(&h->out, "</dt><dd>");
	html_str(h, value);
	hist_strbuf_str(&h->out, "</dd>\n");
}

static void fact_begin(struct html *h, const char *name, const char *id)
{
	hist_strbuf_str(&h->out, "<div><dt>");
	hist_strbuf_str(&h->out, name);
	hist_strbuf_str(&h->out, "</dt><dd class=\"fact-");
	hist_strbuf_str(&h->out, id);
	hist_strbuf_str(&h->out, "\">");
}

static void fact_count(struct html *h, const char *name, const char *id, uint64_t n)
{
	fact_begin(h, name, id);
	chart_count(&h->out, n);
	hist_strbuf_str(&h->out, "</dd></div>\n");
}

static void facts(struct html *h)
{
	const struct course *c = &h->course;
	bool ns = hist_clock_is_ns(c->info->def.clock);
	uint64_t time = c->has_from && c->total.time > c->from_time ? c->total.time - c->from_time : 0;

	hist_strbuf_str(&h->out, "<dl class=\"facts\">\n");
	fact_count(h, "Hits", "hits", c->total.hits);
	fact_count(h, "Entries", "entries", c->rows.total);
	fact_count(h, "Dropped", "dropped", c->dropped);
	fact_count(h, "Snapshots", "snapshots", c->shown);
	if (time) {
		fact_begin(h, "Time", "time");
		hist_unit_put(&h->out, time, false, ns ? HIST_UNIT_NS : HIST_UNIT_NONE);
		hist_strbuf_str(&h->out, ns ? "</dd></div>\n" : " ticks</dd></div>\n");
	}
	if (time && ns) {
		uint64_t counted = c->total.hits - (c->map && c->map->before <= c->total.hits &&
							   c->value == hist_schema_hitcount(course_schema(c)) ?
						   c->map->before : 0);

		fact_begin(h, "Hits per second", "rate");
		chart_short(&h->out, counted / (time / 1e9));
		hist_strbuf_str(&h->out, "</dd></div>\n");
	}
	hist_strbuf_str(&h->out, "</dl>\n");
}

static void origin(struct html *h)
{
	const struct course *c = &h->course;
	const struct hist_series_info *info = h->course.info;
	const struct hist_definition *def = &info->def;
	bool ns = hist_clock_is_ns(def->clock);
	char words[128];

	hist_strbuf_str(&h->out, "<p class=\"trigger\"><code>");
	html_str(h, def->trigger);
	hist_strbuf_str(&h->out, "</code></p>\n<dl class=\"about\">\n");
	about(h, "Event", def->event);
	about(h, "Engine", def->engine);
	about(h, "Clock", def->clock);
	about(h, "Instance", def->instance);
	about(h, "Host", def->host);
	about(h, "System", def->uname);
	hist_strbuf_printf(&h->out, "<dt>Recorded</dt><dd>%" PRIu32 " snapshots, %" PRIu32 "-%" PRIu32
				    ", from ", info->snapshots, info->first_seq, info->last_seq);
	hist_label_time(&h->out, info->first_time, ns);
	hist_strbuf_str(&h->out, " to ");
	hist_label_time(&h->out, info->last_time, ns);
	hist_strbuf_str(&h->out, ns ? " s</dd>\n" : " ticks</dd>\n");
	if (h->course.wall && !info->among) {
		hist_strbuf_str(&h->out, "<dt>Date</dt><dd>");
		hist_view_date(&h->out, h->course.wall);
		hist_strbuf_str(&h->out, "</dd>\n");
	}
	if (info->among) {
		hist_strbuf_str(&h->out, "<dt>Times</dt><dd>");
		hist_strbuf_str(&h->out, info->among->on_line ? "since 1970; all files begin at " :
				"of its own trace clock, not on the line of the others");
		if (info->among->on_line)
			hist_view_date(&h->out, info->among->origin);
		hist_strbuf_str(&h->out, "</dd>\n");
	}
	if (hist_extent_words(c->extent, c->from_seq, c->from_hits, words, sizeof(words)))
		about(h, "Set-up", words);
	hist_strbuf_str(&h->out, "</dl>\n");
}

/* True if hits may be lost.  A missed snapshot does not lose hits. */
static bool course_lost(const struct course *c)
{
	return c->dropped || c->events_lost || c->resets || c->lost;
}

static void warnings(struct html *h)
{
	char note[256];
	unsigned int i;

	for (i = 0; course_note(&h->course, i, note, sizeof(note)); i++) {
		if (!i)
			hist_strbuf_printf(&h->out, "<div class=\"warn\" role=\"note\"><strong>%s</strong>\n<ul>\n",
					   course_lost(&h->course) ? "Something was lost" : "Notes");
		hist_strbuf_str(&h->out, "<li>");
		html_str(h, note);
		hist_strbuf_str(&h->out, "</li>\n");
	}
	if (i)
		hist_strbuf_str(&h->out, "</ul></div>\n");
}

/* Write the inline chart that was drawn into @body. */
static int chart(struct html *h, const char *kind, const char *class, const char *caption,
		 const char *small, struct hist_strbuf *body, double width, double height)
{
	struct hist_strbuf *b = &h->out;

	hist_strbuf_str(b, "<figure class=\"");
	hist_strbuf_str(b, class);
	hist_strbuf_str(b, " chart-");
	hist_strbuf_str(b, kind);
	hist_strbuf_str(b, "\"><figcaption>");
	hist_strbuf_str(b, caption);
	hist_strbuf_str(b, " <small>");
	hist_strbuf_str(b, small);
	hist_strbuf_str(b, "</small></figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
			   "aria-label=\"");
	hist_strbuf_str(b, caption);
	hist_strbuf_str(b, "\"><svg class=\"chart\" role=\"img\" viewBox=\"0 0 ");
	svg_real(b, width);
	hist_strbuf_char(b, ' ');
	svg_real(b, height);
	hist_strbuf_printf(b, "\" aria-labelledby=\"t-%s-%u d-%s-%u\">\n<title id=\"t-%s-%u\">", kind,
			   h->hists, kind, h->hists, kind, h->hists);
	html_str(h, h->course.name);
	hist_strbuf_str(b, ": ");
	hist_strbuf_str(b, caption);
	hist_strbuf_printf(b, "</title>\n<desc id=\"d-%s-%u\">", kind, h->hists);
	hist_strbuf_str(b, small);
	hist_strbuf_str(b, "</desc>\n");
	hist_strbuf_append(b, body);
	hist_strbuf_str(b, "</svg></div></figure>\n");
	hist_strbuf_free(body);
	return b->error;
}

static int charts(struct html *h)
{
	static const uint32_t usual[] = { 500000, 900000, 990000 };
	const uint32_t *p = h->o.nquantiles ? h->o.quantiles : usual;
	unsigned int n = h->o.nquantiles ? h->o.nquantiles : 3;
	const struct course *c = &h->course;
	bool axis = hist_axis_key(course_schema(c)) >= 0 && c->value >= 0;
	bool time = chart_has_time(c), two = axis && time;
	double width = HALF, height;
	struct hist_strbuf body = { 0 };
	char small[128];
	int ret;

	hist_strbuf_str(&h->out, two ? "<div class=\"pair two\">\n" : "<div class=\"pair\">\n");
	height = svg_bars(&body, c, width,
			  axis ? HTML_AXIS_BARS : c->top ? UINT32_MAX : HTML_BARS, false);
	ret = chart(h, "bars", "half", "Total",
		    !axis ? "the largest rows" :
		    course_schema(c)->nkeys > 1 ? "over the axis, all groups together" : "over the axis",
		    &body, width, height);
	if (!ret && two) {
		height = svg_percentiles(&body, c, HALF, p, n);
		ret = chart(h, "percentiles", "half", "Percentiles over time",
			    "each is an interval", &body, HALF, height);
	}
	hist_strbuf_str(&h->out, "</div>\n");
	if (ret || !time)
		return ret;
	height = svg_heatmap(&body, c, WIDE);
	snprintf(small, sizeof(small), "%u %s from left to right", c->map->ncolumns,
		 c->map->ncolumns == 1 ? "interval" : c->map->per_column > 1 ? "columns" : "intervals");
	return chart(h, "heatmap", "wide", "Over time", small, &body, WIDE, height);
}

int html_section(struct html *h)
{
	const struct course *c = &h->course;
	int ret = 0;

	hist_strbuf_printf(&h->out, "<section class=\"hist\" id=\"h%u\">\n<h2>", h->hists);
	html_str(h, c->name);
	hist_strbuf_str(&h->out, "</h2>\n");
	origin(h);
	warnings(h);
	if (!c->shown) {
		hist_strbuf_str(&h->out, "<p>No snapshot that was asked for is in the file.</p>\n");
	} else {
		facts(h);
		ret = charts(h);
		if (!ret)
			ret = html_percentiles(h);
		if (!ret)
			html_rows(h);
	}
	hist_strbuf_str(&h->out, "</section>\n");
	return ret;
}
