// SPDX-License-Identifier: GPL-2.0
/*
 * bars_view.cpp - bar chart with a bar for each bucket of an axis, or for each key
 *
 * Only visible bars are measured and painted, so that scrolling 65,536 rows is as
 * smooth as ten. The width of the labels is computed from the first few hundred rows.
 */
#include <cmath>

#include <QPainter>
#include <QScrollBar>

#include "kernelshark-plugin/charts/bars_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"
#include "lib/base/saturate.h"

#define SLOT_LEAST 5	/* pixels of a vertical bar with its gap */
#define SLOT_MOST 96
#define LABELS_MEASURED 300
#define COUNTS_LEAST 24 /* narrower bars do not have a count above them */
#define TICK 4

BarsView::BarsView(QWidget *parent) : ChartView(parent)
{
	setObjectName(QStringLiteral("hist_bars"));
	setAccessibleName(tr("Bars"));
}

bool BarsView::upright() const
{
	return figures() && figures()->by_axis;
}

int BarsView::bars() const
{
	if (!figures() || figures()->value < 0)
		return 0;
	return int(upright() ? figures()->by_axis->nrows : figures()->rows.n);
}

uint64_t BarsView::count(int i) const
{
	const PanelData *f = figures().get();

	return upright() ? f->by_axis->rows[i].total : panel_get_count(f, f->rows.entries[i]);
}

uint64_t BarsView::gap(int i) const
{
	return upright() ? figures()->by_axis->rows[i].empty : 0;
}

QString BarsView::label(int i) const
{
	TextBuffer b;

	if (gap(i))
		return tr("%1 empty").arg(countText(gap(i)));
	if (upright())
		panel_put_axis_label(b, figures().get(), &figures()->by_axis->rows[i]);
	else
		panel_put_label(b, figures().get(), figures()->rows.entries[i], false);
	return b.text();
}

QString BarsView::whyEmpty() const
{
	if (figures()->value < 0)
		return tr("A bar chart needs the hit count or the sum of a field, and this "
			  "histogram has neither. Use the table.");
	return bars() ? QString() : nothingText(figures().get(), "key");
}

void BarsView::measure()
{
	if (upright())
		measureUpright();
	else
		measureLying();
}

/* From zero to slightly above the maximum; a log scale ends at powers of ten. */
static chart_scale countScale(bool log, uint64_t least, uint64_t most, double from, double to)
{
	if (!most)
		most = 1;
	if (!log)
		return chart_scale_make(CHART_LINEAR, 0, double(most) * 1.04, from, to);
	return chart_scale_make(CHART_LOG, std::pow(10, std::floor(std::log10(double(least)))) * 0.5,
			  double(most) * 1.3, from, to);
}

/* Split "513 us-1.02 ms" into two lines at the first '-' that is not the first character. */
static QString twoLines(QString text)
{
	const int at = text.indexOf(QLatin1Char('-'), 1);

	return at < 0 ? text : text.insert(at + 1, QLatin1Char('\n'));
}

/* The least and largest count above 0; widens label_ to that of the labels. */
void BarsView::measureCounts(uint64_t *least, uint64_t *most)
{
	const QFontMetrics metrics(look().font);
	int i;

	*least = UINT64_MAX;
	*most = 0;
	for (i = 0; i < bars(); i++) {
		*most = qMax(*most, count(i));
		*least = qMin(*least, count(i) ? count(i) : UINT64_MAX);
		if (i < LABELS_MEASURED)
			label_ = qMax(label_, metrics.horizontalAdvance(label(i)));
	}
	if (*least > *most)
		*least = 1;
}

