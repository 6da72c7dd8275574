// SPDX-License-Identifier: GPL-2.0
/*
 * panel_data.c - the data that the panel shows for one histogram, over a window or at a snapshot
 *
 * There is one walk from the first to the last snapshot (intervals.h). Each interval is
 * added to the heat map; everything else is computed from the difference of the ends.
 * The cursor stays at the last snapshot, because it owns the table of the view.
 *
 * A search omits rows from tables; for charts, it sets all other counts to 0.
 *
 * Each loss is reported once. Snapshots that are missing in the window are usually part
 * of the damage of the file. If any is missing, the note about the window also says how
 * many are missing in the whole file, and the note about the file does not mention them.
 *
 * An export does the same as `trace-cmd hist report` for one histogram: the writer of lib/
 * gets the same views, with rows in the same order.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/model/panel_data.h"
#include "lib/analysis/default_order.h"
#include "lib/analysis/intervals.h"
#include "lib/analysis/loss_notes.h"
#include "lib/analysis/snapshot_view.h"
#include "lib/base/array.h"
#include "lib/base/saturate.h"
#include "lib/label/label.h"
#include "lib/label/unit.h"
#include "lib/report/writer.h"
#include "lib/series/snapshot_heads.h"

#define AXIS_ROWS 160 /* of an axis; the 65 of log2 always fit */
#define LABEL_ROWS 4096
#define REPORT_EVERY 32 /* snapshots */

/* What an export writes. */
static const struct export_format {
	const struct hist_writer_ops *ops;
	enum hist_view_name view;
	bool chart, over_time;
} export_formats[] = {
	[PANEL_DATA_CSV] = { &hist_writer_csv, HIST_VIEW_TABLE, false, false },
	[PANEL_DATA_JSON] = { &hist_writer_json, HIST_VIEW_TABLE, false, false },
	[PANEL_DATA_SVG_BARS] = { &hist_writer_svg, HIST_VIEW_BARS, true, false },
	[PANEL_DATA_SVG_HEATMAP] = { &hist_writer_svg, HIST_VIEW_HEATMAP, true, true },
	[PANEL_DATA_SVG_PERCENTILES] = { &hist_writer_svg, HIST_VIEW_PERCENTILES, true, true },
};

/*
 * Selects the entries that a chart counts: those of the group, and of groups that the
 * search finds. Kept from one snapshot to the next; rebuilt if the table was cleared.
 */
struct panel_selection {
	const char *search, *group; /* NULL: all */
	struct hist_grouping *grouping;
	unsigned char *yes; /* by group number */
	uint32_t n, room;
	uint32_t *entries; /* the last selection */
	uint32_t entries_room;
	struct hist_strbuf text;
};

/* Progress of a walk. */
struct panel_steps {
	panel_progress *progress; /* may be NULL */
	void *data;
	uint32_t first, last; /* sequence numbers */
	uint32_t from;	      /* where the walk began */
	bool any;
	unsigned int since; /* snapshots since the last call of @progress */
};

struct panel_data_work {
	struct hist_series *series;
	struct hist_cursor *cursor; /* owns the table and the whole snapshot of the view */
	struct hist_snapshot snap;  /* of the view, if it is a difference */
	struct hist_default_order default_order;
	struct hist_row_order order; /* copy of the query's */
	struct panel_selection match;
	struct hist_snapshot searched; /* values of other groups are 0 */
	struct panel_steps steps;
	bool shown; /* the view is set, or written */
	/* of panel_data_write() */
	struct hist_writer *writer;
	const struct export_format *format;
};

/*
 * Append a NUL to @text, then search: 1 if @text contains @search (NULL: ""), otherwise 0. -ENOMEM.
 */
static int panel_search_contains(struct hist_strbuf *text, const char *search)
{
	hist_strbuf_char(text, '\0');
	return text->error ? text->error : !search || strcasestr(text->data, search);
}

/* True if the text of row @entry, with or without addresses, contains @search. -ENOMEM. */
static int panel_search_row_has(struct hist_strbuf *text, const struct hist_table *table,
				uint32_t entry, const char *search)
{
	int ret;

	panel_put_keys(hist_strbuf_clear(text), table, entry, 0);
	ret = panel_search_contains(text, search);
	if (ret)
		return ret;
	panel_put_keys(hist_strbuf_clear(text), table, entry, HIST_LABEL_ADDRESS);
	return panel_search_contains(text, search);
}

