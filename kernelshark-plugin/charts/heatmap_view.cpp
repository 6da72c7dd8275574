// SPDX-License-Identifier: GPL-2.0
/*
 * heatmap_view.cpp - heat map: layout and user input
 *
 * Levels are computed once for figures, and the image of the plot once for a size and
 * time range (heatmap_paint.cpp). Painting copies the image and adds what depends on
 * the mouse.
 */
#include <cmath>

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include "kernelshark-plugin/charts/heatmap_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define ROW_LEAST 4	/* pixels of a row of an axis */
#define ROW_MOST 64
#define LOSS 6		/* height of the strip that marks losses */

HeatmapView::HeatmapView(QWidget *parent) : ChartView(parent)
{
	setObjectName(QStringLiteral("hist_heatmap"));
	setAccessibleName(tr("Heat map"));
	setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
	setLog(true);
}

const hist_heatmap *HeatmapView::map() const
{
	return figures() ? figures()->map : nullptr;
}

QString HeatmapView::whyEmpty() const
{
	const PanelData *f = figures().get();

	if (f->value < 0)
		return tr("A heat map needs the hit count or the sum of a field, and this "
			  "histogram has neither. Use the table.");
	if (f->query.what == PANEL_DATA_SNAPSHOT)
		return tr("A heat map needs a time range. Select the visible window or "
			  "the markers A and B.");
	if (!f->map || !f->map->ncolumns)
		return tr("The times of the intervals in this window are unknown.");
	return f->map->nrows ? QString() : nothingText(f, "key");
}

void HeatmapView::setTime(qint64 from, qint64 to, qint64 offset, int left, int right)
{
	if (from == from_ && to == to_ && offset == offset_ && left == left_ && right == right_)
		return;
	from_ = from;
	to_ = to;
	offset_ = offset;
	left_ = left;
	right_ = right;
	if (hasChart())
		measure();
	viewport()->update();
}

void HeatmapView::setMarkers(bool are, qint64 a, qint64 b)
{
	if (are == has_markers_ && a == marker_[0] && b == marker_[1])
		return;
	has_markers_ = are;
	marker_[0] = a;
	marker_[1] = b;
	viewport()->update();
}

QString HeatmapView::rowLabel(uint32_t i) const
{
	const hist_heat_row *row = &map()->rows[i];
	TextBuffer b;

	if (row->empty)
		return tr("(%1 empty)").arg(countText(row->empty));
	if (row->others)
		return map()->others == 1 ? tr("1 other")
					  : tr("%1 others").arg(countText(map()->others));
	if (row->label)
		return QString::fromUtf8(row->label);
	panel_put_axis_label(b, figures().get(), row);
	return b.text();
}

int HeatmapView::measureLabels() const
{
	const QFontMetrics metrics(look().font);
	int width = 40;
	uint32_t i;

	for (i = 0; i < map()->nrows; i++)
		width = qMax(width, metrics.horizontalAdvance(rowLabel(i)));
	return qMin(width, viewport()->width() * 3 / 10);
}

/* A colour is a rate by hist_heat_level(); the scale has equal ratios or equal steps. */
void HeatmapView::makeLevels()
{
	const hist_heatmap *m = map();
	uint64_t least, most;
	unsigned int col, i;
	uint32_t row;

	if (!levels_.isEmpty() && levels_log_ == isLog())
		return;
	levels_log_ = isLog();
	hist_heatmap_find_range(m, &least, &most);
	hist_heat_make_scale(&heat_, least, most, HIST_HEAT_CHAR_LEVELS);
	for (i = 1; !isLog() && i < heat_.levels; i++)
		heat_.from[i] =
			i == 1 ? qMin<uint64_t>(least, most)
			       : uint64_t(std::ceil(double(most) * (i - 1) / (heat_.levels - 1)));
	levels_.resize(int(m->nrows * m->ncolumns));
	for (row = 0; row < m->nrows; row++)
		for (col = 0; col < m->ncolumns; col++)
			levels_[int(row * m->ncolumns + col)] = uint8_t(hist_heat_level(
				&heat_, hist_heatmap_rate(m, &m->rows[row], col)));
}

