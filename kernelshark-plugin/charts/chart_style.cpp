// SPDX-License-Identifier: GPL-2.0
/* chart_style.cpp - the colours and fonts of the charts, light and dark */
#include <QFontDatabase>
#include <QHash>
#include <QMouseEvent>
#include <QWidget>
#include <QtGlobal>

#include "kernelshark-plugin/charts/chart_style.hpp"

/* chart.css: .h1 to .h9, .q0 to .q5 */
/*
 * One hue range, from blue-green to blue or to yellow, with equal steps of lightness (CIE
 * L*). Therefore the levels are in order for the colour-blind, and on grey. The lowest
 * level has a contrast ratio of at least 2:1 against the background of the plot.
 */
static const QRgb heat_light[] = { 0x67b3d2, 0x4b9fc6, 0x368ab9, 0x2d75a9, 0x276098,
				   0x264c86, 0x25396e, 0x212756, 0x1a173d };
static const QRgb heat_dark[] = { 0x236f80, 0x2c8291, 0x3f959d, 0x56a7a6, 0x72baaf,
				   0x92cbb5, 0xb3dcbd, 0xd6ecc7, 0xfbfbd6 };
/* Less and more: equal steps of lightness, with at least 2:1 to the background of the plot. */
static const QRgb less_light[] = { 0x7fa8d1, 0x5a8fc4, 0x3a74b0, 0x245892, 0x123c6d };
static const QRgb less_dark[] = { 0x35618f, 0x4a7fb5, 0x69a0d6, 0x95c0ec, 0xc8e0f9 };
static const QRgb more_light[] = { 0xd6955c, 0xc67a37, 0xab5f1c, 0x874609, 0x5e2f03 };
static const QRgb more_dark[] = { 0x8a5426, 0xb06f34, 0xd68f4e, 0xf0b47d, 0xfbdcbd };
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
	before = QColor(dark ? 0x9aa7b4 : 0x8a95a1);
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

QColor ChartStyle::difference(int level) const
{
	const int size = qMin(qAbs(level), int(DIFFERENCE_LEVELS));

	if (!size)
		return plot;
	if (level < 0)
		return QColor(dark ? less_dark[size - 1] : less_light[size - 1]);
	return QColor(dark ? more_dark[size - 1] : more_light[size - 1]);
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

/* The length of the text with which all labels of @group begin. */
static int sameLength(const QStringList &labels, const QVector<int> &group)
{
	const QString &first = labels[group[0]];
	int same = first.size(), i;

	for (int one : group) {
		for (i = 0; i < same && i < labels[one].size() && labels[one][i] == first[i];)
			i++;
		same = i;
	}
	return same;
}

/* The begin of @label, the text after the first @same letters, and @end. */
static QString cutFrom(const QString &label, int same, const QString &end, const QFontMetricsF &metrics, double width)
{
	const QString begin = metrics.elidedText(label.left(same), Qt::ElideRight, width / 3);

	width -= metrics.horizontalAdvance(begin) + metrics.horizontalAdvance(end);
	return begin + metrics.elidedText(label.mid(same), Qt::ElideRight, width) + end;
}

QStringList cutLabels(const QStringList &labels, const QFont &font, double width)
{
	enum { ROUNDS = 5 }; /* in the last one, labels get numbers */
	const QFontMetricsF metrics(font);
	QStringList texts;

	for (const QString &label : labels)
		texts << metrics.elidedText(label, Qt::ElideMiddle, width);
	for (int round = 1; round <= ROUNDS; round++) {
		QHash<QString, QVector<int>> groups;

		for (int i = 0; i < texts.size(); i++)
			groups[texts[i]] << i;
		for (const QVector<int> &group : groups) {
			const int same = sameLength(labels, group);
			bool differ = false;

			for (int i : group)
				differ |= labels[i] != labels[group[0]];
			for (int i : group)
				if (differ)
					texts[i] = cutFrom(labels[i], same, round < ROUNDS ? QString() :
							   QStringLiteral(" #%1").arg(labels.indexOf(labels[i]) + 1),
							   metrics, width);
		}
	}
	return texts;
}

QPointF mousePosition(const QMouseEvent *event)
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 0, 0)
	return event->position();
#else
	return event->localPos();
#endif
}
