// SPDX-License-Identifier: LGPL-2.1
/*
 * intervals.c - walk over snapshots or the differences between them, as views
 *
 * The cursor rebuilds one snapshot after another.  For each kind of difference (of neighbours, and
 * the total) the walk keeps a copy of the snapshot to subtract, and the difference.  If few entries
 * changed, only those are subtracted.  A walk that shows only the total does not rebuild the
 * snapshots before the last full one.
 *
 * Invariant: the first interval is the difference to nothing, so all intervals together are
 * exactly the last snapshot.  After a clearing, the next difference is to nothing again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/intervals.h"
#include "lib/base/array.h"

/* A snapshot to subtract, and the changes since then. */
struct interval_base {
	struct hist_snapshot before;
	struct hist_snapshot difference;
	bool has_before;
	bool is_zero; /* all values of @difference are 0 */
	uint32_t lost;
	bool reset, stopped;
};

struct intervals_state {
	const struct hist_intervals *o;
	struct hist_cursor *cursor;
	const struct hist_table *table;
	bool by_changes; /* the difference of an entry that did not change is 0 */
	struct interval_base each, total;
	uint64_t *added; /* hist_view.added */
	uint32_t added_room;
	bool any; /* last_* are valid */
	bool was_reset, was_stopped; /* at any time in the walk */
	uint32_t last_seq;
	uint64_t last_generation; /* of the table */
	uint32_t last_nentries;
	uint64_t last_hits;
};

static int intervals_show_view(struct intervals_state *w, hist_intervals_show *to,
			       struct interval_base *since, struct hist_view *view)
{
	struct hist_selection selection = {
		.difference = view->difference,
		.first_new = view->from_entries,
		.changed = view->changed,
		.nchanged = view->nchanged,
	};

	view->info = w->o->info;
	view->name = w->o->name;
	view->table = w->table;
	view->wall = view->whole->wall;
	view->last_seq = w->o->last;
	view->extent = w->o->extent;
	/* the walk does not see a clearing before it began, and the info lacks damaged headers */
	view->reset = since->reset ||
		      (!view->difference && (w->was_reset || (w->o->info->resets &&
					     view->snap->seq >= w->o->info->first_reset)));
	/* a pause may begin before an interval and end during it */
	view->stopped = since->stopped ||
			(view->difference && since->before.flags & HIST_SNAP_STOPPED) ||
			(!view->difference && (w->was_stopped || (w->o->info->stops &&
					       view->snap->seq >= w->o->info->first_stop)));
	view->lost = since->lost;
	return to(w->o->data, view, &selection);
}

static int show_whole(struct intervals_state *w, const struct hist_snapshot *snap)
{
	struct hist_view view = { .snap = snap, .whole = snap, .cleared = w->each.reset };
	int ret = intervals_show_view(w, w->o->each, &w->each, &view);

	w->each.lost = 0;
	w->each.reset = w->each.stopped = false;
	return ret;
}

/*
 * Set w->added to the values of the @n @changed entries of @snap minus those in @since->before, and
 * update @since->before to @snap.
 */
static int list_added(struct intervals_state *w, struct interval_base *since,
		      const struct hist_snapshot *snap,
		      const uint32_t *changed, uint32_t n)
{
	const struct hist_schema *schema = hist_table_schema(w->table);
	uint64_t *before, *added, by;
	uint32_t known = since->before.nentries, i;
	const uint64_t *values = snap->values;
	size_t width = schema->nvalues, v, at;
	int ret;

	ret = hist_snapshot_grow(&since->before, schema, snap->nentries);
	if (!ret)
		ret = array_grow(&w->added, &w->added_room, n * width + 1,
				 sizeof(*w->added));
	if (ret)
		return ret;
	/* the view reports the old number; new entries were 0 */
	since->before.nentries = known;
	before = since->before.values;
	added = w->added;
	for (v = 0; v < width; v++) {
		for (i = 0; i < n; i++) {
			at = changed[i] * width + v;
			by = values[at] - before[at];
			before[at] = values[at];
			*added++ = by;
		}
	}
	return 0;
}

/* Set the values of @d to w->added for the @changed entries, and to 0 for all others. */
static int put_added(struct intervals_state *w, struct hist_snapshot *d, bool is_zero,
		     uint32_t nentries,
		     const uint32_t *changed, uint32_t n)
{
	const struct hist_schema *schema = hist_table_schema(w->table);
	const uint64_t *added = w->added;
	size_t width = schema->nvalues, v;
	uint32_t i;
	int ret;

	ret = hist_snapshot_grow(d, schema, nentries);
	if (ret)
		return ret;
	if (!is_zero)
		memset(d->values, 0, d->room * width * sizeof(*d->values));
	for (v = 0; v < width; v++)
		for (i = 0; i < n; i++)
			d->values[changed[i] * width + v] = *added++;
	return 0;
}

