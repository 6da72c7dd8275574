// SPDX-License-Identifier: GPL-2.0
/* pairs_view.cpp - table of the START and END events behind a bar of a latency */
#include <QHeaderView>
#include <QKeyEvent>

#include "kernelshark-plugin/charts/pairs_view.hpp"
#include "kernelshark-plugin/charts/table_look.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

enum Column { Latency, Start, End, COLUMNS };

PairsView::PairsView(QWidget *parent) : QTableWidget(0, COLUMNS, parent)
{
	setObjectName(QStringLiteral("hist_pairs"));
	setAccessibleName(tr("Pairs"));
	setHorizontalHeaderLabels({ tr("latency"), tr("START"), tr("END") });
	tableSetLook(this);
	/* the slowest is first */
	setSortingEnabled(false);
	setSelectionMode(QAbstractItemView::SingleSelection);
	connect(this, &QTableWidget::cellClicked, this, [this](int row, int) {
		if (row < pairs_.size())
			emit pairActivated(pairs_[row].start, pairs_[row].end);
	});
}

static QTableWidgetItem *numberItem(const QString &text, qint64 number)
{
	QTableWidgetItem *item = new QTableWidgetItem(text);

	item->setData(TABLE_EXACT_ROLE, QString::number(number));
	item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
	return item;
}

void PairsView::setPairs(const QVector<latency_pair> &pairs, qint64 offset)
{
	const int n = qMin<int>(pairs.size(), ROWS_MOST);

	pairs_ = pairs;
	setRowCount(n);
	for (int i = 0; i < n; i++) {
		const qint64 start = qint64(pairs[i].start) + offset, end = qint64(pairs[i].end) + offset;

		setItem(i, Latency, numberItem(durationText(pairs[i].end - pairs[i].start, true), end - start));
		setItem(i, Start, numberItem(timeText(uint64_t(start), true), start));
		setItem(i, End, numberItem(timeText(uint64_t(end), true), end));
	}
	resizeColumnsToContents();
	viewport()->update();
}

QByteArray PairsView::csv() const
{
	QByteArray out = "latency_ns,start_ns,end_ns\n";

	for (int row = 0; row < rowCount(); row++)
		for (int column = 0; column < COLUMNS; column++)
			out += item(row, column)->data(TABLE_EXACT_ROLE).toByteArray() +
			       (column + 1 < COLUMNS ? "," : "\n");
	return out;
}

void PairsView::keyPressEvent(QKeyEvent *event)
{
	if (event->matches(QKeySequence::Copy))
		tableCopy(this);
	else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentRow() >= 0)
		emit cellClicked(currentRow(), 0);
	else
		QTableWidget::keyPressEvent(event);
}

void PairsView::paintEvent(QPaintEvent *event)
{
	if (rowCount())
		QTableWidget::paintEvent(event);
	else
		tablePaintEmpty(this, tr("Click a bar of a latency that was recorded with --events "
					 "to list its START and END events."));
}
