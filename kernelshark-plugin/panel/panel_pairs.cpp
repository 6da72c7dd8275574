// SPDX-License-Identifier: GPL-2.0
/*
 * panel_pairs.cpp - from a bar of a latency to the START and END events behind it
 *
 * A worker of its own counts the latencies again, so that a count of the user goes on.
 * It reads the events of the file once, and keeps them for the next bar.
 */
#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

void HistPanel::connectPairs()
{
	connect(pairs, &PairsView::pairActivated, this, &HistPanel::goToPair);
	connect(pair_worker, &ExpressionWorker::opened, this,
		[this](const QString &path, const EventsPtr &events) {
			if (path != pair_query.path)
				return;
			pair_events = events;
			askPairs();
		});
	connect(pair_worker, &ExpressionWorker::counted, this, &HistPanel::showPairs);
	connect(pair_worker, &ExpressionWorker::idle, this, &HistPanel::settle);
}

bool HistPanel::isLatency() const
{
	return figures && !shown.counted && figures->ns &&
	       latency_pairs_are(figures->query.recording, figures->query.hist);
}

void HistPanel::findPairs(int axis, const hist_bounds *bounds, uint32_t entry, const QString &label,
			  bool go, uint64_t from, uint64_t to)
{
	const Recordings::Item *of = shownItem();
	const recorded_hist &h = figures->query.recording->hists[figures->query.hist];

	if (!of)
		return;
	if (pair_query.path != of->file.path || pair_query.recording != of->recording)
		pair_events.reset();
	pair_query = PairQuery();
	pair_query.path = of->file.path;
	pair_query.recording = of->recording;
	pair_query.figures = figures;
	pair_query.axis = axis;
	pair_query.entry = entry;
	pair_query.label = label;
	pair_query.go = go;
	if (bounds)
		pair_query.bounds = *bounds;
	pair_query.from = from;
	pair_query.to = to;
	if (figures->query.what == PANEL_DATA_WINDOW)
		pair_query.after = h.snapshots[figures->query.from].time;
	pair_query.until = h.snapshots[figures->query.to].time;
	if (pair_events)
		askPairs();
	else
		pair_worker->open(of->file.path);
}

/* The longest latency of a cell of the heat map, in the time of its column. */
void HistPanel::goToSlowest(int cell)
{
	const hist_heatmap *map = figures ? figures->map : nullptr;

	if (!map || !map->has_axis || cell < 0 || uint32_t(cell) >= map->nrows * map->ncolumns)
		return;
	const hist_heat_row &row = map->rows[uint32_t(cell) / map->ncolumns];
	const hist_heat_column &column = map->columns[uint32_t(cell) % map->ncolumns];
	const hist_bounds bounds = { map->is_signed, row.ge, row.le };
	const char *of = figures->query.group;
	TextBuffer label;

	if (row.empty || !row.cells || !row.cells[uint32_t(cell) % map->ncolumns]) {
		sayFilter(tr("Nothing was counted at this position, so there are no events to "
			     "show."),
			  shark->filtered());
		return;
	}
	panel_put_axis_label(label, figures.get(), &row);
	findPairs(figures->axis, &bounds, of ? panel_find_group_entry(figures.get(), of) : HIST_NO_ENTRY,
		  label.text(), true, column.from, column.to);
}

void HistPanel::askPairs()
{
	const PanelData *f = pair_query.figures.get();
	ExpressionQuery query;
	TextBuffer text;
	char why[256] = "";

	if (!pair_events || !f) {
		sayFilter(tr("Cannot read the events of %1.").arg(pair_query.path), shark->filtered());
		return;
	}
	if (latency_pairs_put_expression(text, f->query.recording, f->query.hist, pair_events.get(),
					 f->view.table, pair_query.axis, pair_query.entry, why,
					 sizeof(why))) {
		sayFilter(tr("Cannot find the events of %1: %2").arg(pair_query.label, QString::fromUtf8(why)),
			  shark->filtered());
		return;
	}
	while (query.buffer + 1 < hist_events_nbuffers(pair_events.get()) &&
	       !hist_events_buffer(pair_events.get(), query.buffer)->bytes)
		query.buffer++;
	query.events = pair_events;
	query.text = text.text().toUtf8();
	/* START may be before the window */
	query.window = { 0, pair_query.until, 0, 0 };
	pair_worker->ask(query);
}

void HistPanel::showPairs(quint64, const CountedPtr &found, const ExpressionError &error)
{
	const PanelData *f = pair_query.figures.get();
	const Recordings::Item *of = files->find(pair_query.path);
	latency_pair *list = nullptr;
	uint32_t n = 0;

	if (closed || !of || !f)
		return;
	if (!found || latency_pairs_read(&list, &n, found->recording.get(),
					 pair_query.axis >= 0 ? &f->schema->keys[pair_query.axis] : nullptr,
					 &pair_query.bounds, pair_query.after)) {
		sayFilter(tr("Cannot find the events of %1: %2").arg(pair_query.label, error.what),
			  shark->filtered());
		return;
	}
	pairs->setPairs(QVector<latency_pair>(list, list + n), of->file.offset);
	free(list);
	pair_query.figures.reset();
	if (!n) {
		sayFilter(tr("The file does not contain the events of %1: they were counted, but "
			     "not recorded.")
				  .arg(pair_query.label), shark->filtered());
		return;
	}
	sayFilter(n == 1 ? tr("1 pair of START and END events of %1").arg(pair_query.label) :
			   tr("%1 pairs of START and END events of %2").arg(countText(n), pair_query.label),
		  shark->filtered());
	if (pair_query.go)
		goToSlowestOf(pairs->pairs());
	else
		tabs->setCurrentIndex(Pairs);
}

/*
 * The kernel takes time to make a snapshot, so that a latency near its time may be in the
 * column before or after: if none ended in the column, go to the nearest one.
 */
void HistPanel::goToSlowestOf(const QVector<latency_pair> &list)
{
	const auto apart = [this](const latency_pair &p) {
		return p.end <= pair_query.from ? pair_query.from - p.end :
		       p.end > pair_query.to ? p.end - pair_query.to : 0;
	};
	const latency_pair *best = &list[0];

	/* the longest is first */
	for (const latency_pair &p : list)
		if (apart(p) < apart(*best))
			best = &p;
	goToPair(best->start, best->end);
}

void HistPanel::goToPair(quint64 start, quint64 end)
{
	const Recordings::Item *of = files->find(pair_query.path);

	if (closed || !of)
		return;
	if (!shark->mark(of->file, QString(), qint64(start) + of->file.offset, qint64(end) + of->file.offset))
		sayFilter(tr("The graph does not contain these events."), false);
}