/* 1 if the group counts, otherwise 0. */
static int panel_search_match_group(struct panel_selection *m, uint32_t group)
{
	int ret;

	hist_grouping_label(hist_strbuf_clear(&m->text), m->grouping, group, HIST_LABEL_ADDRESS);
	ret = panel_search_contains(&m->text, m->search);
	if (ret >= 0 && m->group && strcmp(m->text.data, m->group))
		return 0;
	if (ret)
		return ret;
	hist_grouping_label(hist_strbuf_clear(&m->text), m->grouping, group, 0);
	return panel_search_contains(&m->text, m->search);
}

static int panel_search_update_groups(struct panel_selection *m, const struct hist_table *table)
{
	uint32_t count;
	int ret;

	ret = hist_grouping_follow(&m->grouping, table, &m->n);
	if (ret)
		return ret;
	count = hist_grouping_count(m->grouping);
	ret = array_grow(&m->yes, &m->room, count, sizeof(*m->yes));
	while (!ret && m->n < count) {
		ret = panel_search_match_group(m, m->n);
		if (ret < 0)
			break;
		m->yes[m->n++] = ret;
		ret = 0;
	}
	return ret;
}

/*
 * Select the entries of @view to count, ascending.
 * *@entries NULL: all entries of the view. -ENOMEM, -E2BIG.
 */
static int panel_selection_update(struct panel_selection *m, const struct hist_view *view,
				  const uint32_t **entries, uint32_t *n)
{
	uint32_t candidates = view->changed ? view->nchanged : view->snap->nentries, i, entry;
	const struct hist_schema *schema = hist_table_schema(view->table);
	int ret;

	*entries = NULL;
	*n = 0;
	/* if the axis is the only key, all entries are one group */
	if ((!m->search && !m->group) || (schema->nkeys == 1 && hist_axis_key(schema) >= 0))
		return 0;
	ret = panel_search_update_groups(m, view->table);
	if (!ret)
		ret = array_grow(&m->entries, &m->entries_room, candidates + !candidates,
				 sizeof(*m->entries));
	if (ret)
		return ret;
	for (i = 0; i < candidates; i++) {
		entry = view->changed ? view->changed[i] : i;
		if (m->yes[hist_grouping_find(m->grouping, entry)])
			m->entries[(*n)++] = entry;
	}
	*entries = m->entries;
	return 0;
}

static void panel_selection_clear(struct panel_selection *m)
{
	hist_grouping_free(m->grouping);
	free(m->yes);
	free(m->entries);
	hist_strbuf_free(&m->text);
	memset(m, 0, sizeof(*m));
}

/* Set *@snap to @to: a copy with 0 in all entries except the @n @entries. -ENOMEM. */
static int panel_blank_entries(struct hist_snapshot *to, const struct hist_snapshot **snap,
			       const struct hist_schema *schema, const uint32_t *entries,
			       uint32_t n)
{
	size_t width = schema->nvalues;
	uint32_t i;
	int ret = hist_snapshot_copy(to, *snap, schema);

	if (ret)
		return ret;
	if (to->nentries)
		memset(to->values, 0, to->nentries * width * sizeof(*to->values));
	for (i = 0; i < n; i++)
		memcpy(to->values + entries[i] * width, (*snap)->values + entries[i] * width,
		       width * sizeof(*to->values));
	*snap = to;
	return 0;
}

/*
 * Keep only the rows that @search finds (NULL: all). All sums then cover only the
 * rows that remain. @rows must be selected without top. -ENOMEM.
 */
static int panel_search_rows(struct hist_rows *rows, const struct hist_table *table,
			     const struct hist_snapshot *snap, const char *search)
{
	const struct hist_schema *schema = hist_table_schema(table);
	struct hist_strbuf text = { 0 };
	uint32_t i, n = 0;
	unsigned int v;
	int ret = 0;

	for (i = 0; i < rows->n && search && ret >= 0; i++) {
		ret = panel_search_row_has(&text, table, rows->entries[i], search);
		if (ret > 0)
			rows->entries[n++] = rows->entries[i];
	}
	hist_strbuf_free(&text);
	if (ret < 0 || !search || n == rows->n)
		return ret < 0 ? ret : 0;
	rows->n = rows->total = n;
	memset(rows->totals, 0, sizeof(rows->totals));
	for (i = 0; i < n; i++)
		for (v = 0; v < schema->nvalues; v++)
			if (hist_value_is_sum(schema->values[v].kind))
				rows->totals[v] +=
					snap->values[(size_t)rows->entries[i] * schema->nvalues +
						     v];
	/* a sum of fewer rows does not overflow if the total did not */
	if (rows->main_value >= 0 && rows->has_shares)
		rows->has_shares = rows->totals[rows->main_value] != 0;
	return 0;
}

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

