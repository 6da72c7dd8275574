// SPDX-License-Identifier: GPL-2.0
/*
 * table_view.cpp - table of a histogram with exact numbers
 *
 * The model stores one vector of entry numbers in display order. Texts are created only
 * for visible cells.
 */
#include <algorithm>
#include <numeric>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

#include "kernelshark-plugin/charts/table_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

void HistTableModel::setFigures(const PanelDataPtr &figures)
{
	beginResetModel();
	figures_ = figures;
	if (figures_ && column_ >= columnCount())
		column_ = -1;
	arrange();
	endResetModel();
}

int HistTableModel::rowCount(const QModelIndex &parent) const
{
	return parent.isValid() ? 0 : int(order_.size());
}

int HistTableModel::columnCount(const QModelIndex &parent) const
{
	return parent.isValid() || !figures_ ? 0 : keys() + values() + hasShares();
}

uint64_t HistTableModel::value(uint32_t entry, int value) const
{
	return figures_->view.snap->values[size_t(entry) * figures_->schema->nvalues + size_t(value)];
}

/* As in the charts, or exactly as in reports. */
QString HistTableModel::keyText(uint32_t entry, int key, bool exact) const
{
	const hist_cell *cells = hist_table_cells(figures_->view.table, entry);
	const hist_key_desc *desc = &figures_->schema->keys[key];
	const hist_unit unit = hist_unit_from_key(desc);
	const unsigned int flags = exact ? HIST_LABEL_ADDRESS : 0;
	hist_bounds bounds;
	TextBuffer b;

	if (!exact && (unit != HIST_UNIT_NONE || hist_key_is_log2(desc))) {
		hist_axis_get_bounds(desc, cells[key].num, &bounds);
		return rangeText(bounds.ge, bounds.le, bounds.is_signed, unit);
	}
	hist_label_put(b, figures_->view.table, unsigned(key), &cells[key], flags);
	return b.text();
}

QString HistTableModel::valueText(uint32_t entry, int value) const
{
	TextBuffer b;

	panel_put_value(b, figures_.get(), entry, unsigned(value));
	return b.text();
}

QVariant HistTableModel::data(const QModelIndex &index, int role) const
{
	uint32_t entry;
	int value;

	if (!figures_ || !index.isValid() || index.row() >= rowCount())
		return QVariant();
	entry = order_[size_t(index.row())];
	value = index.column() - keys();
	switch (role) {
	case Qt::DisplayRole:
		if (value < 0)
			return keyText(entry, index.column(), false);
		if (value == values())
			return shareText(this->value(entry, figures_->value), figures_->whole_total);
		if (figures_->schema->values[value].kind == HIST_VALUE_SUM)
			return countText(this->value(entry, value), figures_->schema->values[value].is_signed);
		return valueText(entry, value);
	case ExactRole:
		if (value < 0)
			return keyText(entry, index.column(), true);
		if (value == values())
			return shareText(this->value(entry, figures_->value), figures_->whole_total);
		return valueText(entry, value);
	case Qt::ToolTipRole:
		return value < 0 ? QVariant(toolTipText(keyText(entry, index.column(), true))) : QVariant();
	case Qt::TextAlignmentRole:
		if (value >= 0 || !hist_key_has_string(figures_->schema->keys[index.column()].kind))
			return int(Qt::AlignRight | Qt::AlignVCenter);
		return int(Qt::AlignLeft | Qt::AlignVCenter);
	default:
		return QVariant();
	}
}

QVariant HistTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
	char title[300];

	if (!figures_ || section >= columnCount())
		return QVariant();
	if (orientation == Qt::Vertical)
		return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
	if (role == Qt::TextAlignmentRole)
		return section < keys() && hist_key_has_string(figures_->schema->keys[section].kind) ?
			       int(Qt::AlignLeft | Qt::AlignVCenter) :
			       int(Qt::AlignRight | Qt::AlignVCenter);
	if (role != Qt::DisplayRole)
		return QVariant();
	if (section < keys())
		hist_column_format_key(figures_->schema, unsigned(section), title, sizeof(title));
	else if (section < keys() + values())
		hist_column_format_value(figures_->schema, unsigned(section - keys()), title,
					 sizeof(title));
	else
		return tr("share");
	return QString::fromUtf8(title);
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
	const int v = column >= keys() + values() ? figures_->value : column - keys();

	if (v >= 0) {
		if (schema->values[v].kind == HIST_VALUE_SAVED)
			return valueText(a, v) < valueText(b, v);
		return compareNumbers(value(a, v), value(b, v), schema->values[v].is_signed) < 0;
	}
	return compareNumbers(hist_table_cells(figures_->view.table, a)[column].num,
			      hist_table_cells(figures_->view.table, b)[column].num,
			      schema->keys[column].is_signed) < 0;
}

