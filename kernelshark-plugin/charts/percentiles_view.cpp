// SPDX-License-Identifier: GPL-2.0
/* percentiles_view.cpp - table and box chart of the percentiles of each group */
#include <algorithm>
#include <cmath>
#include <numeric>

#include <QEvent>
#include <QPainter>

#include "kernelshark-plugin/charts/percentiles_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

extern "C" {
#include "lib/chart/lanes.h"
}

std::vector<uint32_t> PercentilesModel::rows()
{
	std::vector<uint32_t> all;
	uint32_t i;

	percentiles_table_free(&table_);
	table_ = {};
	if (figures_ && !figures_->percentiles)
		figures_.reset();
	low_ = 0;
	high_ = 1;
	if (!figures_)
		return all;
	table_.has_whole = true;
	if (percentiles_table_make(&table_, figures_->percentiles, PERCENTILES_OF_ALL, 0))
		qBadAlloc();
	all.resize(figures_->percentiles->nrows);
	std::iota(all.begin(), all.end(), 0);
	for (i = 0; i < all.size(); i++) {
		const struct hist_percentiles_row *row = &figures_->percentiles->rows[i];

		low_ = i ? std::min(low_, number(row->least.low)) : number(row->least.low);
		high_ = i ? std::max(high_, number(row->most.high)) : number(row->most.high);
	}
	return all;
}

int PercentilesModel::quantiles() const
{
	return figures_ ? int(figures_->percentiles->np) : 0;
}

uint32_t PercentilesModel::quantile(int i) const
{
	return figures_->percentiles->p[i];
}

const struct hist_percentiles_row *PercentilesModel::rowOf(int row) const
{
	return &figures_->percentiles->rows[order_[size_t(row)]];
}

hist_unit PercentilesModel::unit() const
{
	return hist_unit_from_key(&figures_->schema->keys[figures_->axis]);
}

double PercentilesModel::number(uint64_t bound) const
{
	return figures_->schema->keys[figures_->axis].is_signed ? double(int64_t(bound))
								: double(bound);
}

int PercentilesModel::columnCount(const QModelIndex &parent) const
{
	return parent.isValid() || !figures_ ? 0 : chartColumn() + 1;
}

QString PercentilesModel::cellText(uint32_t row, int column, bool exact) const
{
	TextCell cell;

	table_.digits_grouped = !exact;
	table_get(&table_.base, row, unsigned(column), cell);
	return cell.text(exact);
}

/* As in figures.groups. */
QString PercentilesModel::fullGroup(int row) const
{
	TextBuffer b;

	hist_grouping_label(b, figures_->percentiles->grouping, rowOf(row)->group,
			    HIST_LABEL_ADDRESS);
	return b.text();
}

QVariant PercentilesModel::data(const QModelIndex &index, int role) const
{
	const int column = index.column();
	uint32_t row;

	if (!figures_ || !index.isValid() || index.row() >= rowCount())
		return QVariant();
	row = order_[size_t(index.row())];
	if (role == Qt::TextAlignmentRole)
		return int((column < chartColumn() && isText(column) ? Qt::AlignLeft
								     : Qt::AlignRight) |
			   Qt::AlignVCenter);
	if (role == Qt::ToolTipRole && (column == 0 || column == chartColumn())) {
		QString text = cellText(row, 0, true);

		for (int i = 1; i < chartColumn(); i++)
			text += QStringLiteral("\n%1: %2")
					.arg(QLatin1String(table_.base.columns[i].title),
					     cellText(row, i, true));
		return toolTipText(text + tr("\nEach percentile is a range, because the buckets of "
					     "the recording do not allow a more precise value."));
	}
	if (column == chartColumn())
		return QVariant();
	if (role == Qt::ToolTipRole)
		return toolTipText(cellText(row, column, true));
	if (role != Qt::DisplayRole && role != HistTableModel::ExactRole)
		return QVariant();
	return cellText(row, column, role == HistTableModel::ExactRole);
}

