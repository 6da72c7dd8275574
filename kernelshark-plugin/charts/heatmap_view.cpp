// SPDX-License-Identifier: GPL-2.0
/*
 * heatmap_view.cpp - heat map: figures of the scene, and user input
 *
 * Levels are computed once for figures, and the scene (heat_scene.hpp) once for a size and time
 * range.  What depends on the mouse is painted over it.
 */
#include <cmath>

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>

#include "kernelshark-plugin/charts/heatmap_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

HeatmapView::HeatmapView(QWidget *parent) : ChartView(parent), scene_(this)
{
	setObjectName(QStringLiteral("hist_heatmap"));
	setAccessibleName(tr("Heat map"));
	setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
	setLog(true);
	setFigureFunctions();
}

void HeatmapView::setFigureFunctions()
{
	chart_heat_figures *f = &scene_.figures;

	f->data = scene_.legend.data = this;
	f->look = scene_.legend.look = CHART_CLASS_HEAT;
	f->column = [](void *view, uint32_t i) {
		const HeatmapView *v = static_cast<HeatmapView *>(view);
		const double all = double(v->end_ - v->begin_);
		qint64 from, to;

		v->columnTime(i, &from, &to);
		return chart_span{ double(from - v->begin_) / all, double(to - v->begin_) / all };
	};
	f->label = [](void *view, uint32_t i, hist_strbuf *b) {
		const HeatmapView *v = static_cast<HeatmapView *>(view);

		hist_strbuf_str(b, v->rowLabel(i).toUtf8().constData());
	};
	f->brief = [](void *view, uint32_t i, hist_strbuf *b) {
		static_cast<HeatmapView *>(view)->putBriefLabel(i, b);
	};
	f->is_gap = [](void *view, uint32_t i) {
		return static_cast<HeatmapView *>(view)->map()->rows[i].empty != 0;
	};
	f->is_marked = [](void *view, uint32_t i) {
		const hist_heat_column *c = &static_cast<HeatmapView *>(view)->map()->columns[i];

		return c->reset || c->lost || c->dropped;
	};
	scene_.legend.first = 1;
	scene_.legend.text = [](void *view, uint8_t level, hist_strbuf *b) {
		static_cast<HeatmapView *>(view)->putLevel(level, b);
	};
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

/* A range without its middle is not readable: its start is. */
void HeatmapView::putBriefLabel(uint32_t i, hist_strbuf *b) const
{
	const hist_heat_row *row = &map()->rows[i];

	if (!row->empty && !row->others && !row->label && row->ge != HIST_LOG2_NEGATIVE)
		panel_put_axis_start(b, figures().get(), row);
}

/* The text next to a level of the legend: the rate at which it begins. */
void HeatmapView::putLevel(unsigned int level, hist_strbuf *b) const
{
	if (scene_.legend.brief || hist_heat_has_level(&heat_, level))
		hist_number_put_short(b, double(heat_.from[level]) / 1000);
}

/* A colour is a rate by hist_heat_level(); the scale has equal ratios or equal steps. */
void HeatmapView::makeLevels()
{
	const hist_heatmap *m = map();
	uint64_t least, most;
	unsigned int i;

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
	hist_heatmap_find_levels(m, &heat_, levels_.data());
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
	scene_.drop();
}

void HeatmapView::measure()
{
	const hist_heatmap *m = map();

	makeLevels();
	begin_ = from_;
	end_ = to_;
	if (begin_ >= end_) {
		begin_ = qint64(m->columns[0].from) + offset_;
		end_ = qint64(m->columns[m->ncolumns - 1].to) + offset_;
	}
	if (end_ <= begin_)
		end_ = begin_ + 1;
	scene_.figures.rows = m->nrows;
	scene_.figures.columns = m->ncolumns;
	scene_.figures.upward = m->has_axis;
	scene_.figures.levels = levels_.constData();
	scene_.legend.last = uint8_t(heat_.levels - 1);
	legend_title_ = (m->ns ? tr("per second") : tr("per interval")).toUtf8();
	scene_.legend.title = legend_title_.constData();
	scene_.measure(look(), stripHeight(), left_, right_);
}

double HeatmapView::xOf(qint64 time) const
{
	return timeAxis().at(time);
}

qint64 HeatmapView::timeOf(double x) const
{
	return timeAxis().timeOf(x);
}

void HeatmapView::columnTime(unsigned int column, qint64 *from, qint64 *to) const
{
	*from = qint64(map()->columns[column].from) + offset_;
	*to = qint64(map()->columns[column].to) + offset_;
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

void HeatmapView::scrollContentsBy(int dx, int dy)
{
	scene_.draw();
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
	const bool in = hasChart() && map()->ns && plot().contains(mouse_);

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
	    !plot().contains(mousePosition(event).toPoint()))
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
		const int x = qBound(plot().left(), mouse_.x(), plot().left() + plot().width());

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
