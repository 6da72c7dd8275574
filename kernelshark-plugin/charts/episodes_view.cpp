// SPDX-License-Identifier: GPL-2.0
/* episodes_view.cpp - table of the captured episodes of a file, the worst first */
#include <QHeaderView>
#include <QKeyEvent>

#include "kernelshark-plugin/charts/episodes_view.hpp"
#include "kernelshark-plugin/charts/table_look.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

enum { NUMBER_ROLE = TABLE_EXACT_ROLE + 1 }; /* number of the episode, in each cell */
enum Column { Number, Latency, Start, End, Cpu, Key, Event, Parts, COLUMNS };

/* A cell that sorts by its number. */
class NumberItem : public QTableWidgetItem {
public:
	NumberItem(const QString &text, qint64 number) : QTableWidgetItem(text), number_(number)
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

static QTableWidgetItem *textItem(const char *text)
{
	QTableWidgetItem *item = new QTableWidgetItem(QString::fromUtf8(text));

	item->setData(TABLE_EXACT_ROLE, item->text());
	item->setToolTip(toolTipText(item->text()));
	return item;
}

EpisodesView::EpisodesView(QWidget *parent) : QTableWidget(0, COLUMNS, parent)
{
	setObjectName(QStringLiteral("hist_episodes"));
	setAccessibleName(tr("Episodes"));
	setHorizontalHeaderLabels({ tr("episode"), tr("latency"), tr("start"), tr("end"), tr("CPU"),
				    tr("key"), tr("histogram"), tr("who had the CPU") });
	tableSetLook(this);
	setSelectionMode(QAbstractItemView::SingleSelection);
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

	/* rows would move while they are filled */
	setSortingEnabled(false);
	setRowCount(n);
	for (int i = 0; i < n; i++) {
		const recorded_episode &e = recording_->episodes.list[i];
		const bool timed = e.what.flags & HIST_EPISODE_TIMED;
		const qint64 start = qint64(e.start) + offset_, end = qint64(e.end) + offset_;

		setItem(i, Number, new NumberItem(QString::number(i + 1), i + 1));
		setItem(i, Latency, new NumberItem(timed ? durationText(e.end - e.start, true) : QString(),
						   qint64(e.end - e.start)));
		setItem(i, Start, new NumberItem(timeText(uint64_t(start), true), start));
		setItem(i, End, new NumberItem(timeText(uint64_t(end), true), end));
		setItem(i, Cpu, new NumberItem(QString::number(e.what.cpu), e.what.cpu));
		setItem(i, Key, textItem(e.what.key));
		setItem(i, Event, textItem(e.what.event));
		setItem(i, Parts, textItem(e.parts));
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

QByteArray EpisodesView::csv() const
{
	QByteArray out = "episode,latency_ns,start_ns,end_ns,cpu,key,histogram,parts\n";

	for (int row = 0; row < rowCount(); row++)
		for (int column = 0; column < COLUMNS; column++)
			out += csvField(item(row, column)->data(TABLE_EXACT_ROLE).toString()) +
			       (column + 1 < COLUMNS ? "," : "\n");
	return out;
}

void EpisodesView::keyPressEvent(QKeyEvent *event)
{
	if (event->matches(QKeySequence::Copy))
		tableCopy(this);
	else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentRow() >= 0)
		emit cellClicked(currentRow(), 0);
	else
		QTableWidget::keyPressEvent(event);
}

void EpisodesView::paintEvent(QPaintEvent *event)
{
	if (rowCount())
		QTableWidget::paintEvent(event);
	else
		tablePaintEmpty(this, tr("This file has no episodes. Record with --threshold to "
					 "keep the events around the worst latencies."));
}
