// SPDX-License-Identifier: GPL-2.0
/* table_look.cpp - what all tables of the panel share: look, copying, and a text if empty */
#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include "kernelshark-plugin/charts/chart_style.hpp"
#include "kernelshark-plugin/charts/table_look.hpp"

namespace {

/* Cuts the texts of a column so that no two visible rows look the same. */
class CutDelegate : public QStyledItemDelegate {
public:
	explicit CutDelegate(QTableView *table) : QStyledItemDelegate(table), table_(table) {}

protected:
	void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
	QTableView *table_;
};

void CutDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
	QStyledItemDelegate::initStyleOption(option, index);
	const int width =
		table_->style()
			->subElementRect(QStyle::SE_ItemViewItemText, option, table_)
			.width() -
		2 * (table_->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, option, table_) +
		     1);
	const int first = table_->rowAt(0), last = table_->rowAt(table_->viewport()->height() - 1);
	QStringList labels;

	/* a rectangle without a width asks for the size */
	if (width <= 0 || first < 0 || index.row() < first ||
	    option->fontMetrics.horizontalAdvance(option->text) <= width)
		return;
	for (int row = first; row <= (last < 0 ? index.model()->rowCount() - 1 : last); row++)
		labels << index.sibling(row, index.column()).data().toString();
	option->text =
		cutLabels(labels, option->font, width).value(index.row() - first, option->text);
}

}

void tableSetLook(QTableView *table)
{
	table->setSortingEnabled(true);
	table->setItemDelegate(new CutDelegate(table));
	table->setFrameShape(QFrame::NoFrame);
	table->setSelectionBehavior(QAbstractItemView::SelectRows);
	table->setAlternatingRowColors(true);
	table->setShowGrid(false);
	table->setWordWrap(false);
	table->setTabKeyNavigation(false);
	table->setEditTriggers(QAbstractItemView::NoEditTriggers);
	table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
	table->setMinimumHeight(90);
	table->horizontalHeader()->setHighlightSections(false);
	table->verticalHeader()->hide();
	table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
	table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
}

void tableCopy(const QTableView *table)
{
	const QAbstractItemModel *model = table->model();
	QModelIndexList rows;
	QStringList lines, cells;
	int column;

	if (table->selectionModel())
		rows = table->selectionModel()->selectedRows();
	std::sort(rows.begin(), rows.end(),
		  [](const QModelIndex &a, const QModelIndex &b) { return a.row() < b.row(); });
	for (const QModelIndex &row : rows) {
		cells.clear();
		for (column = 0; column < model->columnCount(); column++)
			if (!table->isColumnHidden(column))
				cells << row.sibling(row.row(), column)
						 .data(TABLE_EXACT_ROLE)
						 .toString();
		lines << cells.join(QLatin1Char('\t'));
	}
	if (!lines.isEmpty())
		QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) +
						   QLatin1Char('\n'));
}

void tablePaintEmpty(QAbstractItemView *view, const QString &text)
{
	QPainter painter(view->viewport());
	QColor muted = view->palette().color(QPalette::Text);

	muted.setAlphaF(0.66);
	painter.setPen(muted);
	painter.drawText(view->viewport()->rect().adjusted(24, 8, -24, -8),
			 Qt::AlignCenter | Qt::TextWordWrap, text);
}