void BarsView::measureUpright()
{
	const QFontMetrics metrics(look().font);
	const int n = bars(), line = metrics.height();
	uint64_t least, most, below = 0;
	int left, i, width, half = 0;

	label_ = 0;
	measureCounts(&least, &most);
	below_.resize(n);
	for (i = 0; i < n; i++) {
		below_[i] = below;
		below = saturating_add(below, count(i));
		if (i < LABELS_MEASURED)
			half = qMax(half, metrics.size(0, twoLines(label(i))).width());
	}
	left = qMax(metrics.horizontalAdvance(shortText(double(most) * 1.3)),
		    metrics.horizontalAdvance(QStringLiteral("500k"))) + 18;
	width = viewport()->width() - left - 12;
	slot_ = qBound(double(SLOT_LEAST), double(width) / qMax(n, 1), double(SLOT_MOST));
	/* all buckets can have labels if the two ends of a range are on separate lines */
	lines_ = label_ + 10 > slot_ && half + 6 <= slot_ ? 2 : 1;
	if (lines_ == 2)
		label_ = half - 4;
	plot_ = QRectF(left, stripHeight() + line + 2, width,
		       viewport()->height() - stripHeight() - (1 + lines_) * line - 2 - 8);
	if (plot_.height() < 20)
		plot_.setHeight(20);
	scale_ = countScale(isLog(), least, most, plot_.bottom(), plot_.top());
	verticalScrollBar()->setRange(0, 0);
	horizontalScrollBar()->setPageStep(width);
	horizontalScrollBar()->setSingleStep(int(slot_) * 4);
	horizontalScrollBar()->setRange(0, qMax(0, int(std::ceil(slot_ * n)) - width));
}

void BarsView::measureLying()
{
	const QFontMetrics metrics(look().font);
	const int n = bars(), line = metrics.height();
	uint64_t least, most;
	int number, width = viewport()->width();

	below_.clear();
	label_ = metrics.horizontalAdvance(keyTitle(0));
	measureCounts(&least, &most);
	label_ = qMin(label_, width * 2 / 5);
	labels_.clear();
	for (int i = 0; i < qMin(n, LABELS_MEASURED); i++)
		labels_ << label(i);
	labels_ = cutLabels(labels_, look().font, label_ + 4);
	number = metrics.horizontalAdvance(countText(most)) +
		 metrics.horizontalAdvance(QStringLiteral("   100.00%"));
	slot_ = line + 8;
	plot_ = QRectF(label_ + 20, stripHeight(), qMax(40, width - label_ - 20 - number - 16),
		       qMax(20, viewport()->height() - stripHeight() - line - 8));
	scale_ = countScale(isLog(), least, most, plot_.left(), plot_.right());
	horizontalScrollBar()->setRange(0, 0);
	verticalScrollBar()->setPageStep(int(plot_.height()));
	verticalScrollBar()->setSingleStep(int(slot_));
	verticalScrollBar()->setRange(0, qMax(0, int(slot_ * n - plot_.height() + 4)));
}

int BarsView::heightOf(int bars) const
{
	const int line = QFontMetrics(look().font).height();

	return stripHeight() + (line + 8) * bars + line + 12;
}

QRect BarsView::itemRect(int i) const
{
	if (i < 0 || i >= bars())
		return QRect();
	if (upright())
		return QRectF(plot_.left() + slot_ * i - horizontalScrollBar()->value(), plot_.top(),
			      slot_, plot_.height()).toAlignedRect();
	return QRectF(0, plot_.top() + 2 + slot_ * i - verticalScrollBar()->value(),
		      viewport()->width(), slot_).toAlignedRect();
}

QRectF BarsView::barRect(int i) const
{
	double at, gap;

	if (i < 0 || i >= bars() || !count(i))
		return QRectF();
	at = chart_scale_at(&scale_, double(count(i)));
	if (upright()) {
		gap = slot_ >= 40 ? 6 : slot_ >= 12 ? 2 : 1;
		return QRectF(plot_.left() + slot_ * i - horizontalScrollBar()->value() + gap / 2,
			      qMin(at, plot_.bottom() - 1), slot_ - gap,
			      plot_.bottom() - qMin(at, plot_.bottom() - 1));
	}
	return QRectF(plot_.left(), plot_.top() + 2 + slot_ * i - verticalScrollBar()->value() + 3,
		      qMax(1.0, at - plot_.left()), slot_ - 6);
}

