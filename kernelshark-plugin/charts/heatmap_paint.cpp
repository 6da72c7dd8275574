// SPDX-License-Identifier: GPL-2.0
/*
 * heatmap_paint.cpp - painting of the heat map
 *
 * The plot is an image in device pixels: each row of the map is rendered as one line of
 * pixels, which is then copied down. A pixel that covers several columns shows the
 * brightest, so that a short burst remains visible.
 */
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <QPainter>
#include <QScrollBar>

#include "kernelshark-plugin/charts/heatmap_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define UNKNOWN 255 /* a pixel of a time without snapshots */
#define BOX 13	    /* size of a box of the legend */
#define WIDE 9	    /* columns of this width or more have a gap between them */

/* The pixels of a column in [0, @width), at least one; false if the column is not visible. */
static bool pixelsOf(double from, double to, int width, int *x1, int *x2)
{
	if (to < 0 || from >= width)
		return false;
	*x1 = int(std::lround(std::max(from, 0.0)));
	*x2 = int(std::lround(std::min(to, double(width))));
	if (*x2 <= *x1)
		*x2 = *x1 + 1;
	if (*x2 > width) {
		*x2 = width;
		*x1 = std::min(*x1, width - 1);
	}
	return true;
}

void HeatmapView::makeImage()
{
	const hist_heatmap *m = map();
	const double ratio = viewport()->devicePixelRatioF();
	const int width = int(std::lround(plot_.width() * ratio));
	const int height = int(std::lround(plot_.height() * ratio));
	const double row = row_ * ratio, scroll = verticalScrollBar()->value() * ratio;
	const int gap = row >= 7 * ratio ? int(std::lround(ratio)) : 0;
	std::vector<uint8_t> line(size_t(width), UNKNOWN);
	std::vector<std::pair<int, int>> pixels(m->ncolumns);
	std::vector<QRgb> between(size_t(width), 0);
	QRgb colours[UNKNOWN + 1] = {}; /* unknown time: transparent */
	unsigned int col;
	uint32_t r;
	int i, x;

	for (i = 0; i < HIST_HEAT_MAX; i++)
		colours[i] = look().heat(unsigned(i)).rgb();
	/*
	 * the positions of columns are the same in all rows; gaps also show whether
	 * time is known
	 */
	for (col = 0; col < m->ncolumns; col++) {
		if (!pixelsOf((fileX(m->columns[col].from) - plot_.left()) * ratio,
			      (fileX(m->columns[col].to) - plot_.left()) * ratio, width,
			      &pixels[col].first, &pixels[col].second))
			pixels[col] = { 0, 0 };
		for (x = pixels[col].first; x < pixels[col].second; x++)
			between[size_t(x)] = colours[0];
	}
	image_ = QImage(width, height, QImage::Format_ARGB32_Premultiplied);
	if (image_.isNull())
		return;
	image_.setDevicePixelRatio(ratio);
	image_.fill(Qt::transparent);
	for (r = 0; r < m->nrows; r++) {
		const uint32_t place = m->has_axis ? m->nrows - 1 - r : r;
		const uint8_t *levels = levels_.constData() + size_t(r) * m->ncolumns;
		const int y1 = std::max(int(std::lround(row * place - scroll)), 0);
		const int y2 = std::min(int(std::lround(row * (place + 1) - scroll)), height);
		QRgb *first;

		if (y1 >= y2)
			continue;
		std::fill(line.begin(), line.end(), uint8_t(UNKNOWN));
		for (col = 0; col < m->ncolumns; col++) {
			const std::pair<int, int> &at = pixels[col];

			for (x = at.first; x < at.second; x++)
				if (line[size_t(x)] == UNKNOWN || line[size_t(x)] < levels[col])
					line[size_t(x)] = levels[col];
			if (at.second - at.first >= WIDE * ratio)
				line[size_t(at.second - 1)] = 0;
		}
		first = reinterpret_cast<QRgb *>(image_.scanLine(y1));
		for (x = 0; x < width; x++)
			first[x] = colours[line[size_t(x)]];
		for (i = y1 + 1; i < y2; i++)
			memcpy(image_.scanLine(i), i < y2 - gap ? first : between.data(),
			       size_t(width) * sizeof(*first));
	}
}

