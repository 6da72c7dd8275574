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

#include "kernelshark-plugin/charts/panel_view.hpp"
#include "kernelshark-plugin/charts/table_look.hpp"

/* The rows of figures in an order that the user chooses. */
class SortedModel : public QAbstractTableModel {
	Q_OBJECT
public:
	/* The text without thousands separators, as in reports. */
	enum { ExactRole = TABLE_EXACT_ROLE };

	using QAbstractTableModel::QAbstractTableModel;

	void setFigures(const PanelDataPtr &figures);
	const PanelDataPtr &figures() const { return figures_; }
	int rowCount(const QModelIndex &parent = QModelIndex()) const override;
	/* column -1: in the order of the figures. */
	void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
	/* The figures have changed: the rows in their order; empty without figures. */
	virtual std::vector<uint32_t> rows() = 0;
	/* Rows are compared by the text of a column, or by less(). */
	virtual bool isText(int column) const = 0;
	virtual QString text(uint32_t row, int column) const = 0;
	/* less() is called for this column from now on. */
	virtual void beginSort(int) {}
	virtual bool less(uint32_t a, uint32_t b, int column) const = 0;

	PanelDataPtr figures_;
	std::vector<uint32_t> order_;

private:
	void arrange();

	int column_ = -1;
	Qt::SortOrder direction_ = Qt::AscendingOrder;
};

class HistTableModel : public SortedModel {
	Q_OBJECT
public:
	using SortedModel::SortedModel;

	/* The entry of figures.table in a row. */
	uint32_t entry(int row) const { return order_[size_t(row)]; }

	int columnCount(const QModelIndex &parent = QModelIndex()) const override;
	QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
	QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
	std::vector<uint32_t> rows() override;
	bool isText(int column) const override;
	QString text(uint32_t entry, int column) const override
	{
		return keyText(entry, column, false);
	}
	bool less(uint32_t a, uint32_t b, int column) const override;

private:
	int keys() const { return int(columns_.nkeys); }
	/* The value of a column; that of the share is the displayed value. Below 0: a key. */
	int valueOf(int column) const;
	int alignment(int column) const;
	uint64_t value(uint32_t entry, int value) const;
	QString keyText(uint32_t entry, int key, bool exact) const;
	/* @exact: without thousands separators. */
	QString valueText(uint32_t entry, int column, bool exact) const;

	hist_columns columns_ = {};
};

/* A table with a selection that can be copied, and a text that explains why it is empty. */
class HistTableBase : public QTableView, public PanelView {
	Q_OBJECT
public:
	void setFigures(const PanelDataPtr &figures, const QString &empty) override;
	QString emptyText() const { return empty_; }

protected:
	/* Owns @model. */
	HistTableBase(SortedModel *model, QWidget *parent);
	/* Why the table has no rows. */
	virtual QString whyEmpty(const PanelData &f) const = 0;
	/*
	 * There are new rows. Column widths are fitted once for a histogram, and then
	 * changed only by the user, also if another view has the figures meanwhile.
	 * @known: this was done.
	 */
	virtual void fit(bool known) = 0;
	void keyPressEvent(QKeyEvent *event) override;
	void paintEvent(QPaintEvent *event) override;

private:
	bool bringBack(const PanelData &f);

	SortedModel *sorted_;
	QString empty_;
	QByteArray of_;	     /* identifies the histogram that the columns were fitted for */
	QByteArray columns_; /* saved state of the columns */
	bool gone_ = false;  /* there were no figures in between */
};

class TableView : public HistTableBase {
	Q_OBJECT
public:
	explicit TableView(QWidget *parent = nullptr);

	HistTableModel *histModel() const { return model_; }

signals:
	/* The user double-clicked a row, or pressed Enter on it. */
	void rowActivated(quint32 entry);
	/* The user wants the context menu of a row; @at: global. */
	void menuWanted(quint32 entry, const QPoint &at);

protected:
	QString whyEmpty(const PanelData &f) const override;
	void fit(bool known) override;
	void contextMenuEvent(QContextMenuEvent *event) override;

private:
	HistTableModel *model_;
};

#endif
