// SPDX-License-Identifier: LGPL-2.1
/*
 * html_episodes.c - the worst episodes of a histogram in an HTML report: parts, and a time line
 *
 * The episodes of an event follow its first histogram.  Cells of the heat maps link to them.
 */
#include <inttypes.h>
#include <string.h>

#include "lib/base/text.h"
#include "lib/report/html/html.h"
#include "lib/report/text/views.h"
#include "lib/report/xml.h"

#define WIDTH 1140
#define CULPRITS_SHOWN 4

bool html_episode_is_of(const struct hist_report_episode *e, const struct hist_series_info *info)
{
	const char *host = info->def.host;

	return !strcmp(e->what.event, info->def.event) &&
	       !strcmp(e->host ? e->host : "", host ? host : "");
}

static void html_put_frame(struct html *h, const struct hist_story_frame *what)
{
	hist_report_frame_put(hist_strbuf_clear(&h->base.text), what, 0);
	html_text(h);
}

static void html_put_line(struct html *h, const struct hist_report_episode *e)
{
	struct hist_strbuf body = { 0 }, *b = &h->base.out;
	double height = svg_draw_story(&body, e->story, WIDTH);

	hist_strbuf_printf(
		b,
		"<div class=\"scroll wide\" tabindex=\"0\" role=\"group\" aria-label=\"Timeline\">"
		"<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %d %.0f\" "
		"aria-label=\"Timeline of episode %" PRIu32 "\">\n",
		WIDTH, height, e->rank);
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

void html_put_episodes(struct html *h)
{
	const struct hist_report_episodes *list = h->base.o.episodes;
	bool any = false;
	uint32_t i;

	for (i = 0; list && i < list->n; i++) {
		const struct hist_report_episode *e = &list->list[i];

		if (h->told[i] || !html_episode_is_of(e, h->course.info))
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
