// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_html.c - a report as one self-contained HTML file
 *
 * The file contains its style and its script.  The content security policy of the page
 * allows only these two, by their SHA-256: no network, no other script, no style
 * attribute.  Text from a target therefore cannot run, even if an escape is missing.
 *
 * Sections are kept in memory until the end, because the damage of the file and the links
 * to all histograms are written before them.  The page does not grow with the number of
 * snapshots.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/loss_notes.h"
#include "lib/report/html/assets.h"
#include "lib/report/html/chart_data.h"
#include "lib/report/html/html.h"
#include "lib/report/xml.h"

static void put_base64(struct hist_strbuf *b, const unsigned char *p, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits;
	size_t i;

	for (i = 0; i < len; i += 3) {
		bits = p[i] << 16 | (i + 1 < len ? p[i + 1] << 8 : 0) |
		       (i + 2 < len ? p[i + 2] : 0);
		hist_strbuf_char(b, digits[bits >> 18]);
		hist_strbuf_char(b, digits[bits >> 12 & 63]);
		hist_strbuf_char(b, i + 1 < len ? digits[bits >> 6 & 63] : '=');
		hist_strbuf_char(b, i + 2 < len ? digits[bits & 63] : '=');
	}
}

static void html_put_document_head(struct hist_strbuf *b, const struct html *h)
{
	hist_strbuf_str(
		b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		   "style-src 'sha256-");
	put_base64(b, asset_style_sha256, asset_style_sha256_len);
	hist_strbuf_str(b, "'; script-src 'sha256-");
	put_base64(b, asset_script_sha256, asset_script_sha256_len);
	hist_strbuf_str(b,
			"'; base-uri 'none'; form-action 'none'\">\n"
			"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
			"<meta name=\"generator\" content=\"trace-cmd hist\">\n"
			"<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	hist_strbuf_append(b, &h->title);
	hist_strbuf_str(b, "</title>\n<style>");
	hist_strbuf_add(b, (const char *)asset_chart_css, asset_chart_css_len);
	hist_strbuf_add(b, (const char *)asset_page_css, asset_page_css_len);
	hist_strbuf_str(b, "</style>\n</head>\n");
}

static void put_top(struct hist_strbuf *b, const struct html *h,
		    const struct hist_series_damage *damage)
{
	char words[256];

	hist_strbuf_str(b, "<body>\n<header>\n<h1>");
	hist_strbuf_append(b, &h->title);
	hist_strbuf_str(b, "</h1>\n");
	hist_strbuf_append(b, &h->origin);
	hist_strbuf_str(b, "</header>\n");
	if (hist_loss_format_damage(damage, words, sizeof(words))) {
		hist_strbuf_str(b, "<aside class=\"damage\"><div class=\"warn\" role=\"note\">"
				   "<strong>Incomplete file</strong>\n");
		xml_str(b, words);
		hist_strbuf_str(b, "</div></aside>\n");
	}
	if (h->hists > 1) {
		hist_strbuf_str(b, "<nav aria-label=\"Histograms\"><ul>\n");
		hist_strbuf_append(b, &h->nav);
		hist_strbuf_str(b, "</ul></nav>\n");
	}
}

/* True if histogram @i is the first with a host, and this host. */
static bool html_is_new_host(const struct html *h, unsigned int i)
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
static const char *html_find_system(const struct html *h)
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

/*
 * Make the title and the origin.  They name the targets, and the system of the targets if all have
 * the same one.
 */
static void html_make_heading(struct html *h)
{
	const char *uname = html_find_system(h), *lead = " of ";
	unsigned int i;

	hist_strbuf_str(&h->title, "Histograms");
	for (i = 0; i < h->base.o.nhists; i++) {
		if (!html_is_new_host(h, i))
			continue;
		hist_strbuf_str(&h->title, lead);
		xml_put_name(&h->title, &h->base.text, h->base.o.hists[i]->def.host);
		lead = ", ";
	}
	if (!*uname)
		return;
	hist_strbuf_str(&h->origin, "<p>");
	xml_put_name(&h->origin, &h->base.text, uname);
	hist_strbuf_str(&h->origin, "</p>\n");
}

/* Add the link to this histogram to the nav element. */
static void html_add_link(struct html *h)
{
	hist_strbuf_printf(&h->nav, "<li><a href=\"#h%u\">", h->hists);
	xml_put_name(&h->nav, &h->base.text, h->course.name);
	hist_strbuf_str(&h->nav, "</a></li>\n");
}

static int html_begin_histogram(struct hist_writer *base)
{
	struct html *h = (struct html *)base;
	int ret = chart_data_begin(&h->course, base->info, base->name, HTML_COLUMNS);

	if (ret)
		return ret;
	h->course.episodes = base->o.episodes;
	h->hists++;
	html_add_link(h);
	return 0;
}

static int html_add_snapshot(struct hist_writer *base, const struct hist_view *view)
{
	return chart_data_add(&((struct html *)base)->course, view);
}

static int html_end_histogram(struct hist_writer *base)
{
	struct html *h = (struct html *)base;
	int ret;

	ret = chart_data_end(&h->course, base->o.top, base->o.top ? base->o.top : HTML_LABELS);
	if (!ret)
		ret = html_put_section(h);
	chart_data_clear(&h->course);
	if (base->out.len > HIST_KEPT_MAX)
		return hist_error_set(&base->failure, -EINVAL,
				      "%s: the page would be larger than 128 MB", base->name);
	return ret ? ret : base->text.error;
}

static int html_write_document(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct html *h = (struct html *)base;
	struct hist_strbuf *b = &base->text;
	int ret;

	b->len = 0;
	html_put_document_head(b, h);
	put_top(b, h, damage);
	hist_strbuf_str(b, "<main>\n");
	hist_strbuf_fail(b, h->nav.error);
	hist_strbuf_fail(b, base->out.error);
	ret = hist_strbuf_flush(b, base->o.f);
	if (!ret)
		ret = hist_strbuf_flush(&base->out, base->o.f);
	hist_strbuf_str(b, "</main>\n<footer class=\"foot\"><p>Generated by trace-cmd hist report. "
			   "A percentile of "
			   "bucketed data is a range that includes both ends.</p></footer>\n"
			   "<script>");
	hist_strbuf_add(b, (const char *)asset_page_js, asset_page_js_len);
	hist_strbuf_str(b, "</script>\n</body>\n</html>\n");
	return ret ? ret : hist_strbuf_flush(b, base->o.f);
}

static int html_begin(struct hist_writer *base)
{
	struct html *h = (struct html *)base;

	h->told = calloc(base->o.episodes ? base->o.episodes->n + 1 : 1, sizeof(*h->told));
	if (!h->told)
		return -ENOMEM;
	html_make_heading(h);
	return 0;
}

static void html_clear(struct hist_writer *base)
{
	struct html *h = (struct html *)base;

	chart_data_clear(&h->course);
	hist_strbuf_free(&h->title);
	hist_strbuf_free(&h->origin);
	hist_strbuf_free(&h->nav);
	free(h->told);
}

const struct hist_writer_ops hist_writer_html = {
	.size = sizeof(struct html),
	.begin = html_begin,
	.histogram = html_begin_histogram,
	.snapshot = html_add_snapshot,
	.histogram_end = html_end_histogram,
	.end = html_write_document,
	.clear = html_clear,
};
