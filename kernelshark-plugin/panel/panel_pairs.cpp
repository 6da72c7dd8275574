// SPDX-License-Identifier: GPL-2.0
/* panel_pairs.cpp - a row, and from it to its events: the pairs of a latency, the largest number */
#include <QMenu>

#include "kernelshark-plugin/panel/panel_pairs.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

PanelPairs::PanelPairs(Shark *shark, const Recordings *files, const PanelFigures *figures,
		       PanelMessage *message, QObject *parent)
	: QObject(parent), shark_(shark), files_(files), figures_(figures), message_(message),
	  worker_(new ExpressionWorker(this))
{
	connect(worker_, &ExpressionWorker::counted, this,
		[this](quint64, const CountedPtr &found, const ExpressionError &error) {
		take(found, error.what);
	});
	connect(worker_, &ExpressionWorker::idle, this, &PanelPairs::settled);
}

latency_pairs_kind PanelPairs::kind() const
{
	const PanelDataPtr f = figures_->data();
	const CountedPtr of = figures_->shown().counted;

	if (!figures_->hasEvents() || !f->ns)
		return PAIRS_NONE;
	return latency_pairs_find_kind(f->query.recording, f->query.hist,
				       of ? of->query.text.constData() : nullptr, f->value);
}

bool PanelPairs::isLatency() const
{
	const latency_pairs_kind is = kind();

	return is == PAIRS_RECORDED || is == PAIRS_COUNTED;
}

void PanelPairs::addExtremes(QMenu *menu, const PanelRow &row)
{
	const PanelDataPtr of = figures_->data();
	const latency_pairs_kind is = kind();
	const char *field = is == PAIRS_NUMBERS ? latency_pairs_number_field(
		&of->query.recording->hists[of->query.hist].info->def, of->value) : nullptr;
	const auto add = [&](const QString &text, Go go) {
		menu->addAction(text, this, [this, of, row, go] {
			if (of == figures_->data())
				find(row, go);
		});
	};

	if (is == PAIRS_NONE)
		return;
	add(field ? tr("Go to the &largest %1").arg(QString::fromUtf8(field)) :
		    tr("Go to the lon&gest latency"), GoToLargest);
	add(field ? tr("Go to the &smallest %1").arg(QString::fromUtf8(field)) :
		    tr("Go to the &shortest latency"), GoToSmallest);
}

void PanelPairs::find(const PanelRow &row, Go go, uint64_t from, uint64_t to)
{
	const Recordings::Item *of = figures_->item();

	if (!of)
		return;
	const PanelData &f = *figures_->data();
	const recorded_hist &h = f.query.recording->hists[f.query.hist];

	query_ = Query();
	query_.path = of->file.path;
	query_.recording = of->recording;
	query_.figures = figures_->data();
	query_.counted = figures_->shown().counted;
	query_.row = row;
	query_.kind = kind();
	query_.go = go;
	query_.from = from;
	query_.to = to;
	query_.until = h.snapshots[f.query.to].time;
	if (query_.kind != PAIRS_NUMBERS) {
		listed_ = listOfFigures();
		listed_.all = go == ListAll;
	}
	query_.events = query_.counted ? query_.counted->query.events : of->events;
	if (query_.counted)
		query_.buffer = QString::fromUtf8(
			hist_events_buffer(query_.events.get(), query_.counted->query.buffer)
				->name);
	else if (f.query.what == PANEL_DATA_WINDOW)
		query_.after = h.snapshots[f.query.from].time;
	ask();
}

void PanelPairs::findSlowest(int cell)
{
	const PanelDataPtr f = figures_->data();
	const hist_heatmap *map = f ? f->map : nullptr;

	if (!map || !map->has_axis || cell < 0 || uint32_t(cell) >= map->nrows * map->ncolumns)
		return;
	const hist_heat_row &row = map->rows[uint32_t(cell) / map->ncolumns];
	const hist_heat_column &column = map->columns[uint32_t(cell) % map->ncolumns];

	if (row.empty || !row.cells || !row.cells[uint32_t(cell) % map->ncolumns]) {
		message_->say(tr("There are no hits here, so there are no events to show."),
			      shark_->filtered());
		return;
	}
	find(PanelRow::ofBucket(*f, row), GoToTime, column.from, column.to);
}

PanelPairs::List PanelPairs::listOfFigures() const
{
	const PanelData &f = *figures_->data();
	const recorded_hist &h = f.query.recording->hists[f.query.hist];
	const CountedPtr of = figures_->shown().counted;
	List list;

	list.all = true;
	list.path = figures_->shown().path;
	list.hist = f.query.hist;
	list.group = f.query.group;
	list.until = h.snapshots[f.query.to].time;
	if (of) {
		list.counted = of->query.text;
		list.after = of->query.window.from;
		list.until = of->query.window.to;
	} else if (f.query.what == PANEL_DATA_WINDOW) {
		list.after = h.snapshots[f.query.from].time;
	}
	return list;
}

