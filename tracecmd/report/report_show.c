// SPDX-License-Identifier: GPL-2.0
/*
 * report_show.c - write the snapshots of one histogram in order
 *
 * intervals.h defines differences.  This file selects the rows, and converts times to the
 * clock that the user requested.
 */
#include <errno.h>

#include "lib/analysis/intervals.h"
#include "lib/hist/counted.h"
#include "lib/label/label.h"
#include "tracecmd/report/report.h"

struct show_state {
	struct report *r;
	const struct report_hist *h;
	unsigned int n; /* number of views so far */
	/* of counters */
	struct hist_counted *counted;
	unsigned int nsnapshots;
	uint64_t left_out; /* hits of the set-up */
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

	rows.order = hist_default_order_choose(&s->h->default_order, view->snap->nentries, top,
					       &axis);
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
	if (!r->error && !output_stream_is_good(&r->file))
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
	snap.time = report_convert_time(s->h, snap.time);
	whole.time = report_convert_time(s->h, whole.time);
	if (view->difference)
		shifted.from_time = report_convert_time(s->h, view->from_time);
	shifted.whole = view->whole == view->snap ? &snap : &whole;
	shifted.snap = &snap;
	return report_show_write_view(s, &shifted, selection);
}

/*
 * @each: show every interval or snapshot; otherwise one view.
 * *@cursor: has the table of the last view; the caller frees it in all cases.
 */
static int report_show_walk_selected(const struct report_hist *h, hist_intervals_show *to,
				     void *data, bool each, bool added_only,
				     struct hist_cursor **cursor)
{
	struct hist_intervals walk = {
		.info = h->info,
		.name = h->name,
		.first = h->first,
		.last = h->last,
		.span = h->walk,
		.extent = h->extent,
		.added_only = added_only,
		.data = data,
	};
	int ret;

	*cursor = NULL;
	if (h->walk == HIST_INTERVALS_BETWEEN && !each)
		walk.total = to;
	else
		walk.each = to;
	ret = h->cursor ? 0 : hist_cursor_open(cursor, h->input->series, h->hist, h->first);
	return ret ? ret : hist_intervals_walk(h->cursor ? h->cursor : *cursor, &walk);
}

/* A callee, and whether it was called. */
struct shown {
	hist_intervals_show *to;
	void *data;
	bool any;
};

static int report_show_note(void *data, struct hist_view *view,
			    const struct hist_selection *selection)
{
	struct shown *shown = data;

	shown->any = true;
	return shown->to(shown->data, view, selection);
}

/* As report_show_walk_selected(); finds the ends again if those from the headers are not intact. */
static int report_show_walk_hist(const struct report_hist *h, hist_intervals_show *to, void *data,
				 bool each, bool added_only, struct hist_cursor **cursor)
{
	struct shown shown = { to, data, false };
	struct report_hist intact = *h;
	int ret;

	ret = report_show_walk_selected(h, report_show_note, &shown, each, added_only, cursor);
	if (ret || shown.any || !h->presumed)
		return ret;
	hist_cursor_free(*cursor);
	*cursor = NULL;
	ret = report_range_find_intact(&intact);
	if (!ret)
		ret = report_show_walk_selected(&intact, to, data, each, added_only, cursor);
	if (intact.cursor) {
		hist_cursor_free(*cursor);
		*cursor = intact.cursor;
	}
	/* a message was printed, and the damage counts */
	return ret == -ENOENT ? 0 : ret;
}

int report_visit_total(const struct report_hist *h, hist_intervals_show *show, void *data)
{
	struct hist_cursor *cursor;
	int ret = report_show_walk_hist(h, show, data, false, false, &cursor);

	hist_cursor_free(cursor);
	return ret;
}

/* True if the snapshot that is counted now becomes a view. */
static bool report_show_is_sample(const struct show_state *s, uint32_t seq)
{
	switch (s->r->options->span) {
	case REPORT_ALL:
		return true;
	case REPORT_INTERVALS:
		/* the first snapshot of a recording begins the first interval */
		return s->nsnapshots > 1 || s->h->extent == HIST_EXTENT_REPLAY ||
		       seq == s->h->last;
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
	ret = report_show_walk_hist(h, report_show_count, &s, true, false, &cursor);
	hist_writer_histogram_end(r->writer);
	hist_cursor_free(cursor);
	hist_counted_free(s.counted);
	return ret;
}

int report_write_hist(struct report *r, const struct report_hist *h)
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
		ret = report_show_walk_hist(h, report_show_shift_times, &s,
					    over_time || r->options->span == REPORT_INTERVALS,
					    over_time, &cursor);
	hist_writer_histogram_end(r->writer);
	hist_cursor_free(cursor);
	return ret < 0 ? ret : 0;
}
