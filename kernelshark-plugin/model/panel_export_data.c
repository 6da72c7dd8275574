// SPDX-License-Identifier: GPL-2.0
/*
 * panel_export_data.c - write a window or snapshot to a file, with the writers of lib/
 *
 * Does the same as `trace-cmd hist report` for one histogram: the writer gets the same
 * views, with rows in the same order. A search omits rows from tables; for charts, it
 * sets all other counts to 0.
 */
#include <errno.h>
#include <stdlib.h>

#include "kernelshark-plugin/model/panel_data_private.h"
#include "lib/base/error.h"
#include "lib/report/writer.h"

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

/* For a chart: set the counts that the search does not find to 0. */
static int search_chart(struct panel_data_work *w, struct hist_view *view)
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
		rows.order = f->query.order ? f->query.order :
			     hist_default_order_choose(&w->default_order, view->snap->nentries, 0,
						       &view->axis_order);
	ret = w->format->chart ? search_chart(w, view) : 0;
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

static int open_writer(struct panel_data_work *w, FILE *f, const struct hist_series_info *info)
{
	struct hist_writer_options o = {
		.f = f, .view = w->format->view, .hists = &info, .nhists = 1
	};

	w->writer = hist_writer_new(w->format->ops, &o);
	return w->writer ? 0 : -ENOMEM;
}

static int write_all(struct panel_data_work *w, const struct hist_intervals *walk)
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
		ret = open_writer(w, f, walk.info);
	}
	if (!ret) {
		if (query->what == PANEL_DATA_WINDOW && !w->format->over_time)
			walk.total = panel_export_write_view;
		else
			walk.each = panel_export_write_view;
		ret = write_all(w, &walk);
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