QVariant PercentilesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
	if (!figures_ || orientation == Qt::Vertical || section >= chartColumn())
		return QVariant();
	if (role == Qt::TextAlignmentRole)
		return int((isText(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
	return role == Qt::DisplayRole ? QVariant(tr(table_.base.columns[section].title))
				       : QVariant();
}

/* The sort key of a row.  Names are compared as text; only a mean has no whole number. */
double PercentilesModel::key(uint32_t row, int column) const
{
	const struct hist_percentiles_row *r = &figures_->percentiles->rows[row];
	TextCell text;
	const table_cell &cell = *text;

	table_get(&table_.base, row, unsigned(column), text);
	if (!cell.is_number)
		return r->has_mean ? r->mean : -HUGE_VAL;
	return cell.is_signed ? double(int64_t(cell.number)) : double(cell.number);
}

void PercentilesModel::beginSort(int column)
{
	keys_.clear();
	for (uint32_t row = 0; row < figures_->percentiles->nrows; row++)
		keys_.push_back(key(row, column));
}

namespace {

/* A header that draws the axis of the boxes above their column. */
class AxisHeader : public QHeaderView {
public:
	explicit AxisHeader(PercentilesView *view) : QHeaderView(Qt::Horizontal, view), view_(view)
	{
		setSectionsClickable(true);
		setSortIndicatorShown(true);
		setHighlightSections(false);
	}

protected:
	void paintSection(QPainter *painter, const QRect &rect, int section) const override
	{
		const PercentilesModel *model = view_->percentilesModel();
		const ChartStyle &s = view_->look();

		painter->save();
		QHeaderView::paintSection(painter, rect, section);
		painter->restore();
		if (section >= model->firstQuantile() && section < model->chartColumn()) {
			painter->fillRect(
				QRect(rect.left() + 6, rect.bottom() - 3, rect.width() - 12, 3),
				s.quantile[(section - model->firstQuantile()) %
					   ChartStyle::QUANTILES]);
		}
		if (section != model->chartColumn())
			return;
		const chart_scale scale = view_->scale(rect.left(), rect.width());
		const hist_unit unit = model->unit();

		painter->setPen(palette().color(QPalette::ButtonText));
		for (double tick : chart_lanes_ticks(&scale))
			painter->drawText(QRectF(chart_scale_at(&scale, tick) - 50, rect.top(), 100,
						 rect.height()),
					  Qt::AlignCenter, numberText(tick, unit));
	}

private:
	PercentilesView *view_;
};

class BoxDelegate : public QStyledItemDelegate {
public:
	explicit BoxDelegate(PercentilesView *view) : QStyledItemDelegate(view), view_(view) {}

	void paint(QPainter *painter, const QStyleOptionViewItem &option,
		   const QModelIndex &index) const override
	{
		const QRect &at = option.rect;
		const chart_box cell = { double(at.left()), double(at.top()), double(at.width()),
					 double(at.height()) };
		const chart_scale scale = view_->scale(at.left(), at.width());
		const PercentilesModel *model = view_->percentilesModel();
		const struct hist_percentiles_row *row = model->rowOf(index.row());
		std::vector<chart_span> ranges;
		Scene scene;

		for (int i = 0; i < model->quantiles(); i++)
			ranges.push_back(model->range(row->q[i]));
		const chart_lanes lanes = { { model->number(row->least.low),
					      model->number(row->most.high) },
					    unsigned(ranges.size()), ranges.data() };

		QStyledItemDelegate::paint(painter, option, index);
		chart_lanes_draw(&scale, &cell, &lanes, scene);
		painter->save();
		scenePaint(painter, view_->look(), scene, -1, -1);
		painter->restore();
	}

private:
	PercentilesView *view_;
};

}

PercentilesView::PercentilesView(QWidget *parent)
    : HistTableBase(new PercentilesModel, parent), model_(static_cast<PercentilesModel *>(model())),
      boxes_(new BoxDelegate(this)), style_(this)
{
	setObjectName(QStringLiteral("hist_percentiles"));
	setAccessibleName(tr("Percentiles"));
	setHorizontalHeader(new AxisHeader(this));
	horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
	connect(this, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
		emit groupActivated(model_->fullGroup(index.row()));
	});
}

QString PercentilesView::whyEmpty(const PanelData &f) const
{
	return f.percentiles ? nothingText(&f, "group") :
			       tr("Percentiles are not available: %1.").arg(reasonText(f.why_not));
}

void PercentilesView::fit(bool known)
{
	const int lanes = model_->quantiles() * CHART_LANE + CHART_LANES_SPACE;
	int column;

	verticalHeader()->setDefaultSectionSize(qMax(fontMetrics().height() + 8, lanes));
	if (boxes_column_ != model_->chartColumn()) {
		setItemDelegateForColumn(boxes_column_, nullptr);
		boxes_column_ = model_->chartColumn();
		setItemDelegateForColumn(boxes_column_, boxes_);
	}
	horizontalHeader()->setStretchLastSection(true);
	horizontalHeader()->setMinimumSectionSize(40);
	if (known)
		return;
	setColumnHidden(0, !model_->figures()->ngroups && model_->figures()->schema->nkeys < 2);
	for (column = 0; column < model_->chartColumn(); column++) {
		resizeColumnToContents(column);
		setColumnWidth(column, qBound(60, columnWidth(column) + 12, 320));
	}
}

void PercentilesView::setLog(bool log)
{
	log_ = log;
	viewport()->update();
	horizontalHeader()->viewport()->update();
}

chart_scale PercentilesView::scale(int left, int width) const
{
	chart_scale scale = chart_lanes_scale(log_, model_->low(), model_->high(), left, width);

	scale.binary = hist_unit_is_size(model_->unit());
	return scale;
}

QRectF PercentilesView::box(int row, int i, const QRect &cell) const
{
	const chart_scale scale = this->scale(cell.left(), cell.width());
	const chart_box at = { double(cell.left()), double(cell.top()), double(cell.width()),
			       double(cell.height()) };
	const chart_span range = model_->range(model_->rowOf(row)->q[i]);

	return sceneRect(chart_lanes_range(&scale, &at, unsigned(model_->quantiles()), unsigned(i),
					   &range));
}

void PercentilesView::changeEvent(QEvent *event)
{
	HistTableBase::changeEvent(event);
	if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
		style_ = ChartStyle(this);
}

/* An interval has two columns, in the unit of the axis. */
QByteArray PercentilesView::csv() const
{
	QByteArray out = "group,count,mean,least_low,least_high";
	char name[HIST_QUANTILE_NAME];
	int row, i;

	if (!model_->rowCount())
		return QByteArray();
	for (i = 0; i < model_->quantiles(); i++) {
		hist_quantile_name(name, model_->quantile(i));
		out.append(",").append(name).append("_low,").append(name).append("_high");
	}
	out += ",most_low,most_high\n";
	const auto put = [&](const struct hist_quantile &q) {
		out += ',' + QByteArray::number(model_->number(q.low), 'f', 0) + ',' +
		       QByteArray::number(model_->number(q.high), 'f', 0);
	};
	for (row = 0; row < model_->rowCount(); row++) {
		const hist_percentiles_row *r = model_->rowOf(row);
		const QModelIndex group = model_->index(row, 0);

		out += csvField(group.data().toString()) + ',' +
		       QByteArray::number(qulonglong(r->count)) + ',';
		if (r->has_mean)
			out += QByteArray::number(r->mean);
		put(r->least);
		for (i = 0; i < model_->quantiles(); i++)
			put(r->q[i]);
		put(r->most);
		out += '\n';
	}
	return out;
}
