/* SPDX-License-Identifier: GPL-2.0 */
/*
 * chart_style.hpp - the colours and fonts of the charts, in light and in dark
 *
 * Colours of data are those of lib/report/html/chart.css, so that a chart in the panel
 * and one in a report look alike; the grounds and texts follow the palette of the
 * program, and which of the two sets is taken follows its background.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_CHART_STYLE_HPP
#define KERNELSHARK_PLUGIN_CHARTS_CHART_STYLE_HPP

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QPalette>

class QHelpEvent;
class QMouseEvent;
class QWidget;

struct ChartStyle {
	enum { HEAT_LEVELS = 10, QUANTILES = 6 };

	explicit ChartStyle(const QWidget *of);

	bool dark;
	QColor ground;	/* around a chart */
	QColor plot;	/* where data is drawn; in a heat map: nothing was counted */
	QColor unknown; /* no snapshots tell of it */
	QColor grid, axis, text, muted;
	QColor bar, barHover, warn, mark, select;
	QColor quantile[QUANTILES];
	QFont font, title, fixed;

	/* Of hist_heat_level(), 1 to HEAT_LEVELS - 1; 0 is the plot's ground. */
	QColor heat(unsigned int level) const;
	/* Text on a ground of any colour. */
	static QColor on(const QColor &ground);
};

/* One line, cut with an ellipsis in the middle where it is too long. */
void drawElided(QPainter *painter, const QRectF &where, int flags, const QString &text);

/* Where the mouse is, in Qt 5 and 6. */
QPointF mousePosition(const QMouseEvent *event);

#endif