int BarsView::itemAt(const QPoint &at) const
{
	double place;
	int i;

	if (upright()) {
		if (at.x() < plot_.left() || at.x() >= plot_.right() || at.y() < stripHeight())
			return -1;
		place = (at.x() - plot_.left() + horizontalScrollBar()->value()) / slot_;
	} else {
		if (at.y() < plot_.top() || at.y() >= plot_.bottom() || at.x() < 0)
			return -1;
		place = (at.y() - plot_.top() - 2 + verticalScrollBar()->value()) / slot_;
	}
	i = int(std::floor(place));
	return i >= 0 && i < bars() ? i : -1;
}

QString BarsView::shareOf(int i) const
{
	return figures()->rows.has_shares || upright() ? shareText(count(i), figures()->whole_total) : QString();
}

/* With an axis: the share of this bucket and all earlier buckets. */
QString BarsView::upTo(int i) const
{
	const uint64_t last = bars() ? below_[bars() - 1] + count(bars() - 1) : 0;

	return shareText(below_[i] + count(i), last);
}

QString BarsView::itemLine(int i) const
{
	QString text = label(i) + QLatin1String(":  ");

	if (gap(i))
		return tr("%1 empty buckets").arg(countText(gap(i)));
	text += countText(count(i));
	if (!shareOf(i).isEmpty())
		text += QStringLiteral("  (%1)").arg(shareOf(i));
	if (upright())
		text += tr("   cumulative up to this bucket: %1").arg(upTo(i));
	return text;
}

QString BarsView::itemText(int i) const
{
	const PanelData *f = figures().get();
	TextBuffer exact;
	QString text;

	if (gap(i))
		return tr("%1 buckets without hits").arg(countText(gap(i)));
	if (upright()) {
		text = keyTitle(f->axis) + QLatin1String(": ") + label(i);
	} else {
		panel_put_label(exact, f, f->rows.entries[i], true);
		text = exact.text();
	}
	text += tr("\n%1: %2 of %3").arg(valueTitle(), countText(count(i)), countText(figures()->whole_total));
	if (!shareOf(i).isEmpty())
		text += QStringLiteral(" (%1)").arg(shareOf(i));
	if (upright())
		text += tr("\ncumulative up to this bucket: %1").arg(upTo(i));
	return text + tr("\nClick: show its events");
}

QString BarsView::title() const
{
	const PanelData *f = figures().get();
	QString text;
	unsigned int i;

	if (upright())
		return valueTitle() + QLatin1String(" by ") + keyTitle(f->axis);
	for (i = 0; i < f->schema->nkeys; i++)
		text += (i ? QLatin1String(" / ") : QLatin1String("")) + keyTitle(int(i));
	return valueTitle() + QLatin1String(" by ") + text;
}

QString BarsView::more() const
{
	const PanelData *f = figures().get();
	const int n = bars();

	if (upright() && f->query.group)
		return tr("of %1").arg(QString::fromUtf8(f->query.group));
	if (upright())
		return n == 1 ? tr("1 bucket") : tr("%1 buckets").arg(countText(uint64_t(n)));
	if (f->rows.total < f->whole_rows)
		return tr("%1 of %2 keys").arg(countText(f->rows.total), countText(f->whole_rows));
	return n == 1 ? tr("1 key") : tr("%1 keys").arg(countText(uint64_t(n)));
}

void BarsView::paintChart(QPainter *painter)
{
	paintStrip(painter, title(), more(), 0);
	if (upright())
		paintUpright(painter);
	else
		paintLying(painter);
}

