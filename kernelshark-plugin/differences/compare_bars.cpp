// SPDX-License-Identifier: GPL-2.0
/* compare_bars.cpp - two bars for each bucket or key: before and after */
#include <cmath>

#include <QPainter>
#include <QScrollBar>

#include "kernelshark-plugin/differences/compare_bars.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define PAIR_LEAST 10
#define PAIR_MOST 120
#define LABELS_MEASURED 300

CompareBars::CompareBars(QWidget *parent) : CompareChart(parent)
{
	setObjectName(QStringLiteral("hist_compare_bars"));
	setAccessibleName(tr("Bars before and after"));
}

QScrollBar *CompareBars::bar() const
{
	return upright() ? horizontalScrollBar() : verticalScrollBar();
}

void CompareBars::measureRates(double *least, double *most)
{
	const QFontMetrics metrics(look().font);
	const compared *c = comparison();

	*least = HUGE_VAL;
	*most = 0;
	label_ = 0;
	for (uint32_t i = 0; i < c->n; i++) {
		for (double rate : c->rows[i].rate) {
			*most = qMax(*most, rate);
			*least = rate > 0 ? qMin(*least, rate) : *least;
		}
		if (i < LABELS_MEASURED)
			label_ = qMax(label_, metrics.horizontalAdvance(rowLabel(i)));
	}
	if (!(*most > 0))
		*least = *most = 1;
}

void CompareBars::measure()
{
	const QFontMetrics metrics(look().font);
	const int line = metrics.height(), n = int(comparison()->n), top = stripHeight();
	const int width = viewport()->width(), height = viewport()->height();
	double least, most;

	measureRates(&least, &most);
	if (upright()) {
		const int left = metrics.horizontalAdvance(QStringLiteral("500.5k")) + 18;

		plot_ = QRectF(left, top + 4, qMax(width - left - 12, 20), qMax(height - top - line - 14, 20));
		slot_ = qBound(double(PAIR_LEAST), plot_.width() / n, double(PAIR_MOST));
	} else {
		label_ = qMin(label_, width * 2 / 5);
		labels_.clear();
		for (int i = 0; i < qMin(n, LABELS_MEASURED); i++)
			labels_ << rowLabel(uint32_t(i));
		labels_ = cutLabels(labels_, look().font, label_ + 4);
		plot_ = QRectF(label_ + 20, top, qMax(width - label_ - 32, 20), qMax(height - top - line - 8, 20));
		slot_ = 2 * line + 6;
	}
	const double from = upright() ? plot_.bottom() : plot_.left();
	const double to = upright() ? plot_.top() : plot_.right();

	scale_ = isLog() ? chart_scale_make(CHART_LOG, least * 0.5, most * 1.2, from, to) :
			   chart_scale_make(CHART_LINEAR, 0, most * 1.04, from, to);
	const int page = int(upright() ? plot_.width() : plot_.height());

	(upright() ? verticalScrollBar() : horizontalScrollBar())->setRange(0, 0);
	bar()->setPageStep(page);
	bar()->setSingleStep(int(slot_));
	bar()->setRange(0, qMax(0, int(std::ceil(slot_ * n)) - page));
}

QRect CompareBars::itemRect(int row) const
{
	const double at = slot_ * row - (hasChart() ? bar()->value() : 0);

	if (!hasChart() || row < 0 || uint32_t(row) >= comparison()->n)
		return QRect();
	if (upright())
		return QRectF(plot_.left() + at, plot_.top(), slot_, plot_.height()).toAlignedRect();
	return QRectF(0, plot_.top() + at, viewport()->width(), slot_).toAlignedRect();
}

QRectF CompareBars::barRect(int row, int side) const
{
	const double rate = hasChart() ? comparison()->rows[row].rate[side] : 0;
	const double gap = slot_ >= 40 ? 6 : 2, size = (slot_ - gap) / 2;
	double at, place;

	if (!(rate > 0))
		return QRectF();
	at = chart_scale_at(&scale_, rate);
	place = slot_ * row - bar()->value() + gap / 2 + side * size;
	if (upright())
		return QRectF(plot_.left() + place, qMin(at, plot_.bottom() - 1), size,
			      plot_.bottom() - qMin(at, plot_.bottom() - 1));
	return QRectF(plot_.left(), plot_.top() + place, qMax(1.0, at - plot_.left()), size);
}

int CompareBars::itemAt(const QPoint &at) const
{
	int row;

	if (!plot_.contains(at) && (upright() || !QRectF(0, plot_.top(), plot_.left(), plot_.height()).contains(at)))
		return -1;
	row = int(((upright() ? at.x() - plot_.left() : at.y() - plot_.top()) + bar()->value()) / slot_);
	return row >= 0 && uint32_t(row) < comparison()->n ? row : -1;
}

QString CompareBars::itemLine(int row) const
{
	const compared_row &r = comparison()->rows[row];

	return rowLabel(uint32_t(row)) + QLatin1String(":  ") + changeText(r.rate[BEFORE], r.rate[AFTER]);
}

QString CompareBars::itemText(int row) const
{
	const compared_row &r = comparison()->rows[row];
	TextBuffer exact;

	compare_put_label(exact, comparison(), uint32_t(row), true);
	return tr("%1\nbefore: %2 of %3\nafter: %4 of %5\n%6")
		.arg(exact.text(), countText(r.count[BEFORE]), countText(comparison()->total[BEFORE]),
		     countText(r.count[AFTER]), countText(comparison()->total[AFTER]),
		     changeText(r.rate[BEFORE], r.rate[AFTER]));
}

