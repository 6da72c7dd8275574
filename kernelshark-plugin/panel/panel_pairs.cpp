// SPDX-License-Identifier: GPL-2.0
/*
 * panel_pairs.cpp - from a row to the events behind it: the pairs of a latency, the largest number
 *
 * A worker of its own counts the events again, so that a count of the user goes on.
 */
#include <QMenu>

#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

void HistPanel::connectPairs()
{
	connect(pairs, &PairsView::pairActivated, this, &HistPanel::goToPair);
	connect(scatter, &ScatterView::activated, this, [this](int i) {
		goToPair(scatter->pairs()[i].start, scatter->pairs()[i].end);
	});
	connect(pair_worker, &ExpressionWorker::counted, this, &HistPanel::showPairs);
	connect(pair_worker, &ExpressionWorker::idle, this, &HistPanel::settle);
}

CountedPtr HistPanel::shownCounted() const
{
	const CountedPtr &last = expression->counted();

	/* a new count may be shown soon */
	return figures && shown.counted && last && last->recording.get() == figures->query.recording ?
		       last : CountedPtr();
}

latency_pairs_kind HistPanel::pairsKind() const
{
	const CountedPtr of = shownCounted();

	if (!figures || !figures->ns || (shown.counted ? !of : !figures->query.recording->has_events))
		return PAIRS_NONE;
	return latency_pairs_find_kind(figures->query.recording, figures->query.hist,
				       of ? of->query.text.constData() : nullptr, figures->value);
}

bool HistPanel::isLatency() const
{
	const latency_pairs_kind kind = pairsKind();

	return kind == PAIRS_RECORDED || kind == PAIRS_COUNTED;
}

void HistPanel::addExtremes(QMenu *menu, const PanelRow &row)
{
	const latency_pairs_kind kind = pairsKind();
	const char *field = kind == PAIRS_NUMBERS ? latency_pairs_number_field(
		&figures->query.recording->hists[figures->query.hist].info->def, figures->value) : nullptr;
	const PanelDataPtr of = figures;
	const auto add = [&](const QString &text, PairsGo go) {
		menu->addAction(text, this, [this, of, row, go] {
			if (of == figures)
				findPairs(row, go);
		});
	};

	if (kind == PAIRS_NONE)
		return;
	add(field ? tr("Go to the &largest %1").arg(QString::fromUtf8(field)) :
		    tr("Go to the lon&gest latency"), GoToLargest);
	add(field ? tr("Go to the &smallest %1").arg(QString::fromUtf8(field)) :
		    tr("Go to the &shortest latency"), GoToSmallest);
}

void HistPanel::findPairs(const PanelRow &row, PairsGo go, uint64_t from, uint64_t to)
{
	const Recordings::Item *of = shownItem();
	const recorded_hist &h = figures->query.recording->hists[figures->query.hist];
	const CountedPtr counted = shownCounted();

	if (!of)
		return;
	pair_query = PairQuery();
	pair_query.path = of->file.path;
	pair_query.recording = of->recording;
	pair_query.figures = figures;
	pair_query.counted = counted;
	pair_query.row = row;
	pair_query.kind = pairsKind();
	pair_query.go = go;
	pair_query.from = from;
	pair_query.to = to;
	pair_query.until = h.snapshots[figures->query.to].time;
	if (pair_query.kind != PAIRS_NUMBERS) {
		listed = listOfFigures();
		listed.all = go == ListAll;
	}
	pair_events = counted ? counted->query.events : of->events;
	if (counted) {
		pair_query.buffer = QString::fromUtf8(
			hist_events_buffer(pair_events.get(), counted->query.buffer)->name);
	} else if (figures->query.what == PANEL_DATA_WINDOW) {
		pair_query.after = h.snapshots[figures->query.from].time;
	}
	askPairs();
}

HistPanel::Listed HistPanel::listOfFigures() const
{
	const recorded_hist &h = figures->query.recording->hists[figures->query.hist];
	const CountedPtr of = shownCounted();
	Listed list;

	list.all = true;
	list.path = shown.path;
	list.hist = figures->query.hist;
	list.group = figures->query.group;
	list.until = h.snapshots[figures->query.to].time;
	if (of) {
		list.counted = of->query.text;
		list.after = of->query.window.from;
		list.until = of->query.window.to;
	} else if (figures->query.what == PANEL_DATA_WINDOW) {
		list.after = h.snapshots[figures->query.from].time;
	}
	return list;
}

