/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table_view.hpp - the rows of a histogram with their exact numbers
 *
 * A column for each key, each value, and the share of the value that is shown.
 * Sorted by a click on a column; what is selected is copied with tabs between.
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
	/* The text without thousands' separators, as reports have it. */
	enum { ExactRole = Qt::UserRole };

	using QAbstractTableModel::QAbstractTableModel;

	void setFigures(const FiguresPtr &figures);
	const FiguresPtr &figures() const { return figures_; }
	/* The entry of figures.table that a row shows. */
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

	FiguresPtr figures_;
	std::vector<uint32_t> order_;
	int column_ = -1;
	Qt::SortOrder direction_ = Qt::AscendingOrder;
};

/* A table whose selection can be copied, and which says in words why it is empty. */
class HistTableBase : public QTableView {
	Q_OBJECT
public:
	explicit HistTableBase(QWidget *parent = nullptr);
	void setEmptyText(const QString &text);
	QString emptyText() const { return empty_; }
	void copy();

protected:
	/*
	 * Columns are fitted once for a histogram; from then on they are as the user leaves them,
	 * also while another view has the figures.  keepColumns() before the model gets others;
	 * bringBack() after that: false: @f are of another histogram, fit the columns.
	 */
	void keepColumns();
	bool bringBack(const Figures &f);
	void keyPressEvent(QKeyEvent *event) override;
	void paintEvent(QPaintEvent *event) override;

private:
	QString empty_;
	QByteArray of_;	     /* the histogram that the columns were fitted for */
	QByteArray columns_; /* how they were left */
	bool gone_ = false;  /* there were no figures since */
};

class TableView : public HistTableBase {
	Q_OBJECT
public:
	explicit TableView(QWidget *parent = nullptr);

	/* Null: show the sentence @empty. */
	void setFigures(const FiguresPtr &figures, const QString &empty);
	HistTableModel *histModel() const { return model_; }

signals:
	/* A row was double-clicked, or Enter pressed on it. */
	void rowActivated(quint32 entry);

private:
	HistTableModel *model_;
};

#endif
