// SPDX-License-Identifier: GPL-2.0
/* compare_view.cpp - the bars before and after, next to their difference over time */
#include "kernelshark-plugin/differences/compare_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

CompareView::CompareView(QWidget *parent) : QSplitter(Qt::Horizontal, parent)
{
	setObjectName(QStringLiteral("hist_compare_view"));
	addWidget(bars_ = new CompareBars(this));
	addWidget(map_ = new DifferenceMap(this));
	setChildrenCollapsible(false);
	bars_->setMinimumWidth(1);
	map_->setMinimumWidth(1);
	map_->hide();
}

void CompareView::setBefore(const PanelDataPtr &before)
{
	has_before_ = before != nullptr;
	bars_->setBefore(before);
	map_->setBefore(before);
}

void CompareView::setFigures(const PanelDataPtr &figures, const QString &empty)
{
	bars_->setFigures(figures, empty);
	map_->setFigures(figures, empty);
	/* keys without an axis have no map: their bars have all the room */
	map_->setVisible(bars_->hasChart() && map_->hasChart());
}

QByteArray CompareView::csv() const
{
	const compared *c = bars_->hasChart() ? bars_->comparison() : nullptr;
	QByteArray out = c && c->has_rates ? "row,before,after,before_per_second,after_per_second\n"
					   : "row,before,after,before_share,after_share\n";

	for (uint32_t i = 0; c && i < c->n; i++)
		out += csvField(bars_->rowLabel(i)) + ',' +
		       QByteArray::number(qulonglong(c->rows[i].count[BEFORE])) + ',' +
		       QByteArray::number(qulonglong(c->rows[i].count[AFTER])) + ',' +
		       QByteArray::number(c->rows[i].rate[BEFORE], 'g', 15) + ',' +
		       QByteArray::number(c->rows[i].rate[AFTER], 'g', 15) + '\n';
	return c ? out : QByteArray();
}