QByteArray HeatmapView::csv() const
{
	const hist_heatmap *m = hasChart() ? map() : nullptr;
	QByteArray out = "row,from,to,intervals,count\n";
	qint64 from, to;

	if (!m)
		return QByteArray();
	for (uint32_t place = 0; place < m->nrows; place++) {
		const hist_heat_row *row = &m->rows[m->has_axis ? m->nrows - 1 - place : place];
		const QByteArray label = csvField(rowLabel(uint32_t(row - m->rows)));

		for (unsigned int col = 0; row->cells && col < m->ncolumns; col++) {
			if (!row->cells[col])
				continue;
			columnTime(col, &from, &to);
			out += label + ',' + QByteArray::number(from) + ',' +
			       QByteArray::number(to) + ',' +
			       QByteArray::number(m->columns[col].intervals) + ',' +
			       QByteArray::number(qulonglong(row->cells[col])) + '\n';
		}
	}
	return out;
}

unsigned int HeatmapView::level(uint32_t row, unsigned int column) const
{
	return levels_.value(int(row * map()->ncolumns + column));
}

void HeatmapView::dropMade()
{
	levels_.clear();
	image_ = QImage();
}

void HeatmapView::measure()
{
	const QFontMetrics metrics(look().font);
	const hist_heatmap *m = map();
	const int line = metrics.height(), width = viewport()->width();
	const int top = stripHeight() + LOSS, bottom = viewport()->height() - line - 8;
	int left = left_, right = right_, height, total;
	double least = m->has_axis ? ROW_LEAST : line + 2;

	makeLevels();
	if (left >= right) {
		left = measureLabels() + 18;
		right = width - 12;
	}
	height = qMax(bottom - top, 16);
	row_ = qBound(least, double(height) / m->nrows, double(ROW_MOST));
	/* whole pixels give even rows, if rows are high enough */
	if (row_ >= 3)
		row_ = std::floor(row_);
	total = int(std::ceil(row_ * m->nrows));
	plot_ = QRect(left, top, qMax(right - left, 16), qMin(height, total));
	verticalScrollBar()->setPageStep(height);
	verticalScrollBar()->setSingleStep(qMax(1, int(row_) * 2));
	verticalScrollBar()->setRange(0, qMax(0, total - height));
	begin_ = from_;
	end_ = to_;
	if (begin_ >= end_) {
		begin_ = qint64(m->columns[0].from) + offset_;
		end_ = qint64(m->columns[m->ncolumns - 1].to) + offset_;
	}
	if (end_ <= begin_)
		end_ = begin_ + 1;
	image_ = QImage();
}

double HeatmapView::xOf(qint64 time) const
{
	return timeAxis().at(time);
}

qint64 HeatmapView::timeOf(double x) const
{
	return timeAxis().timeOf(x);
}

double HeatmapView::fileX(uint64_t time) const
{
	return xOf(qint64(time) + offset_);
}

void HeatmapView::columnTime(unsigned int column, qint64 *from, qint64 *to) const
{
	*from = qint64(map()->columns[column].from) + offset_;
	*to = qint64(map()->columns[column].to) + offset_;
}

/* An axis has its largest numbers at the top; labels have the largest count at the top. */
int HeatmapView::rowTop(uint32_t row) const
{
	const uint32_t place = map()->has_axis ? map()->nrows - 1 - row : row;

	return plot_.top() + int(std::lround(row_ * place)) - verticalScrollBar()->value();
}

/* What is far outside of the window after a zoom is no number of pixels. */
static int placeOf(double x)
{
	const double far = 1 << 20;

	return int(std::lround(qBound(-far, x, far)));
}

