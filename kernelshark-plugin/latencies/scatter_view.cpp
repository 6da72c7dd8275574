// SPDX-License-Identifier: GPL-2.0
/* scatter_view.cpp - each latency as a dot, over the time of its END */
#include <algorithm>
#include <cmath>
#include <numeric>

#include <QPainter>

#include "kernelshark-plugin/latencies/scatter_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define NEAR 8		/* pixels from the mouse to a dot */
#define FEW 3000	/* dots that can be large */
#define PAGE 10		/* latencies of a page by keys */
#define DOT_LARGE 5
#define DOT_SMALL 3

ScatterView::ScatterView(QWidget *parent) : ChartView(parent)
{
	setObjectName(QStringLiteral("hist_scatter"));
	setAccessibleName(tr("Latencies over time"));
	setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
	setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
	setLog(true);
}

void ScatterView::setPairs(const QVector<latency_pair> &pairs, qint64 offset, const QString &why)
{
	pairs_ = pairs;
	offset_ = offset;
	why_ = why;
	order_.resize(pairs.size());
	std::iota(order_.begin(), order_.end(), 0);
	std::sort(order_.begin(), order_.end(), [this](int a, int b) {
		return pairs_[a].end != pairs_[b].end ? pairs_[a].end < pairs_[b].end : a < b;
	});
	resetItems();
}

void ScatterView::setTime(qint64 from, qint64 to, int left, int right)
{
	if (from == from_ && to == to_ && left == left_ && right == right_)
		return;
	from_ = from;
	to_ = to;
	left_ = left;
	right_ = right;
	resetItems();
}

void ScatterView::setMarkers(bool are, qint64 a, qint64 b)
{
	has_markers_ = are;
	marker_[0] = a;
	marker_[1] = b;
	viewport()->update();
}

QString ScatterView::whyEmpty() const
{
	return pairs_.isEmpty() ? why_ : QString();
}

/* The visible latencies use all of the height, with some space. */
void ScatterView::measureScale()
{
	double least = HUGE_VAL, most = 0;

	for (int i = 0; i < pairs_.size(); i++) {
		const double latency = double(pairs_[i].number);

		if (!isIn(i))
			continue;
		least = latency > 0 ? qMin(least, latency) : least;
		most = qMax(most, latency);
	}
	if (!(most > 0))
		least = most = 1;
	scale_ = isLog() ? chart_scale_make(CHART_LOG, least * 0.7, most * 1.3, plot_.bottom() + 1,
					    plot_.top())
			 : chart_scale_make(CHART_LINEAR, 0, most * 1.04, plot_.bottom() + 1,
					    plot_.top());
}

void ScatterView::measure()
{
	const QFontMetrics metrics(look().font);
	const int top = stripHeight() + 4, bottom = viewport()->height() - metrics.height() - 8;
	int left = left_, right = right_;

	if (left >= right) {
		left = metrics.horizontalAdvance(QStringLiteral("500.5 ms")) + 18;
		right = viewport()->width() - 12;
	}
	plot_ = QRect(left, top, qMax(right - left, 16), qMax(bottom - top, 16));
	begin_ = from_;
	end_ = to_;
	if (begin_ >= end_) {
		begin_ = start(order_.first());
		end_ = end(order_.last());
	}
	end_ = qMax(end_, begin_ + 1);
	measureScale();
	image_ = QImage();
}

QPointF ScatterView::dot(int item) const
{
	return { timeAxis().at(end(item)), chart_scale_at(&scale_, double(pairs_[item].number)) };
}

int ScatterView::itemAt(const QPoint &at) const
{
	const TimeAxis axis = timeAxis();
	double best = NEAR * NEAR;
	int found = -1;

	if (!plot_.adjusted(-NEAR, -NEAR, NEAR, NEAR).contains(at))
		return -1;
	/* only those of the pixels around the mouse */
	const qint64 from = axis.timeOf(at.x() - NEAR - 1), to = axis.timeOf(at.x() + NEAR + 1);
	auto it = std::lower_bound(order_.begin(), order_.end(), from,
				   [this](int item, qint64 time) { return end(item) < time; });

	for (; it != order_.end() && end(*it) <= to; ++it) {
		const QPointF away = dot(*it) - QPointF(at) - QPointF(0.5, 0.5);
		const double distance = QPointF::dotProduct(away, away);

		if (isIn(*it) && distance < best) {
			best = distance;
			found = *it;
		}
	}
	return found;
}

QRect ScatterView::itemRect(int item) const
{
	if (item < 0 || item >= pairs_.size() || !isIn(item))
		return QRect();
	const QPointF at = dot(item);

	return QRect(int(at.x()) - DOT_LARGE / 2, int(at.y()) - DOT_LARGE / 2, DOT_LARGE,
		     DOT_LARGE);
}