void BarsView::paintBar(QPainter *painter, int i)
{
	const ChartStyle &s = look();
	const QRectF bar = barRect(i);

	if (i == pointed())
		painter->fillRect(QRectF(itemRect(i)).intersected(
					  QRectF(0, plot_.top(), viewport()->width(), plot_.height())),
				  s.grid);
	if (!bar.isEmpty())
		painter->fillRect(bar, i == pointed() ? s.barHover : s.bar);
	if (i == current() && hasFocus()) {
		painter->setPen(s.select);
		painter->setBrush(Qt::NoBrush);
		painter->drawRect(QRectF(itemRect(i)).adjusted(0.5, 0.5, -1.5, -1.5));
	}
}

/* As many labels as fit; the strip above the chart shows the bucket under the mouse. */
void BarsView::paintBucketLabels(QPainter *painter, int first, int last)
{
	const int line = QFontMetrics(look().font).height();
	const int every = qMax(1, int(std::ceil((label_ + 10) / slot_)));
	int i;

	for (i = first - first % every; i <= last; i += every) {
		const double x = plot_.left() + slot_ * (i + 0.5) - horizontalScrollBar()->value();

		if (x < plot_.left() || x > plot_.right())
			continue;
		painter->setPen(look().axis);
		painter->drawLine(QPointF(x, plot_.bottom() + 1), QPointF(x, plot_.bottom() + TICK));
		painter->setPen(gap(i) ? look().muted : look().text);
		QRectF where(x - label_ / 2.0 - 4, plot_.bottom() + TICK, label_ + 8, line * lines_);

		/* the last label stays inside the viewport */
		where.moveRight(qMin(where.right(), double(viewport()->width())));
		painter->drawText(where, Qt::AlignHCenter | Qt::AlignTop, lines_ > 1 ? twoLines(label(i)) : label(i));
	}
}

void BarsView::paintUpright(QPainter *painter)
{
	const ChartStyle &s = look();
	const QFontMetrics metrics(s.font);
	const int line = metrics.height(), n = bars();
	const int scroll = horizontalScrollBar()->value();
	const double end = qMin(plot_.right(), plot_.left() + slot_ * n);
	const int first = qBound(0, int(scroll / slot_), n - 1);
	const int last = qBound(0, int((scroll + plot_.width()) / slot_), n - 1);
	int i;

	painter->fillRect(QRectF(plot_.left(), plot_.top(), end - plot_.left(), plot_.height()), s.plot);
	for (double tick : chart_scale_ticks(&scale_, int(plot_.height() / (line * 2)), line, true)) {
		const double y = std::round(chart_scale_at(&scale_, tick)) + 0.5;

		painter->setPen(s.grid);
		painter->drawLine(QPointF(plot_.left(), y), QPointF(end, y));
		painter->setPen(s.muted);
		painter->drawText(QRectF(0, y - line / 2.0, plot_.left() - 8, line),
				  Qt::AlignRight | Qt::AlignVCenter, shortText(tick));
	}
	painter->save();
	painter->setClipRect(QRectF(plot_.left(), 0, plot_.width(), viewport()->height()));
	for (i = first; i <= last; i++) {
		const QRectF bar = barRect(i);
		const QString text = gap(i) ? QStringLiteral("\u22ef") : countText(count(i));

		if (gap(i))
			painter->fillRect(QRectF(plot_.left() + slot_ * i - scroll, plot_.top(), slot_,
						 plot_.height()), QBrush(s.grid, Qt::BDiagPattern));
		paintBar(painter, i);
		if (slot_ < COUNTS_LEAST || metrics.horizontalAdvance(text) > slot_ - 2)
			continue;
		painter->setPen(count(i) ? s.text : s.muted);
		painter->drawText(QRectF(plot_.left() + slot_ * i - scroll,
					 (bar.isEmpty() ? plot_.bottom() : bar.top()) - line - 1,
					 slot_, line), Qt::AlignCenter, text);
	}
	painter->restore();
	painter->setPen(s.axis);
	painter->drawLine(QPointF(plot_.left(), plot_.bottom() + 0.5), QPointF(end, plot_.bottom() + 0.5));
	paintBucketLabels(painter, first, last);
}

