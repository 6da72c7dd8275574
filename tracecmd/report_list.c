// SPDX-License-Identifier: GPL-2.0
/*
 * report_list.c - a line for each histogram of a file
 *
 * The totals are those that a report shows (extent.h), by the same walk.  The columns are
 * wide enough for all lines.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <tracehist/label.h>

#include "report.h"

#define COLUMNS 8

/* The trigger, last in the line, is not aligned. */
static const char *const titles[COLUMNS] = {
	"# name", "snapshots", "first", "last", "hits", "entries", "dropped", "trigger",
};

struct line {
	struct hist_strbuf text[COLUMNS];
};

/* The numbers of what a report would show, without the rows. */
struct totals {
	struct hist_view view;
	struct hist_snapshot snap, whole;
	bool shown;
};

static struct hist_snapshot without_values(const struct hist_snapshot *snap)
{
	struct hist_snapshot numbers = *snap;

	numbers.values = NULL;
	numbers.room = 0;
	return numbers;
}

static int take(void *data, struct hist_view *view, const struct hist_selection *selection)
{
	struct totals *t = data;

	(void)selection;
	t->snap = without_values(view->snap);
	t->whole = without_values(view->whole);
	t->view = *view;
	t->view.snap = &t->snap;
	t->view.whole = view->difference ? &t->whole : &t->snap;
	t->view.table = NULL;
	t->shown = true;
	return 0;
}

static void fill_line(struct line *line, const struct report_hist *h,
		      const struct hist_snapshot *totals, unsigned int flags)
{
	bool ns = hist_clock_is_ns(h->info->def.clock);

	hist_escape(&line->text[0], h->name, strlen(h->name), flags);
	hist_strbuf_u64(&line->text[1], h->info->snapshots);
	hist_label_time(&line->text[2], h->info->first_time, ns);
	hist_label_time(&line->text[3], h->info->last_time, ns);
	hist_strbuf_u64(&line->text[4], totals->hits);
	hist_strbuf_u64(&line->text[5], totals->entries);
	hist_strbuf_u64(&line->text[6], totals->dropped);
	hist_escape(&line->text[7], h->info->def.trigger, strlen(h->info->def.trigger), flags);
}

/* "# set-up: kmem:kmalloc: 10379 hits before snapshot 0 are left out" */
static void put_extent(struct hist_strbuf *b, const struct report_hist *h,
		       const struct hist_view *view, unsigned int flags)
{
	char words[128];

	if (!hist_extent_words(view->extent, hist_view_begin(view), view->from_hits, words,
			       sizeof(words)))
		return;
	hist_strbuf_str(b, "# " HIST_EXTENT_TITLE ": ");
	hist_escape(b, h->name, strlen(h->name), flags);
	hist_strbuf_printf(b, ": %s\n", words);
}

static void print_lines(struct report *r, struct line *lines, unsigned int n)
{
	struct hist_strbuf out = { 0 };
	size_t width[COLUMNS];
	unsigned int c, i;

	for (c = 0; c < COLUMNS; c++) {
		width[c] = c == COLUMNS - 1 ? 0 : strlen(titles[c]);
		for (i = 0; i < n && c < COLUMNS - 1; i++)
			if (lines[i].text[c].len > width[c])
				width[c] = lines[i].text[c].len;
	}
	for (i = 0; i < n; i++) {
		for (c = 0; c < COLUMNS; c++) {
			const struct hist_strbuf *text = &lines[i].text[c];

			if (c)
				hist_strbuf_add(&out, "  ", 2);
			/* all but names and triggers are numbers */
			if (c && c < COLUMNS - 1)
				hist_strbuf_pad(&out, text->len, width[c]);
			hist_strbuf_append(&out, text);
			if (!c)
				hist_strbuf_pad(&out, text->len, width[c]);
		}
		hist_strbuf_char(&out, '\n');
	}
	r->error = hist_strbuf_flush(&out, r->file.f);
	hist_strbuf_free(&out);
}

static int list_text(struct report *r)
{
	unsigned int i, c, n = 1, flags = r->style.utf8 ? 0 : HIST_LABEL_ASCII;
	struct hist_strbuf notes = { 0 };
	struct line *lines;
	int ret = 0;

	lines = calloc(r->picks.n + 1, sizeof(*lines));
	if (!lines)
		return -ENOMEM;
	for (c = 0; c < COLUMNS; c++)
		hist_strbuf_str(&lines[0].text[c], titles[c]);
	for (i = 0; i < r->picks.n && !ret; i++) {
		const struct report_hist *h = &r->picks.hists[i];
		struct totals totals = { .shown = false };

		if (h->missing)
			continue;
		ret = report_walk_total(h, take, &totals);
		if (!ret && totals.shown) {
			fill_line(&lines[n++], h, &totals.snap, flags);
			put_extent(&notes, h, &totals.view, flags);
		}
	}
	if (!ret)
		print_lines(r, lines, n);
	if (!ret && !r->error)
		r->error = hist_strbuf_flush(&notes, r->file.f);
	hist_strbuf_free(&notes);
	for (i = 0; i < r->picks.n + 1; i++)
		for (c = 0; c < COLUMNS; c++)
			hist_strbuf_free(&lines[i].text[c]);
	free(lines);
	return ret;
}

/* Descriptions, each with what a report would show but without the rows. */
static int list_data(struct report *r)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < r->picks.n && !ret; i++) {
		const struct report_hist *h = &r->picks.hists[i];
		struct totals totals = { .shown = false };

		hist_writer_histogram(r->writer, h->info, h->name);
		if (!h->missing)
			ret = report_walk_total(h, take, &totals);
		if (!ret && totals.shown)
			hist_writer_snapshot(r->writer, &totals.view);
		hist_writer_histogram_end(r->writer);
	}
	r->error = hist_writer_error(r->writer);
	return ret;
}

int report_list(struct report *r)
{
	return r->writer ? list_data(r) : list_text(r);
}
