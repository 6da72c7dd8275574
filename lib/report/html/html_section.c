// SPDX-License-Identifier: LGPL-2.1
/*
 * html_section.c - one histogram in an HTML report: facts, warnings, charts, episodes, tables
 *
 * A numeric cell has its exact number in the attribute data-v, for the script that sorts
 * and for other programs.  A text that is shown rounded or abbreviated is complete in the
 * title.  A table has at most HTML_ROWS rows, the largest ones, to limit the layout time of
 * a browser.  One more line reports the rest.
 *
 * Invariant: text that is not written here is escaped by html_text() or html_str().
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/label/number.h"
#include "lib/report/html/chart_data.h"
#include "lib/report/html/html.h"
#include "lib/report/html/svg_scene.h"
#include "lib/report/text/views.h"
#include "lib/report/worst_line.h"
#include "lib/report/xml.h"
#include "lib/table/columns.h"
#include "lib/table/percentiles_table.h"

/* Write markup. */
static void html_raw(struct html *h, const char *markup)
{
	hist_strbuf_str(&h->base.out, markup);
}

/* Write h->base.text, escaped for HTML. */
static void html_text(struct html *h)
{
	xml_text(&h->base.out, &h->base.text);
}

/* Write @s, with control characters escaped, then escaped for HTML. */
static void html_str(struct html *h, const char *s)
{
	xml_put_name(&h->base.out, &h->base.text, s);
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

/* --- tables --- */

/* The rows of the total. */
struct rows_table {
	struct table base;
	struct hist_cells cells;
	const struct hist_columns *of;
	struct table_column columns[HIST_COLUMNS_MAX];
};

static void rows_table_put(const struct table *base, uint32_t row, unsigned int column,
			   struct table_cell *cell)
{
	struct rows_table *t = (struct rows_table *)base;

	hist_columns_put(&t->cells, &t->of->list[column], t->cells.rows->entries[row], cell);
}

static void rows_table_make(struct rows_table *t, const struct hist_columns *columns, uint32_t n)
{
	unsigned int i;

	t->of = columns;
	t->base.put = rows_table_put;
	t->base.columns = t->columns;
	t->base.ncolumns = columns->n;
	t->base.nrows = n;
	for (i = 0; i < columns->n; i++) {
		t->columns[i].title = columns->list[i].title;
		t->columns[i].right = columns->list[i].is_number;
	}
}

static void html_put_table_head(struct html *h, const struct table *t)
{
	const char *title;
	unsigned int i;

	html_raw(h, "<thead><tr>");
	for (i = 0; i < t->ncolumns; i++) {
		title = t->columns[i].title;
		html_raw(h, t->columns[i].right ? "<th scope=\"col\" class=\"n\"><span>"
						: "<th scope=\"col\"><span>");
		html_str(h, *title ? title : "group");
		html_raw(h, "</span></th>");
	}
	html_raw(h, "</tr></thead>\n");
}

static void html_put_cell(struct html *h, const struct table_column *c,
			  const struct table_cell *cell)
{
	struct hist_strbuf *b = &h->base.out;

	html_raw(h, c->right ? "<td class=\"n\"" : "<td");
	if (cell->is_number) {
		html_raw(h, " data-v=\"");
		hist_strbuf_number(b, cell->number, cell->is_signed);
		hist_strbuf_char(b, '"');
	}
	if (cell->whole.len && (cell->whole.len != cell->text.len ||
				memcmp(cell->whole.data, cell->text.data, cell->text.len))) {
		html_raw(h, " title=\"");
		xml_text(b, &cell->whole);
		hist_strbuf_char(b, '"');
	}
	hist_strbuf_char(b, '>');
	xml_text(b, &cell->text);
	html_raw(h, "</td>");
}

/* Write @t; @id and the number of the histogram identify it. */
static void html_put_table(struct html *h, const struct table *t, const char *id, const char *label,
			   bool is_sortable)
{
	struct table_cell cell = { 0 };
	unsigned int i;
	uint32_t row;

	hist_strbuf_printf(&h->base.out,
			   "<div class=\"rows\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">"
			   "<table%s id=\"%s-%u\">\n",
			   label, is_sortable ? " class=\"sortable\"" : "", id, h->hists);
	html_put_table_head(h, t);
	html_raw(h, "<tbody>\n");
	for (row = 0; row < t->nrows && !h->base.out.error; row++) {
		html_raw(h, "<tr>");
		for (i = 0; i < t->ncolumns; i++) {
			table_get(t, row, i, &cell);
			html_put_cell(h, &t->columns[i], &cell);
		}
		html_raw(h, "</tr>\n");
	}
	html_raw(h, "</tbody>\n</table></div>\n");
	hist_strbuf_fail(&h->base.out, cell.whole.error);
	table_cell_free(&cell);
}

static void html_put_left_out(struct html *h, uint32_t shown)
{
	const struct chart_data *c = &h->course;
	uint64_t rest = c->value >= 0 ? c->rows.rest[c->value] : 0;
	uint32_t i;

	for (i = shown; i < c->rows.n && c->value >= 0; i++)
		rest += c->total.values[(size_t)c->rows.entries[i] * chart_data_schema(c)->nvalues +
					c->value];
	html_raw(h, "<p class=\"left-out\">");
	hist_number_put_grouped(&h->base.out, shown, false);
	html_raw(h, " of ");
	hist_number_put_grouped(&h->base.out, c->rows.total, false);
	html_raw(h, " rows are in this table");
	if (c->value >= 0 && !(chart_data_schema(c)->values[c->value].is_signed)) {
		html_raw(h, "; the sum of ");
		svg_put_value_title(hist_strbuf_clear(&h->base.text), c);
		html_text(h);
		html_raw(h, " in the other rows is ");
		hist_number_put_grouped(&h->base.out, rest, false);
	}
	html_raw(h, c->top ? " (--top)" : ". Use --format csv or json to get all rows");
	html_raw(h, ".</p>\n");
}

static int html_put_rows(struct html *h)
{
	const struct chart_data *c = &h->course;
	uint32_t n = c->rows.n < HTML_ROWS || c->top ? c->rows.n : HTML_ROWS;
	struct hist_columns *columns = &h->base.columns;
	struct label_details details = { 0 };
	struct rows_table t = {
		.cells = {
			.table = c->table, .snap = &c->total, .rows = &c->rows,
			.whole = c->rows.has_shares ? c->rows.totals[c->rows.main_value] : 0,
			.details = &details, .digits_grouped = true, .has_whole = true,
		},
	};
	int ret = 0;

	/* c->table is NULL if there was not a snapshot */
	if (n)
		ret = label_details_make(&details, c->table, c->rows.entries, n);
	if (ret)
		return ret;
	html_raw(h, "<h3>Rows</h3>\n");
	if (c->rows.total > n)
		html_put_left_out(h, n);
	hist_columns_make(columns, chart_data_schema(c), HIST_COLUMNS_PAGE, &c->rows);
	rows_table_make(&t, columns, n);
	html_put_table(h, &t.base, "rows", "Rows", true);
	label_details_free(&details);
	return 0;
}

static int html_put_percentiles(struct html *h)
{
	struct percentiles_table t = { .digits_grouped = true, .has_whole = true };
	const struct chart_data *c = &h->course;
	struct hist_percentiles *s;
	struct hist_error error = { 0 };
	int ret;

	if (hist_percentiles_explain_none(chart_data_schema(c), &error))
		return 0;
	s = hist_percentiles_new(h->base.o.quantiles, h->base.o.nquantiles,
				 h->base.o.top ? h->base.o.top : HTML_GROUPS);
	if (!s)
		return -ENOMEM;
	ret = hist_percentiles_select(s, c->table, &c->total, &c->worst);
	if (ret || !s->nrows)
		goto out;
	ret = percentiles_table_make(&t, s, PERCENTILES_OF_ALL, 0);
	if (ret)
		goto out;
	html_raw(h, "<h3>Percentiles of the total</h3>\n");
	html_put_table(h, &t.base, "percentiles", "Percentiles", false);
out:
	percentiles_table_free(&t);
	hist_percentiles_free(s);
	return ret;
}

/* --- episodes --- */

#define CULPRITS_SHOWN 4

static void html_put_frame(struct html *h, const struct hist_story_frame *what)
{
	hist_report_frame_put(hist_strbuf_clear(&h->base.text), what, 0);
	html_text(h);
}

static void html_put_line(struct html *h, const struct hist_report_episode *e)
{
	struct hist_strbuf body = { 0 }, *b = &h->base.out;
	double height = svg_draw_story(&body, e->story, SVG_WIDE);

	hist_strbuf_printf(
		b,
		"<div class=\"scroll wide\" tabindex=\"0\" role=\"group\" aria-label=\"Timeline\">"
		"<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %d %.0f\" "
		"aria-label=\"Timeline of episode %" PRIu32 "\">\n",
		SVG_WIDE, height, e->rank);
	hist_strbuf_append(b, &body);
	hist_strbuf_str(b, "</svg></div>\n");
	hist_strbuf_free(&body);
}

static void html_put_episode_cell(struct html *h, const struct episode_cell *cell)
{
	struct hist_strbuf *b = &h->base.out;

	if (cell->type == EPISODE_TEXT) {
		hist_strbuf_str(b, "<td>");
		html_str(h, cell->text);
		hist_strbuf_str(b, "</td>");
		return;
	}
	hist_strbuf_str(b, "<td class=\"n\">");
	if (cell->type == EPISODE_PERCENT)
		hist_strbuf_fixed(b, cell->number, 2);
	else if (cell->type == EPISODE_BOOL)
		hist_strbuf_str(b, cell->number ? "yes" : "");
	else
		hist_strbuf_number(b, cell->number, cell->type == EPISODE_SIGNED);
	hist_strbuf_str(b, "</td>");
}

static void html_put_parts(struct html *h, const struct hist_report_episode *e)
{
	const struct episode_part_column *column;
	struct hist_strbuf *b = &h->base.out;
	struct episode_cell cell;
	uint32_t i;

	hist_strbuf_str(
		b,
		"<div class=\"rows\" tabindex=\"0\" role=\"group\" aria-label=\"Parts\"><table>\n"
		"<thead><tr>");
	for (column = episode_part_columns; column->name; column++)
		hist_strbuf_printf(b, "<th scope=\"col\"%s><span>%s</span></th>",
				   column->is_text ? "" : " class=\"n\"", column->name);
	hist_strbuf_str(b, "</tr></thead>\n<tbody>\n");
	for (i = 0; i < e->story->nparts; i++) {
		hist_strbuf_str(b, "<tr>");
		for (column = episode_part_columns; column->name; column++) {
			if (column->get(&cell, &e->story->parts[i], hist_report_episode_ns(e)))
				html_put_episode_cell(h, &cell);
			else
				hist_strbuf_str(b, "<td></td>");
		}
		hist_strbuf_str(b, "</tr>\n");
	}
	hist_strbuf_str(b, "</tbody>\n</table></div>\n");
}

static void html_put_episode_stacks(struct html *h, const struct hist_report_episode *e)
{
	struct hist_report_stack stack;
	unsigned int n, i;

	for (n = 0; hist_report_stack_get(e, n, &stack); n++) {
		html_raw(h, "<p>The ");
		hist_report_stack_title_put(hist_strbuf_clear(&h->base.text), e, &stack, 0);
		html_text(h);
		html_raw(h, ":</p>\n<ol>\n");
		for (i = 0; i < stack.n; i++) {
			html_raw(h, "<li><code>");
			hist_report_symbol_put(hist_strbuf_clear(&h->base.text), e,
					       stack.addresses[i], 0);
			html_text(h);
			html_raw(h, "</code></li>\n");
		}
		html_raw(h, "</ol>\n");
	}
}

static void html_put_episode_head(struct html *h, const struct hist_report_episode *e)
{
	uint64_t wall = hist_report_episode_wall(e), excess;
	struct hist_strbuf *b = &h->base.out;

	hist_strbuf_printf(b,
			   "<article class=\"episode\" id=\"episode-%" PRIu32
			   "\">\n<h4>Episode %" PRIu32 ": ",
			   e->rank, e->rank);
	if (e->story)
		hist_unit_put(b, hist_report_episode_ns(e), false, HIST_UNIT_NS);
	hist_strbuf_str(b, " at ");
	hist_label_put_time(b, e->what.end + e->time_offset, true);
	hist_strbuf_printf(b, ", CPU %u</h4>\n<p>", e->what.cpu);
	if (wall) {
		hist_view_put_date(b, wall);
		hist_strbuf_str(b, *e->what.key ? ", " : "");
	}
	html_str(h, e->what.key);
	if (e->story && e->story->has_task) {
		hist_strbuf_str(b, ", task ");
		html_put_frame(h, &e->story->task);
	}
	if (e->story && e->story->waker.found) {
		hist_strbuf_str(b, ", woken by ");
		html_put_frame(h, &e->story->waker.what);
		hist_strbuf_printf(b, " on CPU %" PRIu32, e->story->waker.cpu);
	}
	if (e->story && e->story->nmoves)
		hist_strbuf_printf(b, ", moved to another CPU %" PRIu32 " time%s", e->story->nmoves,
				   text_plural(e->story->nmoves));
	if (hist_report_episode_excess(e, &excess)) {
		hist_strbuf_str(b, ", ");
		hist_unit_put(b, excess, false, HIST_UNIT_NS);
		hist_strbuf_str(b, " above the threshold of ");
		hist_unit_put(b, e->what.threshold, false, HIST_UNIT_NS);
	}
	hist_strbuf_str(b, "</p>\n");
}

static void html_put_episode_notes(struct html *h, const struct hist_report_episode *e)
{
	const char *hint;
	unsigned int i;

	for (i = 0; hist_report_episode_note(e, i, hist_strbuf_clear(&h->base.text), &hint); i++) {
		html_raw(h, "<p class=\"warn\">");
		html_text(h);
		if (*hint)
			hist_strbuf_printf(&h->base.out, "<br>hint: %s", hint);
		html_raw(h, "</p>\n");
	}
}

/*
 * "61 % hog [49]; 22 % irq 27 virtio0-input", of the latencies, and of the time above the threshold
 */
static void html_put_culprits(struct html *h, const struct hist_report_episodes *list)
{
	html_raw(h, "<h3>Episodes</h3>\n<p class=\"culprits\">Total of the shown episodes, ");
	hist_unit_put(&h->base.out, list->ns, false, HIST_UNIT_NS);
	html_raw(h, ": ");
	hist_report_total_put(hist_strbuf_clear(&h->base.text), list, CULPRITS_SHOWN, 0);
	html_text(h);
	html_raw(h, "</p>\n");
	if (!list->excess_ns)
		return;
	html_raw(h, "<p class=\"culprits\">Time above the threshold, ");
	hist_unit_put(&h->base.out, list->excess_ns, false, HIST_UNIT_NS);
	html_raw(h, ": ");
	hist_report_excess_put(hist_strbuf_clear(&h->base.text), list, CULPRITS_SHOWN, 0);
	html_text(h);
	html_raw(h, "</p>\n");
}

/* The episodes of the event follow its first histogram.  Cells of heat maps link to them. */
static void html_put_episodes(struct html *h)
{
	const struct hist_report_episodes *list = h->base.o.episodes;
	bool any = false;
	uint32_t i;

	for (i = 0; list && i < list->n; i++) {
		const struct hist_report_episode *e = &list->list[i];

		if (h->told[i] || !hist_report_episode_is_of(e, h->course.info))
			continue;
		h->told[i] = true;
		if (!any)
			html_put_culprits(h, list);
		any = true;
		html_put_episode_head(h, e);
		html_put_episode_notes(h, e);
		if (hist_report_episode_ns(e)) {
			html_put_line(h, e);
			html_put_parts(h, e);
			html_put_episode_stacks(h, e);
		}
		html_raw(h, "</article>\n");
	}
}

/* --- the section --- */

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
