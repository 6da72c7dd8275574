// SPDX-License-Identifier: LGPL-2.1
/*
 * view_text.c - the common parts of the text views: header, notes, totals, worst latencies
 *
 * Lines that are not in the kernel's hist file begin with '#', like its comments.  A
 * program that strips the kernel's comments therefore also strips these lines.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "lib/analysis/loss_notes.h"
#include "lib/base/reason.h"
#include "lib/base/text.h"
#include "lib/label/label.h"
#include "lib/label/number.h"
#include "lib/report/ansi.h"
#include "lib/report/text/text_view.h"
#include "lib/report/worst_line.h"
#include "lib/table/columns.h"

#define LABEL_LEAST 16 /* columns of the label of a group */
#define WORST_LINES 5

static void view_text_put_escaped(struct hist_strbuf *b, const char *s,
				  const struct hist_view_style *style)
{
	hist_escape(b, s, strlen(s), text_flags(style));
}

static void view_text_put_named(struct hist_strbuf *b, const char *lead, const char *s,
				const struct hist_view_style *style)
{
	if (!s || !*s)
		return;
	hist_strbuf_str(b, lead);
	view_text_put_escaped(b, s, style);
}

static void at_time(struct hist_strbuf *b, uint64_t time, bool ns)
{
	hist_strbuf_str(b, " at ");
	hist_label_put_time(b, time, ns);
}

static void view_text_put_moment(struct hist_strbuf *b, const struct hist_view *view)
{
	const struct hist_snapshot *snap = view->snap;
	bool ns = hist_clock_is_ns(view->info->def.clock);

	if (!view->difference) {
		hist_strbuf_printf(b, "# snapshot: %" PRIu32 " of %" PRIu32 "-%" PRIu32, snap->seq,
				   view->info->first_seq, view->info->last_seq);
		at_time(b, snap->time, ns);
		hist_strbuf_char(b, '\n');
		return;
	}
	hist_strbuf_str(b, "# difference: from ");
	if (view->from_nothing) {
		hist_strbuf_str(b, view->reset ? "when the histogram was cleared" : "the start");
	} else {
		hist_strbuf_printf(b, "snapshot %" PRIu32, view->from_seq);
		at_time(b, view->from_time, ns);
	}
	hist_strbuf_printf(b, " to snapshot %" PRIu32, snap->seq);
	at_time(b, snap->time, ns);
	if (!view->from_nothing && snap->time >= view->from_time) {
		hist_strbuf_str(b, " (");
		hist_label_put_time(b, snap->time - view->from_time, ns);
		hist_strbuf_str(b, ns ? " s)" : " ticks)");
	}
	hist_strbuf_char(b, '\n');
}

void hist_view_put_note(struct hist_strbuf *b, const struct hist_view_style *style, const char *fmt,
			...)
{
	const char *hint;
	char text[512];
	va_list ap;
	int len;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	len = reason_split_hint(text, &hint);
	ansi_begin(b, style, ANSI_NOTE);
	hist_strbuf_printf(b, "# note: %.*s", len, text);
	if (*hint)
		hist_strbuf_printf(b, "\n# hint: %s", hint);
	ansi_end(b, style, ANSI_NOTE);
	hist_strbuf_char(b, '\n');
}

void hist_view_put_loss(struct hist_strbuf *b, const struct hist_view_style *style,
			const struct hist_loss *loss)
{
	char note[256];
	unsigned int i;

	for (i = 0; hist_loss_format(loss, i, note, sizeof(note)); i++) {
		if (!strncmp(note, "hint: ", strlen("hint: ")))
			hist_strbuf_printf(b, "# %s\n", note);
		else
			hist_view_put_note(b, style, "%s", note);
	}
}

void hist_view_put_losses(struct hist_strbuf *b, const struct hist_view_style *style,
			  struct hist_loss loss)
{
	loss.dropped = loss.resets = loss.missed = loss.lost = 0;
	hist_view_put_loss(b, style, &loss);
}

static void count_snapshots(struct hist_strbuf *b, const struct hist_view *view,
			    const struct hist_view_style *style, uint64_t n, const char *one,
			    const char *many)
{
	if (n)
		hist_view_put_note(b, style, "%" PRIu64 " snapshot%s %s %s", n, text_plural(n),
				   view->difference ? "during this time" : "before this one",
				   n == 1 ? one : many);
}

static bool has_fixed_values(const struct hist_schema *schema)
{
	unsigned int i;

	for (i = 0; i < schema->nvalues; i++)
		if (!hist_value_is_subtracted(schema->values[i].kind))
			return true;
	return false;
}

/* Write the text escaped: it may contain a task's name, which may have any bytes. */
static void view_text_put_taken(struct hist_strbuf *b, const struct hist_view *view,
				const struct hist_view_style *style)
{
	const char *s;
	size_t len;

	s = hist_table_string(view->table, view->snap->taken, &len);
	hist_strbuf_str(b, "# action snapshot() ran: ");
	hist_escape(b, s, len, text_flags(style));
	hist_strbuf_char(b, '\n');
}