/* Report the end of the walk: 0 or -ECANCELED. */
static int panel_steps_end(struct panel_steps *s)
{
	return !s->progress || s->progress(s->data, 950) ? 0 : -ECANCELED;
}

static int panel_data_check_progress(void *data, const struct hist_snapshot *snap)
{
	struct panel_data *f = data;

	return panel_steps_report(&f->work->steps, snap->seq);
}

/* Open a reader that shows the buckets of the query. -EINVAL: it has others. */
static int panel_data_open_series(const struct panel_data_query *query, struct hist_series **series)
{
	struct hist_buckets buckets = { 0 };
	int ret = hist_series_fork(series, query->recording->series);

	if (ret || !query->bucket)
		return ret;
	ret = hist_buckets_add(&buckets, query->bucket, NULL);
	if (!ret)
		ret = hist_series_regroup(*series, query->hist, &buckets, NULL);
	if (!ret)
		ret = hist_buckets_check(&buckets, "", NULL);
	hist_buckets_clear(&buckets);
	return ret;
}

/* Open a cursor, and set the ends of the walk. -EINVAL: indices out of range. */
static int panel_data_open(const struct panel_data_query *query, struct hist_series *series,
			   struct hist_cursor **cursor, struct hist_intervals *walk)
{
	const struct recorded_hist *h = &query->recording->hists[query->hist];
	bool window = query->what == PANEL_DATA_WINDOW;

	if (query->to >= h->n || (window && query->from >= query->to))
		return -EINVAL;
	walk->info = hist_series_info(series, query->hist);
	walk->name = h->name;
	walk->last = h->snapshots[query->to].seq;
	walk->first = window ? h->snapshots[query->from].seq : walk->last;
	walk->span = window ? HIST_INTERVALS_BETWEEN : HIST_INTERVALS_WHOLE;
	return hist_cursor_open(cursor, series, query->hist, walk->first);
}

/* The summed value to draw. */
static int panel_data_drawn_value(const struct hist_schema *schema,
				  const struct hist_row_order *order)
{
	int value = hist_row_find_main_value(schema, order);

	return value >= 0 && hist_value_is_sum(schema->values[value].kind) ? value : -1;
}

static int panel_data_prepare_query(struct panel_data *f, const struct panel_data_query *query)
{
	const struct recorded_hist *h = &query->recording->hists[query->hist];
	const struct hist_series_info *info = hist_series_info(f->work->series, query->hist);
	const struct hist_definition *def = &info->def;
	struct panel_data_work *w = f->work;
	unsigned int i;
	int ret;

	f->query = *query;
	f->query.search = f->query.group = f->query.bucket = NULL;
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
	f->value = panel_data_drawn_value(def->schema, f->query.order ? f->query.order
								      : &w->default_order.order);
	if (f->value < 0 || !query->columns || query->what != PANEL_DATA_WINDOW)
		return 0;
	f->map = hist_heatmap_new(info, query->columns, f->axis >= 0 ? AXIS_ROWS : LABEL_ROWS);
	return f->map ? 0 : -ENOMEM;
}

/* Add an interval to the heat map. */
static int panel_data_take_interval(void *data, struct hist_view *view,
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

static int panel_data_select_rows(struct panel_data *f, const struct hist_selection *selection)
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
static int panel_data_take_total(void *data, struct hist_view *view,
				 const struct hist_selection *selection)
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
	return panel_data_select_rows(f, selection);
}

/* Make the counts over the axis, in one column. */
static int panel_data_make_axis(struct panel_data *f)
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
static int panel_data_make_group(const struct panel_data *f, const struct hist_grouping *grouping,
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

static int panel_data_make_groups(struct panel_data *f)
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
		ret = panel_data_make_group(f, grouping, i, &f->groups[f->ngroups]);
		f->ngroups += !ret && f->groups[f->ngroups].total;
	}
	hist_grouping_free(grouping);
	if (!ret && f->ngroups)
		qsort(f->groups, f->ngroups, sizeof(*f->groups), panel_data_compare_totals);
	return ret;
}

