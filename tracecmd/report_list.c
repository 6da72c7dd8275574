// SPDX-License-Identifier: GPL-2.0
/*
 * report_list.c - a line for each histogram of a file
 *
 * The totals are those of the last snapshot, so each histogram is read from
 * its last full snapshot on.  The columns are wide enough for all lines.
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

static int last_snapshot(const struct report_hist *h, struct hist_snapshot *last)
{
	const struct hist_snapshot *snap;
	struct hist_cursor *cursor;
	int ret;

	ret = hist_cursor_open(&cursor, h->input->series, h->hist, h->last);
	if (ret)
		return ret;
	while ((ret = hist_cursor_next(cursor, &snap)) == 1) {
		/* the numbers, not the values */
		if (snap->seq == h->last) {
			*last = *snap;
			last->values = NULL;
			last->room = 0;
			break;
		}
	}
	hist_cursor_free(cursor);
	return ret < 0 ? ret : ret == 1 ? 0 : -EBADMSG;
}

static void fill_line(struct line *line, const struct report_hist *h,
		      const struct hist_snapshot *last, unsigned int flags)
{
	bool ns = hist_clock_is_ns(h->info->def.clock);

	hist_escape(&line->text[0], h->name, strlen(h->name), flags);
	hist_strbuf_u64(&line->text[1], h->info->snapshots);
	hist_label_time(&line->text[2], h->info->first_time, ns);
	hist_label_time(&line->text[3], h->info->last_time, ns);
	hist_strbuf_u64(&line->text[4], last->hits);
	hist_strbuf_u64(&line->text[5], last->entries);
	hist_strbuf_u64(&line->text[6], last->dropped);
	hist_escape(&line->text[7], h->info->def.trigger, strlen(h->info->def.trigger), flags);
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
			hist_strbuf_add(&out, text->data, text->len);
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
	struct hist_snapshot last = { 0 };
	unsigned int i, c, n = 1;
	struct line *lines;
	int ret = 0;

	lines = calloc(r->picks.n + 1, sizeof(*lines));
	if (!lines)
		return -ENOMEM;
	for (c = 0; c < COLUMNS; c++)
		hist_strbuf_str(&lines[0].text[c], titles[c]);
	for (i = 0; i < r->picks.n && !ret; i++) {
		if (r->picks.hists[i].missing)
			continue;
		ret = last_snapshot(&r->picks.hists[i], &last);
		if (!ret)
			fill_line(&lines[n++], &r->picks.hists[i], &last,
				  r->style.utf8 ? 0 : HIST_LABEL_ASCII);
	}
	if (!ret)
		print_lines(r, lines, n);
	for (i = 0; i < r->picks.n + 1; i++)
		for (c = 0; c < COLUMNS; c++)
			hist_strbuf_free(&lines[i].text[c]);
	free(lines);
	return ret;
}

/* Descriptions, with the last snapshot but without its rows. */
static int list_data(struct report *r)
{
	struct hist_snapshot last = { 0 };
	struct hist_view view = { 0 };
	unsigned int i;
	int ret = 0;

	for (i = 0; i < r->picks.n && !ret; i++) {
		const struct report_hist *h = &r->picks.hists[i];

		hist_writer_histogram(r->writer, h->info, h->name);
		if (!h->missing) {
			ret = last_snapshot(h, &last);
			view.info = h->info;
			view.name = h->name;
			view.snap = view.whole = &last;
			view.wall = last.wall;
			if (!ret)
				hist_writer_snapshot(r->writer, &view);
		}
		hist_writer_histogram_end(r->writer);
	}
	r->error = hist_writer_error(r->writer);
	return ret;
}

int report_list(struct report *r)
{
	return r->writer ? list_data(r) : list_text(r);
}
