/* SPDX-License-Identifier: GPL-2.0 */
/*
 * chart_style.hpp - the colours and fonts of the charts, light and dark
 *
 * Data colours are those of lib/chart/palette.h, so that charts in the panel and in
 * reports look alike. Backgrounds and texts follow the palette of the program. The
 * brightness of its background selects the light or the dark set.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_CHART_STYLE_HPP
#define KERNELSHARK_PLUGIN_CHARTS_CHART_STYLE_HPP

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QPalette>
#include <QStringList>

#include "kernelshark-plugin/model/model.hpp"

extern "C" {
#include "lib/chart/palette.h"
#include "lib/chart/scale.h"
}

class QMouseEvent;
class QWidget;

struct ChartStyle {
	enum { HEAT_LEVELS = CHART_HEAT_LEVELS + 1, QUANTILES = CHART_QUANTILES };

	explicit ChartStyle(const QWidget *of);

	bool dark;
	QColor ground;	/* background around a chart */
	QColor plot;	/* background of the plot; in a heat map: zero hits */
	QColor unknown; /* time without snapshots */
	QColor grid, axis, text, muted;
	QColor bar, barHover, before, warn, mark, select;
	QColor quantile[QUANTILES];
	QFont font, title, fixed;

	/*
	 * The colour of a hist_heat_level() from 1 to HEAT_LEVELS - 1; level 0 is the
	 * background of the plot.
	 */
	QColor heat(unsigned int level) const;
	/*
	 * The colour of a compare_level() from -DIFFERENCE_LEVELS to DIFFERENCE_LEVELS: blue
	 * for less, orange for more, which the colour-blind can tell apart, and the same
	 * lightness for the same size. 0 is the background of the plot.
	 */
	enum { DIFFERENCE_LEVELS = CHART_DIFFERENCE_LEVELS };
	QColor difference(int level) const;
	/* The text colour for a background of any colour. */
	static QColor on(const QColor &ground);

private:
	QColor data(chart_colour first, int number = 0) const;
};

/* For loops over ticks. */
inline const double *begin(const chart_ticks &ticks) { return ticks.at; }
inline const double *end(const chart_ticks &ticks) { return ticks.at + ticks.n; }

/* Draw one line of text; long text has an ellipsis in the middle. */
void drawElided(QPainter *painter, const QRectF &where, int flags, const QString &text);
/* A hist_cut_measure (lib/label/cut.h); @metrics: a QFontMetricsF. */
double measureText(void *metrics, const char *text, size_t len);
/* The labels, cut to @width (lib/label/cut.h). */
QStringList cutLabels(const QStringList &labels, const QFont &font, double width);

/* The mouse position, for Qt 5 and 6. */
QPointF mousePosition(const QMouseEvent *event);

#endif
