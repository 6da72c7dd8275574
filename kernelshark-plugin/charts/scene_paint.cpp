// SPDX-License-Identifier: GPL-2.0
/*
 * scene_paint.cpp - paint a scene with Qt
 *
 * Cells are an image in device pixels: each row is rendered as one line of pixels, which is then
 * copied down. A pixel that covers several columns shows the highest level, so that a short
 * burst remains visible. Many dots are an image, too. An image is made once for a scene, because
 * the mouse repaints it often.
 */
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <QPainterPath>
#include <QVector>

#include "kernelshark-plugin/charts/scene_paint.hpp"

chart_font sceneFont(const QFontMetricsF *font)
{
	return { measureText, const_cast<QFontMetricsF *>(font), std::round(font->height()) };
}

#define ROUND_LEAST 5 /* smaller dots are squares */
#define COLUMN_GAP 9 /* columns of this width or more have a gap between them */

static QColor faint(QColor colour, double part)
{
	colour.setAlphaF(part);
	return colour;
}

static QBrush brushOf(const ChartStyle &s, chart_class look, unsigned int level, bool pointed)
{
	switch (look) {
	case CHART_CLASS_HEAT:
		return s.heat(level);
	case CHART_CLASS_DIFFERENCE:
		return s.difference(int(level) - ChartStyle::DIFFERENCE_LEVELS - 1);
	case CHART_CLASS_PLOT:
		return s.plot;
	case CHART_CLASS_GRID:
		return s.grid;
	case CHART_CLASS_AXIS:
		return s.axis;
	case CHART_CLASS_BAR:
		return pointed ? s.barHover : s.bar;
	case CHART_CLASS_MERGED:
		return faint(s.bar, 0.5);
	case CHART_CLASS_BEFORE:
		return s.before;
	case CHART_CLASS_QUANTILE:
	case CHART_CLASS_EDGE:
		return s.quantile[level - 1];
	case CHART_CLASS_BAND:
		return faint(s.quantile[level - 1], s.dark ? 0.22 : 0.16);
	case CHART_CLASS_GAP:
		return QBrush(s.grid, Qt::BDiagPattern);
	case CHART_CLASS_UNKNOWN:
		return QBrush(s.unknown, Qt::BDiagPattern);
	case CHART_CLASS_MARK:
		return s.mark;
	case CHART_CLASS_LABEL:
	case CHART_CLASS_NUMBER:
		return s.text;
	default:
		return s.muted;
	}
}

/* Lines along an axis are sharp in the middle of a pixel. */
static void paintLine(QPainter *painter, const chart_shape &shape)
{
	QPointF from(shape.x, shape.y), to(shape.x + shape.w, shape.y + shape.h);

	if (shape.w == 0) {
		from.setX(std::round(shape.x) + 0.5);
		to.setX(from.x());
	}
	if (shape.h == 0) {
		from.setY(std::round(shape.y) + 0.5);
		to.setY(from.y());
	}
	painter->drawLine(from, to);
}

static void paintWords(QPainter *painter, const QFont &of, const chart_scene &scene,
		       const chart_shape &shape)
{
	const QStringList lines =
		QString::fromUtf8(chart_scene_text(&scene, shape.words)).split(QLatin1Char('\n'));
	QFont font = of;
	double y = shape.y;

	if (shape.size < 1)
		font.setPointSizeF(QFontInfo(of).pointSizeF() * shape.size);
	const QFontMetricsF metrics(font);

	painter->setFont(font);
	for (const QString &line : lines) {
		const double width = metrics.horizontalAdvance(line);

		painter->drawText(QPointF(shape.anchor == 'e'	? shape.x - width
					  : shape.anchor == 'm' ? shape.x - width / 2
								: shape.x,
					  y),
				  line);
		y += metrics.height();
	}
}

/* The pixels of a column in [0, @width), at least one; false if the column is not visible. */
static bool columnPixels(double from, double to, int width, int *x1, int *x2)
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

/* The highest level of each pixel of a row of cells. */
static void fillLine(std::vector<uint8_t> *line, const std::vector<std::pair<int, int>> &pixels,
		     const uint8_t *levels, double wide)
{
	std::fill(line->begin(), line->end(), uint8_t(0));
	for (size_t col = 0; col < pixels.size(); col++) {
		const std::pair<int, int> &at = pixels[col];

		for (int x = at.first; x < at.second; x++)
			(*line)[size_t(x)] = std::max((*line)[size_t(x)], levels[col]);
		if (wide && at.second - at.first >= wide)
			(*line)[size_t(at.second - 1)] = 0;
	}
}

