// SPDX-License-Identifier: GPL-2.0
/*
 * compare_view.cpp - figures next to those of before: two bars for each row, and their difference
 *
 * Both charts draw one comparison, which each of them makes when it is first needed.
 */
#include <cerrno>
#include <cmath>

#include <QPainter>

#include "kernelshark-plugin/charts/compare_view.hpp"
#include "kernelshark-plugin/charts/time_axis.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

#define LEVELS ChartStyle::DIFFERENCE_LEVELS

void CompareChart::setBefore(const PanelDataPtr &before)
{
	if (before == before_)
		return;
	before_ = before;
	dropMade();
}

void CompareChart::dropMade()
{
	compared_.reset();
	why_.clear();
}

QString CompareChart::whyEmpty() const
{
	compared *made = nullptr;
	hist_error error = {};

	if (!before_)
		return tr("Press \"Compare\" to keep the current numbers as \"before\". Then move "
			  "the graph "
			  "or select another histogram to get the numbers \"after\".");
	if (compared_ || !why_.isEmpty())
		return compared_ ? QString() : why_;
	if (compare_make(&made, before_.get(), figures().get(), &error))
		why_ = tr("Cannot compare: %1.")
			       .arg(QString::fromUtf8(hist_error_what(&error, -ENOMEM)));
	else if (!made->n)
		why_ = tr("Nothing was counted, neither before nor after.");
	compared_.reset(made);
	if (!why_.isEmpty())
		compared_.reset();
	return why_;
}

QString CompareChart::rowLabel(uint32_t row) const
{
	TextBuffer b;

	compare_put_label(b, compared_.get(), row, false);
	return b.text();
}

QString CompareChart::changeText(double before, double after) const
{
	const auto text = [this](double rate) {
		return compared_->has_rates ? shortText(rate) + QLatin1String("/s") :
					      QString::asprintf("%.2f%%", rate * 100);
	};
	QString change;

	if (before > 0)
		change = QString::asprintf("%+.*f%%", std::fabs(after - before) < before ? 1 : 0,
					   (after - before) / before * 100);
	else
		change = after > 0 ? tr("new") : QString();
	return tr("%1, before %2").arg(text(after), text(before)) +
	       (change.isEmpty() ? QString() : QLatin1String(": ") + change);
}

CompareBars::CompareBars(QWidget *parent) : CompareChart(parent), scene_(this)
{
	setObjectName(QStringLiteral("hist_compare_bars"));
	setAccessibleName(tr("Bars before and after"));
	scene_.figures.data = this;
	scene_.figures.sides = SIDES;
	scene_.figures.size = [](void *view, uint32_t row, unsigned int side) {
		return static_cast<CompareBars *>(view)->comparison()->rows[row].rate[side];
	};
	scene_.figures.label = [](void *view, uint32_t row, hist_strbuf *b) {
		compare_put_label(b, static_cast<CompareBars *>(view)->comparison(), row, false);
	};
	scene_.figures.tick = [](void *view, double rate, hist_strbuf *b) {
		const bool rates = static_cast<CompareBars *>(view)->comparison()->has_rates;

		hist_number_put_short(b, rates ? rate : rate * 100);
		hist_strbuf_str(b, rates ? "" : "%");
	};
}

void CompareBars::measure()
{
	scene_.figures.n = comparison()->n;
	scene_.measure(look(), stripHeight(), upright(), isLog());
}

void CompareBars::dropMade()
{
	scene_.drop();
	CompareChart::dropMade();
}

void CompareBars::scrollContentsBy(int dx, int dy)
{
	scene_.draw();
	CompareChart::scrollContentsBy(dx, dy);
}

QString CompareBars::itemLine(int row) const
{
	const compared_row &r = comparison()->rows[row];

	return rowLabel(uint32_t(row)) + QLatin1String(":  ") +
	       changeText(r.rate[BEFORE], r.rate[AFTER]);
}