QRect HeatmapView::itemRect(int item) const
{
	const hist_heatmap *m = map();
	int row, x1, x2, y;

	if (!m || item < 0 || !m->ncolumns || uint32_t(itemRow(item)) >= m->nrows)
		return QRect();
	row = itemRow(item);
	x1 = placeOf(fileX(m->columns[itemColumn(item)].from));
	x2 = placeOf(fileX(m->columns[itemColumn(item)].to));
	y = rowTop(uint32_t(row));
	return QRect(x1, y, qMax(x2 - x1, 1), qMax(int(std::lround(row_)), 1));
}

unsigned int HeatmapView::columnAfter(qint64 time) const
{
	const hist_heatmap *m = map();
	unsigned int low = 0, high;

	for (high = m->ncolumns; low < high;) {
		const unsigned int middle = (low + high) / 2;

		if (qint64(m->columns[middle].to) <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int HeatmapView::itemAt(const QPoint &at) const
{
	const hist_heatmap *m = map();
	unsigned int low;
	uint32_t place;
	qint64 time;

	if (!m || !plot_.contains(at))
		return -1;
	place = uint32_t((at.y() - plot_.top() + verticalScrollBar()->value()) / row_);
	if (place >= m->nrows)
		return -1;
	time = timeOf(at.x() + 0.5) - offset_;
	low = columnAfter(time);
	/* the last pixel of the map belongs to the last column */
	if (low == m->ncolumns && at.x() - fileX(m->columns[m->ncolumns - 1].to) < 1)
		low--;
	if (low == m->ncolumns ||
	    qint64(m->columns[low].from) > time + (timeOf(at.x() + 1) - timeOf(at.x())))
		return -1;
	return int((m->has_axis ? m->nrows - 1 - place : place) * m->ncolumns + low);
}

QString HeatmapView::itemLine(int item) const
{
	const hist_heatmap *m = map();
	const hist_heat_row *row = &m->rows[itemRow(item)];
	const unsigned int col = unsigned(itemColumn(item));
	const uint64_t count = row->cells ? row->cells[col] : 0;
	qint64 from, to;

	columnTime(col, &from, &to);
	return tr("%1:  %2  (%3)   %4 to %5")
		.arg(rowLabel(uint32_t(itemRow(item))), countText(count),
		     rateText(hist_heatmap_rate(m, row, col), m->ns),
		     timeText(uint64_t(from), m->ns), timeText(uint64_t(to), m->ns));
}

QString HeatmapView::itemText(int item) const
{
	const hist_heatmap *m = map();
	const hist_heat_row *row = &m->rows[itemRow(item)];
	const hist_heat_column *column = &m->columns[itemColumn(item)];
	const uint64_t count = row->cells ? row->cells[itemColumn(item)] : 0;
	qint64 from, to;
	QString text;

	columnTime(unsigned(itemColumn(item)), &from, &to);
	if (m->has_axis)
		text = keyTitle(figures()->axis) + QLatin1String(": ");
	text += rowLabel(uint32_t(itemRow(item)));
	text += tr("\n%1 to %2: %3")
			.arg(timeText(uint64_t(from), m->ns), timeText(uint64_t(to), m->ns),
			     durationText(uint64_t(to - from), m->ns));
	if (column->intervals > 1)
		text += tr(", %1 intervals").arg(column->intervals);
	text += tr("\n%1: %2, %3")
			.arg(valueTitle(), countText(count),
			     rateText(hist_heatmap_rate(m, row, unsigned(itemColumn(item))),
				      m->ns));
	if (column->dropped)
		text += column->dropped == 1 ? tr("\n1 hit was dropped during this time")
					     : tr("\n%1 hits were dropped during this time")
						       .arg(countText(column->dropped));
	if (column->lost)
		text += column->lost == 1 ? tr("\n1 snapshot during this time is missing")
					  : tr("\n%1 snapshots during this time are missing")
						    .arg(countText(column->lost));
	if (column->reset)
		text += tr("\nthe histogram was cleared during this time");
	if (m->ns)
		text += tr("\nDouble click: go to this time in the graph; drag: zoom");
	return text;
}

/*
 * Columns of other figures begin at other times: use the column that contains the start
 * of the old one.
 */
int HeatmapView::itemLike(const PanelData &old, int item) const
{
	const hist_heatmap *m = map(), *was = old.map;
	const hist_heat_column *column = &was->columns[unsigned(item) % was->ncolumns];
	const uint32_t row = panel_match_row(m, &was->rows[unsigned(item) / was->ncolumns]);
	const unsigned int col = columnAfter(qint64(column->from));

	if (row == HIST_NO_ENTRY || col == m->ncolumns || m->columns[col].from >= column->to)
		return -1;
	return int(row * m->ncolumns + col);
}

int HeatmapView::step(int item, int across, int down, int pages) const
{
	const int n = int(map()->ncolumns), rows = int(map()->nrows);
	const int below = (down + pages * 10) * (map()->has_axis ? -1 : 1);

	if (item < 0)
		return map()->has_axis ? (rows - 1) * n : 0;
	return qBound(0, itemRow(item) + below, rows - 1) * n +
	       qBound(0, itemColumn(item) + across, n - 1);
}

void HeatmapView::showItem(int item)
{
	const QRect cell = itemRect(item);
	QScrollBar *bar = verticalScrollBar();

	if (cell.top() < plot_.top())
		bar->setValue(bar->value() - (plot_.top() - cell.top()));
	else if (cell.bottom() > plot_.bottom())
		bar->setValue(bar->value() + cell.bottom() - plot_.bottom());
}

void HeatmapView::scrollContentsBy(int dx, int dy)
{
	image_ = QImage();
	ChartView::scrollContentsBy(dx, dy);
}

void HeatmapView::stopBand()
{
	banding_ = false;
	press_ = -1;
	viewport()->update();
}

/* The graph shows the time under the mouse. */
void HeatmapView::sayPointed()
{
	const bool in = hasChart() && map()->ns && plot_.contains(mouse_);

	if (!in && !pointing_)
		return;
	pointing_ = in;
	emit timePointed(in, in ? timeOf(mouse_.x()) : 0);
}

bool HeatmapView::viewportEvent(QEvent *event)
{
	const bool done = ChartView::viewportEvent(event);

	if (event->type() == QEvent::Leave)
		sayPointed();
	return done;
}

/* Above the view, because a tip below the mouse would cover cells. */
QPoint HeatmapView::tipAt(const QPoint &mouse, const QString &words) const
{
	const QFontMetrics metrics(QToolTip::font());
	const int height = metrics.size(0, words).height() + 2 * metrics.height();

	/* Qt shows a tip some pixels below the point */
	return viewport()->mapToGlobal(QPoint(mouse.x(), 0)) - QPoint(0, height + 16);
}

void HeatmapView::mousePressEvent(QMouseEvent *event)
{
	if (event->button() != Qt::LeftButton || !hasChart() ||
	    !plot_.contains(mousePosition(event).toPoint()))
		return;
	press_ = mousePosition(event).toPoint().x();
	band_from_ = band_to_ = timeOf(press_);
	banding_ = false;
}

void HeatmapView::mouseMoveEvent(QMouseEvent *event)
{
	ChartView::mouseMoveEvent(event);
	sayPointed();
	if (!hasChart() || !(event->buttons() & Qt::LeftButton)) {
		stopBand();
	} else if (press_ >= 0) {
		const int x = qBound(plot_.left(), mouse_.x(), plot_.left() + plot_.width());

		band_to_ = timeOf(x);
		if (qAbs(x - press_) >= QApplication::startDragDistance())
			banding_ = map()->ns;
	}
	viewport()->update();
}

void HeatmapView::mouseReleaseEvent(QMouseEvent *event)
{
	const bool banded = banding_ && event->button() == Qt::LeftButton;
	const qint64 from = qMin(band_from_, band_to_), to = qMax(band_from_, band_to_);
	int item;

	stopBand();
	if (event->button() != Qt::LeftButton || !hasChart())
		return;
	item = itemAt(mousePosition(event).toPoint());
	if (banded && to > from) {
		emit zoomWanted(from, to);
	} else if (!banded && item >= 0) {
		setCurrent(item);
		emit chosen(item);
	}
}

/* Go to the events of a cell: to its longest latency, or to the begin of its time. */
void HeatmapView::wantItem(int item)
{
	qint64 from, to;

	columnTime(unsigned(itemColumn(item)), &from, &to);
	if (latencies_ && map()->has_axis)
		emit slowestWanted(item);
	else
		emit goToWanted(from);
}

void HeatmapView::mouseDoubleClickEvent(QMouseEvent *event)
{
	const int item = hasChart() ? itemAt(mousePosition(event).toPoint()) : -1;

	if (event->button() != Qt::LeftButton || item < 0 || !map()->ns)
		return;
	setCurrent(item);
	wantItem(item);
}

void HeatmapView::keyPressEvent(QKeyEvent *event)
{
	qint64 from, to;

	if (event->key() == Qt::Key_Escape && banding_) {
		stopBand();
		return;
	}
	if (!hasChart() || current() < 0 || !map()->ns) {
		ChartView::keyPressEvent(event);
		return;
	}
	columnTime(unsigned(itemColumn(current())), &from, &to);
	switch (event->key()) {
	case Qt::Key_Return:
	case Qt::Key_Enter:
		wantItem(current());
		break;
	case Qt::Key_Z:
		emit zoomWanted(from, to);
		break;
	case Qt::Key_E:
		emit activated(current());
		break;
	default:
		ChartView::keyPressEvent(event);
	}
}

/*
 * The figures may change while the menu is open: its actions refer to the figures at
 * the time of opening.
 */
void HeatmapView::contextMenuEvent(QContextMenuEvent *event)
{
	const bool mouse = event->reason() == QContextMenuEvent::Mouse;
	const int item = !hasChart() ? -1 :
			 mouse ? itemAt(viewport()->mapFromGlobal(event->globalPos())) : current();
	const PanelDataPtr of = figures();
	qint64 from, to, file;
	QMenu *menu;

	if (item < 0)
		return;
	setCurrent(item);
	columnTime(unsigned(itemColumn(item)), &from, &to);
	file = qint64(map()->columns[itemColumn(item)].to);
	menu = new QMenu(this);
	menu->setAttribute(Qt::WA_DeleteOnClose);
	if (map()->ns) {
		menu->addAction(tr("&Go to %1 in the graph").arg(timeText(uint64_t(from), true)),
				this, [this, from] { emit goToWanted(from); });
		menu->addAction(
			tr("&Zoom to this column: %1").arg(durationText(uint64_t(to - from), true)),
			this, [this, from, to] { emit zoomWanted(from, to); });
	}
	if (latencies_ && map()->has_axis)
		menu->addAction(tr("Go to the &longest latency of this cell"), this,
				[this, of, item] {
					const int now = itemNow(of, item);

					if (now >= 0)
						emit slowestWanted(now);
				});
	if (snapshots_)
		menu->addAction(tr("&Snapshot at the end of this column"), this, [this, of, file] {
			if (isLike(of))
				emit snapshotWanted(quint64(file));
		});
	menu->addAction(tr("Show the &events of this row"), this, [this, of, item] {
		const int now = itemNow(of, item);

		if (now >= 0)
			emit activated(now);
	});
	menu->popup(mouse ? event->globalPos() : viewport()->mapToGlobal(itemRect(item).center()));
}
