/* SPDX-License-Identifier: GPL-2.0 */
/*
 * heatmap_view.hpp - what was counted over an axis (or by key) and time, as colours
 *
 * A column is as wide as its time is long, and where the panel says where the graph
 * lies, columns stand exactly below the events of their time.  A colour is a rate, so
 * that columns of different length compare.  Time without snapshots is hatched, which is
 * something else than time in which nothing was counted.  A strip above the map tells of columns
 * in which something was lost.
 *
 * Times in signals are ns on the graph's axis.  Items are cells: row * columns + column,
 * as in struct hist_heatmap.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_HEATMAP_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_HEATMAP_VIEW_HPP

#include <QImage>

#include "kernelshark-plugin/charts/chart_view.hpp"

extern "C" {
#include "lib/heatmap/heat_scale.h"
}

class HeatmapView : public ChartView {
	Q_OBJECT
public:
	explicit HeatmapView(QWidget *parent = nullptr);

	/*
	 * The stretch of time that the map spans, on the graph's axis, @offset being what
	 * is added to the times of the file.  from == to: that of the figures.
	 */
	void setTime(qint64 from, qint64 to, qint64 offset);
	/* The pixels of the viewport where that time lies; left == right: own margins. */
	void setSpan(int left, int right);
	/* Whether columns end with snapshots that can be shown one by one; as ever they do. */
	void setSnapshots(bool are) { snapshots_ = are; }

	const hist_heatmap *map() const;
	/* hist_heat_level() of a cell by the scale that is chosen; what its colour is. */
	unsigned int level(uint32_t row, unsigned int column) const;
	const hist_heat &heat() const { return heat_; }
	QColor colour(unsigned int level) const { return look().heat(level); }
	QRect plot() const { return plot_; }
	/* The pixel of a time of the graph's axis, and the other way round. */
	double xOf(qint64 time) const;
	qint64 timeOf(double x) const;
	/* What the column covers, on the graph's axis. */
	void columnTime(unsigned int column, qint64 *from, qint64 *to) const;

	int itemAt(const QPoint &at) const override;
	QRect itemRect(int item) const override;
	QString itemText(int item) const override;

signals:
	void zoomWanted(qint64 from, qint64 to);
	void goToWanted(qint64 time);
	/* activated(): the events behind a cell's row are wanted, by menu or the key E. */
	/* The snapshot at the end of a column: a time of the file. */
	void snapshotWanted(quint64 time);

protected:
	void measure() override;
	QString whyEmpty() const override;
	void paintChart(QPainter *painter) override;
	QString itemLine(int item) const override;
	int itemLike(const Figures &old, int item) const override;
	void dropMade() override;
	int step(int item, int key) const override;
	void showItem(int item) override;

	void mousePressEvent(QMouseEvent *event) override;
	void mouseMoveEvent(QMouseEvent *event) override;
	void mouseReleaseEvent(QMouseEvent *event) override;
	void mouseDoubleClickEvent(QMouseEvent *event) override;
	void keyPressEvent(QKeyEvent *event) override;
	void contextMenuEvent(QContextMenuEvent *event) override;
	void scrollContentsBy(int dx, int dy) override;

private:
	void makeLevels();
	void makeImage();
	int measureLabels() const;
	QString rowLabel(uint32_t row) const;
	int rowTop(uint32_t row) const;
	double fileX(uint64_t time) const;
	void paintLegend(QPainter *painter, int width);
	int legendWidth() const;
	void paintLosses(QPainter *painter);
	QFont rowFont(int width) const;
	void paintRowLabels(QPainter *painter);
	void paintTimes(QPainter *painter);
	void paintCross(QPainter *painter);
	void paintBand(QPainter *painter);
	void stopBand();
	/* The first column that ends after a time of the file; ncolumns: none does. */
	unsigned int columnAfter(qint64 time) const;
	int itemRow(int item) const { return item / int(map()->ncolumns); }
	int itemColumn(int item) const { return item % int(map()->ncolumns); }

	qint64 from_ = 0, to_ = 0, offset_ = 0; /* as told */
	qint64 begin_ = 0, end_ = 1;		/* what is shown */
	int left_ = 0, right_ = 0;
	QRect plot_;
	double row_ = 1; /* height of a row */
	hist_heat heat_ = {};
	QVector<uint8_t> levels_; /* row after row */
	QImage image_;		  /* the plot; made when it is painted next */
	bool levels_log_ = false; /* the scale of the levels */
	/* While the mouse selects.  Times, as the graph may move meanwhile. */
	int press_ = -1; /* the pixel where it began */
	qint64 band_from_ = 0, band_to_ = 0;
	bool banding_ = false, snapshots_ = true;
};

#endif