QString CompareBars::itemText(int row) const
{
	const compared_row &r = comparison()->rows[row];
	TextBuffer exact;

	compare_put_label(exact, comparison(), uint32_t(row), true);
	return tr("%1\nbefore: %2 of %3\nafter: %4 of %5\n%6")
		.arg(exact.text(), countText(r.count[BEFORE]),
		     countText(comparison()->total[BEFORE]), countText(r.count[AFTER]),
		     countText(comparison()->total[AFTER]),
		     changeText(r.rate[BEFORE], r.rate[AFTER]));
}

QString CompareBars::title() const
{
	return comparison()->has_rates ? tr("%1 per second").arg(valueTitle()) :
					 tr("share of %1").arg(valueTitle());
}

void CompareBars::paintChart(QPainter *painter)
{
	const ChartStyle &s = look();
	const QFontMetrics metrics(s.font);
	const QString names[SIDES] = { tr("before"), tr("after") };
	const QColor colours[SIDES] = { s.before, s.bar };
	const int box = metrics.height() - 6;
	int x = viewport()->width() - 12, legend = 0;

	for (const QString &name : names)
		legend += metrics.horizontalAdvance(name) + box + 18;
	paintStrip(painter, title(),
		   comparison()->has_axis ? QString() : tr("largest change first"), legend + 8);
	painter->setFont(s.font);
	for (int side = AFTER; side >= BEFORE; side--) {
		x -= metrics.horizontalAdvance(names[side]);
		painter->setPen(s.muted);
		painter->drawText(
			QRectF(x, 0, metrics.horizontalAdvance(names[side]) + 2, stripHeight()),
			Qt::AlignLeft | Qt::AlignVCenter, names[side]);
		x -= box + 5;
		painter->fillRect(QRect(x, (stripHeight() - box) / 2, box, box), colours[side]);
		x -= 13;
	}
	scenePaint(painter, s, scene_.shapes(), pointed(), hasFocus() ? current() : -1);
}

DifferenceMap::DifferenceMap(QWidget *parent) : CompareChart(parent), scene_(this)
{
	chart_heat_figures *f = &scene_.figures;
	chart_legend *l = &scene_.legend;

	setObjectName(QStringLiteral("hist_difference_map"));
	setAccessibleName(tr("Difference over time"));
	setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
	f->data = l->data = this;
	f->look = l->look = CHART_CLASS_DIFFERENCE;
	f->columns = COLUMNS;
	f->upward = true;
	f->zero_is_unknown = true;
	f->column = [](void *, uint32_t i) {
		return chart_span{ double(i) / COLUMNS, double(i + 1) / COLUMNS };
	};
	f->label = [](void *map, uint32_t row, hist_strbuf *b) {
		hist_strbuf_str(
			b, static_cast<DifferenceMap *>(map)->rowLabel(row).toUtf8().constData());
	};
	l->first = 1;
	l->last = 2 * LEVELS + 1;
	scene_.always_brief = true;
	l->text = [](void *map, uint8_t level, hist_strbuf *b) {
		hist_strbuf_char(b, level > LEVELS ? '+' : '-');
		hist_number_put_short(b, static_cast<DifferenceMap *>(map)->map()->most);
		hist_strbuf_str(b, "/s");
	};
}

void DifferenceMap::dropMade()
{
	map_.reset();
	why_.clear();
	scene_.drop();
	CompareChart::dropMade();
}

QString DifferenceMap::whyEmpty() const
{
	const QString why = CompareChart::whyEmpty();
	compared_map *made = nullptr;
	hist_error error = {};

	if (!why.isEmpty() || map_ || !why_.isEmpty())
		return why.isEmpty() ? why_ : why;
	if (compare_make_map(&made, comparison(), COLUMNS, &error))
		why_ = tr("Cannot show how the difference changes over time: %1.")
			       .arg(QString::fromUtf8(hist_error_what(&error, -ENOMEM)));
	map_.reset(made);
	return why_;
}

