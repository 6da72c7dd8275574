// SPDX-License-Identifier: GPL-2.0
/*
 * report_walk.c - the snapshots of one histogram, shown as they come
 *
 * At most three are in memory: the one the cursor rebuilds, a copy of the one
 * before, and the difference.  The first interval is the difference to
 * nothing, so that all intervals together are exactly the last snapshot; a
 * histogram that somebody cleared begins from nothing again, and that is said.
 */
#include <errno.h>
#include <string.h>

#include <tracehist/label.h>

#include "report.h"

struct walk {
	struct report *r;
	const struct report_hist *h;
	struct hist_cursor *cursor;
	struct hist_view view;
	struct hist_snapshot before; /* of differences: what to subtract */
	struct hist_snapshot difference;
	struct hist_snapshot shown_snap, shown_whole; /* values are those of others */
	bool has_before;
	bool by_changes;  /* differences are of neighbours, and 0 where nothing changed */
	bool is_zero;	  /* all values of @difference are */
	bool any;	  /* a snapshot was seen: last_* are valid */
	uint32_t last_seq;
	uint32_t last_nentries;
	uint64_t last_hits;
	/* Added up since what is shown, or @before, was taken. */
	uint32_t lost;
	bool reset;
	unsigned int shown;
};

/* By the file, or by what the user knows better; 0 where neither tells. */
static uint64_t wall_of(const struct walk *w, const struct hist_snapshot *snap)
{
	const struct report_options *o = w->r->options;
	uint64_t wall = snap->time + (uint64_t)o->offset;

	if (!o->has_offset || !hist_clock_is_ns(w->h->info->def.clock))
		return snap->wall;
	return (int64_t)wall > 0 ? wall : 0;
}

/* What is shown has the times of the line of all files, where there is one. */
static void place(struct walk *w, const struct hist_snapshot *snap,
		  const struct hist_snapshot *whole)
{
	w->shown_snap = *snap;
	w->shown_whole = *whole;
	w->shown_snap.time = report_pick_time(w->h, snap->time);
	w->shown_whole.time = report_pick_time(w->h, whole->time);
	w->view.snap = &w->shown_snap;
	w->view.whole = snap == whole ? &w->shown_snap : &w->shown_whole;
}

/* @snap: what to show, @whole or a difference made of it. */
static void show(struct walk *w, const struct hist_snapshot *snap,
		 const struct hist_snapshot *whole)
{
	struct report *r = w->r;
	bool cuts = !(r->options->needs & REPORT_ALL_ROWS) && !w->h->grouped;
	uint32_t top = cuts ? r->options->top : 0;
	bool axis = w->h->has_axis && (!top || snap->nentries <= top);
	struct hist_selection selection = {
		.order = axis ? &w->h->axis : &w->h->order,
		.top = top,
		.difference = w->view.difference,
		.first_new = w->view.from_nothing ? 0 : w->before.nentries,
		.none = r->options->needs & REPORT_OVER_TIME,
		.changed = w->view.changed,
		.nchanged = w->view.nchanged,
	};

	place(w, snap, whole);
	w->view.wall = wall_of(w, whole);
	/* a walk that begins behind a clearing does not see it */
	w->view.reset = w->reset || (!w->view.difference && w->h->info->resets &&
				     snap->seq >= w->h->info->first_reset);
	w->view.lost = w->lost;
	r->error = hist_rows_select(&r->rows, w->view.table, snap, &selection);
	if (r->error)
		return;
	w->view.rows = &r->rows;
	w->view.axis_order = axis;
	w->view.grouped = w->h->grouped;
	w->view.top = r->options->top;
	w->view.brief = w->shown++ != 0;
	hist_writer_snapshot(r->writer, &w->view);
	r->error = hist_writer_error(r->writer);
	if (!r->error && !report_file_good(&r->file))
		r->error = errno ? -errno : -EIO;
}

/* Of one snapshot to the next few entries change, and only they are touched. */
static int subtract_changed(struct walk *w, const struct hist_snapshot *snap,
			    const uint32_t *changed, uint32_t n)
{
	const struct hist_schema *schema = hist_table_schema(w->view.table);
	struct hist_snapshot *d = &w->difference, head = *snap;
	size_t width = schema->nvalues, at;
	unsigned int v;
	uint32_t i;
	int ret;

	ret = hist_snapshot_grow(d, schema, snap->nentries);
	if (ret)
		return ret;
	if (!w->is_zero)
		memset(d->values, 0, d->room * width * sizeof(*d->values));
	for (i = 0; i < n; i++) {
		at = changed[i] * width;
		for (v = 0; v < width; v++)
			d->values[at + v] = snap->values[at + v] -
					    (changed[i] < w->before.nentries ?
					     w->before.values[at + v] : 0);
	}
	head.hits -= w->before.hits;
	head.dropped -= w->before.dropped;
	head.values = d->values;
	head.room = d->room;
	*d = head;
	w->is_zero = false;
	return 0;
}

