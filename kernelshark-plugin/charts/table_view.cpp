// SPDX-License-Identifier: GPL-2.0
/*
 * table_view.cpp - table of a histogram with exact numbers
 *
 * The model stores one vector of entry numbers in display order. Texts are created only
 * for visible cells.
 */
#include <algorithm>

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>

#include "kernelshark-plugin/charts/table_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

void SortedModel::setFigures(const PanelDataPtr &figures)
{
	beginResetModel();
	figures_ = figures;
	arrange();
	endResetModel();
}

int SortedModel::rowCount(const QModelIndex &parent) const
{
	return parent.isValid() ? 0 : int(order_.size());
}

void SortedModel::sort(int column, Qt::SortOrder order)
{
	emit layoutAboutToBeChanged();
	column_ = column >= columnCount() ? -1 : column;
	direction_ = order;
	arrange();
	/* a selection refers to rows that are now elsewhere */
	for (const QModelIndex &index : persistentIndexList())
		changePersistentIndex(index, QModelIndex());
	emit layoutChanged();
}

void SortedModel::arrange()
{
	const bool up = direction_ == Qt::AscendingOrder;

	order_ = rows();
	if (figures_ && column_ >= columnCount())
		column_ = -1;
	if (!figures_ || column_ < 0)
		return;
	if (isText(column_)) {
		/* create a text once per row instead of once per comparison */
		std::vector<std::pair<QString, uint32_t>> texts;

		for (uint32_t row : order_)
			texts.emplace_back(text(row, column_), row);
		std::stable_sort(texts.begin(), texts.end(), [up](const auto &a, const auto &b) {
			return up ? a.first < b.first : b.first < a.first;
		});
		std::transform(texts.begin(), texts.end(), order_.begin(),
			       [](const auto &text) { return text.second; });
		return;
	}
	beginSort(column_);
	std::stable_sort(order_.begin(), order_.end(), [this, up](uint32_t a, uint32_t b) {
		return up ? less(a, b, column_) : less(b, a, column_);
	});
}

std::vector<uint32_t> HistTableModel::rows()
{
	columns_.n = columns_.nkeys = 0;
	if (!figures_)
		return {};
	hist_columns_make(&columns_, figures_->schema, HIST_COLUMNS_PAGE,
			  figures_->value >= 0 ? &figures_->rows : nullptr);
	return { figures_->rows.entries, figures_->rows.entries + figures_->rows.n };
}

int HistTableModel::columnCount(const QModelIndex &parent) const
{
	return parent.isValid() ? 0 : int(columns_.n);
}

bool HistTableModel::isText(int column) const
{
	return column < keys() && hist_key_shows_text(&figures_->schema->keys[column]);
}

int HistTableModel::valueOf(int column) const
{
	return column < keys() ? -1 : int(columns_.list[column].index);
}