static int panel_data_make_percentiles(struct panel_data *f)
{
	struct panel_selection match = { .search = f->query.search };
	const struct hist_snapshot *snap = f->view.snap;
	struct hist_worst_list worst = { 0 };
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
	ret = hist_worst_select(&worst, &f->view);
	if (!ret)
		ret = hist_percentiles_select(f->percentiles, f->view.table, snap, &worst);
	hist_worst_free(&worst);
	return ret;
}

/* Losses in the whole file: gaps in the sequence numbers of this histogram, or the damage. */
static uint64_t panel_notes_lost_in_all(const struct panel_data *f,
					const struct hist_series_damage *damage)
{
	const struct recorded_hist *h = &f->query.recording->hists[f->query.hist];
	uint64_t gaps = 0;
	uint32_t i;

	for (i = 0; i < h->n; i++)
		gaps += h->snapshots[i].lost;
	return gaps > damage->lost_snapshots ? gaps : damage->lost_snapshots;
}

static int panel_notes_add_lost(struct panel_data *f, struct hist_series_damage *damage)
{
	const struct hist_loss loss = { .lost = f->view.lost };
	uint64_t all = panel_notes_lost_in_all(f, damage);
	char words[256];
	size_t len;

	if (!hist_loss_format(&loss, 0, words, sizeof(words)))
		return 0;
	len = strlen(words);
	if (all > loss.lost)
		snprintf(words + len, sizeof(words) - len, ", %" PRIu64 " in the whole file", all);
	damage->bad_sections = damage->lost_snapshots = 0;
	return names_add(&f->notes, words, strlen(words));
}

/* Set the notes of finished figures. -ENOMEM. */
static int panel_notes_make(struct panel_data *f)
{
	struct hist_series_damage damage = *hist_series_damage(f->query.recording->series);
	struct hist_loss loss = { 0 };
	char words[256];
	unsigned int i;
	int ret = 0;

	hist_loss_add(&loss, &f->view);
	loss.lost = 0; /* see panel_notes_add_lost() */
	loss.full_stacks =
		hist_loss_count_full_stacks(&f->view.info->def, f->view.table, f->view.rows);
	for (i = 0; !ret && hist_loss_format(&loss, i, words, sizeof(words)); i++)
		ret = names_add(&f->notes, words, strlen(words));
	if (!ret)
		ret = panel_notes_add_lost(f, &damage);
	if (!ret && hist_loss_format_damage(&damage, words, sizeof(words)))
		ret = names_add(&f->notes, words, strlen(words));
	return ret;
}

static int panel_data_make_rest(struct panel_data *f)
{
	int ret;

	/* one of the ends contains invalid data */
	if (!f->work->shown)
		return -EBADMSG;
	ret = panel_steps_end(&f->work->steps);
	if (!ret && f->map)
		ret = hist_heatmap_finish(f->map, 0);
	if (!ret)
		ret = panel_data_make_axis(f);
	if (!ret)
		ret = panel_data_make_groups(f);
	if (!ret)
		ret = panel_data_make_percentiles(f);
	return ret ? ret : panel_notes_make(f);
}

/*
 * Allocate *@figures, NULL before, for @query, open its file, and set the ends and the progress
 * of @walk. The callbacks of @walk get the figures. -EINVAL: indices out of range. Free
 * *@figures in any case.
 */
static int panel_data_begin(struct panel_data **figures, const struct panel_data_query *query,
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
	ret = panel_data_open_series(query, &f->work->series);
	if (!ret)
		ret = panel_data_prepare_query(f, query);
	if (!ret)
		ret = panel_data_open(query, f->work->series, &f->work->cursor, walk);
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
		walk.each = f->map ? panel_data_take_interval : NULL;
		walk.total = panel_data_take_total;
	} else {
		walk.each = panel_data_take_total;
	}
	if (!ret)
		ret = hist_intervals_walk(f->work->cursor, &walk);
	if (!ret)
		ret = panel_data_make_rest(f);
	if (ret)
		panel_data_free(f);
	else
		*figures = f;
	return ret;
}

static void panel_data_work_free(struct panel_data_work *w)
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
	panel_data_work_free(f->work);
	free((char *)f->query.search);
	free((char *)f->query.group);
	recording_unref(f->query.recording);
	free(f);
}

/* For a chart: set the counts that the search does not find to 0. */
static int panel_export_search_chart(struct panel_data_work *w, struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const bool same = view->whole == view->snap;
	struct hist_view all = { .table = view->table, .snap = view->whole };
	const uint32_t *entries;
	uint32_t n;
	int ret;

	ret = panel_selection_update(&w->match, &all, &entries, &n);
	if (ret || !entries)
		return ret;
	ret = panel_blank_entries(&w->searched, &view->whole, schema, entries, n);
	if (same) {
		view->snap = view->whole;
		view->changed = entries;
		view->nchanged = n;
	} else if (!ret) {
		ret = panel_blank_entries(&w->snap, &view->snap, schema, entries, n);
	}
	return ret;
}