void HistPanel::showList(const QVector<latency_pair> &list, const QString &why)
{
	const Recordings::Item *of = files->find(pair_query.path);
	const qint64 offset = of ? of->file.offset : 0;

	pairs->setPairs(list, offset, why);
	scatter->setPairs(list, offset, why);
}

void HistPanel::listLatencies()
{
	PanelRow all;

	if (closed || !figures || (view() != Pairs && view() != Scatter))
		return;
	if (!isLatency()) {
		listed = Listed();
		showList({}, tr("The file does not contain the START and END events of this histogram. Record a "
				"latency with --events, or count one above."));
		return;
	}
	const Recordings::Item *of = shownItem();
	const Listed now = listOfFigures();
	/* a search for numbers replaces the query of the list */
	const bool same = of && listed.isOf(now) && pair_query.recording == of->recording &&
			  pair_query.kind != PAIRS_NUMBERS;
	const bool inside = listed.after <= now.after && now.until <= listed.until;
	const bool smaller = listed.after < now.after || now.until < listed.until;

	if (same && (!listed.all || (inside && !(listed.more && smaller))))
		return;
	if (!same)
		showList({}, tr("Reading the latencies from the events of the file"));
	all = PanelRow::ofAll(*figures);
	all.label = tr("this histogram");
	findPairs(all, ListAll);
}

/* The longest latency of a cell of the heat map, in the time of its column. */
void HistPanel::goToSlowest(int cell)
{
	const hist_heatmap *map = figures ? figures->map : nullptr;

	if (!map || !map->has_axis || cell < 0 || uint32_t(cell) >= map->nrows * map->ncolumns)
		return;
	const hist_heat_row &row = map->rows[uint32_t(cell) / map->ncolumns];
	const hist_heat_column &column = map->columns[uint32_t(cell) % map->ncolumns];

	if (row.empty || !row.cells || !row.cells[uint32_t(cell) % map->ncolumns]) {
		message->say(tr("There are no hits here, so there are no events to show."),
			  shark->filtered());
		return;
	}
	findPairs(PanelRow::ofBucket(*figures, row), GoToTime, column.from, column.to);
}

latency_pairs_query HistPanel::pairsQuery() const
{
	const PanelData *f = pair_query.figures.get();

	return { pair_query.kind, f->query.recording, f->query.hist,
		 pair_query.counted ? pair_query.counted->query.text.constData() : nullptr,
		 pair_events.get(), pair_query.counted ? pair_query.counted->query.buffer : 0,
		 f->view.table, pair_query.row.axis,
		 pair_query.row.axis >= 0 ? &pair_query.row.bounds : nullptr, pair_query.row.entry, f->value };
}

void HistPanel::askPairs()
{
	ExpressionQuery query;
	TextBuffer text;
	char why[256] = "";

	if (!pair_events || !pair_query.figures) {
		sayNoPairs(tr("Cannot read the events of %1.").arg(pair_query.path));
		return;
	}
	const latency_pairs_query of = pairsQuery();

	if (latency_pairs_put_expression(text, &of, why, sizeof(why))) {
		sayNoPairs(tr("Cannot find the events of %1: %2").arg(pair_query.row.label, QString::fromUtf8(why)));
		return;
	}
	query.events = pair_events;
	query.text = text.text().toUtf8();
	if (pair_query.counted) {
		query.buffer = pair_query.counted->query.buffer;
		query.window = pair_query.counted->query.window;
		query.window.columns = 0;
	} else {
		while (query.buffer + 1 < hist_events_nbuffers(pair_events.get()) &&
		       !hist_events_buffer(pair_events.get(), query.buffer)->bytes)
			query.buffer++;
		/* START may be before the window */
		query.window = { 0, pair_query.until, 0, 0 };
	}
	pair_worker->ask(query);
}

