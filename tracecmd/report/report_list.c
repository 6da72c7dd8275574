// SPDX-License-Identifier: GPL-2.0
/*
 * report_list.c - a line for each histogram of a file
 *
 * The totals equal those of a report, which omits the set-up (extent.h).  Columns are as
 * wide as the widest text, and names at most NAME_WIDTH_MAX.  Names and triggers are not
 * stored, because a small file can expand to long texts: they are written line by line.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/loss_notes.h"
#include "lib/label/label.h"
#include "tracecmd/report/report.h"

#define COLUMNS 8
/* A longer name shifts the rest of its own line, not that of all lines. */
#define NAME_WIDTH_MAX 128

/* The trigger, last in the line, is not aligned. */
static const char *const titles[COLUMNS] = {
	"# name", "snapshots", "first", "last", "hits", "entries", "dropped", "trigger",
};

struct line {
	const struct report_hist *h; /* NULL: the titles */
	struct hist_strbuf text[COLUMNS]; /* all except name and trigger */
};

/* The lines so far, and the notes below them. */
struct list {
	const struct report_hist *h; /* the histogram that report_list_add_view() is called for */
	struct line *lines;
	unsigned int n, flags;
	struct hist_strbuf notes;
};

static void fill_line(struct line *line, const struct report_hist *h,
		      const struct hist_snapshot *totals)
{
	bool ns = hist_clock_is_ns(h->info->def.clock);

	line->h = h;
	hist_strbuf_u64(&line->text[1], h->info->snapshots);
	hist_label_put_time(&line->text[2], h->info->first_time, ns);
	hist_label_put_time(&line->text[3], h->info->last_time, ns);
	hist_strbuf_u64(&line->text[4], totals->hits);
	hist_strbuf_u64(&line->text[5], totals->entries);
	hist_strbuf_u64(&line->text[6], totals->dropped);
}

/* "# set-up: kmem:kmalloc: 10379 hits before snapshot 0 are left out" */
static void report_list_put_extent(struct hist_strbuf *b, const struct report_hist *h,
				   const struct hist_view *view, unsigned int flags)
{
	char words[128];

	if (!hist_extent_format(view->extent, hist_view_begin(view), view->from_hits, words,
				sizeof(words)))
		return;
	hist_strbuf_printf(b, "# %s: ", hist_extent_title(hist_view_begin(view)));
	hist_escape(b, h->name, strlen(h->name), flags);
	hist_strbuf_printf(b, ": %s\n", words);
}

/* Hits that no column has: "# note: kmem:kmalloc: the probe missed 12 hits, which are not ..." */
static void report_list_put_losses(struct hist_strbuf *b, const struct report_hist *h,
				   const struct hist_view *view, unsigned int flags)
{
	struct hist_loss loss = { 0 };
	char words[256];
	unsigned int i;

	hist_loss_add(&loss, view);
	loss.dropped = loss.missed = loss.lost = 0;
	loss.ambiguous = loss.misses_unknown = false;
	for (i = 0; hist_loss_format(&loss, i, words, sizeof(words)); i++) {
		hist_strbuf_str(b, "# note: ");
		hist_escape(b, h->name, strlen(h->name), flags);
		hist_strbuf_printf(b, ": %s\n", words);
	}
}

static size_t name_width(const struct line *line, unsigned int flags)
{
	size_t width;

	if (!line->h)
		return strlen(titles[0]);
	width = hist_escape_width(line->h->name, strlen(line->h->name), flags);
	return width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
}

static void report_list_put_line(struct hist_strbuf *out, const struct line *line,
				 const size_t *width,
				 unsigned int flags)
{
	const char *name = line->h ? line->h->name : titles[0];
	const char *trigger = line->h ? line->h->info->def.trigger : titles[COLUMNS - 1];
	unsigned int c;

	hist_strbuf_pad(out, hist_escape(out, name, strlen(name), line->h ? flags : 0), width[0]);
	for (c = 1; c < COLUMNS - 1; c++) {
		hist_strbuf_add(out, "  ", 2);
		hist_strbuf_pad(out, line->text[c].len, width[c]);
		hist_strbuf_append(out, &line->text[c]);
	}
	hist_strbuf_add(out, "  ", 2);
	hist_escape(out, trigger, strlen(trigger), flags);
	hist_strbuf_char(out, '\n');
}

static void report_list_print_lines(struct report *r, struct line *lines, unsigned int n,
				    unsigned int flags)
{
	struct hist_strbuf out = { 0 };
	size_t width[COLUMNS] = { 0 }, len;
	unsigned int c, i;

	for (i = 0; i < n; i++) {
		for (c = 0; c < COLUMNS - 1; c++) {
			len = c ? lines[i].text[c].len : name_width(&lines[i], flags);
			if (len > width[c])
				width[c] = len;
		}
	}
	for (i = 0; i < n && !r->error; i++) {
		report_list_put_line(&out, &lines[i], width, flags);
		r->error = hist_strbuf_flush(&out, r->file.f);
	}
	hist_strbuf_free(&out);
}

static int report_list_add_view(void *data, struct hist_view *view,
				const struct hist_selection *selection)
{
	struct list *list = data;

	(void)selection;
	fill_line(&list->lines[list->n++], list->h, view->snap);
	report_list_put_extent(&list->notes, list->h, view, list->flags);
	report_list_put_losses(&list->notes, list->h, view, list->flags);
	return 0;
}

static int list_text(struct report *r)
{
	struct list list = { .n = 1, .flags = r->style.utf8 ? 0 : HIST_ESCAPE_ASCII };
	unsigned int i, c;
	int ret = 0;

	list.lines = calloc(r->picks.n + 1, sizeof(*list.lines));
	if (!list.lines)
		return -ENOMEM;
	for (c = 1; c < COLUMNS - 1; c++)
		hist_strbuf_str(&list.lines[0].text[c], titles[c]);
	for (i = 0; i < r->picks.n && !ret; i++) {
		list.h = &r->picks.hists[i];
		if (!list.h->missing)
			ret = report_visit_total(list.h, report_list_add_view, &list);
	}
	if (!ret)
		report_list_print_lines(r, list.lines, list.n, list.flags);
	if (!ret && !r->error)
		r->error = hist_strbuf_flush(&list.notes, r->file.f);
	hist_strbuf_free(&list.notes);
	for (i = 0; i < r->picks.n + 1; i++)
		for (c = 0; c < COLUMNS; c++)
			hist_strbuf_free(&list.lines[i].text[c]);
	free(list.lines);
	return ret;
}

static int take_data(void *writer, struct hist_view *view, const struct hist_selection *selection)
{
	(void)selection;
	view->table = NULL;
	hist_writer_snapshot(writer, view);
	return 0;
}

/* Write descriptions, each with the view of a report without rows. */
static int list_data(struct report *r)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < r->picks.n && !ret; i++) {
		const struct report_hist *h = &r->picks.hists[i];

		hist_writer_histogram(r->writer, h->info, h->name);
		if (!h->missing)
			ret = report_visit_total(h, take_data, r->writer);
		hist_writer_histogram_end(r->writer);
	}
	r->error = r->writer->error;
	return ret;
}

int report_list(struct report *r)
{
	return r->writer ? list_data(r) : list_text(r);
}
