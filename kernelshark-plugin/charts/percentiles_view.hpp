/* SPDX-License-Identifier: GPL-2.0 */
/*
 * percentiles_view.hpp - table and box chart of the percentiles of each group
 *
 * Each group has a row. A percentile of bucketed data is known only as a bucket, so it
 * is shown as an interval: as text in a separate column, and as a box on an axis common
 * to all rows. Each percentile has a lane with its own colour.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_PERCENTILES_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_PERCENTILES_VIEW_HPP

#include <vector>

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QStyledItemDelegate>

#include "kernelshark-plugin/charts/chart_scale.hpp"
#include "kernelshark-plugin/charts/chart_style.hpp"
#include "kernelshark-plugin/charts/table_view.hpp"

extern "C" {
#include "lib/analysis/percentiles.h"
#include "lib/label/unit.h"
}

class PercentilesModel : public QAbstractTableModel {
	Q_OBJECT
public:
	enum Column { Group, Count, Share, Mean, Least, FirstQuantile };

	using QAbstractTableModel::QAbstractTableModel;

	void setFigures(const PanelDataPtr &figures);
	const PanelDataPtr &figures() const { return figures_; }
	int quantiles() const;
	uint32_t quantile(int i) const; /* in millionths */
	int mostColumn() const { return FirstQuantile + quantiles(); }
	int chartColumn() const { return mostColumn() + 1; }
	const struct hist_percentiles_row *rowOf(int row) const;
	bool isSigned() const;
	hist_unit unit() const;
	double number(uint64_t bound) const;
	/* The ends of the drawn range. */
	double low() const { return low_; }
	double high() const { return high_; }

	int rowCount(const QModelIndex &parent = QModelIndex()) const override;
	int columnCount(const QModelIndex &parent = QModelIndex()) const override;
	QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
	QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
	void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
	QString interval(const struct hist_quantile &q) const;
	QString groupText(int row) const;
	double key(int row, int column) const;
	void arrange();

	PanelDataPtr figures_;
	std::vector<uint32_t> order_;
	double low_ = 0, high_ = 1;
	int column_ = -1;
	Qt::SortOrder direction_ = Qt::DescendingOrder;
};

class PercentilesView : public HistTableBase {
	Q_OBJECT
public:
	explicit PercentilesView(QWidget *parent = nullptr);

	void setFigures(const PanelDataPtr &figures, const QString &empty);
	PercentilesModel *percentilesModel() const { return model_; }
	void setLog(bool log);
	bool isLog() const { return log_; }
	/* The common axis in a cell (or section) that begins at @left and has @width pixels. */
	ChartScale scale(int left, int width) const;
	/* The box of quantile @i of a row within its cell. */
	QRectF box(int row, int i, const QRect &cell) const;
	const ChartStyle &look() const { return style_; }

signals:
	/* The user double-clicked a row, or pressed Enter on it; @label is that of its group. */
	void groupActivated(const QString &label);

protected:
	void changeEvent(QEvent *event) override;

private:
	void fit();

	PercentilesModel *model_;
	QStyledItemDelegate *boxes_;
	int boxes_column_ = -1;
	ChartStyle style_;
	bool log_ = true;
};

#endif
