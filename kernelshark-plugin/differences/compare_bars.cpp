// SPDX-License-Identifier: GPL-2.0
/* compare_bars.cpp - two bars for each bucket or key: before and after */
#include <QPainter>

#include "kernelshark-plugin/differences/compare_bars.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

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
