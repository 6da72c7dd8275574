/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compare_view.hpp - figures next to those of before: two bars for each row, and their difference
 *
 * The figures of the view are those after. The comparison is made again for each change. Two
 * charts draw it (CompareChart is their base): bars, next to a map of the difference over time.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_COMPARE_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_COMPARE_VIEW_HPP

#include <memory>

#include <QSplitter>

#include "kernelshark-plugin/charts/bars_scene.hpp"
#include "kernelshark-plugin/charts/chart_view.hpp"
#include "kernelshark-plugin/charts/heat_scene.hpp"

extern "C" {
#include "kernelshark-plugin/compare/compare.h"
}

/* Base of the charts that compare figures with those of before. */
class CompareChart : public ChartView {
	Q_OBJECT
public:
	using ChartView::ChartView;

	/* The figures before; null: none. Call it before setFigures(). */
	void setBefore(const PanelDataPtr &before);
	/* Null: there is no comparison, and emptyText() says why. */
	const compared *comparison() const { return compared_.get(); }
	QString rowLabel(uint32_t row) const;

protected:
	QString whyEmpty() const override;
	void dropMade() override;
	int itemLike(const PanelData &, int) const override { return -1; }
	/* "3.2/s, before 1.6/s: +100 %" */
	QString changeText(double before, double after) const;

private:
	PanelDataPtr before_;
	mutable std::unique_ptr<compared, void (*)(compared *)> compared_{ nullptr, compare_free };
	mutable QString why_; /* "": not tried yet */
};

/*
 * Two bars for each bucket or key. The bars are rates, because the two times differ in length.
 * Buckets are in order, from left to right; keys are from top to bottom, the largest change first.
 */
class CompareBars : public CompareChart {
	Q_OBJECT
public:
	explicit CompareBars(QWidget *parent = nullptr);

	/* The bar of a side, in viewport coordinates; empty if nothing was counted. */
	QRectF barRect(int row, int side) const { return scene_.bar(row, side); }
	int itemAt(const QPoint &at) const override { return scene_.itemAt(at); }
	QRect itemRect(int row) const override { return scene_.slot(row); }
	QString itemText(int row) const override;

protected:
	void measure() override;
	void paintChart(QPainter *painter) override;
	QString itemLine(int row) const override;
	int step(int item, int across, int down, int pages) const override
	{
		return scene_.step(item, across + down, pages);
	}
	void showItem(int row) override { scene_.show(row); }
	void dropMade() override;
	void scrollContentsBy(int dx, int dy) override;

private:
	bool upright() const { return comparison()->has_axis; }
	QString title() const;

	BarsScene scene_;
};

/*
 * Heat map of the rates after minus the rates before. The axis is the time since the begin of each
 * window. Orange is more than before, blue is less; each colour is twice the one below. Time that
 * one side did not record is hatched.
 */
class DifferenceMap : public CompareChart {
	Q_OBJECT
public:
	enum { COLUMNS = 48 };

	explicit DifferenceMap(QWidget *parent = nullptr);

	const compared_map *map() const { return map_.get(); }
	/* The compare_level() of a cell; 0 also if it is not known. */
	int level(uint32_t row, unsigned int column) const;
	QColor colour(int level) const { return look().difference(level); }
	int itemAt(const QPoint &at) const override { return scene_.itemAt(at); }
	QRect itemRect(int item) const override { return scene_.cell(item); }
	QString itemText(int item) const override;

protected:
	QString whyEmpty() const override;
	void dropMade() override;
	void measure() override;
	void paintChart(QPainter *painter) override;
	QString itemLine(int item) const override;
	int step(int item, int across, int down, int pages) const override
	{
		return scene_.step(item, across, down, pages);
	}
	void showItem(int item) override { scene_.show(item); }
	void scrollContentsBy(int dx, int dy) override;

private:
	bool isKnown(uint32_t row, unsigned int column) const;
	uint32_t rowOf(int item) const { return uint32_t(item) / COLUMNS; }
	unsigned int columnOf(int item) const { return unsigned(item) % COLUMNS; }

	mutable std::unique_ptr<compared_map, void (*)(compared_map *)> map_{ nullptr,
									      compare_free_map };
	mutable QString why_;
	HeatScene scene_;
	QVector<uint8_t> levels_; /* of CHART_CLASS_DIFFERENCE, row by row */
};

class CompareView : public QSplitter, public PanelView {
	Q_OBJECT
public:
	explicit CompareView(QWidget *parent = nullptr);

	/* Null: there is nothing to compare with. */
	void setBefore(const PanelDataPtr &before);
	bool hasBefore() const { return has_before_; }

	void setFigures(const PanelDataPtr &figures, const QString &empty) override;
	void setLog(bool log) override { bars_->setLog(log); }
	bool isLog() const override { return bars_->isLog(); }
	QByteArray csv() const override;

private:
	CompareBars *bars_;
	DifferenceMap *map_;
	bool has_before_ = false;
};

#endif
