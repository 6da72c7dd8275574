// SPDX-License-Identifier: GPL-2.0
/*
 * report.c - `trace-cmd hist report`
 *
 * The steps are: select histograms and snapshots (report_select.c), open the output
 * (output_stream.c), write the snapshots or a line for each histogram, and report damage of the
 * files.  intervals.h defines the differences that are written.
 *
 * The totals of a list equal those of a report, which omits the set-up (extent.h).  Names and
 * triggers are not stored, because a small file can expand to long texts: they are written line by
 * line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/intervals.h"
#include "lib/analysis/loss_notes.h"
#include "lib/series/counted.h"
#include "lib/label/label.h"
#include "lib/report/text/text_table.h"
#include "tracecmd/base/command.h"
#include "tracecmd/base/message.h"
#include "tracecmd/report/report.h"
#include "tracecmd/report/report_episodes.h"
#include "tracecmd/report/report_inputs.h"

struct show_state {
	struct report *r;
	const struct report_hist *h;
	unsigned int n; /* number of views so far */
	/* of counters */
	struct hist_counted *counted;
	unsigned int nsnapshots;
	uint64_t left_out;    /* hits of the set-up */
	uint32_t lost, flags; /* since the last view; of the snapshot before */
};

/* The wall-clock time: from --time-offset or the file; 0 if unknown. */
static uint64_t report_show_wall_time(const struct show_state *s, const struct hist_snapshot *snap)
{
	const struct report_options *o = s->r->options;
	uint64_t wall = snap->time + (uint64_t)o->offset;

	if (!o->has_offset || !hist_clock_is_ns(s->h->info->def.clock))
		return snap->wall;
	return (int64_t)wall > 0 ? wall : 0;
}

static int report_show_write_view(struct show_state *s, struct hist_view *view,
				  const struct hist_selection *selection)
{
	struct report *r = s->r;
	bool cuts = !(r->options->needs & REPORT_ALL_ROWS) && !s->h->grouped;
	struct hist_selection rows = *selection;
	uint32_t top = cuts ? r->options->writer.top : 0;
	bool axis;

	rows.order =
		hist_default_order_choose(&s->h->default_order, view->snap->nentries, top, &axis);
	rows.top = top;
	rows.none = r->options->needs & REPORT_OVER_TIME;
	r->error = hist_rows_select(&r->rows, view->table, view->snap, &rows);
	if (r->error)
		return 1;
	view->rows = &r->rows;
	view->axis_order = axis;
	view->grouped = s->h->grouped;
	view->top = r->options->writer.top;
	view->brief = s->n++ != 0;
	hist_writer_snapshot(r->writer, view);
	r->error = r->writer->error;
	if (!r->error && ferror(r->file.f))
		r->error = errno ? -errno : -EIO;
	return r->error ? 1 : 0;
}

/* Convert the times of a view to the common line, if there is one. */
static int report_show_shift_times(void *data, struct hist_view *view,
				   const struct hist_selection *selection)
{
	struct hist_snapshot snap = *view->snap, whole = *view->whole;
	struct hist_view shifted = *view;
	struct show_state *s = data;

	shifted.wall = report_show_wall_time(s, &whole);
	snap.time += s->h->timeline.offset;
	whole.time += s->h->timeline.offset;
	if (view->difference)
		shifted.from_time = view->from_time + s->h->timeline.offset;
	shifted.whole = view->whole == view->snap ? &snap : &whole;
	shifted.snap = &snap;
	return report_show_write_view(s, &shifted, selection);
}

/* True if the snapshot that is counted now becomes a view. */
static bool report_show_is_sample(const struct show_state *s, uint32_t seq)
{
	switch (s->r->options->span) {
	case REPORT_ALL:
		return true;
	case REPORT_INTERVALS:
		/* the first snapshot of a recording begins the first interval */
		return s->nsnapshots > 1 || s->h->extent == HIST_EXTENT_REPLAY || seq == s->h->last;
	default:
		return seq == s->h->last;
	}
}

/* Add a snapshot to the counters, and show them. */
static int report_show_count(void *data, struct hist_view *view,
			     const struct hist_selection *selection)
{
	/* rows that are 0 were only counted in the set-up */
	const struct hist_selection rows = { .difference = true, .first_new = UINT32_MAX };
	struct show_state *s = data;
	struct hist_counted *c = s->counted;
	struct hist_view counters = *view;
	uint32_t flags = view->whole->flags;

	(void)selection;
	s->r->error = hist_counted_update(c, view->table, view->whole, view->cleared);
	if (s->r->error)
		return 1;
	s->nsnapshots++;
	s->lost += view->lost;
	/* a pause may begin before an interval and end during it */
	if (s->r->options->span == REPORT_INTERVALS)
		counters.stopped = (flags | s->flags) & HIST_SNAP_STOPPED;
	s->flags = flags;
	if (!report_show_is_sample(s, view->whole->seq))
		return 0;
	counters.table = c->table;
	counters.snap = counters.whole = &c->sums;
	counters.resets = c->resets;
	counters.lost = s->lost;
	counters.from_hits = s->left_out;
	s->lost = 0;
	return report_show_shift_times(s, &counters, &rows);
}