static int subtract_changed(struct intervals_state *w, struct interval_base *since,
			    const struct hist_snapshot *snap,
			    const uint32_t *changed, uint32_t n)
{
	struct hist_snapshot *d = &since->difference;
	uint32_t nentries = d->nentries;
	int ret;

	ret = list_added(w, since, snap, changed, n);
	if (!ret && !w->o->added_only)
		ret = put_added(w, d, since->is_zero, snap->nentries, changed, n);
	if (ret)
		return ret;
	hist_snapshot_copy_head(d, snap);
	d->hits -= since->before.hits;
	d->dropped -= since->before.dropped;
	/* the number of entries must fit the values (snapshot.c) */
	if (w->o->added_only)
		d->nentries = nentries;
	since->is_zero = false;
	return 0;
}

static int subtract_all(struct intervals_state *w, struct interval_base *since,
			const struct hist_snapshot *snap,
			bool from_nothing)
{
	const struct hist_schema *schema = hist_table_schema(w->table);
	int ret;

	since->is_zero = false;
	ret = hist_snapshot_copy(&since->difference, snap, schema);
	if (!ret)
		hist_snapshot_subtract(&since->difference, from_nothing ? NULL : &since->before,
				       schema);
	return ret;
}

/*
 * Set @since->before to @snap.  With @changed its values are already set, and the values of the
 * difference become 0 again.
 */
static int intervals_keep_snapshot(struct intervals_state *w, struct interval_base *since,
				   const struct hist_snapshot *snap,
				   const uint32_t *changed, uint32_t n)
{
	const struct hist_schema *schema = hist_table_schema(w->table);
	size_t width = schema->nvalues, v;
	uint32_t i;
	int ret = 0;

	if (changed) {
		hist_snapshot_copy_head(&since->before, snap);
		for (v = 0; !w->o->added_only && v < width; v++)
			for (i = 0; i < n; i++)
				since->difference.values[changed[i] * width + v] = 0;
	} else {
		ret = hist_snapshot_copy(&since->before, snap, schema);
	}
	since->is_zero = changed != NULL && !ret;
	since->has_before = !ret;
	since->lost = 0;
	since->reset = since->stopped = false;
	return ret;
}

/*
 * Show @snap minus the snapshot before, or minus nothing if there is none or after a clearing.
 * @follow: @snap is the snapshot to subtract next time.
 */
static int show_difference(struct intervals_state *w, hist_intervals_show *to,
			   struct interval_base *since,
			   const struct hist_snapshot *snap, bool follow)
{
	bool from_nothing = !since->has_before || since->reset;
	struct hist_snapshot difference;
	struct hist_view view = {
		.whole = snap,
		.snap = &difference,
		.difference = true,
		.from_nothing = from_nothing,
		.from_seq = since->before.seq,
		.from_time = since->before.time,
		.from_hits = from_nothing ? 0 : since->before.hits,
		.from_entries = from_nothing ? 0 : since->before.nentries,
	};
	const uint32_t *changed = NULL;
	uint32_t n = 0;
	int ret;

	if (follow && w->by_changes && !from_nothing)
		changed = hist_cursor_changed(w->cursor, &n);
	if (changed)
		ret = subtract_changed(w, since, snap, changed, n);
	else
		ret = subtract_all(w, since, snap, from_nothing);
	if (ret)
		return ret;
	since->difference.missed = snap->missed - since->before.missed;
	since->difference.events_lost = snap->events_lost - since->before.events_lost;
	since->difference.probe_misses = snap->probe_misses - since->before.probe_misses;
	memcpy(since->difference.losses, snap->losses, sizeof(snap->losses));
	hist_snapshot_subtract_losses(&since->difference, &since->before);
	/* a difference is ambiguous if either snapshot is */
	if (!from_nothing)
		since->difference.flags |= since->before.flags & HIST_SNAP_AMBIGUOUS;
	since->difference.flags &= ~HIST_SNAP_RESET;
	difference = since->difference;
	view.changed = changed;
	view.nchanged = changed ? n : 0;
	if (changed && w->o->added_only) {
		view.added = w->added;
		difference.values = NULL;
		difference.nentries = snap->nentries;
	}
	ret = intervals_show_view(w, to, since, &view);
	if (ret || !follow)
		return ret;
	return intervals_keep_snapshot(w, since, snap, changed, n);
}

