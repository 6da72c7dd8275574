// SPDX-License-Identifier: GPL-2.0
/*
 * call_tree_view.cpp - the stacks of a histogram as a call tree, callees below their callers
 *
 * The model reads the nodes of lib/report/call_tree.h and does not recurse, because the depth of
 * a stack in a hostile file is not limited.
 */
#include <QHeaderView>

#include "kernelshark-plugin/charts/call_tree_view.hpp"
#include "kernelshark-plugin/charts/table_look.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

/* What is open at first: functions with at least this part of all counts. */
#define HOT 0.1
#define HOT_DEPTH 40

CallTreeModel::~CallTreeModel()
{
	call_tree_free(&tree_);
}

/* Nodes are linked; a view wants them by number. */
void CallTreeModel::arrange()
{
	children_.clear();
	first_.assign(tree_.n, 0);
	count_.assign(tree_.n, 0);
	row_.assign(tree_.n, 0);
	children_.reserve(tree_.n);
	for (uint32_t node = 0; node < tree_.n; node++) {
		first_[node] = uint32_t(children_.size());
		for (uint32_t at = tree_.nodes[node].child; at != CALL_TREE_NONE;
		     at = tree_.nodes[at].next) {
			row_[at] = count_[node]++;
			children_.push_back(at);
		}
	}
}

bool CallTreeModel::setFigures(const PanelDataPtr &figures)
{
	bool made = true;

	beginResetModel();
	call_tree_free(&tree_);
	tree_ = {};
	figures_ = figures && figures->value >= 0 && CallTreeView::canShow(figures->schema)
			   ? figures
			   : PanelDataPtr();
	if (figures_) {
		/* of the value that the user selected */
		hist_rows rows = figures_->rows;
		hist_view view = figures_->view;

		rows.main_value = figures_->value;
		view.rows = &rows;
		made = !call_tree_make(&tree_, &view, 0);
		if (!made) {
			call_tree_free(&tree_);
			tree_ = {};
		}
	}
	arrange();
	endResetModel();
	return made;
}

QString CallTreeModel::name(uint32_t node) const
{
	return QString::fromUtf8(call_tree_name(&tree_, node));
}

uint64_t CallTreeModel::self(uint32_t node) const
{
	uint64_t rest = tree_.nodes[node].total;

	for (uint32_t i = 0; i < count_[node]; i++) {
		const uint64_t one = tree_.nodes[children_[first_[node] + i]].total;

		rest -= one < rest ? one : rest;
	}
	return rest;
}

double CallTreeModel::share(const QModelIndex &index) const
{
	return tree_.n && tree_.nodes[0].total ?
		       double(tree_.nodes[nodeOf(index)].total) / double(tree_.nodes[0].total) : 0;
}

QModelIndex CallTreeModel::index(int row, int column, const QModelIndex &parent) const
{
	const uint32_t node = nodeOf(parent);

	if (row < 0 || column < 0 || column >= Columns || node >= tree_.n ||
	    uint32_t(row) >= count_[node])
		return QModelIndex();
	return createIndex(row, column, quintptr(children_[first_[node] + uint32_t(row)]));
}

QModelIndex CallTreeModel::parent(const QModelIndex &index) const
{
	const uint32_t node = index.isValid() ? tree_.nodes[nodeOf(index)].parent : 0;

	return node ? createIndex(int(row_[node]), 0, quintptr(node)) : QModelIndex();
}

int CallTreeModel::rowCount(const QModelIndex &parent) const
{
	const uint32_t node = nodeOf(parent);

	return parent.column() > 0 || node >= tree_.n ? 0 : int(count_[node]);
}

int CallTreeModel::columnCount(const QModelIndex &) const
{
	return Columns;
}

QVariant CallTreeModel::data(const QModelIndex &index, int role) const
{
	const uint32_t node = nodeOf(index);

	if (!node || node >= tree_.n)
		return QVariant();
	if (role == Qt::TextAlignmentRole)
		return int((index.column() == Function ? Qt::AlignLeft : Qt::AlignRight) |
			   Qt::AlignVCenter);
	if (role == Qt::ToolTipRole && index.column() == Function)
		return toolTipText(name(node));
	if (role != Qt::DisplayRole)
		return QVariant();
	switch (index.column()) {
	case Function:
		return name(node);
	case Total:
		return countText(tree_.nodes[node].total);
	case Share:
		return shareText(tree_.nodes[node].total, tree_.nodes[0].total);
	default:
		return self(node) ? countText(self(node)) : QString();
	}
}