int HistTableModel::alignment(int column) const
{
	return int((isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

uint64_t HistTableModel::value(uint32_t entry, int value) const
{
	return figures_->view.snap
		->values[size_t(entry) * figures_->schema->nvalues + size_t(value)];
}

/* As in the charts, or with all digits and addresses. */
QString HistTableModel::keyText(uint32_t entry, int key, bool exact) const
{
	TextBuffer b;

	panel_put_key(b, figures_.get(), entry, unsigned(key), exact);
	return b.text();
}

QString HistTableModel::valueText(uint32_t entry, int column, bool exact) const
{
	hist_cells cells = {};
	TextCell cell;

	cells.table = figures_->view.table;
	cells.snap = figures_->view.snap;
	cells.whole = figures_->whole_total;
	cells.digits_grouped = !exact;
	hist_columns_put(&cells, &columns_.list[column], entry, cell);
	return cell.text(false);
}

QVariant HistTableModel::data(const QModelIndex &index, int role) const
{
	const int column = index.column(), v = figures_ && index.isValid() ? valueOf(column) : 0;
	uint32_t entry;

	if (!figures_ || !index.isValid() || index.row() >= rowCount())
		return QVariant();
	entry = order_[size_t(index.row())];
	switch (role) {
	case Qt::DisplayRole:
	case ExactRole:
		return v < 0 ? keyText(entry, column, role == ExactRole) :
			       valueText(entry, column, role == ExactRole);
	case Qt::ToolTipRole:
		return v < 0 ? QVariant(toolTipText(keyText(entry, column, true))) : QVariant();
	case Qt::TextAlignmentRole:
		return alignment(column);
	default:
		return QVariant();
	}
}

QVariant HistTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
	if (orientation == Qt::Vertical || section >= columnCount())
		return QVariant();
	if (role == Qt::TextAlignmentRole)
		return alignment(section);
	if (role != Qt::DisplayRole)
		return QVariant();
	if (columns_.list[section].kind == HIST_COLUMN_VALUE)
		return valueTitleText(figures_->schema, columns_.list[section].index);
	return QString::fromUtf8(columns_.list[section].title);
}

static int compareNumbers(uint64_t a, uint64_t b, bool is_signed)
{
	if (is_signed)
		return int64_t(a) < int64_t(b) ? -1 : int64_t(a) > int64_t(b);
	return a < b ? -1 : a > b;
}

/* For values, and for keys that are plain numbers. */
bool HistTableModel::less(uint32_t a, uint32_t b, int column) const
{
	const hist_schema *schema = figures_->schema;
	const int v = valueOf(column);

	if (v >= 0) {
		if (schema->values[v].kind == HIST_VALUE_SAVED)
			return valueText(a, column, true) < valueText(b, column, true);
		return compareNumbers(value(a, v), value(b, v), schema->values[v].is_signed) < 0;
	}
	return compareNumbers(hist_table_cells(figures_->view.table, a)[column].num,
			      hist_table_cells(figures_->view.table, b)[column].num,
			      schema->keys[column].is_signed) < 0;
}

HistTableBase::HistTableBase(SortedModel *model, QWidget *parent)
    : QTableView(parent), sorted_(model)
{
	model->setParent(this);
	setModel(model);
	tableSetLook(this);
}

void HistTableBase::setFigures(const PanelDataPtr &figures, const QString &empty)
{
	/* columns without rows have not been fitted */
	if (model()->rowCount())
		columns_ = horizontalHeader()->saveState();
	gone_ |= !model()->columnCount();
	sorted_->setFigures(figures);
	empty_ = figures ? whyEmpty(*figures) : empty;
	viewport()->update();
	if (model()->rowCount())
		fit(bringBack(*figures));
}

/*
 * Restore the columns; false if @f are figures of another histogram. Compare what
 * identifies a histogram: a new histogram may have the address of a freed one.
 */
bool HistTableBase::bringBack(const PanelData &f)
{
	const hist_definition *def = &f.query.recording->hists[f.query.hist].info->def;
	const QByteArray of = QByteArray(f.query.recording->path) + '\n' + def->event + '\n' +
			      def->trigger + '\n' + QByteArray::number(f.query.hist) + '\n' +
			      QByteArray::number(model()->columnCount());

	if (of == of_ && gone_)
		horizontalHeader()->restoreState(columns_);
	gone_ = false;
	if (of == of_)
		return true;
	of_ = of;
	return false;
}

void HistTableBase::keyPressEvent(QKeyEvent *event)
{
	if (event->matches(QKeySequence::Copy)) {
		tableCopy(this);
		return;
	}
	if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
	    currentIndex().isValid()) {
		emit activated(currentIndex());
		return;
	}
	QTableView::keyPressEvent(event);
}

void HistTableBase::paintEvent(QPaintEvent *event)
{
	if (model() && model()->rowCount()) {
		QTableView::paintEvent(event);
		return;
	}
	tablePaintEmpty(this, empty_);
}

TableView::TableView(QWidget *parent)
	: HistTableBase(new HistTableModel, parent), model_(static_cast<HistTableModel *>(model()))
{
	setObjectName(QStringLiteral("hist_table"));
	setAccessibleName(tr("Table"));
	horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
	horizontalHeader()->setStretchLastSection(false);
	connect(this, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
		if (index.row() < model_->rowCount())
			emit rowActivated(model_->entry(index.row()));
	});
}

QString TableView::whyEmpty(const PanelData &f) const
{
	return nothingText(&f, "key");
}

void TableView::fit(bool known)
{
	int column;

	for (column = 0; !known && column < model_->columnCount(); column++) {
		horizontalHeader()->setSectionResizeMode(column, QHeaderView::Interactive);
		resizeColumnToContents(column);
		setColumnWidth(column, qBound(90, columnWidth(column) + 16, 520));
	}
}

void TableView::contextMenuEvent(QContextMenuEvent *event)
{
	const bool mouse = event->reason() == QContextMenuEvent::Mouse;
	const QModelIndex index = mouse ? indexAt(viewport()->mapFromGlobal(event->globalPos())) :
					  currentIndex();

	if (!index.isValid() || index.row() >= model_->rowCount())
		return;
	setCurrentIndex(index);
	emit menuWanted(model_->entry(index.row()),
			mouse ? event->globalPos() :
				viewport()->mapToGlobal(visualRect(index).center()));
}
