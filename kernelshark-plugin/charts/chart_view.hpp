/* SPDX-License-Identifier: GPL-2.0 */
/*
 * chart_view.hpp - what the painted views have in common
 *
 * A view shows figures (panel_data.h) that never change, or a sentence why there are
 * none.  What can be pointed at is an item, by number: a bar, a cell.  The one under
 * the mouse, or else the one chosen by keys, is told in a line above the chart; tool
 * tips say the same in full.
 *
 * Invariant: numbers of items are of figures().  Figures are replaced in setFigures() alone.
 * There the chosen item becomes the item with the same key and time, or none; what else was
 * made of the old figures is dropped.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_CHART_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_CHART_VIEW_HPP

#include <QAbstractScrollArea>

#include "kernelshark-plugin/charts/chart_style.hpp"
#include "kernelshark-plugin/work/data_worker.hpp"

class ChartView : public QAbstractScrollArea {
	Q_OBJECT
public:
	explicit ChartView(QWidget *parent = nullptr);

	/* Null: show the sentence @empty. */
	void setFigures(const FiguresPtr &figures, const QString &empty);
	const FiguresPtr &figures() const { return figures_; }
	/* The sentence that is shown instead of a chart; "" where there is a chart. */
	QString emptyText() const;
	bool hasChart() const { return figures_ && whyEmpty().isEmpty(); }

	void setLog(bool log);
	bool isLog() const { return log_; }

	/* All in coordinates of the viewport; -1 and an empty rectangle where there is none. */
	Q_INVOKABLE virtual int itemAt(const QPoint &at) const = 0;
	Q_INVOKABLE virtual QRect itemRect(int item) const = 0;
	/* In full, several lines. */
	Q_INVOKABLE virtual QString itemText(int item) const = 0;

	int current() const { return current_; }
	/* Choose an item, as keys do; scrolls to it. */
	void setCurrent(int item);

	/* What is seen, into @painter at 0, 0; for pictures. */
	void paintInto(QPainter *painter);

signals:
	/* An item was clicked, or Enter pressed on it. */
	void activated(int item);

protected:
	/* Figures, size, font, palette or scale are others: measure anew. */
	virtual void measure() = 0;
	/* Why these figures give no chart; "" where they do. */
	virtual QString whyEmpty() const = 0;
	virtual void paintChart(QPainter *painter) = 0;
	/* One line about an item. */
	virtual QString itemLine(int item) const = 0;
	/* itemNow() where isLike(), and both have charts. */
	virtual int itemLike(const Figures &old, int item) const = 0;
	/* The figures are others: drop what was made of them. */
	virtual void dropMade() {}
	/* The item that a key of the keyboard leads to from @item. */
	virtual int step(int item, int key) const = 0;
	virtual void showItem(int item) = 0;

	/* The line above the chart: a title, and what is pointed at; @right: room taken there. */
	void paintStrip(QPainter *painter, const QString &title, const QString &more, int right);
	int stripHeight() const;
	/* @old are figures of the same histogram as figures(). */
	bool isLike(const FiguresPtr &old) const;
	/* What @item of @old is in figures(), by its key and time; -1: nothing. */
	int itemNow(const FiguresPtr &old, int item) const;
	/* Under the mouse, or chosen while the view has the focus. */
	int pointed() const;
	const ChartStyle &look() const { return style_; }
	/* The value that is shown: "hitcount", "lat (us)". */
	QString valueTitle() const;
	QString keyTitle(int key) const;
	uint64_t wholeTotal() const;

	bool viewportEvent(QEvent *event) override;
	void paintEvent(QPaintEvent *event) override;
	void resizeEvent(QResizeEvent *event) override;
	void changeEvent(QEvent *event) override;
	void mousePressEvent(QMouseEvent *event) override;
	void mouseMoveEvent(QMouseEvent *event) override;
	void mouseReleaseEvent(QMouseEvent *event) override;
	void keyPressEvent(QKeyEvent *event) override;
	void focusInEvent(QFocusEvent *event) override;
	void focusOutEvent(QFocusEvent *event) override;
	void scrollContentsBy(int dx, int dy) override;

	QPoint mouse_{ -1, -1 };
	int hover_ = -1;

private:
	void remeasure();
	void describeCurrent();

	FiguresPtr figures_;
	QString empty_;
	ChartStyle style_;
	bool log_ = false;
	int current_ = -1;
	int pressed_ = -1;
};

#endif