void PanelPairs::setList(const QVector<latency_pair> &pairs, const QString &why)
{
	const Recordings::Item *of = files_->find(query_.path);

	emit listed(pairs, of ? of->file.offset : 0, why);
}

void PanelPairs::forgetRow()
{
	if (!listed_.all)
		listed_ = List();
}

void PanelPairs::list()
{
	PanelRow all;

	if (!figures_->data())
		return;
	if (!isLatency()) {
		listed_ = List();
		setList({}, tr("The file does not contain the START and END events of this "
			       "histogram. Record a latency with --events, or count one above with "
			       "--latency or a preset."));
		return;
	}
	const Recordings::Item *of = figures_->item();
	const List now = listOfFigures();
	/* a search for numbers replaces the query of the list */
	const bool same = of && listed_.isOf(now) && query_.recording == of->recording &&
			  query_.kind != PAIRS_NUMBERS;
	const bool inside = listed_.after <= now.after && now.until <= listed_.until;
	const bool smaller = listed_.after < now.after || now.until < listed_.until;

	if (same && (!listed_.all || (inside && !(listed_.more && smaller))))
		return;
	if (!same)
		setList({}, tr("Reading the latencies from the events of the file"));
	all = PanelRow::ofAll(*figures_->data());
	all.label = tr("this histogram");
	find(all, ListAll);
}

latency_pairs_query PanelPairs::pairsQuery() const
{
	const PanelData *f = query_.figures.get();

	return { query_.kind, f->query.recording, f->query.hist,
		 query_.counted ? query_.counted->query.text.constData() : nullptr,
		 query_.events.get(), query_.counted ? query_.counted->query.buffer : 0,
		 f->view.table, query_.row.axis,
		 query_.row.axis >= 0 ? &query_.row.bounds : nullptr, query_.row.entry, f->value };
}

void PanelPairs::ask()
{
	ExpressionQuery query;
	TextBuffer text;
	hist_error error = {};
	int ret;

	if (!query_.events) {
		sayNone(tr("Cannot read the events of %1.").arg(query_.path));
		return;
	}
	const latency_pairs_query of = pairsQuery();

	ret = latency_pairs_put_expression(text, &of, &error);
	if (ret) {
		sayNone(tr("Cannot find the events of %1: %2")
				.arg(query_.row.label,
				     QString::fromUtf8(hist_error_what(&error, ret))));
		return;
	}
	query.events = query_.events;
	query.text = text.text().toUtf8();
	if (query_.counted) {
		query.buffer = query_.counted->query.buffer;
		query.window = query_.counted->query.window;
		query.window.columns = 0;
	} else {
		while (query.buffer + 1 < hist_events_nbuffers(query.events.get()) &&
		       !hist_events_buffer(query.events.get(), query.buffer)->bytes)
			query.buffer++;
		/* START may be before the window */
		query.window = { 0, query_.until, 0, 0 };
	}
	worker_->ask(query);
}

void PanelPairs::take(const CountedPtr &found, const QString &error)
{
	QVector<latency_pair> pairs;
	latency_pair *list = nullptr;
	uint32_t n = 0;
	bool more = false;

	if (!files_->find(query_.path) || !query_.figures)
		return;
	const latency_pairs_query query = pairsQuery();

	if (!found || latency_pairs_read(&list, &n, &more, found->recording.get(), &query,
					 query_.after)) {
		sayNone(tr("Cannot find the events of %1: %2").arg(query_.row.label, error));
		return;
	}
	pairs = QVector<latency_pair>(list, list + n);
	free(list);
	query_.figures.reset();
	if (query_.kind != PAIRS_NUMBERS) {
		listed_.more = more;
		setList(pairs, QString());
	}
	if (!n) {
		sayNone(tr("The file does not contain the events of %1: they were counted, but "
			   "not recorded.")
				.arg(query_.row.label));
		return;
	}
	sayFound(pairs, more);
	if (query_.go == ListPairs)
		emit listWanted();
	else if (query_.go != ListAll)
		goTo(pairToShow(pairs).start, pairToShow(pairs).end);
}

/* In the list if the user did not ask for a row. */
void PanelPairs::sayNone(const QString &why)
{
	if (query_.go == ListAll)
		setList({}, why);
	else
		message_->say(why, shark_->filtered());
}

