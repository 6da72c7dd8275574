// SPDX-License-Identifier: GPL-2.0
/*
 * panel_data.c - the data that the panel shows for one histogram, over a window or at a snapshot
 *
 * There is one walk from the first to the last snapshot (intervals.h). Each interval is
 * added to the heat map; everything else is computed from the difference of the ends.
 * The cursor stays at the last snapshot, because it owns the table of the view.
 */
#include <errno.h>
#include <stdlib.h>

#include "kernelshark-plugin/model/panel_data_private.h"
#include "lib/base/saturate.h"
#include "lib/label/label.h"
#include "lib/label/unit.h"
#include "lib/series/snapshot_heads.h"

#define AXIS_ROWS 160 /* of an axis; the 65 of log2 always fit */
#define LABEL_ROWS 4096
#define REPORT_EVERY 32 /* snapshots */

/* Report the progress: 0 or -ECANCELED. */
static int panel_steps_report(struct panel_steps *s, uint32_t seq)
{
	uint32_t done, all;

	if (!s->progress)
		return 0;
	if (!s->any)
		s->from = seq < s->last ? seq : s->last;
	if (s->any && ++s->since < REPORT_EVERY)
		return 0;
	s->any = true;
	s->since = 0;
	all = s->last - s->from + 1;
	done = seq < s->from ? 0 : seq > s->last ? all : seq - s->from;
	return s->progress(s->data, (uint64_t)done * 900 / all) ? 0 : -ECANCELED;
}

int panel_steps_end(struct panel_steps *s)
{
	return !s->progress || s->progress(s->data, 950) ? 0 : -ECANCELED;
}

static int panel_data_check_progress(void *data, const struct hist_snapshot *snap)
{
	struct panel_data *f = data;

	return panel_steps_report(&f->work->steps, snap->seq);
}

/* Open a reader and a cursor, and set the ends of the walk. -EINVAL: indices out of range. */
static int panel_data_open(const struct panel_data_query *query, struct hist_series **series,
			   struct hist_cursor **cursor, struct hist_intervals *walk)
{
	const struct recorded_hist *h = &query->recording->hists[query->hist];
	bool window = query->what == PANEL_DATA_WINDOW;
	int ret;

	if (query->to >= h->n || (window && query->from >= query->to))
		return -EINVAL;
	ret = hist_series_fork(series, query->recording->series);
	if (ret)
		return ret;
	walk->info = h->info;
	walk->name = h->name;
	walk->last = h->snapshots[query->to].seq;
	walk->first = window ? h->snapshots[query->from].seq : walk->last;
	walk->span = window ? HIST_INTERVALS_BETWEEN : HIST_INTERVALS_WHOLE;
	return hist_cursor_open(cursor, *series, query->hist, walk->first);
}

/* The summed value to draw. */
static int drawn_value(const struct hist_schema *schema, const struct hist_row_order *order)
{
	int value = hist_row_find_main_value(schema, order);

	return value >= 0 && hist_value_is_sum(schema->values[value].kind) ? value : -1;
}

static int panel_data_prepare_query(struct panel_data *f, const struct panel_data_query *query)
{
	const struct recorded_hist *h = &query->recording->hists[query->hist];
	const struct hist_definition *def = &h->info->def;
	struct panel_data_work *w = f->work;
	unsigned int i;
	int ret;

	f->query = *query;
	f->query.search = f->query.group = NULL;
	f->query.order = NULL;
	recording_ref(f->query.recording);
	if (query->search && *query->search) {
		f->query.search = w->match.search = strdup(query->search);
		if (!f->query.search)
			return -ENOMEM;
	}
	if (query->group) {
		f->query.group = w->match.group = strdup(query->group);
		if (!f->query.group)
			return -ENOMEM;
	}
	ret = hist_default_order_make(&w->default_order, def, false, 0);
	if (ret)
		return ret;
	if (query->order) {
		for (i = 0; i < query->order->n; i++) {
			const struct hist_sort *s = &query->order->sorts[i];

			if (i >= HIST_SORTS_MAX ||
			    s->index >= (s->is_key ? def->schema->nkeys : def->schema->nvalues))
				return -EINVAL;
		}
		w->order = *query->order;
		f->query.order = &w->order;
	}
	f->ns = h->ns;
	f->axis = hist_axis_key(def->schema);
	f->value = drawn_value(def->schema,
			       f->query.order ? f->query.order : &w->default_order.order);
	if (f->value < 0 || !query->columns || query->what != PANEL_DATA_WINDOW)
		return 0;
	f->map = hist_heatmap_new(h->info, query->columns, f->axis >= 0 ? AXIS_ROWS : LABEL_ROWS);
	return f->map ? 0 : -ENOMEM;
}