bool DifferenceMap::isKnown(uint32_t row, unsigned int column) const
{
	return !std::isnan(compare_map_difference(map(), row, column));
}

int DifferenceMap::level(uint32_t row, unsigned int column) const
{
	return isKnown(row, column) ? compare_level(compare_map_difference(map(), row, column),
						    map()->most, LEVELS)
				    : 0;
}

void DifferenceMap::measure()
{
	levels_.resize(int(map()->nrows) * COLUMNS);
	for (int i = 0; i < levels_.size(); i++)
		levels_[i] = isKnown(rowOf(i), columnOf(i)) ?
				     uint8_t(level(rowOf(i), columnOf(i)) + LEVELS + 1) : 0;
	scene_.figures.rows = map()->nrows;
	scene_.figures.levels = levels_.constData();
	scene_.measure(look(), stripHeight(), 0, 0);
}

void DifferenceMap::scrollContentsBy(int dx, int dy)
{
	scene_.draw();
	CompareChart::scrollContentsBy(dx, dy);
}

QString DifferenceMap::itemLine(int item) const
{
	const size_t at = size_t(item);
	const QString when = durationText(uint64_t(columnOf(item)) * map()->step, true);

	if (!isKnown(rowOf(item), columnOf(item)))
		return tr("%1 after the start: one of the two recordings has no data").arg(when);
	return tr("%1:  %2   %3 after the start")
		.arg(rowLabel(rowOf(item)),
		     changeText(map()->rate[BEFORE][at], map()->rate[AFTER][at]), when);
}

QString DifferenceMap::itemText(int item) const
{
	return itemLine(item);
}

void DifferenceMap::paintChart(QPainter *painter)
{
	const qint64 all = qint64(map()->step) * COLUMNS;

	paintStrip(painter, tr("after minus before, by %1").arg(keyTitle(figures()->axis)),
		   QString(), scene_.legendWidth());
	scenePaint(painter, look(), scene_.shapes(), pointed(), -1);
	timePaintTicks(painter, look(), { scene_.plot(), 0, all, true, true }, viewport()->width());
}

CompareView::CompareView(QWidget *parent) : QSplitter(Qt::Horizontal, parent)
{
	setObjectName(QStringLiteral("hist_compare_view"));
	addWidget(bars_ = new CompareBars(this));
	addWidget(map_ = new DifferenceMap(this));
	setChildrenCollapsible(false);
	bars_->setMinimumWidth(1);
	map_->setMinimumWidth(1);
	map_->hide();
}

void CompareView::setBefore(const PanelDataPtr &before)
{
	has_before_ = before != nullptr;
	bars_->setBefore(before);
	map_->setBefore(before);
}

void CompareView::setFigures(const PanelDataPtr &figures, const QString &empty)
{
	bars_->setFigures(figures, empty);
	map_->setFigures(figures, empty);
	/* keys without an axis have no map: their bars have all the room */
	map_->setVisible(bars_->hasChart() && map_->hasChart());
}

QByteArray CompareView::csv() const
{
	const compared *c = bars_->hasChart() ? bars_->comparison() : nullptr;
	QByteArray out = c && c->has_rates ? "row,before,after,before_per_second,after_per_second\n"
					   : "row,before,after,before_share,after_share\n";

	for (uint32_t i = 0; c && i < c->n; i++)
		out += csvField(bars_->rowLabel(i)) + ',' +
		       QByteArray::number(qulonglong(c->rows[i].count[BEFORE])) + ',' +
		       QByteArray::number(qulonglong(c->rows[i].count[AFTER])) + ',' +
		       QByteArray::number(c->rows[i].rate[BEFORE], 'g', 15) + ',' +
		       QByteArray::number(c->rows[i].rate[AFTER], 'g', 15) + '\n';
	return c ? out : QByteArray();
}