void BarsView::paintRow(QPainter *painter, int i)
{
	const ChartStyle &s = look();
	const QRect row = itemRect(i);
	const QRectF bar = barRect(i);
	const double x = (bar.isEmpty() ? plot_.left() : bar.right()) + 6;
	const QFontMetrics metrics(s.font);
	const QString number = countText(count(i));
	int used;

	paintBar(painter, i);
	painter->setPen(s.text);
	drawElided(painter, QRectF(8, row.top(), label_ + 4, row.height()),
		   Qt::AlignRight | Qt::AlignVCenter, i < labels_.size() ? labels_[i] : label(i));
	used = metrics.horizontalAdvance(number) + 8;
	painter->drawText(QRectF(x, row.top(), used, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
			  number);
	painter->setPen(s.muted);
	painter->drawText(QRectF(x + used, row.top(), viewport()->width() - x - used, row.height()),
			  Qt::AlignLeft | Qt::AlignVCenter, shareOf(i));
}

void BarsView::paintLying(QPainter *painter)
{
	const ChartStyle &s = look();
	const int line = QFontMetrics(s.font).height(), n = bars();
	const int scroll = verticalScrollBar()->value();
	const int first = qBound(0, int(scroll / slot_), n - 1);
	const int last = qBound(0, int((scroll + plot_.height()) / slot_) + 1, n - 1);
	const double end = qMin(plot_.bottom(), plot_.top() + 2 + slot_ * n - scroll);
	int i;

	painter->fillRect(QRectF(plot_.left(), plot_.top(), plot_.width(), end - plot_.top()), s.plot);
	for (double tick : chart_scale_ticks(&scale_, int(plot_.width() / 90), 56, true)) {
		const double x = std::round(chart_scale_at(&scale_, tick)) + 0.5;

		painter->setPen(s.grid);
		painter->drawLine(QPointF(x, plot_.top()), QPointF(x, end));
		painter->setPen(s.muted);
		painter->drawText(QRectF(x - 40, plot_.bottom() + 3, 80, line), Qt::AlignCenter,
				  shortText(tick));
	}
	painter->save();
	painter->setClipRect(QRectF(0, plot_.top(), viewport()->width(), plot_.height()));
	for (i = first; i <= last; i++)
		paintRow(painter, i);
	painter->setPen(s.axis);
	painter->drawLine(QPointF(plot_.left() - 0.5, plot_.top()), QPointF(plot_.left() - 0.5, end));
	painter->restore();
}

int BarsView::itemLike(const PanelData &old, int item) const
{
	const PanelData *f = figures().get();
	uint32_t entry, i;

	if (upright() != bool(old.by_axis))
		return -1;
	if (upright()) {
		i = panel_match_row(f->by_axis, &old.by_axis->rows[item]);
		return i == HIST_NO_ENTRY ? -1 : int(i);
	}
	entry = panel_match_entry(f, &old, old.rows.entries[item]);
	for (i = 0; entry != HIST_NO_ENTRY && i < f->rows.n; i++)
		if (f->rows.entries[i] == entry)
			return int(i);
	return -1;
}

int BarsView::step(int item, int across, int down, int pages) const
{
	const int page = qMax(1, int((upright() ? plot_.width() : plot_.height()) / slot_) - 1);

	if (item < 0 && across + down == -1)
		return bars() - 1;
	return qBound(0, item + across + down + pages * page, bars() - 1);
}

void BarsView::showItem(int i)
{
	QScrollBar *bar = upright() ? horizontalScrollBar() : verticalScrollBar();
	const int from = int(slot_ * i), to = int(std::ceil(slot_ * (i + 1)));
	const int page = int(upright() ? plot_.width() : plot_.height());

	if (from < bar->value())
		bar->setValue(from);
	else if (to > bar->value() + page)
		bar->setValue(to - page + 4);
}