static void view_text_put_notes(struct hist_strbuf *b, const struct hist_view *view,
				const struct hist_view_style *style)
{
	const struct hist_snapshot *snap = view->snap;
	struct hist_loss loss = { 0 };

	hist_loss_add(&loss, view);
	loss.full_stacks = hist_loss_count_full_stacks(&view->info->def, view->table, view->rows);
	if (view->difference && view->reset)
		hist_view_put_note(b, style, HIST_LOSS_CLEARED("this time"));
	else if (loss.resets)
		hist_view_put_note(b, style, HIST_LOSS_CLEARED("the recording"));
	hist_view_put_losses(b, style, loss);
	count_snapshots(b, view, style, snap->missed, "was due but not taken",
			"were due but not taken");
	count_snapshots(b, view, style, view->lost, "is missing in the file or damaged",
			"are missing in the file or damaged");
	if (snap->flags & HIST_SNAP_TAKEN)
		view_text_put_taken(b, view, style);
	if (snap->flags & HIST_SNAP_PAUSED && !view->difference)
		hist_strbuf_str(b, "# the trigger was paused while the hist file was read: "
				"rows and totals are consistent\n");
	if (view->difference && has_fixed_values(hist_table_schema(view->table)))
		hist_view_put_note(b, style,
				   "percentages, bars and saved values are not differences: they "
				   "are from the later snapshot");
}

void hist_view_put_date(struct hist_strbuf *b, uint64_t ns)
{
	uint64_t us = ns / 1000 + (ns % 1000 >= 500);
	time_t seconds = us / 1000000;
	char text[64];
	struct tm tm;

	if (gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm))
		hist_strbuf_printf(b, "%s.%06u UTC", text, (unsigned int)(us % 1000000));
}

/* "# times: ...", if times are not simply those of the trace clock. */
static void view_text_put_times(struct hist_strbuf *b, const struct hist_timeline *timeline)
{
	if (!timeline)
		return;
	if (!timeline->on_line) {
		hist_strbuf_str(b, "# times: trace clock of this file, not aligned with the other "
				   "files\n");
		return;
	}
	hist_strbuf_str(b, "# times: Unix time in seconds; +0 is the first snapshot, at ");
	hist_view_put_date(b, timeline->origin);
	hist_strbuf_char(b, '\n');
}

static void view_text_put_joined(struct hist_strbuf *b, const char *joined)
{
	unsigned int n = 1;

	if (!joined || !*joined)
		return;
	for (; *joined; joined++)
		n += *joined == '\n';
	hist_strbuf_printf(b, "\n# counted by: %u triggers (--format json has them)", n);
}

/* The lines that are the same for all snapshots. */
static void view_text_put_definition(struct hist_strbuf *b, const struct hist_definition *def,
				     const struct hist_view_style *style)
{
	hist_strbuf_str(b, "#\n");
	view_text_put_named(b, "# trigger info: ", def->trigger, style);
	view_text_put_joined(b, def->joined);
	view_text_put_named(b, "\n# engine: ", def->engine, style);
	view_text_put_named(b, ", clock: ", def->clock, style);
	view_text_put_named(b, ", instance: ", def->instance, style);
	view_text_put_named(b, "\n# host: ", def->host, style);
	view_text_put_named(b, def->host && *def->host ? ", " : "\n# host: ", def->uname, style);
	hist_strbuf_char(b, '\n');
}

void hist_view_put_title(struct hist_strbuf *b, const char *name,
			 const struct hist_series_info *info, const struct hist_view_style *style)
{
	hist_strbuf_str(b, "# event histogram: ");
	view_text_put_escaped(b, name, style);
	hist_strbuf_char(b, '\n');
	if (!info)
		return;
	view_text_put_definition(b, &info->def, style);
	view_text_put_times(b, info->timeline);
}

void hist_view_put_when(struct hist_strbuf *b, uint64_t wall, const struct hist_timeline *timeline)
{
	if (!wall || timeline)
		return;
	hist_strbuf_str(b, "# date: ");
	hist_view_put_date(b, wall);
	hist_strbuf_char(b, '\n');
}

void hist_view_put_extent(struct hist_strbuf *b, enum hist_extent extent, uint32_t seq,
			  uint64_t hits)
{
	char words[128];

	if (hist_extent_format(extent, seq, hits, words, sizeof(words)))
		hist_strbuf_printf(b, "# %s: %s\n", hist_extent_title(seq), words);
}