QVariant CallTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
	if (orientation != Qt::Horizontal)
		return QVariant();
	if (role == Qt::TextAlignmentRole)
		return int((section == Function ? Qt::AlignLeft : Qt::AlignRight) |
			   Qt::AlignVCenter);
	if (role != Qt::DisplayRole)
		return QVariant();
	switch (section) {
	case Function:
		return tr("function");
	case Total:
		return figures_ ? valueTitleText(figures_->schema, unsigned(figures_->value))
				: QString();
	case Share:
		return tr("share");
	default:
		return tr("without callees");
	}
}

QByteArray CallTreeModel::csv() const
{
	QByteArray out = "depth,function,total,self\n";
	uint32_t at = tree_.n ? tree_.nodes[0].child : CALL_TREE_NONE;
	unsigned int depth = 0;

	while (at != CALL_TREE_NONE) {
		out += QByteArray::number(depth) + ',' + csvField(name(at)) + ',' +
		       QByteArray::number(qulonglong(tree_.nodes[at].total)) + ',' +
		       QByteArray::number(qulonglong(self(at))) + '\n';
		if (tree_.nodes[at].child != CALL_TREE_NONE) {
			at = tree_.nodes[at].child;
			depth++;
			continue;
		}
		while (at && tree_.nodes[at].next == CALL_TREE_NONE) {
			at = tree_.nodes[at].parent;
			depth -= at ? 1 : 0;
		}
		at = at ? tree_.nodes[at].next : CALL_TREE_NONE;
	}
	return out;
}

CallTreeView::CallTreeView(QWidget *parent) : QTreeView(parent), model_(new CallTreeModel(this))
{
	setObjectName(QStringLiteral("hist_calls"));
	setAccessibleName(tr("Call tree"));
	setModel(model_);
	setFrameShape(QFrame::NoFrame);
	setUniformRowHeights(true);
	setAlternatingRowColors(true);
	setMinimumHeight(90);
	header()->setStretchLastSection(false);
	header()->setSectionResizeMode(CallTreeModel::Function, QHeaderView::Stretch);
	for (int column = CallTreeModel::Total; column < CallTreeModel::Columns; column++)
		header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
}

bool CallTreeView::canShow(const hist_schema *schema)
{
	if (hist_schema_stack_key(schema) < 0)
		return false;
	for (unsigned int i = 0; i < schema->nvalues; i++)
		if (hist_value_is_sum(schema->values[i].kind))
			return true;
	return false;
}

/* Open the way to the functions that count most. */
void CallTreeView::expandHot()
{
	std::vector<std::pair<QModelIndex, int>> open = { { QModelIndex(), 0 } };

	while (!open.empty()) {
		const auto at = open.back();

		open.pop_back();
		for (int row = 0; row < model_->rowCount(at.first); row++) {
			const QModelIndex child = model_->index(row, 0, at.first);

			/* the largest is the first */
			if (model_->share(child) < HOT)
				break;
			expand(child);
			if (at.second < HOT_DEPTH)
				open.push_back({ child, at.second + 1 });
		}
	}
}

void CallTreeView::setFigures(const PanelDataPtr &figures, const QString &empty)
{
	bool made;

	if (figures == figures_ && empty == empty_)
		return;
	figures_ = figures;
	made = model_->setFigures(figures);
	empty_ = !figures ? empty
		 : !made  ? tr("Cannot show the call tree: out of memory.")
		 : !canShow(figures->schema)
			 ? tr("This histogram has no stacks. Record it with the key "
			      "common_stacktrace.")
			 : nothingText(figures.get(), "key");
	expandHot();
	viewport()->update();
}

void CallTreeView::paintEvent(QPaintEvent *event)
{
	if (model_->rowCount())
		QTreeView::paintEvent(event);
	else
		tablePaintEmpty(this, empty_);
}