void HeatmapView::paintChart(QPainter *painter)
{
	const ChartStyle &s = look();
	/* in a narrow panel only the ends; 8 pixels are space */
	const bool brief = legendWidth(false) - 8 > viewport()->width() * 45 / 100;
	const int legend = legendWidth(brief);
	const int right = qMin(plot_.left() + plot_.width(), viewport()->width());
	QString title = valueTitle();
	QString more;

	if (map()->has_axis)
		title += QLatin1String(" by ") + keyTitle(figures()->axis);
	title += tr(" over time");
	if (figures()->query.group)
		more = tr("of %1").arg(QString::fromUtf8(figures()->query.group));
	else if (map()->per_column > 1)
		more = tr("%1 intervals per column").arg(map()->per_column);
	if (map()->before)
		more += (more.isEmpty() ? QString() : QStringLiteral("; ")) +
			tr("a total of %1 is not in the heat map, because it was counted before "
			   "the "
			   "first snapshot, at unknown times")
				.arg(countText(map()->before));
	paintStrip(painter, title, more, viewport()->width() - right + legend);
	paintLegend(painter, legend, brief);
	painter->fillRect(plot_, QBrush(s.unknown, Qt::BDiagPattern));
	if (image_.isNull())
		makeImage();
	painter->drawImage(plot_.topLeft(), image_);
	paintLosses(painter);
	paintRowLabels(painter);
	timePaintTicks(painter, s, timeAxis(), viewport()->width());
	if (has_markers_ && map()->ns)
		timePaintMarkers(painter, s, timeAxis(), marker_);
	paintCross(painter);
	paintBand(painter);
}

/* The text next to a level of the legend: the rate at which it begins. */
QString HeatmapView::levelText(unsigned int level) const
{
	return shortText(heat_.from[level] / 1000.0);
}

/* Width of "per second" and a box for each used level; @brief: of all boxes with the ends. */
int HeatmapView::legendWidth(bool brief) const
{
	const QFontMetrics metrics(look().font);
	unsigned int i;
	int width = metrics.horizontalAdvance(map()->ns ? tr("per second") :
						   tr("per interval")) + 14;

	if (brief)
		return width + int(heat_.levels - 1) * BOX + 12 +
		       metrics.horizontalAdvance(levelText(1)) +
		       metrics.horizontalAdvance(levelText(heat_.levels - 1)) + 8;
	for (i = 1; i < heat_.levels; i++)
		if (hist_heat_has_level(&heat_, i))
			width += BOX + 3 + metrics.horizontalAdvance(levelText(i)) + 8;
	return width + 8;
}

void HeatmapView::paintLegend(QPainter *painter, int width, bool brief)
{
	const ChartStyle &s = look();
	const QFontMetrics metrics(s.font);
	const int line = stripHeight(), y = (line - BOX) / 2 + 1;
	const int right = qMin(plot_.left() + plot_.width(), viewport()->width());
	int x = right - width + 8;
	unsigned int i;

	painter->setFont(s.font);
	painter->setPen(s.muted);
	if (brief) {
		painter->drawText(QRect(x, 0, width, line), Qt::AlignLeft | Qt::AlignVCenter,
				  levelText(1));
		x += metrics.horizontalAdvance(levelText(1)) + 6;
	}
	for (i = 1; i < heat_.levels; i++) {
		if (!brief && !hist_heat_has_level(&heat_, i))
			continue;
		painter->fillRect(QRect(x, y, BOX, BOX), s.heat(i));
		x += BOX;
		if (brief && i + 1 < heat_.levels)
			continue;
		x += brief ? 6 : 3;
		painter->drawText(QRect(x, 0, 80, line), Qt::AlignLeft | Qt::AlignVCenter,
				  levelText(i));
		x += metrics.horizontalAdvance(levelText(i)) + 8;
	}
	painter->drawText(QRect(x, 0, right - x, line), Qt::AlignLeft | Qt::AlignVCenter,
			  map()->ns ? tr("per second") : tr("per interval"));
}

void HeatmapView::paintLosses(QPainter *painter)
{
	const hist_heatmap *m = map();
	unsigned int col;
	int x1, x2;

	for (col = 0; col < m->ncolumns; col++) {
		const hist_heat_column *c = &m->columns[col];

		if (!c->reset && !c->lost && !c->dropped)
			continue;
		if (pixelsOf(fileX(c->from) - plot_.left(), fileX(c->to) - plot_.left(),
			     plot_.width(), &x1, &x2))
			painter->fillRect(QRect(plot_.left() + x1, plot_.top() - 5, x2 - x1, 4),
					  look().mark);
	}
}

/* The graph limits the width of labels: reduce the font slightly before text is cut. */
QFont HeatmapView::rowFont(int width) const
{
	QFont font = look().font;
	double widest = 1;
	uint32_t i;

	for (i = 0; i < map()->nrows; i++)
		widest = qMax(widest, QFontMetricsF(font).horizontalAdvance(rowLabel(i)));
	if (widest > width)
		font.setPointSizeF(QFontInfo(font).pointSizeF() * qMax(0.8, (width - 1) / widest));
	return font;
}

/* A range without its middle is not readable: its start is. */
QString HeatmapView::rowLabelIn(int width, const QFont &font, uint32_t i) const
{
	const hist_heat_row *row = &map()->rows[i];
	const QString label = rowLabel(i);
	TextBuffer b;

	if (QFontMetricsF(font).horizontalAdvance(label) <= width + 1 || row->empty ||
	    row->others || row->label || row->ge == HIST_LOG2_NEGATIVE)
		return label;
	panel_put_axis_start(b, figures().get(), row);
	return b.text();
}