void HistPanel::showPairs(quint64, const CountedPtr &found, const ExpressionError &error)
{
	const Recordings::Item *of = files->find(pair_query.path);
	const QString label = pair_query.row.label;
	QVector<latency_pair> all;
	latency_pair *list = nullptr;
	uint32_t n = 0;
	bool more = false;

	if (closed || !of || !pair_query.figures)
		return;
	const latency_pairs_query query = pairsQuery();

	if (!found || latency_pairs_read(&list, &n, &more, found->recording.get(), &query, pair_query.after)) {
		sayNoPairs(tr("Cannot find the events of %1: %2").arg(label, error.what));
		return;
	}
	all = QVector<latency_pair>(list, list + n);
	free(list);
	pair_query.figures.reset();
	if (pair_query.kind != PAIRS_NUMBERS) {
		listed.more = more;
		showList(all, QString());
	}
	if (!n) {
		sayNoPairs(tr("The file does not contain the events of %1: they were counted, but "
			      "not recorded.")
				   .arg(label));
		return;
	}
	if (pair_query.go == ListAll) {
		if (more)
			message->say(tr("The list shows only the first %1 latencies. Zoom in to list the others.")
					  .arg(countText(n)), shark->filtered());
		return;
	}
	if (pair_query.go == GoToLargest || pair_query.go == GoToSmallest)
		sayExtreme(*pairToShow(all));
	else
		message->say(n == 1 ? tr("1 pair of START and END events of %1").arg(label) :
			  (more ? tr("The list shows only the first %1 pairs of START and END events of %2") :
				  tr("%1 pairs of START and END events of %2")).arg(countText(n), label),
			  shark->filtered());
	if (pair_query.go == ListPairs)
		tabs->setCurrentIndex(Pairs);
	else
		goToPair(pairToShow(all)->start, pairToShow(all)->end);
}

/* In the views if the user did not ask for a row. */
void HistPanel::sayNoPairs(const QString &why)
{
	if (pair_query.go == ListAll)
		showList({}, why);
	else
		message->say(why, shark->filtered());
}

void HistPanel::sayExtreme(const latency_pair &pair)
{
	const Recordings::Item *of = files->find(pair_query.path);
	const QString time = timeText(pair.end + uint64_t(of->file.offset), true);
	const bool largest = pair_query.go == GoToLargest;

	if (pair_query.kind != PAIRS_NUMBERS)
		message->say((largest ? tr("Longest latency of %1: %2, ending at %3") :
				     tr("Shortest latency of %1: %2, ending at %3"))
				  .arg(pair_query.row.label, durationText(pair.number, true), time),
			  shark->filtered());
	else
		message->say((largest ? tr("The largest value in %1: %2, at %3") :
				     tr("The smallest value in %1: %2, at %3"))
				  .arg(pair_query.row.label, countText(pair.number, pair_query.row.bounds.is_signed),
				       time),
			  shark->filtered());
}

/*
 * The kernel takes time to make a snapshot, so that a latency near its time may be in the
 * column before or after: if none ended in the column, go to the nearest one.
 */
const latency_pair *HistPanel::pairToShow(const QVector<latency_pair> &list) const
{
	const auto apart = [this](const latency_pair &p) {
		return p.end <= pair_query.from ? pair_query.from - p.end :
		       p.end > pair_query.to ? p.end - pair_query.to : 0;
	};
	const latency_pair *best = &list[0];

	if (pair_query.go != GoToTime)
		return pair_query.go == GoToSmallest ? &list.last() : best;
	/* the longest is first */
	for (const latency_pair &p : list)
		if (apart(p) < apart(*best))
			best = &p;
	return best;
}

void HistPanel::goToPair(quint64 start, quint64 end)
{
	const Recordings::Item *of = files->find(pair_query.path);

	if (closed || !of)
		return;
	const qint64 a = qint64(start) + of->file.offset, b = qint64(end) + of->file.offset;

	if (pair_query.kind == PAIRS_NUMBERS ? !shark->goTo(of->file, pair_query.buffer, b) :
					       !shark->mark(of->file, pair_query.buffer, a, b))
		message->say(tr("The graph does not contain these events."), false);
}