void PanelPairs::sayFound(const QVector<latency_pair> &pairs, bool more)
{
	const QString label = query_.row.label, n = countText(uint64_t(pairs.size()));

	if (query_.go == GoToLargest || query_.go == GoToSmallest) {
		sayExtreme(pairToShow(pairs));
	} else if (query_.go == ListAll) {
		if (more)
			message_->say(tr("The list shows only the first %1 latencies. Zoom in to "
					 "list the others.")
					      .arg(n),
				      shark_->filtered());
	} else if (pairs.size() == 1) {
		message_->say(tr("1 pair of START and END events of %1").arg(label),
			      shark_->filtered());
	} else {
		message_->say((more ? tr("The list shows only the first %1 pairs of START and END "
					 "events of %2") :
				      tr("%1 pairs of START and END events of %2"))
				      .arg(n, label),
			      shark_->filtered());
	}
}

void PanelPairs::sayExtreme(const latency_pair &pair)
{
	const Recordings::Item *of = files_->find(query_.path);
	const QString time = timeText(pair.end + uint64_t(of->file.offset), true);
	const bool largest = query_.go == GoToLargest;

	if (query_.kind != PAIRS_NUMBERS)
		message_->say((largest ? tr("Longest latency of %1: %2, ending at %3") :
					 tr("Shortest latency of %1: %2, ending at %3"))
				      .arg(query_.row.label, durationText(pair.number, true), time),
			      shark_->filtered());
	else
		message_->say((largest ? tr("The largest value in %1: %2, at %3")
				       : tr("The smallest value in %1: %2, at %3"))
				      .arg(query_.row.label,
					   countText(pair.number, query_.row.bounds.is_signed),
					   time),
			      shark_->filtered());
}

/*
 * The kernel takes time to make a snapshot, so that a latency near its time may be in the
 * column before or after: if none ended in the column, go to the nearest one.
 */
const latency_pair &PanelPairs::pairToShow(const QVector<latency_pair> &pairs) const
{
	const auto apart = [this](const latency_pair &p) {
		return p.end <= query_.from ? query_.from - p.end :
		       p.end > query_.to ? p.end - query_.to : 0;
	};
	const latency_pair *best = &pairs[0];

	if (query_.go != GoToTime)
		return query_.go == GoToSmallest ? pairs.last() : *best;
	/* the longest is first */
	for (const latency_pair &p : pairs)
		if (apart(p) < apart(*best))
			best = &p;
	return *best;
}

void PanelPairs::goTo(uint64_t start, uint64_t end)
{
	const Recordings::Item *of = files_->find(query_.path);

	if (!of)
		return;
	const qint64 a = qint64(start) + of->file.offset, b = qint64(end) + of->file.offset;

	if (query_.kind == PAIRS_NUMBERS ? !shark_->goTo(of->file, query_.buffer, b) :
					   !shark_->mark(of->file, query_.buffer, a, b))
		message_->say(tr("The graph does not contain these events."), false);
}

PanelRow PanelRow::ofEntry(const PanelData &f, uint32_t entry)
{
	const int hitcount = hist_schema_hitcount(f.schema);
	PanelRow row;
	TextBuffer label;

	if (hitcount >= 0)
		row.hits =
			f.view.snap->values[size_t(entry) * f.schema->nvalues + unsigned(hitcount)];
	panel_put_label(label, &f, entry, false);
	row.whole = true;
	row.entry = entry;
	row.label = label.text();
	row.axis = f.axis;
	if (row.axis >= 0)
		hist_axis_get_bounds(&f.schema->keys[row.axis],
				     hist_table_cells(f.view.table, entry)[row.axis].num,
				     &row.bounds);
	return row;
}

/* An entry of the chosen group; HIST_NO_ENTRY: all groups. */
static uint32_t groupEntry(const PanelData &f)
{
	return f.query.group ? panel_find_group_entry(&f, f.query.group) : HIST_NO_ENTRY;
}

PanelRow PanelRow::ofBucket(const PanelData &f, const hist_heat_row &bucket)
{
	PanelRow row;
	TextBuffer label;

	panel_put_axis_label(label, &f, &bucket);
	if (f.value >= 0 && f.value == hist_schema_hitcount(f.schema))
		row.hits = bucket.total;
	row.axis = f.axis;
	row.bounds = { f.by_axis->is_signed, bucket.ge, bucket.le };
	row.entry = groupEntry(f);
	row.label = label.text();
	return row;
}

PanelRow PanelRow::ofAll(const PanelData &f)
{
	PanelRow row;

	row.axis = f.axis;
	row.entry = groupEntry(f);
	return row;
}
