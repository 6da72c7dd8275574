/* SPDX-License-Identifier: GPL-2.0 */
/*
 * difference_map.hpp - heat map of the rates after minus the rates before
 *
 * The axis is the time since the begin of each window. Orange is more than before, blue is
 * less; each colour is twice the one below. Time that one side did not record is hatched.
 */
#ifndef KERNELSHARK_PLUGIN_DIFFERENCES_DIFFERENCE_MAP_HPP
#define KERNELSHARK_PLUGIN_DIFFERENCES_DIFFERENCE_MAP_HPP

#include "kernelshark-plugin/charts/heat_scene.hpp"
#include "kernelshark-plugin/differences/compare_chart.hpp"

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

#endif
