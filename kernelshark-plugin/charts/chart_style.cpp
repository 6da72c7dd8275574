// SPDX-License-Identifier: GPL-2.0
/* chart_style.cpp - the colours and fonts of the charts, light and dark */
#include <QFontDatabase>
#include <QHash>
#include <QMouseEvent>
#include <QWidget>
#include <QtGlobal>

#include "kernelshark-plugin/charts/chart_style.hpp"

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
	bar = data(CHART_BAR);
	barHover = data(CHART_POINTED);
	before = data(CHART_BEFORE);
	warn = data(CHART_WARN);
	mark = data(CHART_MARK);
	select = palette.color(QPalette::Highlight);
	for (i = 0; i < QUANTILES; i++)
		quantile[i] = data(CHART_QUANTILE1, int(i));
	font = of->font();
	title = font;
	title.setBold(true);
	fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
	if (font.pointSizeF() > 0)
		fixed.setPointSizeF(font.pointSizeF());
	else
		fixed.setPixelSize(font.pixelSize());
}

QColor ChartStyle::data(chart_colour first, int number) const
{
	return QColor(QRgb(chart_palette_rgb(chart_colour(first + number), dark)));
}

QColor ChartStyle::heat(unsigned int level) const
{
	if (!level)
		return plot;
	if (level >= HEAT_LEVELS)
		level = HEAT_LEVELS - 1;
	return data(CHART_HEAT1, int(level) - 1);
}

QColor ChartStyle::difference(int level) const
{
	const int size = qMin(qAbs(level), int(DIFFERENCE_LEVELS));

	if (!size)
		return plot;
	return data(level < 0 ? CHART_LESS1 : CHART_MORE1, size - 1);
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