/* The part of cells in @visible. */
static QImage imageOfCells(const ChartStyle &style, const chart_shape &shape, const QRectF &visible,
			   double ratio)
{
	const chart_cells *cells = shape.cells;
	const int width = int(std::lround(visible.width() * ratio)),
		  height = int(std::lround(visible.height() * ratio)),
		  gap = int(std::lround(cells->gap * ratio));
	const double row = cells->row * ratio, scroll = (visible.top() - shape.y) * ratio;
	std::vector<uint8_t> line(size_t(std::max(width, 0)));
	std::vector<std::pair<int, int>> pixels(cells->columns);
	QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
	QRgb colours[UINT8_MAX + 1] = {}; /* level 0: transparent */

	if (image.isNull())
		return image;
	image.setDevicePixelRatio(ratio);
	image.fill(Qt::transparent);
	for (unsigned int level = 1; level <= UINT8_MAX; level++)
		colours[level] = brushOf(style, shape.look, level, false).color().rgb();
	for (uint32_t col = 0; col < cells->columns; col++)
		if (!columnPixels((cells->spans[col].from - visible.left()) * ratio,
				  (cells->spans[col].to - visible.left()) * ratio, width,
				  &pixels[col].first, &pixels[col].second))
			pixels[col] = { 0, 0 };
	for (uint32_t place = 0; place < cells->rows; place++) {
		const uint32_t r = cells->upward ? cells->rows - 1 - place : place;
		const int y1 = std::max(int(std::lround(row * place - scroll)), 0),
			  y2 = std::min(int(std::lround(row * (place + 1) - scroll)), height);

		if (y1 >= y2 - gap)
			continue;
		fillLine(&line, pixels, cells->levels + size_t(r) * cells->columns,
			 gap ? COLUMN_GAP * ratio : 0);
		QRgb *first = reinterpret_cast<QRgb *>(image.scanLine(y1));

		for (int x = 0; x < width; x++)
			first[x] = colours[line[size_t(x)]];
		for (int y = y1 + 1; y < y2 - gap; y++)
			memcpy(image.scanLine(y), first, size_t(width) * sizeof(*first));
	}
	return image;
}