void hist_view_put_header(struct hist_strbuf *b, const struct hist_view *view,
			  const struct hist_view_style *style)
{
	const struct hist_rows *rows = view->rows;
	char title[256];

	hist_view_put_title(b, view->name, view->brief ? NULL : view->info, style);
	view_text_put_moment(b, view);
	if (!view->brief) {
		hist_view_put_when(b, view->wall, view->info->timeline);
		hist_view_put_extent(b, view->extent, hist_view_begin(view), view->from_hits);
	}
	if (rows->has_shares) {
		hist_column_format_value(hist_table_schema(view->table), rows->main_value, title,
					 sizeof(title));
		hist_strbuf_str(b, "# shares: 100 % is the total ");
		view_text_put_escaped(b, title, style);
		hist_strbuf_printf(b, ", %" PRIu64 "\n", rows->totals[rows->main_value]);
	}
	view_text_put_notes(b, view, style);
}

void hist_view_end_header(struct hist_strbuf *b)
{
	hist_strbuf_str(b, "#\n\n");
}

/* The kernel's "Totals:" block with the blank line before it. */
static void view_text_put_totals(struct hist_strbuf *b, const struct hist_view *view)
{
	const struct hist_snapshot *snap = view->snap;

	hist_strbuf_printf(b, "\nTotals:\n    Hits: %" PRIu64 "\n    Entries: %" PRIu64
			      "\n    Dropped: %" PRIu64, snap->hits, snap->entries, snap->dropped);
	if (snap->dropped)
		hist_strbuf_str(b, "  (not in any row: the table was full)\n"
				   "hint: " HIST_LOSS_DROPPED_HINT);
	hist_strbuf_char(b, '\n');
}

void hist_view_put_share(struct hist_strbuf *b, uint64_t part, uint64_t whole)
{
	hist_strbuf_pad(b, hist_strbuf_u64_width(hist_number_share(part, whole) / 100), 3);
	hist_number_put_share(b, part, whole);
}

struct text_view text_begin(FILE *f, const struct hist_view *view,
			    const struct hist_view_style *style)
{
	return (struct text_view){
		.f = f,
		.view = view,
		.style = style,
		.schema = view ? hist_table_schema(view->table) : NULL,
		.flags = text_flags(style),
	};
}

/* Write a line for each of the largest values that the histogram keeps. */
static int view_text_put_worst(struct text_view *t)
{
	struct hist_worst_list list = { 0 };
	uint32_t i;
	int ret;

	ret = hist_worst_select(&list, t->view);
	if (!ret && list.n)
		hist_strbuf_char(&t->out, '\n');
	for (i = 0; !ret && i < list.n && i < WORST_LINES; i++) {
		hist_strbuf_str(&t->out, "worst: ");
		worst_line_put(&t->out, t->view->info, &list, &list.list[i], t->flags);
		hist_strbuf_char(&t->out, '\n');
	}
	if (!ret && list.n > WORST_LINES)
		hist_strbuf_printf(&t->out, "worst: %" PRIu32 " more\n", list.n - WORST_LINES);
	hist_worst_free(&list);
	return ret;
}

int text_end(struct text_view *t, int ret)
{
	if (!ret && t->view) {
		view_text_put_totals(&t->out, t->view);
		ret = view_text_put_worst(t);
	}
	hist_strbuf_fail(&t->out, ret ? ret : t->text.error);
	ret = hist_strbuf_flush(&t->out, t->f);
	hist_strbuf_free(&t->out);
	hist_strbuf_free(&t->text);
	return ret;
}

unsigned int text_name(struct text_view *t, const char *name)
{
	return hist_escape(text_clear(t), name, strlen(name), t->flags & HIST_ESCAPE_ASCII);
}

void text_column(struct text_view *t, unsigned int width, unsigned int column, bool right)
{
	hist_strbuf_add(&t->out, "  ", 2);
	text_column_put(&t->out, &t->text, width, column, right, !t->style->utf8);
}

void text_u64(struct text_view *t, uint64_t v, unsigned int column)
{
	hist_strbuf_pad(&t->out, hist_strbuf_u64_width(v), column);
	hist_strbuf_u64(&t->out, v);
}

void text_group(struct text_view *t, uint64_t total, uint64_t whole)
{
	const struct hist_rows *rows = t->view ? t->view->rows : NULL;
	/* two blanks, the sum, one more, "100.00%" */
	unsigned int used = 2 + hist_strbuf_u64_width(total) + 1 + 7;

	text_column_put_title(&t->out, &t->text, t->style->width > used + LABEL_LEAST ?
			      t->style->width - used : LABEL_LEAST, !t->style->utf8);
	if (!rows || rows->main_value >= 0)
		hist_strbuf_printf(&t->out, "  %" PRIu64, total);
	if (!rows || rows->has_shares) {
		hist_strbuf_char(&t->out, ' ');
		hist_view_put_share(&t->out, total, whole);
	}
	hist_strbuf_char(&t->out, '\n');
}

void text_line(struct text_view *t)
{
	hist_strbuf_char(&t->out, '\n');
	hist_strbuf_drain(&t->out, t->f);
}