void HeatmapView::paintRowLabels(QPainter *painter)
{
	const ChartStyle &s = look();
	const QFont font = rowFont(plot_.left() - 14);
	const int line = QFontMetrics(font).height();
	const int width = plot_.left() - 14;
	const uint32_t n = map()->nrows;
	int last = -1000;
	QStringList labels;
	uint32_t place;

	for (uint32_t row = 0; row < n; row++)
		labels << rowLabelIn(width, font, row);
	labels = cutLabels(labels, font, width + 1);
	painter->setFont(font);
	/* if the graph does not leave space, labels are drawn on the map */
	for (place = 0; place < n; place++) {
		const uint32_t row = map()->has_axis ? n - 1 - place : place;
		const double middle = rowTop(row) + row_ / 2;

		if (middle < plot_.top() || middle > plot_.bottom() + 1 || width < 30)
			continue;
		/* the strip names the row under the mouse, so that labels stay where they are */
		if (middle - last < line - 1)
			continue;
		last = int(middle);
		painter->setPen(map()->rows[row].empty ? s.muted : s.text);
		drawElided(painter, QRectF(6, middle - line / 2.0, width, line),
			   Qt::AlignRight | Qt::AlignVCenter, labels[int(row)]);
	}
	painter->setFont(s.font);
}

void HeatmapView::paintCross(QPainter *painter)
{
	const ChartStyle &s = look();
	const int item = pointed();
	const int bottom = plot_.top() + plot_.height();
	QRect cell;

	if (item < 0 || banding_)
		return;
	cell = itemRect(item).intersected(plot_);
	painter->setPen(QPen(s.text, 1, Qt::DotLine));
	if (hover_ >= 0) {
		const double x = mouse_.x() + 0.5;
		const QFontMetrics metrics(s.font);
		const QString text = map()->ns ? timeText(uint64_t(timeOf(mouse_.x())), true) :
						 countText(uint64_t(timeOf(mouse_.x())));
		const int width = metrics.horizontalAdvance(text) + 10;
		QRectF where(x - width / 2.0, bottom + 3, width, metrics.height() + 1);

		painter->drawLine(QPointF(x, plot_.top()), QPointF(x, bottom));
		painter->drawLine(QPointF(plot_.left(), cell.center().y() + 0.5),
				  QPointF(plot_.left() + plot_.width(), cell.center().y() + 0.5));
		where.moveLeft(qBound(0.0, where.left(), viewport()->width() - where.width()));
		painter->fillRect(where, s.text);
		painter->setPen(s.ground);
		painter->drawText(where, Qt::AlignCenter, text);
	}
	painter->setBrush(Qt::NoBrush);
	painter->setPen(QPen(s.ground, 3));
	painter->drawRect(QRectF(cell).adjusted(-0.5, -0.5, 0.5, 0.5));
	painter->setPen(QPen(s.text, 1));
	painter->drawRect(QRectF(cell).adjusted(-0.5, -0.5, 0.5, 0.5));
}

void HeatmapView::paintBand(QPainter *painter)
{
	const ChartStyle &s = look();
	const qint64 begin = qMin(band_from_, band_to_), end = qMax(band_from_, band_to_);
	const int last = plot_.left() + plot_.width();
	const int from = int(qBound(double(plot_.left()), std::round(xOf(begin)), double(last)));
	const int to = int(qBound(double(plot_.left()), std::round(xOf(end)), double(last)));
	QColor veil = s.ground;
	QString text;

	if (!banding_)
		return;
	veil.setAlphaF(0.6);
	painter->fillRect(QRect(plot_.left(), plot_.top(), from - plot_.left(), plot_.height()),
			  veil);
	painter->fillRect(QRect(to, plot_.top(), plot_.left() + plot_.width() - to, plot_.height()),
			  veil);
	painter->setPen(s.select);
	painter->drawLine(QPointF(from + 0.5, plot_.top()),
			  QPointF(from + 0.5, plot_.bottom() + 1));
	painter->drawLine(QPointF(to + 0.5, plot_.top()), QPointF(to + 0.5, plot_.bottom() + 1));
	text = tr("zoom to %1").arg(durationText(uint64_t(end - begin), true));
	{
		const QFontMetrics metrics(s.font);
		QRectF where(0, 0, metrics.horizontalAdvance(text) + 14, metrics.height() + 6);

		where.moveCenter(QPointF((from + to) / 2.0, plot_.center().y()));
		where.moveLeft(qBound(0.0, where.left(), viewport()->width() - where.width()));
		painter->fillRect(where, s.select);
		painter->setPen(ChartStyle::on(s.select));
		painter->drawText(where, Qt::AlignCenter, text);
	}
}
