/* SPDX-License-Identifier: GPL-2.0 */
/*
 * call_tree_view.hpp - the stacks of a histogram as a call tree, callees below their callers
 *
 * The tree is that of `report --view bars` (lib/report/call_tree.h). If the histogram has other
 * keys, each combination of them is a root. The number of a function includes its callees.
 */
#ifndef KERNELSHARK_PLUGIN_CHARTS_CALL_TREE_VIEW_HPP
#define KERNELSHARK_PLUGIN_CHARTS_CALL_TREE_VIEW_HPP

#include <vector>

#include <QAbstractItemModel>
#include <QTreeView>

#include "kernelshark-plugin/charts/panel_view.hpp"

extern "C" {
#include "lib/report/call_tree.h"
}

class CallTreeModel : public QAbstractItemModel {
	Q_OBJECT
public:
	enum Column { Function, Total, Share, Self, Columns };

	using QAbstractItemModel::QAbstractItemModel;
	~CallTreeModel() override;

	/* Figures without stacks, or null, give an empty tree. False: out of memory. */
	bool setFigures(const PanelDataPtr &figures);
	/* The part of all counts that the function of @index has. */
	double share(const QModelIndex &index) const;

	QModelIndex index(int row, int column,
			  const QModelIndex &parent = QModelIndex()) const override;
	QModelIndex parent(const QModelIndex &index) const override;
	int rowCount(const QModelIndex &parent = QModelIndex()) const override;
	int columnCount(const QModelIndex &parent = QModelIndex()) const override;
	QVariant data(const QModelIndex &index, int role) const override;
	QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

	/* "depth,function,total,self", callers before their callees. */
	QByteArray csv() const;

private:
  uint32_t nodeOf(const QModelIndex &index) const
  {
	  return index.isValid() ? uint32_t(index.internalId()) : 0;
  }
	QString name(uint32_t node) const;
	uint64_t self(uint32_t node) const;
	void arrange();

	PanelDataPtr figures_;
	call_tree tree_ = {};
	/*
	 * The children of node N are children_[first_[N]] and so on, and N is number row_[N] of its
	 * parent's.
	 */
	std::vector<uint32_t> children_, first_, count_, row_;
};

class CallTreeView : public QTreeView, public PanelView {
	Q_OBJECT
public:
	explicit CallTreeView(QWidget *parent = nullptr);

	/* True if the histogram of @schema has stacks, and a number for each. */
	static bool canShow(const hist_schema *schema);
	void setFigures(const PanelDataPtr &figures, const QString &empty) override;
	QByteArray csv() const override
	{
		return model_->rowCount() ? model_->csv() : QByteArray();
	}

protected:
	void paintEvent(QPaintEvent *event) override;

private:
	void expandHot();

	CallTreeModel *model_;
	PanelDataPtr figures_;
	QString empty_;
};

#endif