/* @h: a copy, whose extent may change. */
static int report_show_counters(struct report *r, struct report_hist *h)
{
	bool recorded = h->extent == HIST_EXTENT_RECORDED;
	struct show_state s = { .r = r, .h = h };
	struct hist_cursor *cursor = NULL;
	int ret;

	ret = hist_series_begin_counting(&s.counted, h->input->series, h->hist, recorded);
	if (ret < 0)
		return ret;
	/* files of earlier versions do not have the first snapshot of the recording */
	if (recorded && !ret)
		h->extent = HIST_EXTENT_SINGLE;
	s.left_out = s.counted->setup.hits;
	ret = report_walk_hist(h, report_show_count, &s, true, false, &cursor);
	hist_writer_histogram_end(r->writer);
	hist_cursor_free(cursor);
	hist_counted_free(s.counted);
	return ret;
}

static int report_write_hist(struct report *r, const struct report_hist *h)
{
	bool over_time = r->options->needs & REPORT_OVER_TIME;
	struct show_state s = { .r = r, .h = h };
	struct hist_cursor *cursor = NULL;
	struct report_hist counters = *h;
	int ret = 0;

	if (!r->error && r->options->needs & REPORT_COUNTERS) {
		ret = report_show_counters(r, &counters);
		return ret < 0 ? ret : 0;
	}
	if (!r->error)
		ret = report_walk_hist(h, report_show_shift_times, &s,
				       over_time || r->options->span == REPORT_INTERVALS, over_time,
				       &cursor);
	hist_writer_histogram_end(r->writer);
	hist_cursor_free(cursor);
	return ret < 0 ? ret : 0;
}

/* A longer name shifts the rest of its own line, not that of all lines. */
#define NAME_WIDTH_MAX 128

enum {
	LIST_NAME,
	LIST_SNAPSHOTS,
	LIST_FIRST,
	LIST_LAST,
	LIST_HITS,
	LIST_ENTRIES,
	LIST_DROPPED,
	LIST_TRIGGER,
	LIST_COLUMNS
};

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
		hist_label_put_time(&cell->text,
				    column == LIST_FIRST ? info->first_time : info->last_time, ns);
		table_cell_ascii(cell);
		break;
	case LIST_TRIGGER:
		table_cell_escape(cell, info->def.trigger, strlen(info->def.trigger), list->flags);
		break;
	default:
		table_cell_number(cell,
				  column == LIST_HITS	   ? line->hits
				  : column == LIST_ENTRIES ? line->entries
							   : line->dropped,
				  false);
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

static int report_list(struct report *r)
{
	return r->writer ? list_data(r) : list_text(r);
}

static int report_begin_output(struct report *r)
{
	const struct report_options *o = r->options;
	struct hist_writer_options w = o->writer;
	const struct hist_series_info **hists;
	unsigned int i;
	int ret;

	ret = output_stream_open(&r->file, o->out);
	if (ret)
		return ret;
	text_style_detect(&r->style, r->file.f, o->colour);
	/* a text list has aligned columns, which report_list() writes without a writer */
	if (o->list && o->format->writer == &hist_writer_text)
		return 0;
	w.f = r->file.f;
	w.style = r->style;
	w.style.raw_names = o->raw_names;
	w.intervals = o->span == REPORT_INTERVALS;
	hists = calloc(r->picks.n + 1, sizeof(*hists));
	for (i = 0; hists && i < r->picks.n; i++)
		hists[i] = r->picks.hists[i].info;
	w.hists = hists;
	w.nhists = r->picks.n;
	w.episodes = o->episodes ? &r->episodes.list : NULL;
	r->writer = hists ? hist_writer_new(o->format->writer, &w) : NULL;
	free(hists);
	if (r->writer)
		return 0;
	return output_stream_close(&r->file, false, -ENOMEM);
}

static int show_all(struct report *r)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < r->picks.n; i++)
		r->incomplete |= r->picks.hists[i].missing;
	if (r->options->list)
		return report_list(r);
	if (r->options->episodes && r->options->format->needs & REPORT_EPISODES_ONLY)
		return 0;
	for (i = 0; i < r->picks.n && !ret && !r->error; i++) {
		const struct report_hist *h = &r->picks.hists[i];

		hist_writer_histogram(r->writer, h->info, h->name);
		if (h->missing)
			hist_writer_histogram_end(r->writer);
		else
			ret = report_write_hist(r, h);
	}
	return ret;
}

