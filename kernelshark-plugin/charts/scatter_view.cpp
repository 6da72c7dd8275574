// SPDX-License-Identifier: GPL-2.0
/* scatter_view.cpp - each latency as a dot, over the time of its END */
#include <algorithm>
#include <numeric>

#include <QPainter>

#include "kernelshark-plugin/charts/scatter_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define PAGE 10 /* latencies of a page by keys */
#define DOT 5

ScatterView::ScatterView(QWidget *parent) : ChartView(parent)
{
	setObjectName(QStringLiteral("hist_scatter"));
	setAccessibleName(tr("Latencies over time"));
	setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
	setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
	setLog(true);
	dots_.data = this;
	dots_.number = [](void *view, uint32_t i, double *at) {
		const ScatterView *v = static_cast<ScatterView *>(view);

		*at = (v->timeAxis().at(v->end(int(i))) - v->plot_.left()) / v->plot_.width();
		return double(v->pairs_[int(i)].number);
	};
	dots_.tick = [](void *, double number, hist_strbuf *b) {
		hist_number_put_tick(b, number, HIST_UNIT_NS);
	};
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

void ScatterView::measure()
{
	const QFontMetricsF metrics(look().font);
	const chart_font font = sceneFont(&metrics);
	const int top = stripHeight() + 4, bottom = viewport()->height() - int(font.line) - 8;
	int left = left_, right = right_;

	if (left >= right) {
		left = int(metrics.horizontalAdvance(QStringLiteral("500.5 ms"))) + 18;
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
	dots_.n = uint32_t(pairs_.size());
	dots_.log = isLog();
	const chart_box plot = { double(left), double(top), double(plot_.width()),
				 double(plot_.height()) };

	scene_.clear();
	chart_scene_rect(scene_, CHART_CLASS_PLOT, CHART_NO_ITEM, plot.x, plot.y, plot.w, plot.h);
	scale_ = chart_dots_draw(&dots_, &plot, &font, scene_);
}

QPointF ScatterView::dot(int item) const
{
	return { timeAxis().at(end(item)), chart_scale_at(&scale_, double(pairs_[item].number)) };
}

QRect ScatterView::itemRect(int item) const
{
	if (item < 0 || item >= pairs_.size() || !isIn(item))
		return QRect();
	return QRect(dot(item).toPoint() - QPoint(DOT / 2, DOT / 2), QSize(DOT, DOT));
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

void ScatterView::paintChart(QPainter *painter)
{
	const ChartStyle &s = look();

	paintStrip(painter, tr("latency over time"),
		   pairs_.size() == 1 ? tr("1 latency")
				      : tr("%1 latencies").arg(countText(uint64_t(pairs_.size()))),
		   0);
	scenePaint(painter, s, scene_, pointed(), -1);
	timePaintTicks(painter, s, timeAxis(), viewport()->width());
	if (has_markers_)
		timePaintMarkers(painter, s, timeAxis(), marker_);
}
