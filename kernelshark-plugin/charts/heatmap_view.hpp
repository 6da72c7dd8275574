/* SPDX-License-Identifier: GPL-2.0 */
/*
 * heatmap_view.hpp - heat map: hits over an axis (or by key) and time
 *
 * The width of a column is proportional to its duration. If the panel knows the
 * position of the graph, the columns are exactly below the events of the same time. A
 * colour is a rate, so that columns of different duration are comparable. Time without
 * snapshots is hatched; it differs from time with zero hits. A strip above the map
 * marks columns with losses.
 *
 * Times in signals are in ns on the graph's time axis. Items are cells: row * columns +
 * column, as in struct hist_heatmap.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_HEATMAP_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_HEATMAP_VIEW_HPP

#include "kernelshark-plugin/charts/chart_view.hpp"
#include "kernelshark-plugin/charts/heat_scene.hpp"
#include "kernelshark-plugin/charts/time_axis.hpp"

class HeatmapView : public ChartView {
	Q_OBJECT
public:
	explicit HeatmapView(QWidget *parent = nullptr);

	/*
	 * Set the time range of the map, on the graph's time axis. @offset is added to
	 * the times of the file. from == to: the range of the figures. @left and @right
	 * are the viewport pixels of this range; left == right: the view's own margins.
	 */
	void setTime(qint64 from, qint64 to, qint64 offset, int left = 0, int right = 0);
	/*
	 * Set whether columns end at snapshots that can be shown individually; the
	 * default is true.
	 */
	void setSnapshots(bool are) { snapshots_ = are; }

	/* Set whether a double click on a cell wants its longest latency; the default is false. */
	void setLatencies(bool are) { latencies_ = are; }

	/* Set the markers A and B to draw, on the graph's time axis; not @are: none. */
	void setMarkers(bool are, qint64 a, qint64 b);

	/* A line for each cell that counted something, row by row from the top. */
	QByteArray csv() const override;

	const hist_heatmap *map() const;
	/* The hist_heat_level() of a cell with the current scale; it selects the colour. */
	unsigned int level(uint32_t row, unsigned int column) const;
	const hist_heat &heat() const { return heat_; }
	QColor colour(unsigned int level) const { return look().heat(level); }
	QRect plot() const { return scene_.plot(); }
	/* Convert between a time on the graph's time axis and a pixel. */
	double xOf(qint64 time) const;
	qint64 timeOf(double x) const;
	/* The time range of a column, on the graph's time axis. */
	void columnTime(unsigned int column, qint64 *from, qint64 *to) const;

	int itemAt(const QPoint &at) const override { return scene_.itemAt(at); }
	QRect itemRect(int item) const override { return scene_.cell(item); }
	QString itemText(int item) const override;

signals:
	void zoomWanted(qint64 from, qint64 to);
	void goToWanted(qint64 time);
	/* Go to the longest latency of a cell. */
	void slowestWanted(int item);
	/* The mouse is at a time of the map; not @in: it is elsewhere. */
	void timePointed(bool in, qint64 time);
	/* The user clicked a cell. */
	void chosen(int item);
	/* activated(): show the events of a cell's row; from the menu or key E. */
	/* Show the snapshot at the end of a column: a time of the file. */
	void snapshotWanted(quint64 time);

protected:
	void measure() override;
	QString whyEmpty() const override;
	void paintChart(QPainter *painter) override;
	QString itemLine(int item) const override;
	int itemLike(const PanelData &old, int item) const override;
	void dropMade() override;
	int step(int item, int across, int down, int pages) const override
	{
		return scene_.step(item, across, down, pages);
	}
	void showItem(int item) override { scene_.show(item); }

	bool viewportEvent(QEvent *event) override;
	QPoint tipAt(const QPoint &mouse, const QString &words) const override;
	void mousePressEvent(QMouseEvent *event) override;
	void mouseMoveEvent(QMouseEvent *event) override;
	void mouseReleaseEvent(QMouseEvent *event) override;
	void mouseDoubleClickEvent(QMouseEvent *event) override;
	void keyPressEvent(QKeyEvent *event) override;
	void contextMenuEvent(QContextMenuEvent *event) override;
	void scrollContentsBy(int dx, int dy) override;

private:
	void makeLevels();
	void setFigureFunctions();
	QString rowLabel(uint32_t row) const;
	void putBriefLabel(uint32_t row, hist_strbuf *b) const;
	void putLevel(unsigned int level, hist_strbuf *b) const;
	TimeAxis timeAxis() const { return { plot(), begin_, end_, map()->ns }; }
	void paintCross(QPainter *painter);
	void paintBand(QPainter *painter);
	void stopBand();
	void sayPointed();
	void wantItem(int item);
	/* The first column that ends after a time of the file; ncolumns: none. */
	unsigned int columnAfter(qint64 time) const;
	int itemRow(int item) const { return item / int(map()->ncolumns); }
	int itemColumn(int item) const { return item % int(map()->ncolumns); }

	qint64 from_ = 0, to_ = 0, offset_ = 0; /* as set by setTime() */
	qint64 begin_ = 0, end_ = 1;		/* the displayed range */
	int left_ = 0, right_ = 0;
	HeatScene scene_;
	QByteArray legend_title_;
	hist_heat heat_ = {};
	QVector<uint8_t> levels_; /* row by row */
	bool levels_log_ = false; /* the scale of levels_ */
	/* Selection by mouse. Stores times, because the graph may move during the selection. */
	int press_ = -1; /* the first pixel of the selection */
	qint64 band_from_ = 0, band_to_ = 0;
	bool banding_ = false, snapshots_ = true;
	bool latencies_ = false, has_markers_ = false, pointing_ = false;
	qint64 marker_[2] = { 0, 0 };
};

#endif