/* Add an interval to the heat map. */
static int take_interval(void *data, struct hist_view *view,
			 const struct hist_selection *selection)
{
	struct panel_data *f = data;
	const uint32_t *entries;
	uint32_t n;
	int ret;

	(void)selection;
	ret = hist_heatmap_begin_interval(f->map, view);
	if (!ret)
		ret = panel_selection_update(&f->work->match, view, &entries, &n);
	return ret ? ret : hist_heatmap_add(f->map, view, f->value, entries, n);
}

static int select_rows(struct panel_data *f, const struct hist_selection *selection)
{
	struct hist_selection all = *selection;
	uint32_t i, n = f->view.snap->nentries;
	int ret;

	all.order = f->query.order ? f->query.order :
		    hist_default_order_choose(&f->work->default_order, n, 0, &f->view.axis_order);
	ret = hist_rows_select(&f->rows, f->view.table, f->view.snap, &all);
	if (!ret)
		ret = label_details_make(&f->details, f->view.table, f->rows.entries, f->rows.n);
	if (ret)
		return ret;
	f->whole_rows = f->rows.n;
	for (i = 0; i < n && f->value >= 0; i++)
		f->whole_total = saturating_add(f->whole_total, panel_get_count(f, i));
	return panel_search_rows(&f->rows, f->view.table, f->view.snap, f->query.search);
}

/* Make everything except the heat map. */
static int take_total(void *data, struct hist_view *view, const struct hist_selection *selection)
{
	struct panel_data *f = data;
	struct panel_data_work *w = f->work;
	int ret;

	f->schema = hist_table_schema(view->table);
	f->view = *view;
	f->view.changed = NULL;
	f->view.nchanged = 0;
	f->view.rows = &f->rows;
	if (view->difference) {
		ret = hist_snapshot_copy(&w->snap, view->snap, f->schema);
		if (ret)
			return ret;
		f->view.snap = &w->snap;
	}
	w->shown = true;
	return select_rows(f, selection);
}

/* Make the counts over the axis, in one column. */
static int make_axis(struct panel_data *f)
{
	struct hist_view view = f->view;
	const uint32_t *entries;
	uint32_t n;
	int ret;

	if (f->axis < 0 || f->value < 0)
		return 0;
	/* treat the snapshot as a difference from its beginning */
	view.difference = true;
	view.from_nothing = false;
	f->by_axis = hist_heatmap_new(view.info, 2, AXIS_ROWS);
	if (!f->by_axis)
		return -ENOMEM;
	ret = hist_heatmap_begin_interval(f->by_axis, &view);
	if (!ret)
		ret = panel_selection_update(&f->work->match, &view, &entries, &n);
	if (!ret)
		ret = hist_heatmap_add(f->by_axis, &view, f->value, entries, n);
	return ret ? ret : hist_heatmap_finish(f->by_axis, 0);
}

static int panel_data_compare_totals(const void *a, const void *b)
{
	const struct panel_data_group *x = a, *y = b;

	return x->total != y->total ? (x->total > y->total ? -1 : 1) : strcmp(x->label, y->label);
}

/* Set *@group to the group with @entries; its total is 0 if there is nothing to show. -ENOMEM. */
static int make_group(const struct panel_data *f, const struct hist_grouping *grouping,
		      uint32_t number, struct panel_data_group *group)
{
	struct hist_strbuf text = { 0 };
	const uint32_t *entries;
	uint32_t i, n;

	entries = hist_grouping_entries(grouping, number, &n);
	group->total = 0;
	for (i = 0; i < n; i++)
		if (entries[i] < f->view.snap->nentries)
			group->total = saturating_add(group->total, panel_get_count(f, entries[i]));
	if (!group->total)
		return 0;
	group->entry = entries[0];
	hist_grouping_label(&text, grouping, number, HIST_LABEL_ADDRESS);
	hist_strbuf_char(&text, '\0');
	group->label = text.error ? NULL : strdup(text.data);
	hist_strbuf_free(&text);
	return group->label ? 0 : -ENOMEM;
}