QString CompareBars::title() const
{
	return comparison()->has_rates ? tr("%1 per second").arg(valueTitle()) :
					 tr("share of %1").arg(valueTitle());
}

void CompareBars::paintTicks(QPainter *painter)
{
	const ChartStyle &s = look();
	const int line = QFontMetrics(s.font).height();
	const auto text = [this](double tick) {
		return comparison()->has_rates ? shortText(tick) : shortText(tick * 100) + QLatin1Char('%');
	};

	if (upright()) {
		for (double tick : chart_scale_ticks(&scale_, int(plot_.height() / (line * 2)), line, false)) {
			const double y = std::round(chart_scale_at(&scale_, tick)) + 0.5;

			painter->setPen(s.grid);
			painter->drawLine(QPointF(plot_.left(), y), QPointF(plot_.right(), y));
			painter->setPen(s.muted);
			painter->drawText(QRectF(0, y - line / 2.0, plot_.left() - 8, line),
					  Qt::AlignRight | Qt::AlignVCenter, text(tick));
		}
		return;
	}
	for (double tick : chart_scale_ticks(&scale_, int(plot_.width() / 90), 56, false)) {
		const double x = std::round(chart_scale_at(&scale_, tick)) + 0.5;

		painter->setPen(s.grid);
		painter->drawLine(QPointF(x, plot_.top()), QPointF(x, plot_.bottom()));
		painter->setPen(s.muted);
		painter->drawText(QRectF(x - 40, plot_.bottom() + 3, 80, line), Qt::AlignCenter, text(tick));
	}
}

void CompareBars::paintLabels(QPainter *painter)
{
	const ChartStyle &s = look();
	const int line = QFontMetrics(s.font).height(), n = int(comparison()->n);
	const int every = upright() ? qMax(1, int(std::ceil((label_ + 10) / slot_))) : 1;
	const int first = int(bar()->value() / slot_) / every * every;

	painter->setPen(s.text);
	for (int row = first; row < n; row += every) {
		const QRect slot = itemRect(row);

		if (upright() ? slot.left() > plot_.right() : slot.top() > plot_.bottom())
			break;
		if (!upright())
			drawElided(painter, QRectF(8, slot.top(), label_ + 4, slot.height()),
				   Qt::AlignRight | Qt::AlignVCenter,
				   row < labels_.size() ? labels_[row] : rowLabel(uint32_t(row)));
		else if (slot.center().x() >= plot_.left() && slot.center().x() <= plot_.right())
			painter->drawText(QRectF(slot.center().x() - label_ / 2.0 - 4, plot_.bottom() + 4,
						 label_ + 8, line), Qt::AlignCenter, rowLabel(uint32_t(row)));
	}
}

void CompareBars::paintChart(QPainter *painter)
{
	const ChartStyle &s = look();
	const QFontMetrics metrics(s.font);
	const QString names[SIDES] = { tr("before"), tr("after") };
	const QColor colours[SIDES] = { s.before, s.bar };
	const int box = metrics.height() - 6;
	int x = viewport()->width() - 12, legend = 0;

	for (const QString &name : names)
		legend += metrics.horizontalAdvance(name) + box + 18;
	paintStrip(painter, title(), comparison()->has_axis ? QString() : tr("largest change first"), legend + 8);
	painter->setFont(s.font);
	for (int side = AFTER; side >= BEFORE; side--) {
		x -= metrics.horizontalAdvance(names[side]);
		painter->setPen(s.muted);
		painter->drawText(QRectF(x, 0, metrics.horizontalAdvance(names[side]) + 2, stripHeight()),
				  Qt::AlignLeft | Qt::AlignVCenter, names[side]);
		x -= box + 5;
		painter->fillRect(QRect(x, (stripHeight() - box) / 2, box, box), colours[side]);
		x -= 13;
	}
	painter->fillRect(plot_, s.plot);
	paintTicks(painter);
	painter->save();
	painter->setClipRect(plot_);
	for (int row = int(bar()->value() / slot_); uint32_t(row) < comparison()->n; row++) {
		const QRect slot = itemRect(row);

		if (upright() ? slot.left() > plot_.right() : slot.top() > plot_.bottom())
			break;
		if (row == pointed())
			painter->fillRect(slot, s.grid);
		for (int side = BEFORE; side < SIDES; side++)
			painter->fillRect(barRect(row, side), colours[side]);
		if (row == current() && hasFocus()) {
			painter->setPen(s.select);
			painter->setBrush(Qt::NoBrush);
			painter->drawRect(QRectF(slot).adjusted(0.5, 0.5, -1.5, -1.5));
		}
	}
	painter->restore();
	paintLabels(painter);
}

int CompareBars::step(int item, int across, int down, int pages) const
{
	const int page = qMax(1, int((upright() ? plot_.width() : plot_.height()) / slot_) - 1);

	return qBound(0, item + across + down + pages * page, int(comparison()->n) - 1);
}

void CompareBars::showItem(int row)
{
	const int from = int(slot_ * row), to = int(std::ceil(slot_ * (row + 1)));
	const int page = int(upright() ? plot_.width() : plot_.height());

	if (from < bar()->value())
		bar()->setValue(from);
	else if (to > bar()->value() + page)
		bar()->setValue(to - page);
}