/* The dots, and the space that those at the border of @box need around it. */
static QImage imageOfDots(const ChartStyle &style, const chart_scene &scene,
			  const chart_shape &shape, const QRectF &box, double ratio)
{
	const chart_point *dot = scene.points + shape.point, *end = dot + shape.points;
	const QBrush brush = brushOf(style, shape.look, shape.level, false);
	const bool round = shape.size >= ROUND_LEAST;
	const QSizeF size(shape.size, shape.size);
	QImage image((box.size() * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);

	if (image.isNull())
		return image;
	image.setDevicePixelRatio(ratio);
	image.fill(Qt::transparent);
	QPainter painter(&image);

	painter.translate(-box.topLeft());
	painter.setRenderHint(QPainter::Antialiasing, round);
	painter.setPen(Qt::NoPen);
	painter.setBrush(brush);
	for (; dot < end; dot++) {
		const QRectF at(QPointF(dot->x - shape.size / 2, dot->y - shape.size / 2), size);

		if (round)
			painter.drawEllipse(at);
		else
			painter.fillRect(at, brush);
	}
	return image;
}

static void paintDots(QPainter *painter, const ChartStyle &style, const Scene &of,
		      const chart_shape &shape, int pointed)
{
	const chart_point *dot = of.shapes().points + shape.point, *end = dot + shape.points;
	const double ratio = painter->device()->devicePixelRatioF(), size = shape.size;
	const QRectF box = QRectF(shape.x, shape.y, shape.w, shape.h)
				   .adjusted(-size, -size, size, size);

	if (of.image.isNull() || of.image.devicePixelRatio() != ratio)
		of.image = imageOfDots(style, of.shapes(), shape, box, ratio);
	painter->drawImage(box.topLeft(), of.image);
	painter->setBrush(Qt::NoBrush);
	painter->setPen(QPen(style.text, 1.5));
	painter->setRenderHint(QPainter::Antialiasing);
	for (; pointed >= 0 && dot < end; dot++)
		if (dot->item == pointed)
			painter->drawEllipse(QPointF(dot->x, dot->y), size + 1, size + 1);
	painter->setRenderHint(QPainter::Antialiasing, false);
}

/* An edge is a line, and all else is an area. */
static void paintPath(QPainter *painter, const ChartStyle &style, const chart_scene &scene,
		      const chart_shape &shape)
{
	static const QVector<qreal> dashes[] = { {}, { 3.5, 2 }, { 1, 1.5 }, { 4.5, 1.5, 1, 1.5 },
						 { 2, 1 }, { 6, 2 } };
	const QBrush brush = brushOf(style, shape.look, shape.level, false);
	const chart_point *point = scene.points + shape.point;
	QPen pen(brush.color(), 2);
	QPainterPath path;

	for (uint32_t i = 0; i < shape.points; i++, point++) {
		if (point->item == CHART_BEGIN)
			path.moveTo(point->x, point->y);
		else
			path.lineTo(point->x, point->y);
	}
	if (shape.look != CHART_CLASS_EDGE) {
		painter->fillPath(path, brush);
		return;
	}
	if (!dashes[shape.level - 1].isEmpty())
		pen.setDashPattern(dashes[shape.level - 1]);
	painter->strokePath(path, pen);
}

/* The visible part of a cell. */
static QRectF cellBox(const chart_shape &shape, int item, const QRectF &visible)
{
	const chart_cells *cells = shape.cells;
	const uint32_t row = uint32_t(item) / cells->columns;
	const chart_span &span = cells->spans[uint32_t(item) % cells->columns];
	const double place = cells->upward ? cells->rows - 1 - row : row;

	return QRectF(QRectF(span.from, shape.y + place * cells->row,
			     std::max(span.to - span.from, 1.0), cells->row)
			      .toAlignedRect())
		.intersected(visible);
}

static void paintCellFrame(QPainter *painter, const ChartStyle &style, const QRectF &cell)
{
	if (cell.isEmpty())
		return;
	painter->setBrush(Qt::NoBrush);
	for (const QPen &pen : { QPen(style.ground, 3), QPen(style.text, 1) }) {
		painter->setPen(pen);
		painter->drawRect(cell.adjusted(-0.5, -0.5, -0.5, -0.5));
	}
}

void scenePaint(QPainter *painter, const ChartStyle &style, const Scene &of, int pointed,
		int framed)
{
	const double ratio = painter->device()->devicePixelRatioF();
	const chart_scene &scene = of.shapes();
	QRectF frame, cell, clip;

	for (const chart_shape *shape = scene.shapes; shape < scene.shapes + scene.n; shape++) {
		const QRectF box(shape->x, shape->y, shape->w, shape->h);
		const QBrush brush = brushOf(style, shape->look, shape->level,
					     shape->item >= 0 && shape->item == pointed);

		painter->setPen(brush.color());
		switch (shape->kind) {
		case CHART_RECT:
			painter->fillRect(box, brush);
			break;
		case CHART_LINE:
			paintLine(painter, *shape);
			break;
		case CHART_WORDS:
			paintWords(painter, style.font, scene, *shape);
			break;
		case CHART_CELLS:
			if (of.image.isNull() || of.image.devicePixelRatio() != ratio)
				of.image = imageOfCells(style, *shape, clip, ratio);
			painter->drawImage(clip.topLeft(), of.image);
			if (pointed >= 0)
				cell = cellBox(*shape, pointed, clip);
			break;
		case CHART_PATH:
			paintPath(painter, style, scene, *shape);
			break;
		case CHART_DOTS:
			paintDots(painter, style, of, *shape, pointed);
			break;
		case CHART_AREA:
			if (shape->item == pointed)
				painter->fillRect(box, style.grid);
			if (shape->item == framed)
				frame = box;
			break;
		case CHART_CLIP:
			painter->save();
			painter->setClipRect(box);
			clip = box;
			break;
		case CHART_UNCLIP:
			painter->restore();
			break;
		}
	}
	paintCellFrame(painter, style, cell);
	if (frame.isEmpty())
		return;
	painter->setPen(style.select);
	painter->setBrush(Qt::NoBrush);
	painter->drawRect(QRectF(frame.toAlignedRect()).adjusted(0.5, 0.5, -1.5, -1.5));
}
