// SPDX-License-Identifier: GPL-2.0
/* latency_list.cpp - table of latencies, one in each row, with START and END */
#include <QKeyEvent>

#include "kernelshark-plugin/latencies/latency_list.hpp"
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