void HistTableModel::arrange()
{
	order_.clear();
	if (!figures_)
		return;
	order_.assign(figures_->rows.entries, figures_->rows.entries + figures_->rows.n);
	if (column_ < 0)
		return;
	if (column_ < keys() && hist_key_has_string(figures_->schema->keys[column_].kind)) {
		/* create a text once per row instead of once per comparison */
		std::vector<std::pair<QString, uint32_t>> texts;

		for (uint32_t entry : order_)
			texts.emplace_back(keyText(entry, column_, false), entry);
		std::stable_sort(texts.begin(), texts.end(),
				 [this](const auto &a, const auto &b) {
					 return direction_ == Qt::AscendingOrder ? a.first < b.first :
										   b.first < a.first;
				 });
		std::transform(texts.begin(), texts.end(), order_.begin(),
			       [](const auto &text) { return text.second; });
		return;
	}
	std::stable_sort(order_.begin(), order_.end(), [this](uint32_t a, uint32_t b) {
		return direction_ == Qt::AscendingOrder ? less(a, b, column_) : less(b, a, column_);
	});
}

void HistTableModel::sort(int column, Qt::SortOrder order)
{
	if (column >= columnCount())
		column = -1;
	emit layoutAboutToBeChanged();
	column_ = column;
	direction_ = order;
	arrange();
	/* a selection refers to entries, which are now in other rows */
	for (const QModelIndex &index : persistentIndexList())
		changePersistentIndex(index, QModelIndex());
	emit layoutChanged();
}

HistTableBase::HistTableBase(QWidget *parent) : QTableView(parent)
{
	setFrameShape(QFrame::NoFrame);
	setSelectionBehavior(QAbstractItemView::SelectRows);
	setAlternatingRowColors(true);
	setShowGrid(false);
	setWordWrap(false);
	setTabKeyNavigation(false);
	setEditTriggers(QAbstractItemView::NoEditTriggers);
	setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
	setMinimumHeight(90);
	horizontalHeader()->setHighlightSections(false);
	verticalHeader()->hide();
	verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
	verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
}

void HistTableBase::setEmptyText(const QString &text)
{
	empty_ = text;
	viewport()->update();
}

/* Columns without rows have not been fitted. */
void HistTableBase::keepColumns()
{
	if (model()->rowCount())
		columns_ = horizontalHeader()->saveState();
	gone_ |= !model()->columnCount();
}

/* Compare what identifies a histogram: a new histogram may have the address of a freed one. */
bool HistTableBase::bringBack(const PanelData &f)
{
	const hist_definition *def = &recording_info(f.query.recording, f.query.hist)->def;
	const QByteArray of = QByteArray(recording_path(f.query.recording)) + '\n' + def->event + '\n' +
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

void HistTableBase::copy()
{
	QModelIndexList rows = selectionModel() ? selectionModel()->selectedRows() : QModelIndexList();
	QStringList lines, cells;
	int column;

	std::sort(rows.begin(), rows.end(),
		  [](const QModelIndex &a, const QModelIndex &b) { return a.row() < b.row(); });
	for (const QModelIndex &row : rows) {
		cells.clear();
		for (column = 0; column < model()->columnCount(); column++) {
			const QModelIndex cell = row.sibling(row.row(), column);

			if (!isColumnHidden(column))
				cells << cell.data(HistTableModel::ExactRole).toString();
		}
		lines << cells.join(QLatin1Char('\t'));
	}
	if (!lines.isEmpty())
		QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

void HistTableBase::keyPressEvent(QKeyEvent *event)
{
	if (event->matches(QKeySequence::Copy)) {
		copy();
		return;
	}
	if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
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
	QPainter painter(viewport());
	QColor muted = palette().color(QPalette::Text);

	muted.setAlphaF(0.66);
	painter.setPen(muted);
	painter.drawText(viewport()->rect().adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap,
			 empty_);
}

TableView::TableView(QWidget *parent) : HistTableBase(parent), model_(new HistTableModel(this))
{
	setObjectName(QStringLiteral("hist_table"));
	setAccessibleName(tr("Table"));
	setModel(model_);
	setSortingEnabled(true);
	horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
	horizontalHeader()->setStretchLastSection(false);
	connect(this, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
		if (index.row() < model_->rowCount())
			emit rowActivated(model_->entry(index.row()));
	});
}

void TableView::setFigures(const PanelDataPtr &figures, const QString &empty)
{
	int column;

	keepColumns();
	model_->setFigures(figures);
	if (!figures)
		setEmptyText(empty);
	else if (!model_->rowCount() && figures->whole_rows)
		setEmptyText(tr("No key has the text \"%1\".")
				     .arg(QString::fromUtf8(figures->query.search ? figures->query.search : "")));
	else
		setEmptyText(tr("Nothing was counted between these snapshots."));
	if (!figures || !model_->rowCount() || bringBack(*figures))
		return;
	for (column = 0; column < model_->columnCount(); column++) {
		horizontalHeader()->setSectionResizeMode(column, QHeaderView::Interactive);
		resizeColumnToContents(column);
		setColumnWidth(column, qBound(90, columnWidth(column) + 16, 520));
	}
}
