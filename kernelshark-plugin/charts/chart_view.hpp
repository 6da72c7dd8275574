/* SPDX-License-Identifier: GPL-2.0 */
/*
 * chart_view.hpp - base class of the painted views
 *
 * A view shows figures (panel_data.h), which never change, or a sentence why they are
 * not available. An item is a numbered part of the chart, such as a bar or a cell. A
 * line above the chart describes the item under the mouse, otherwise the item selected
 * by keys. Tool tips contain the full description.
 *
 * Invariant: item numbers are valid for figures(). Only setFigures() replaces the
 * figures. It changes the selected item to the item with the same key and time, or to
 * none, and drops all other data derived from the old figures.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_CHART_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_CHART_VIEW_HPP

#include <QAbstractScrollArea>

#include "kernelshark-plugin/charts/chart_style.hpp"
#include "kernelshark-plugin/charts/panel_view.hpp"

class ChartView : public QAbstractScrollArea, public PanelView {
	Q_OBJECT
public:
	explicit ChartView(QWidget *parent = nullptr);

	void setFigures(const PanelDataPtr &figures, const QString &empty) override;
	const PanelDataPtr &figures() const { return figures_; }
	/* The sentence shown instead of a chart; "" if there is a chart. */
	QString emptyText() const;
	bool hasChart() const { return figures_ && whyEmpty().isEmpty(); }

	void setLog(bool log) override;
	bool isLog() const override { return log_; }

	/* All in viewport coordinates; -1 and an empty rectangle if there is no item. */
	Q_INVOKABLE virtual int itemAt(const QPoint &at) const = 0;
	Q_INVOKABLE virtual QRect itemRect(int item) const = 0;
	/* Full description, several lines. */
	Q_INVOKABLE virtual QString itemText(int item) const = 0;

	int current() const { return current_; }
	/* Select an item, as keys do, and scroll to it. */
	void setCurrent(int item);

	/* Paint the visible part with @painter at 0, 0; for image files. */
	void paintInto(QPainter *painter);

signals:
	/* The user clicked an item, or pressed Enter on it. */
	void activated(int item);
	/* The user wants the context menu of an item; @at: global. */
	void menuWanted(int item, const QPoint &at);

protected:
	/* Compute the layout after a change of figures, size, font, palette or scale. */
	virtual void measure() = 0;
	/* Why these figures do not give a chart; "" if they do. */
	virtual QString whyEmpty() const = 0;
	virtual void paintChart(QPainter *painter) = 0;
	/* Description of an item in one line. */
	virtual QString itemLine(int item) const = 0;
	/* Implements itemNow() if isLike() and both have charts. */
	virtual int itemLike(const PanelData &old, int item) const = 0;
	/* The figures have changed: drop the data derived from the old figures. */
	virtual void dropMade() {}
	/* What the chart shows has changed without new figures: no item is selected. */
	void resetItems();
	/*
	 * The item that is @across items to the right of @item and @down items and @pages pages
	 * below.
	 */
	virtual int step(int item, int across, int down, int pages) const = 0;
	virtual void showItem(int item) = 0;
	/* The global place of a tool tip with @words; @mouse: in the viewport. */
	virtual QPoint tipAt(const QPoint &mouse, const QString &words) const;

	/*
	 * The line above the chart: a title, and the pointed item; @right: width
	 * reserved at the right.
	 */
	void paintStrip(QPainter *painter, const QString &title, const QString &more, int right);
	int stripHeight() const;
	/* True if @old are figures of the same histogram as figures(). */
	bool isLike(const PanelDataPtr &old) const;
	/* The item of figures() with the key and time of @item in @old; -1: none. */
	int itemNow(const PanelDataPtr &old, int item) const;
	/* The item under the mouse, or the selected item if the view has the focus. */
	int pointed() const;
	const ChartStyle &look() const { return style_; }
	/* Title of the displayed value: "hitcount", "lat (us)". */
	QString valueTitle() const;
	QString keyTitle(int key) const;

	bool viewportEvent(QEvent *event) override;
	void paintEvent(QPaintEvent *event) override;
	void resizeEvent(QResizeEvent *event) override;
	void changeEvent(QEvent *event) override;
	void mousePressEvent(QMouseEvent *event) override;
	void mouseMoveEvent(QMouseEvent *event) override;
	void mouseReleaseEvent(QMouseEvent *event) override;
	void keyPressEvent(QKeyEvent *event) override;
	void contextMenuEvent(QContextMenuEvent *event) override;
	void focusInEvent(QFocusEvent *event) override;
	void focusOutEvent(QFocusEvent *event) override;
	void scrollContentsBy(int dx, int dy) override;

	QPoint mouse_{ -1, -1 };
	int hover_ = -1;

private:
	void remeasure();
	void describeCurrent();

	PanelDataPtr figures_;
	QString empty_;
	ChartStyle style_;
	bool log_ = false;
	int current_ = -1;
	int pressed_ = -1;
};

#endif
