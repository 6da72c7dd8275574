// SPDX-License-Identifier: GPL-2.0
/* scene_paint.cpp - paint a scene with Qt */
#include <cmath>

#include "kernelshark-plugin/charts/scene_paint.hpp"

chart_font sceneFont(const QFontMetricsF *font)
{
	return { measureText, const_cast<QFontMetricsF *>(font), std::round(font->height()) };
}

static QBrush brushOf(const ChartStyle &s, chart_class look, bool pointed)
{
	switch (look) {
	case CHART_CLASS_PLOT:
		return s.plot;
	case CHART_CLASS_GRID:
		return s.grid;
	case CHART_CLASS_AXIS:
		return s.axis;
	case CHART_CLASS_BAR:
		return pointed ? s.barHover : s.bar;
	case CHART_CLASS_BEFORE:
		return s.before;
	case CHART_CLASS_GAP:
		return QBrush(s.grid, Qt::BDiagPattern);
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

static void paintWords(QPainter *painter, const QFontMetricsF &metrics, const chart_scene &scene,
		       const chart_shape &shape)
{
	const QStringList lines =
		QString::fromUtf8(chart_scene_text(&scene, shape.words)).split(QLatin1Char('\n'));
	double y = shape.y;

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

void scenePaint(QPainter *painter, const ChartStyle &style, const chart_scene &scene, int pointed,
		int framed)
{
	const QFontMetricsF metrics(style.font);
	QRectF frame;

	painter->setFont(style.font);
	for (const chart_shape *shape = scene.shapes; shape < scene.shapes + scene.n; shape++) {
		const QRectF box(shape->x, shape->y, shape->w, shape->h);
		const QBrush brush =
			brushOf(style, shape->look, shape->item >= 0 && shape->item == pointed);

		painter->setPen(brush.color());
		switch (shape->kind) {
		case CHART_RECT:
			painter->fillRect(box, brush);
			break;
		case CHART_LINE:
			paintLine(painter, *shape);
			break;
		case CHART_WORDS:
			paintWords(painter, metrics, scene, *shape);
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
			break;
		case CHART_UNCLIP:
			painter->restore();
			break;
		}
	}
	if (frame.isEmpty())
		return;
	painter->setPen(style.select);
	painter->setBrush(Qt::NoBrush);
	painter->drawRect(QRectF(frame.toAlignedRect()).adjusted(0.5, 0.5, -1.5, -1.5));
}