/* w->before becomes @snap, and the difference all zeros. */
static int remember_changed(struct walk *w, const struct hist_snapshot *snap)
{
	const struct hist_schema *schema = hist_table_schema(w->view.table);
	const struct hist_view *view = &w->view;
	size_t width = schema->nvalues;
	uint32_t i;
	int ret;

	ret = hist_snapshot_follow(&w->before, snap, schema, view->changed, view->nchanged);
	if (ret)
		return ret;
	for (i = 0; i < view->nchanged; i++)
		memset(w->difference.values + view->changed[i] * width, 0,
		       width * sizeof(*w->difference.values));
	w->is_zero = true;
	return 0;
}

static int subtract_all(struct walk *w, const struct hist_snapshot *snap, bool from_nothing)
{
	const struct hist_schema *schema = hist_table_schema(w->view.table);
	int ret;

	w->is_zero = false;
	ret = hist_snapshot_copy(&w->difference, snap, schema);
	if (!ret)
		hist_snapshot_subtract(&w->difference, from_nothing ? NULL : &w->before, schema);
	return ret;
}

static int remember(struct walk *w, const struct hist_snapshot *snap)
{
	int ret;

	if (w->view.changed)
		ret = remember_changed(w, snap);
	else
		ret = hist_snapshot_copy(&w->before, snap, hist_table_schema(w->view.table));
	w->view.changed = NULL;
	w->has_before = !ret;
	w->lost = 0;
	w->reset = false;
	return ret;
}

/* @snap minus w->before; from nothing where there is none or it was cleared. */
static int show_difference(struct walk *w, const struct hist_snapshot *snap)
{
	bool from_nothing = !w->has_before || w->reset;
	const uint32_t *changed;
	uint32_t n;
	int ret;

	changed = hist_cursor_changed(w->cursor, &n);
	if (changed && !from_nothing && w->by_changes) {
		ret = subtract_changed(w, snap, changed, n);
		w->view.changed = changed;
		w->view.nchanged = n;
	} else {
		ret = subtract_all(w, snap, from_nothing);
	}
	if (ret)
		return ret;
	w->difference.missed = snap->missed - w->before.missed;
	/* what could not be told apart on one side cannot be on the other */
	if (!from_nothing)
		w->difference.flags |= w->before.flags & HIST_SNAP_AMBIGUOUS;
	w->difference.flags &= ~HIST_SNAP_RESET;
	w->view.difference = true;
	w->view.from_nothing = from_nothing;
	w->view.from_seq = w->before.seq;
	w->view.from_time = report_pick_time(w->h, w->before.time);
	show(w, &w->difference, snap);
	return 0;
}

/* Takes note of what lies between the snapshot before and this one. */
static void account(struct walk *w, const struct hist_snapshot *snap)
{
	uint32_t gap = w->any ? snap->seq - w->last_seq - 1 : snap->seq - w->h->first;

	w->lost += gap;
	w->reset |= (snap->flags & HIST_SNAP_RESET) != 0;
	/* counts only grow: if not, the snapshot that told of a clearing is lost */
	if (w->any && (snap->hits < w->last_hits || snap->nentries < w->last_nentries))
		w->reset = true;
	w->any = true;
	w->last_seq = snap->seq;
	w->last_hits = snap->hits;
	w->last_nentries = snap->nentries;
}

static int visit(struct walk *w, const struct hist_snapshot *snap)
{
	bool over_time = w->r->options->needs & REPORT_OVER_TIME;
	int ret;

	account(w, snap);
	switch (w->r->options->span) {
	case REPORT_INTERVALS:
		ret = show_difference(w, snap);
		return ret ? ret : remember(w, snap);
	case REPORT_BETWEEN:
		if (snap->seq == w->h->first)
			return remember(w, snap);
		if (snap->seq != w->h->last && !over_time)
			return 0;
		ret = show_difference(w, snap);
		return ret ? ret : remember(w, snap);
	default:
		show(w, snap, snap);
		w->lost = 0;
		w->reset = false;
		return 0;
	}
}

/* Every snapshot is remembered, and values that are no sums do not stay what they are. */
static bool goes_by_changes(const struct report *r, const struct hist_schema *schema)
{
	bool each = r->options->span == REPORT_INTERVALS || r->options->needs & REPORT_OVER_TIME;
	unsigned int v;

	for (v = 0; v < schema->nvalues && each; v++)
		each = hist_value_is_sum(schema->values[v].kind);
	return each && schema->nvalues;
}

int report_walk(struct report *r, const struct report_hist *h)
{
	struct walk w = { .r = r, .h = h };
	const struct hist_snapshot *snap;
	struct hist_cursor *cursor;
	int ret;

	ret = hist_cursor_open(&cursor, h->input->series, h->hist, h->first);
	if (ret) {
		hist_writer_histogram_end(r->writer);
		return ret;
	}
	w.cursor = cursor;
	w.by_changes = goes_by_changes(r, h->info->def.schema);
	w.view.info = h->info;
	w.view.name = h->name;
	while (!r->error && (ret = hist_cursor_next(cursor, &snap)) == 1) {
		if (snap->seq > h->last)
			break;
		w.view.table = hist_cursor_table(cursor);
		if (snap->seq >= h->first) {
			ret = visit(&w, snap);
			if (ret)
				break;
		}
	}
	hist_writer_histogram_end(r->writer);
	hist_cursor_free(cursor);
	hist_snapshot_clear(&w.before);
	hist_snapshot_clear(&w.difference);
	return ret < 0 ? ret : 0;
}
