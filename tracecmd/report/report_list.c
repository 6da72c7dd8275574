// SPDX-License-Identifier: GPL-2.0
/*
 * report_list.c - a line for each histogram of a file
 *
 * The totals equal those of a report, which omits the set-up (extent.h).  Names and triggers are
 * not stored, because a small file can expand to long texts: they are written line by line.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/loss_notes.h"
#include "lib/label/label.h"
#include "lib/report/text/text_table.h"
#include "tracecmd/report/report.h"

/* A longer name shifts the rest of its own line, not that of all lines. */
#define NAME_WIDTH_MAX 128

enum { LIST_NAME, LIST_SNAPSHOTS, LIST_FIRST, LIST_LAST, LIST_HITS, LIST_ENTRIES, LIST_DROPPED,
       LIST_TRIGGER, LIST_COLUMNS };

static const char *const titles[LIST_COLUMNS] = {
	"# name", "snapshots", "first", "last", "hits", "entries", "dropped", "trigger",
};

struct line {
	const struct report_hist *h;
	uint64_t hits, entries, dropped;
};

/* The lines so far, and the notes below them. */
struct list {
	struct table base;
	struct table_column columns[LIST_COLUMNS];
	const struct report_hist *h; /* the histogram that report_list_add_view() is called for */
	struct line *lines;
	unsigned int flags;
	struct hist_strbuf notes;
};

static void report_list_put_cell(const struct table *table, uint32_t row, unsigned int column,
				 struct table_cell *cell)
{
	const struct list *list = (const struct list *)table;
	const struct line *line = &list->lines[row];
	const struct hist_series_info *info = line->h->info;
	bool ns = hist_clock_is_ns(info->def.clock);

	switch (column) {
	case LIST_NAME:
		table_cell_escape(cell, line->h->name, strlen(line->h->name), list->flags);
		break;
	case LIST_SNAPSHOTS:
		table_cell_number(cell, info->snapshots, false);
		break;
	case LIST_FIRST:
	case LIST_LAST:
		hist_label_put_time(&cell->text, column == LIST_FIRST ? info->first_time :
				    info->last_time, ns);
		table_cell_ascii(cell);
		break;
	case LIST_TRIGGER:
		table_cell_escape(cell, info->def.trigger, strlen(info->def.trigger), list->flags);
		break;
	default:
		table_cell_number(cell, column == LIST_HITS ? line->hits :
				  column == LIST_ENTRIES ? line->entries : line->dropped, false);
	}
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

static void report_list_print_lines(struct report *r, struct list *list)
{
	struct hist_strbuf out = { 0 };
	struct text_table text = { .table = &list->base, .out = &out, .style = &r->style };
	uint32_t row;

	text_table_put_titles(&text);
	hist_strbuf_char(&out, '\n');
	for (row = 0; row < list->base.nrows && !r->error; row++) {
		text_table_put_row(&text, row, 0);
		hist_strbuf_char(&out, '\n');
		r->error = hist_strbuf_flush(&out, r->file.f);
	}
	text_table_end(&text);
	if (!r->error)
		r->error = hist_strbuf_flush(&out, r->file.f);
	hist_strbuf_free(&out);
}

static int report_list_add_view(void *data, struct hist_view *view,
				const struct hist_selection *selection)
{
	struct list *list = data;

	(void)selection;
	list->lines[list->base.nrows++] = (struct line){
		.h = list->h,
		.hits = view->snap->hits,
		.entries = view->snap->entries,
		.dropped = view->snap->dropped,
	};
	report_list_put_extent(&list->notes, list->h, view, list->flags);
	report_list_put_losses(&list->notes, list->h, view, list->flags);
	return 0;
}

static void report_list_make_columns(struct list *list)
{
	unsigned int i;

	list->base.columns = list->columns;
	list->base.ncolumns = LIST_COLUMNS;
	list->base.put = report_list_put_cell;
	for (i = 0; i < LIST_COLUMNS; i++) {
		list->columns[i].title = titles[i];
		list->columns[i].right = i != LIST_NAME && i != LIST_TRIGGER;
	}
	list->columns[LIST_NAME].lead = "";
	list->columns[LIST_NAME].most = NAME_WIDTH_MAX;
}

static int list_text(struct report *r)
{
	struct list list = { .flags = r->style.utf8 ? 0 : HIST_ESCAPE_ASCII };
	unsigned int i;
	int ret = 0;

	report_list_make_columns(&list);
	list.lines = calloc(r->picks.n + 1, sizeof(*list.lines));
	if (!list.lines)
		return -ENOMEM;
	for (i = 0; i < r->picks.n && !ret; i++) {
		list.h = &r->picks.hists[i];
		if (!list.h->missing)
			ret = report_visit_total(list.h, report_list_add_view, &list);
	}
	if (!ret)
		ret = table_measure(&list.base, 0, list.base.nrows, list.flags | TABLE_TITLES);
	if (!ret)
		report_list_print_lines(r, &list);
	if (!ret && !r->error)
		r->error = hist_strbuf_flush(&list.notes, r->file.f);
	hist_strbuf_free(&list.notes);
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
