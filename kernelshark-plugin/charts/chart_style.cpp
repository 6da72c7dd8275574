// SPDX-License-Identifier: GPL-2.0
/* chart_style.cpp - the colours and fonts of the charts, light and dark */
#include <QFontDatabase>
#include <QMouseEvent>
#include <QWidget>
#include <QtGlobal>

#include "kernelshark-plugin/charts/chart_style.hpp"

/* chart.css: .h1 to .h9, .q0 to .q5 */
static const QRgb heat_light[] = { 0xd3e9f3, 0xaed9e8, 0x82c3da, 0x54a8cc, 0x3488b8,
				   0x28689f, 0x264a84, 0x252f62, 0x1a173d };
static const QRgb heat_dark[] = { 0x1d3644, 0x1d4c5f, 0x1f6577, 0x2a8090, 0x469ca1,
				  0x6fb8ae, 0x9dd1b7, 0xcde8c3, 0xfbfbd6 };
static const QRgb quantile_light[] = { 0x2d6fb0, 0xc76a00, 0xb3265f, 0x5b3fb5, 0x1d8049, 0x59636e };
static const QRgb quantile_dark[] = { 0x5aa2e0, 0xf0a040, 0xf07aa8, 0xab97f5, 0x5fd093, 0xb4bec8 };

/* Mix @a with @part of @b. */
static QColor blend(const QColor &a, const QColor &b, qreal part)
{
	return QColor::fromRgbF(a.redF() + (b.redF() - a.redF()) * part,
				a.greenF() + (b.greenF() - a.greenF()) * part,
				a.blueF() + (b.blueF() - a.blueF()) * part);
}

ChartStyle::ChartStyle(const QWidget *of)
{
	const QPalette palette = of->palette();
	unsigned int i;

	ground = palette.color(QPalette::Base);
	text = palette.color(QPalette::Text);
	dark = ground.lightness() < 128;
	plot = blend(ground, text, dark ? 0.045 : 0.04);
	unknown = blend(ground, text, dark ? 0.13 : 0.11);
	grid = blend(ground, text, dark ? 0.16 : 0.13);
	axis = blend(ground, text, 0.45);
	muted = blend(ground, text, 0.66);
	bar = QColor(dark ? 0x5aa2e0 : 0x2d6fb0);
	barHover = QColor(dark ? 0x8cc1ef : 0x1b4f85);
	warn = QColor(dark ? 0xff9d6b : 0xa3330a);
	mark = QColor(dark ? 0xff8a4c : 0xd9480f);
	select = palette.color(QPalette::Highlight);
	for (i = 0; i < QUANTILES; i++)
		quantile[i] = QColor(dark ? quantile_dark[i] : quantile_light[i]);
	font = of->font();
	title = font;
	title.setBold(true);
	fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
	if (font.pointSizeF() > 0)
		fixed.setPointSizeF(font.pointSizeF());
	else
		fixed.setPixelSize(font.pixelSize());
}

QColor ChartStyle::heat(unsigned int level) const
{
	if (!level)
		return plot;
	if (level >= HEAT_LEVELS)
		level = HEAT_LEVELS - 1;
	return QColor(dark ? heat_dark[level - 1] : heat_light[level - 1]);
}

QColor ChartStyle::on(const QColor &ground)
{
	return ground.lightness() < 140 ? QColor(Qt::white) : QColor(Qt::black);
}

void drawElided(QPainter *painter, const QRectF &where, int flags, const QString &text)
{
	const QFontMetricsF metrics(painter->font());

	painter->drawText(where, flags | Qt::TextSingleLine,
			  metrics.elidedText(text, Qt::ElideMiddle, where.width() + 1));
}

QPointF mousePosition(const QMouseEvent *event)
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 0, 0)
	return event->position();
#else
	return event->localPos();
#endif
}