static int make_groups(struct panel_data *f)
{
	struct hist_grouping *grouping;
	uint32_t i, count;
	int ret;

	if (f->axis < 0 || f->schema->nkeys == 1 || f->value < 0)
		return 0;
	grouping = hist_grouping_new(f->view.table);
	if (!grouping)
		return -ENOMEM;
	ret = hist_grouping_update(grouping);
	count = ret ? 0 : hist_grouping_count(grouping);
	f->groups = calloc((size_t)count + 1, sizeof(*f->groups));
	if (!ret && !f->groups)
		ret = -ENOMEM;
	for (i = 0; i < count && !ret; i++) {
		ret = make_group(f, grouping, i, &f->groups[f->ngroups]);
		f->ngroups += !ret && f->groups[f->ngroups].total;
	}
	hist_grouping_free(grouping);
	if (!ret && f->ngroups)
		qsort(f->groups, f->ngroups, sizeof(*f->groups), panel_data_compare_totals);
	return ret;
}

static int make_percentiles(struct panel_data *f)
{
	struct panel_selection match = { .search = f->query.search };
	const struct hist_snapshot *snap = f->view.snap;
	const uint32_t *entries;
	uint32_t n;
	int ret;

	if (hist_percentiles_explain_none(f->schema, &f->why_not))
		return 0;
	/* zeros for all entries that the search does not find */
	ret = panel_selection_update(&match, &f->view, &entries, &n);
	if (!ret && entries)
		ret = panel_blank_entries(&f->work->searched, &snap, f->schema, entries, n);
	panel_selection_clear(&match);
	if (ret)
		return ret;
	f->percentiles = hist_percentiles_new(NULL, 0, 0);
	if (!f->percentiles)
		return -ENOMEM;
	return hist_percentiles_select(f->percentiles, f->view.table, snap);
}

static int make_rest(struct panel_data *f)
{
	int ret;

	/* one of the ends contains invalid data */
	if (!f->work->shown)
		return -EBADMSG;
	ret = panel_steps_end(&f->work->steps);
	if (!ret && f->map)
		ret = hist_heatmap_finish(f->map, 0);
	if (!ret)
		ret = make_axis(f);
	if (!ret)
		ret = make_groups(f);
	if (!ret)
		ret = make_percentiles(f);
	return ret ? ret : panel_make_notes(f);
}

int panel_data_begin(struct panel_data **figures, const struct panel_data_query *query,
		     panel_progress *progress, void *data, struct hist_intervals *walk)
{
	struct panel_data *f;
	int ret;

	if (query->hist >= query->recording->count)
		return -EINVAL;
	f = calloc(1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	f->work = calloc(1, sizeof(*f->work));
	if (!f->work) {
		free(f);
		return -ENOMEM;
	}
	*figures = f;
	walk->step = panel_data_check_progress;
	walk->data = f;
	ret = panel_data_prepare_query(f, query);
	if (!ret)
		ret = panel_data_open(query, &f->work->series, &f->work->cursor, walk);
	f->work->steps =
		(struct panel_steps){ progress, data, walk->first, walk->last, 0, false, 0 };
	return ret;
}

int panel_data_make(struct panel_data **figures, const struct panel_data_query *query,
		    panel_progress *progress, void *data)
{
	struct hist_intervals walk = { 0 };
	struct panel_data *f = NULL;
	int ret = panel_data_begin(&f, query, progress, data, &walk);

	if (!ret && query->what == PANEL_DATA_WINDOW) {
		walk.each = f->map ? take_interval : NULL;
		walk.total = take_total;
	} else {
		walk.each = take_total;
	}
	if (!ret)
		ret = hist_intervals_walk(f->work->cursor, &walk);
	if (!ret)
		ret = make_rest(f);
	if (ret)
		panel_data_free(f);
	else
		*figures = f;
	return ret;
}

static void work_free(struct panel_data_work *w)
{
	panel_selection_clear(&w->match);
	hist_snapshot_clear(&w->snap);
	hist_snapshot_clear(&w->searched);
	hist_cursor_free(w->cursor);
	hist_series_free(w->series);
	free(w);
}

void panel_data_free(struct panel_data *f)
{
	uint32_t i;

	if (!f)
		return;
	hist_rows_free(&f->rows);
	label_details_free(&f->details);
	hist_heatmap_free(f->by_axis);
	hist_heatmap_free(f->map);
	hist_percentiles_free(f->percentiles);
	for (i = 0; i < f->ngroups; i++)
		free(f->groups[i].label);
	free(f->groups);
	names_clear(&f->notes);
	work_free(f->work);
	free((char *)f->query.search);
	free((char *)f->query.group);
	recording_unref(f->query.recording);
	free(f);
}
