// SPDX-License-Identifier: GPL-2.0
/* chart_style.cpp - the colours and fonts of the charts, light and dark */
#include <QFontDatabase>
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

double measureText(void *metrics, const char *text, size_t len)
{
	return static_cast<const QFontMetricsF *>(metrics)->horizontalAdvance(
		QString::fromUtf8(text, int(len)));
}

QStringList cutLabels(const QStringList &labels, const QFont &font, double width)
{
	QFontMetricsF metrics(font);
	QStringList texts;
	hist_cut cut;

	hist_cut_init(&cut, measureText, &metrics, HIST_CUT_MARK);
	for (const QString &label : labels) {
		QByteArray bytes = label.toUtf8();
		hist_strbuf text = {};

		text.data = bytes.data();
		text.len = size_t(bytes.size());
		hist_cut_add(&cut, &text);
	}
	if (hist_cut_fit(&cut, width))
		texts = labels;
	else
		for (uint32_t i = 0; i < cut.n; i++)
			texts << QString::fromUtf8(hist_cut_text(&cut, i));
	hist_cut_free(&cut);
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
