/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table_view.hpp - table of a histogram with exact numbers
 *
 * There is a column for each key, each value, and the share of the displayed value. A
 * click on a column header sorts. A copied selection is separated by tabs.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_TABLE_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_TABLE_VIEW_HPP

#include <vector>

#include <QAbstractTableModel>
#include <QTableView>

#include "kernelshark-plugin/work/data_worker.hpp"

class HistTableModel : public QAbstractTableModel {
	Q_OBJECT
public:
	/* The text without thousands separators, as in reports. */
	enum { ExactRole = Qt::UserRole };

	using QAbstractTableModel::QAbstractTableModel;

	void setFigures(const PanelDataPtr &figures);
	const PanelDataPtr &figures() const { return figures_; }
	/* The entry of figures.table in a row. */
	uint32_t entry(int row) const { return order_[size_t(row)]; }

	int rowCount(const QModelIndex &parent = QModelIndex()) const override;
	int columnCount(const QModelIndex &parent = QModelIndex()) const override;
	QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
	QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
	/* column -1: in the order of the figures. */
	void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
	int keys() const { return figures_ ? int(figures_->schema->nkeys) : 0; }
	int values() const { return figures_ ? int(figures_->schema->nvalues) : 0; }
	bool hasShares() const { return figures_ && figures_->value >= 0 && figures_->rows.has_shares; }
	uint64_t value(uint32_t entry, int value) const;
	QString keyText(uint32_t entry, int key, bool exact) const;
	QString valueText(uint32_t entry, int value) const;
	bool less(uint32_t a, uint32_t b, int column) const;
	void arrange();

	PanelDataPtr figures_;
	std::vector<uint32_t> order_;
	int column_ = -1;
	Qt::SortOrder direction_ = Qt::AscendingOrder;
};

/* A table with a selection that can be copied, and a text that explains why it is empty. */
class HistTableBase : public QTableView {
	Q_OBJECT
public:
	explicit HistTableBase(QWidget *parent = nullptr);
	void setEmptyText(const QString &text);
	QString emptyText() const { return empty_; }
	void copy();

protected:
	/*
	 * Column widths are fitted once for a histogram, and then changed only by the
	 * user, also if another view has the figures meanwhile. Call keepColumns()
	 * before the model gets new figures, and bringBack() afterwards. bringBack()
	 * returns false if @f are figures of another histogram: fit the columns.
	 */
	void keepColumns();
	bool bringBack(const PanelData &f);
	void keyPressEvent(QKeyEvent *event) override;
	void paintEvent(QPaintEvent *event) override;

private:
	QString empty_;
	QByteArray of_;	     /* identifies the histogram that the columns were fitted for */
	QByteArray columns_; /* saved state of the columns */
	bool gone_ = false;  /* there were no figures in between */
};

class TableView : public HistTableBase {
	Q_OBJECT
public:
	explicit TableView(QWidget *parent = nullptr);

	/* If @figures is null, show the sentence @empty. */
	void setFigures(const PanelDataPtr &figures, const QString &empty);
	HistTableModel *histModel() const { return model_; }

signals:
	/* The user double-clicked a row, or pressed Enter on it. */
	void rowActivated(quint32 entry);

private:
	HistTableModel *model_;
};

#endif