QString ScatterView::itemLine(int item) const
{
	return tr("%1, ends at %2")
		.arg(durationText(pairs_[item].number, true), timeText(uint64_t(end(item)), true));
}

QString ScatterView::itemText(int item) const
{
	return tr("%1\nSTART %2\nEND %3\nClick to go to these events and set the markers A and B")
		.arg(durationText(pairs_[item].number, true), timeText(uint64_t(start(item)), true),
		     timeText(uint64_t(end(item)), true));
}

QByteArray ScatterView::csv() const
{
	QByteArray out = "latency_ns,start_ns,end_ns\n";

	for (int item : order_)
		if (isIn(item))
			out += QByteArray::number(qulonglong(pairs_[item].number)) + ',' +
			       QByteArray::number(start(item)) + ',' +
			       QByteArray::number(end(item)) + '\n';
	return out;
}

/*
 * Left and right: the next one in time; up and down: the next one in size, the largest is the
 * first.
 */
int ScatterView::step(int item, int across, int down, int pages) const
{
	QVector<int> visible;
	int place;

	for (int i = 0; i < order_.size(); i++) {
		const int one = across ? order_[i] : i;

		if (isIn(one))
			visible.append(one);
	}
	place = int(visible.indexOf(item));
	if (visible.isEmpty())
		return item;
	place = place < 0 ? 0 : place + across + down + pages * PAGE;
	return visible[qBound(0, place, int(visible.size()) - 1)];
}

void ScatterView::makeImage()
{
	const double ratio = viewport()->devicePixelRatioF();
	const int size = pairs_.size() > FEW ? DOT_SMALL : DOT_LARGE;

	image_ = QImage((QSizeF(plot_.size() + QSize(2 * size, 2 * size)) * ratio).toSize(),
			QImage::Format_ARGB32_Premultiplied);
	if (image_.isNull())
		return;
	image_.setDevicePixelRatio(ratio);
	image_.fill(Qt::transparent);
	QPainter painter(&image_);

	painter.translate(size - plot_.left(), size - plot_.top());
	painter.setRenderHint(QPainter::Antialiasing, size == DOT_LARGE);
	painter.setPen(Qt::NoPen);
	painter.setBrush(look().bar);
	for (int i = 0; i < pairs_.size(); i++) {
		if (!isIn(i))
			continue;
		if (size == DOT_LARGE)
			painter.drawEllipse(dot(i), size / 2.0, size / 2.0);
		else
			painter.fillRect(QRectF(dot(i) - QPointF(size / 2.0, size / 2.0),
						QSizeF(size, size)),
					 look().bar);
	}
}

void ScatterView::paintDurations(QPainter *painter)
{
	const ChartStyle &s = look();
	const int line = QFontMetrics(s.font).height();

	for (double tick :
	     chart_scale_ticks(&scale_, qMax(2, plot_.height() / (line * 2)), line, false)) {
		const double y = std::round(chart_scale_at(&scale_, tick)) + 0.5;

		painter->setPen(s.grid);
		painter->drawLine(QPointF(plot_.left(), y),
				  QPointF(plot_.left() + plot_.width(), y));
		painter->setPen(s.muted);
		drawElided(painter, QRectF(4, y - line / 2.0, plot_.left() - 10, line),
			   Qt::AlignRight | Qt::AlignVCenter, numberText(tick, HIST_UNIT_NS));
	}
}

void ScatterView::paintChart(QPainter *painter)
{
	const ChartStyle &s = look();
	const int item = pointed(), size = pairs_.size() > FEW ? DOT_SMALL : DOT_LARGE;

	paintStrip(painter, tr("latency over time"),
		   pairs_.size() == 1 ? tr("1 latency")
				      : tr("%1 latencies").arg(countText(uint64_t(pairs_.size()))),
		   0);
	painter->fillRect(plot_, s.plot);
	paintDurations(painter);
	timePaintTicks(painter, s, timeAxis(), viewport()->width());
	if (image_.isNull())
		makeImage();
	painter->drawImage(plot_.topLeft() - QPoint(size, size), image_);
	if (has_markers_)
		timePaintMarkers(painter, s, timeAxis(), marker_);
	if (item < 0 || !isIn(item))
		return;
	painter->setBrush(Qt::NoBrush);
	painter->setRenderHint(QPainter::Antialiasing);
	painter->setPen(QPen(s.text, 1.5));
	painter->drawEllipse(dot(item), DOT_LARGE + 1, DOT_LARGE + 1);
	painter->setRenderHint(QPainter::Antialiasing, false);
}