/* Write the damage of the files at the end of the list. */
static void end_list(struct report *r)
{
	const struct report_input *input;
	char words[256];

	for (input = r->inputs.files; input < r->inputs.files + r->inputs.n; input++)
		if (hist_loss_format_damage(hist_series_damage(input->series), words,
					    sizeof(words)))
			message_print_to(r->file.f, "# note: %s%s%s",
					 input->label ? input->path : "",
					 input->label ? ": " : "", words);
}

/* The damage of all files together. */
static struct hist_series_damage report_sum_damage(const struct report_inputs *in)
{
	struct hist_series_damage all = { 0 };
	const struct hist_series_damage *one;
	unsigned int i;

	for (i = 0; i < in->n; i++) {
		one = hist_series_damage(in->files[i].series);
		all.unfinished |= one->unfinished;
		all.truncated |= one->truncated;
		all.bad_sections += one->bad_sections;
		all.lost_snapshots += one->lost_snapshots;
		all.refused_sections += one->refused_sections;
		all.refused_flags |= one->refused_flags;
		if (one->refused_version > all.refused_version)
			all.refused_version = one->refused_version;
	}
	return all;
}

/* End the document, unless writing failed before.  Returns 0, or -errno after a message. */
static int end_writer(struct report *r)
{
	struct hist_series_damage damage = report_sum_damage(&r->inputs);
	struct hist_error error = { 0 };
	int ret;

	ret = hist_writer_free(r->writer, r->error ? NULL : &damage, &error);
	r->writer = NULL;
	if (!ret)
		return r->error;
	if (error.err)
		message_report_of(ret, &error, "%s", report_files_name(r->options));
	r->reported = error.err;
	return ret;
}

/* Print a message about the damage of a file; true if data is missing. */
static bool report_report_damage(const struct report_input *input)
{
	const struct hist_series_damage *damage = hist_series_damage(input->series);
	bool incomplete = damage->bad_sections || damage->lost_snapshots;
	bool damaged = incomplete && !damage->refused_sections;
	char words[256];

	if (hist_loss_format_damage(damage, words, sizeof(words)))
		(incomplete ? message_error : message_warning)("%s: %s%s", input->path,
							       damaged ? "damaged: " : "", words);
	return incomplete;
}

static int report_finish_output(struct report *r, int ret)
{
	int status = EXIT_DONE, closed, error = r->error;
	unsigned int i;

	if (r->writer)
		error = end_writer(r);
	else if (!error)
		end_list(r);
	closed = output_stream_close(&r->file, !ret && !r->reported, r->reported ? 0 : error);
	/* a reader that closes the pipe early is not an error */
	if (closed == -EPIPE)
		return EXIT_DONE;
	if (closed || r->reported || r->incomplete)
		status = EXIT_TROUBLE;
	if (ret) {
		message_error("%s: %s", report_files_name(r->options), strerror(-ret));
		status = EXIT_TROUBLE;
	}
	for (i = 0; i < r->inputs.n; i++)
		if (report_report_damage(&r->inputs.files[i]))
			status = EXIT_TROUBLE;
	return status;
}

static int report_run_report(const struct report_options *options)
{
	struct report r = { .options = options };
	int status = EXIT_TROUBLE, ret;

	if (report_inputs_open(&r.inputs, options))
		return EXIT_TROUBLE;
	ret = report_select_hists(&r.picks, &r.inputs, options);
	r.episodes.raw_names = options->raw_names;
	if (!ret && options->episodes)
		ret = report_episodes_find(&r.episodes, &r.picks, &r.inputs, options);
	if (!ret && !report_begin_output(&r))
		status = report_finish_output(&r, show_all(&r));
	hist_rows_free(&r.rows);
	report_episodes_clear(&r.episodes);
	report_picks_clear(&r.picks);
	report_inputs_close(&r.inputs);
	return status;
}

int report_print_file(int fd, const char *name)
{
	char *argv[] = { (char *)"report", (char *)"--", (char *)name, NULL };
	struct report_options options;
	int status = EXIT_TROUBLE;

	if (!report_options_parse(&options, 3, argv)) {
		options.fd = fd;
		status = report_run_report(&options);
	}
	report_options_clear(&options);
	return status;
}

static int report_run_verb(int argc, char **argv)
{
	struct report_options options;
	int ret, status = EXIT_TROUBLE;

	ret = report_options_parse(&options, argc, argv);
	if (ret == 1)
		status = EXIT_DONE;
	else if (!ret)
		status = report_run_report(&options);
	report_options_clear(&options);
	return status;
}

const struct command report_command = {
	.title = "Show",
	.name = "report",
	.help = "show the histograms of a trace.dat file",
	.run = report_run_verb,
};