/* Record losses, clearings and pauses between the previous snapshot and the one of @head. */
static void intervals_count_head(struct intervals_state *w, const struct hist_snapshot *head,
				 bool decreased)
{
	uint32_t gap = w->any ? head->seq - w->last_seq - 1 : head->seq - w->o->first;
	bool reset = decreased || head->flags & HIST_SNAP_RESET;
	bool stopped = (head->flags & HIST_SNAP_STOPPED) != 0;

	w->each.lost += gap;
	w->was_reset |= reset;
	w->was_stopped |= stopped;
	w->each.stopped |= stopped;
	w->total.stopped |= stopped;
	w->each.reset |= reset;
	w->total.lost += gap;
	w->total.reset |= reset;
	w->any = true;
	w->last_seq = head->seq;
}

static void intervals_skip_snapshot(void *data, const struct hist_snapshot *head)
{
	intervals_count_head(data, head, false);
}

static void intervals_count_losses(struct intervals_state *w, const struct hist_snapshot *snap)
{
	/* counts only grow: if one decreased, the snapshot with the reset flag is lost */
	bool decreased = snap->hits < w->last_hits || snap->nentries < w->last_nentries ||
			 hist_table_generation(w->table) != w->last_generation;

	intervals_count_head(w, snap, w->any && decreased);
	w->last_hits = snap->hits;
	w->last_nentries = snap->nentries;
	w->last_generation = hist_table_generation(w->table);
}

static int visit_between(struct intervals_state *w, const struct hist_snapshot *snap)
{
	const struct hist_intervals *o = w->o;
	int ret = 0;

	if (snap->seq == o->first) {
		if (o->each)
			ret = intervals_keep_snapshot(w, &w->each, snap, NULL, 0);
		if (!ret && o->total)
			ret = intervals_keep_snapshot(w, &w->total, snap, NULL, 0);
		return ret;
	}
	if (o->each && w->each.has_before)
		ret = show_difference(w, o->each, &w->each, snap, true);
	if (!ret && o->total && w->total.has_before && snap->seq == o->last)
		ret = show_difference(w, o->total, &w->total, snap, false);
	return ret;
}

static int intervals_visit_snapshot(struct intervals_state *w, const struct hist_snapshot *snap)
{
	intervals_count_losses(w, snap);
	switch (w->o->span) {
	case HIST_INTERVALS_BETWEEN:
		return visit_between(w, snap);
	case HIST_INTERVALS_ALL:
		return show_difference(w, w->o->each, &w->each, snap, true);
	case HIST_INTERVALS_WHOLE:
		break;
	}
	return show_whole(w, snap);
}

/* The difference of an unchanged entry is 0 only if all values are subtracted. */
static bool goes_by_changes(const struct hist_schema *schema)
{
	unsigned int v;

	for (v = 0; v < schema->nvalues; v++)
		if (!hist_value_is_subtracted(schema->values[v].kind))
			return false;
	return schema->nvalues != 0;
}

static void since_clear(struct interval_base *since)
{
	hist_snapshot_clear(&since->before);
	hist_snapshot_clear(&since->difference);
}

/* True if the walk needs only the values of the first and the last snapshot. */
static bool intervals_need_ends(const struct hist_intervals *o)
{
	return o->span == HIST_INTERVALS_BETWEEN && o->total && !o->each && !o->step;
}

int hist_intervals_walk(struct hist_cursor *cursor, const struct hist_intervals *walk)
{
	struct intervals_state w = { .o = walk, .cursor = cursor };
	const struct hist_snapshot *snap;
	int ret;

	w.by_changes = goes_by_changes(walk->info->def.schema);
	/* the snapshot after the last may change the table that is shown */
	hist_cursor_until(cursor, walk->last);
	snap = hist_cursor_snapshot(cursor);
	ret = snap ? 1 : hist_cursor_next(cursor, &snap);
	for (; ret == 1; ret = hist_cursor_next(cursor, &snap)) {
		ret = walk->step ? walk->step(walk->data, snap) : 0;
		if (ret)
			break;
		w.table = hist_cursor_table(cursor);
		if (snap->seq < walk->first)
			continue;
		ret = intervals_visit_snapshot(&w, snap);
		if (ret || snap->seq == walk->last)
			break;
		if (snap->seq == walk->first && intervals_need_ends(walk))
			ret = hist_cursor_skip(cursor, walk->last, intervals_skip_snapshot, &w);
		if (ret)
			break;
	}
	since_clear(&w.each);
	since_clear(&w.total);
	free(w.added);
	return ret;
}
