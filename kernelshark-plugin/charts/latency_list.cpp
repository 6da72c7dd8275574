// SPDX-License-Identifier: GPL-2.0
/*
 * latency_list.cpp - tables of latencies, one in each row, with START and END
 *
 * Each fill makes all cells. Sorting is off meanwhile, because rows would move. The first cell of a
 * row keeps the number that the row had before it was sorted.
 */
#include <QHeaderView>
#include <QKeyEvent>

#include "kernelshark-plugin/charts/latency_list.hpp"
#include "kernelshark-plugin/charts/table_look.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

class NumberItem : public QTableWidgetItem {
public:
	NumberItem(qint64 number, const QString &text) : QTableWidgetItem(text), number_(number)
	{
		setData(TABLE_EXACT_ROLE, QString::number(number));
		setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
	}
	bool operator<(const QTableWidgetItem &other) const override
	{
		return number_ < static_cast<const NumberItem &>(other).number_;
	}

private:
	qint64 number_;
};

LatencyList::LatencyList(const QStringList &titles, const QStringList &fields, const QString &empty,
			 QWidget *parent)
	: QTableWidget(0, titles.size(), parent), fields_(fields), empty_(empty)
{
	setHorizontalHeaderLabels(titles);
	tableSetLook(this);
	setSelectionMode(QAbstractItemView::SingleSelection);
}

void LatencyList::setNumber(int row, int column, qint64 number, const QString &text)
{
	setItem(row, column, new NumberItem(number, text));
}

void LatencyList::setUnknown(int row, int column)
{
	setNumber(row, column, -1, QString());
	item(row, column)->setData(TABLE_EXACT_ROLE, QString());
}

void LatencyList::setText(int row, int column, const char *text)
{
	QTableWidgetItem *item = new QTableWidgetItem(QString::fromUtf8(text));

	item->setData(TABLE_EXACT_ROLE, item->text());
	item->setToolTip(toolTipText(item->text()));
	setItem(row, column, item);
}

QByteArray LatencyList::csv() const
{
	QByteArray out = fields_.join(QLatin1Char(',')).toUtf8() + '\n';

	for (int row = 0; row < rowCount(); row++)
		for (int column = 0; column < columnCount(); column++)
			out += csvField(item(row, column)->data(TABLE_EXACT_ROLE).toString()) +
			       (column + 1 < columnCount() ? "," : "\n");
	return out;
}

void LatencyList::keyPressEvent(QKeyEvent *event)
{
	if (event->matches(QKeySequence::Copy))
		tableCopy(this);
	else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
		 currentRow() >= 0)
		emit cellClicked(currentRow(), 0);
	else
		QTableWidget::keyPressEvent(event);
}

void LatencyList::paintEvent(QPaintEvent *event)
{
	if (rowCount())
		QTableWidget::paintEvent(event);
	else
		tablePaintEmpty(this, empty_);
}

EpisodesView::EpisodesView(QWidget *parent)
    : LatencyList({ tr("episode"), tr("latency"), tr("above threshold"), tr("start"), tr("end"),
		    tr("CPU"), tr("key"), tr("histogram"), tr("where the time went") },
		  { "episode", "latency_ns", "excess_ns", "start_ns", "end_ns", "cpu", "key",
		    "histogram", "parts" },
		  tr("This file has no episodes. Record with --threshold to "
		     "keep the events around the worst latencies."),
		  parent)
{
	setObjectName(QStringLiteral("hist_episodes"));
	setAccessibleName(tr("Episodes"));
	horizontalHeader()->setStretchLastSection(true);
	horizontalHeaderItem(Parts)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
	horizontalHeader()->setSortIndicator(Number, Qt::AscendingOrder);
	connect(this, &QTableWidget::cellClicked, this, [this](int row, int) {
		emit episodeActivated(item(row, Number)->data(NUMBER_ROLE).toInt());
	});
}

void EpisodesView::setRecording(const RecordingPtr &recording, qint64 offset)
{
	if (recording == recording_ && offset == offset_)
		return;
	recording_ = recording;
	offset_ = offset;
	fill();
	viewport()->update();
}

void EpisodesView::fill()
{
	const int n = recording_ ? int(recording_->episodes.n) : 0;

	setSortingEnabled(false);
	setRowCount(n);
	for (int i = 0; i < n; i++) {
		const recorded_episode &e = recording_->episodes.list[i];
		const bool timed = e.what.flags & HIST_EPISODE_TIMED;
		const qint64 start = qint64(e.start) + offset_, end = qint64(e.end) + offset_;

		setNumber(i, Number, i + 1, QString::number(i + 1));
		setNumber(i, Latency, qint64(e.end - e.start),
			  timed ? durationText(e.end - e.start, true) : QString());
		if (e.has_excess)
			setNumber(i, Excess, qint64(e.excess), durationText(e.excess, true));
		else
			setUnknown(i, Excess);
		setNumber(i, Start, start, timeText(uint64_t(start), true));
		setNumber(i, End, end, timeText(uint64_t(end), true));
		setNumber(i, Cpu, e.what.cpu, QString::number(e.what.cpu));
		setText(i, Key, e.what.key);
		setText(i, Event, e.what.event);
		setText(i, Parts, e.parts);
		item(i, Number)->setData(NUMBER_ROLE, i);
	}
	setSortingEnabled(true);
	resizeColumnsToContents();
}

void EpisodesView::select(int episode)
{
	for (int row = 0; row < rowCount(); row++)
		if (item(row, Number)->data(NUMBER_ROLE).toInt() == episode)
			selectRow(row);
}

/* With three decimals: two latencies look the same only if they almost are. */
static QString exactText(uint64_t ns)
{
	if (ns < 1000)
		return QObject::tr("%1 ns").arg(ns);
	if (ns < 1000000)
		return QObject::tr("%1 us").arg(ns / 1e3, 0, 'f', 3);
	if (ns < 1000000000)
		return QObject::tr("%1 ms").arg(ns / 1e6, 0, 'f', 3);
	return QObject::tr("%1 s").arg(ns / 1e9, 0, 'f', 3);
}

PairsView::PairsView(QWidget *parent)
    : LatencyList({ tr("latency"), tr("START"), tr("END") }, { "latency_ns", "start_ns", "end_ns" },
		  QString(), parent)
{
	setObjectName(QStringLiteral("hist_pairs"));
	setAccessibleName(tr("Latencies"));
	horizontalHeader()->setSortIndicator(Latency, Qt::DescendingOrder);
	connect(this, &QTableWidget::cellClicked, this, [this](int row, int) {
		const latency_pair &pair = pairs_[item(row, Latency)->data(NUMBER_ROLE).toInt()];

		emit pairActivated(pair.start, pair.end);
	});
}

void PairsView::setPairs(const QVector<latency_pair> &pairs, qint64 offset, const QString &why)
{
	const int n = qMin<int>(pairs.size(), ROWS_MOST);

	pairs_ = pairs;
	setEmpty(why);
	setSortingEnabled(false);
	setRowCount(n);
	for (int i = 0; i < n; i++) {
		const qint64 start = qint64(pairs[i].start) + offset,
			     end = qint64(pairs[i].end) + offset;

		setNumber(i, Latency, end - start, exactText(pairs[i].end - pairs[i].start));
		setNumber(i, Start, start, timeText(uint64_t(start), true));
		setNumber(i, End, end, timeText(uint64_t(end), true));
		item(i, Latency)->setData(NUMBER_ROLE, i);
	}
	setSortingEnabled(true);
	resizeColumnsToContents();
	viewport()->update();
}
