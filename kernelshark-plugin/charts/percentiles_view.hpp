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

#include <QHeaderView>
#include <QStyledItemDelegate>

#include "kernelshark-plugin/charts/scene_paint.hpp"
#include "kernelshark-plugin/charts/table_view.hpp"

extern "C" {
#include "lib/table/percentiles_table.h"
}

/* The cells of percentiles_table.h, and a last column for the boxes. */
class PercentilesModel : public SortedModel {
	Q_OBJECT
public:
	using SortedModel::SortedModel;
	~PercentilesModel() override { percentiles_table_free(&table_); }

	int quantiles() const;
	/* The columns of the quantiles are the last before that of the boxes. */
	int firstQuantile() const { return chartColumn() - quantiles(); }
	int chartColumn() const { return int(table_.base.ncolumns); }
	uint32_t quantile(int i) const; /* in millionths */
	const struct hist_percentiles_row *rowOf(int row) const;
	/* The label of the group of a row, with addresses. */
	QString fullGroup(int row) const;
	hist_unit unit() const;
	double number(uint64_t bound) const;
	chart_span range(const struct hist_quantile &q) const
	{
		return { number(q.low), number(q.high) };
	}
	/* The ends of the drawn range. */
	double low() const { return low_; }
	double high() const { return high_; }

	int columnCount(const QModelIndex &parent = QModelIndex()) const override;
	QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
	QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
	std::vector<uint32_t> rows() override;
	bool isText(int column) const override { return !table_.base.columns[column].right; }
	QString text(uint32_t row, int column) const override
	{
		return cellText(row, column, false);
	}
	void beginSort(int column) override;
	bool less(uint32_t a, uint32_t b, int) const override { return keys_[a] < keys_[b]; }

private:
	/* @exact: with all digits, and without thousands separators. */
	QString cellText(uint32_t row, int column, bool exact) const;
	double key(uint32_t row, int column) const;

	mutable percentiles_table table_ = {}; /* without columns if there are no figures */
	std::vector<double> keys_;	       /* of the rows, for less() */
	double low_ = 0, high_ = 1;
};

class PercentilesView : public HistTableBase {
	Q_OBJECT
public:
	explicit PercentilesView(QWidget *parent = nullptr);

	PercentilesModel *percentilesModel() const { return model_; }
	void setLog(bool log) override;
	bool isLog() const override { return log_; }
	QByteArray csv() const override;
	/* The common axis in a cell (or section) that begins at @left and has @width pixels. */
	chart_scale scale(int left, int width) const;
	/* The box of quantile @i of a row within its cell. */
	QRectF box(int row, int i, const QRect &cell) const;
	const ChartStyle &look() const { return style_; }

signals:
	/* The user double-clicked a row, or pressed Enter on it; @label is that of its group. */
	void groupActivated(const QString &label);

protected:
	QString whyEmpty(const PanelData &f) const override;
	void fit(bool known) override;
	void changeEvent(QEvent *event) override;

private:
	PercentilesModel *model_;
	QStyledItemDelegate *boxes_;
	int boxes_column_ = -1;
	ChartStyle style_;
	bool log_ = true;
};

#endif