static int panel_export_write_view(void *data, struct hist_view *view,
				   const struct hist_selection *selection)
{
	struct hist_selection rows = *selection;
	struct panel_data *f = data;
	struct panel_data_work *w = f->work;
	int ret;

	rows.none = w->format->over_time;
	if (!w->format->chart)
		rows.order = f->query.order ? f->query.order
					    : hist_default_order_choose(&w->default_order,
									view->snap->nentries, 0,
									&view->axis_order);
	ret = w->format->chart ? panel_export_search_chart(w, view) : 0;
	if (!ret)
		ret = hist_rows_select(&f->rows, view->table, view->snap, &rows);
	if (!ret && !w->format->chart)
		ret = panel_search_rows(&f->rows, view->table, view->snap, f->query.search);
	if (ret)
		return ret;
	view->rows = &f->rows;
	w->shown = true;
	hist_writer_snapshot(w->writer, view);
	return w->writer->error;
}

/* -EOPNOTSUPP, with a sentence, for combinations without a picture. */
static int panel_export_check_format(const struct panel_data_query *query,
				     const struct export_format *format, struct hist_error *error)
{
	const struct recorded_hist *h = &query->recording->hists[query->hist];
	const struct hist_schema *schema = h->info->def.schema;

	if (format->over_time && query->what == PANEL_DATA_SNAPSHOT)
		return hist_error_set(error, -EOPNOTSUPP,
				      "this view needs a time range. "
				      "Select \"Visible window\" or \"Markers A-B\"");
	if (format->view == HIST_VIEW_PERCENTILES && hist_percentiles_explain_none(schema, error))
		return -EOPNOTSUPP;
	if (format->chart && hist_axis_find_counted(schema) < 0)
		return hist_error_set(error, -EOPNOTSUPP,
				      "a chart needs the hit count or "
				      "the sum of a field. Record without nohitcount");
	return 0;
}

static int panel_export_open_writer(struct panel_data_work *w, FILE *f,
				    const struct hist_series_info *info)
{
	struct hist_writer_options o = {
		.f = f, .view = w->format->view, .hists = &info, .nhists = 1
	};

	w->writer = hist_writer_new(w->format->ops, &o);
	return w->writer ? 0 : -ENOMEM;
}

static int panel_export_write_all(struct panel_data_work *w, const struct hist_intervals *walk)
{
	int ret;

	hist_writer_histogram(w->writer, walk->info, walk->name);
	ret = hist_intervals_walk(w->cursor, walk);
	if (!ret && !w->shown)
		ret = -EBADMSG;
	if (ret)
		return ret;
	hist_writer_histogram_end(w->writer);
	return panel_steps_end(&w->steps);
}

int panel_data_write(const struct panel_data_query *query, FILE *f, enum panel_data_format format,
		     panel_progress *progress, void *data, struct hist_error *error)
{
	struct panel_data_query all = *query;
	struct hist_intervals walk = { 0 };
	struct panel_data *figures = NULL;
	struct panel_data_work *w;
	int ret, end;

	/* no heat map, and no choice of a group */
	all.columns = 0;
	all.group = NULL;
	ret = query->hist < query->recording->count ? 0 : -EINVAL;
	if (!ret)
		ret = panel_export_check_format(query, &export_formats[format], error);
	if (!ret)
		ret = panel_data_begin(&figures, &all, progress, data, &walk);
	if (!ret) {
		w = figures->work;
		w->format = &export_formats[format];
		ret = panel_export_open_writer(w, f, walk.info);
	}
	if (!ret) {
		if (query->what == PANEL_DATA_WINDOW && !w->format->over_time)
			walk.total = panel_export_write_view;
		else
			walk.each = panel_export_write_view;
		ret = panel_export_write_all(w, &walk);
		end = hist_writer_free(w->writer, ret ? NULL : hist_series_damage(w->series),
				       error);
		error->hint[0] = '\0'; /* it names options of report */
		ret = ret ? ret : end;
	}
	if (ret == -EINVAL && !error->err)
		hist_error_set(error, ret, "no such snapshot");
	panel_data_free(figures);
	return ret;
}
