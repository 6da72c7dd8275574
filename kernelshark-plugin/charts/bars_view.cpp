// SPDX-License-Identifier: GPL-2.0
/* bars_view.cpp - bar chart with a bar for each bucket of an axis, or for each key */
#include <QPainter>

#include "kernelshark-plugin/charts/bars_view.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"
#include "lib/base/saturate.h"

BarsView::BarsView(QWidget *parent) : ChartView(parent), scene_(this)
{
	setObjectName(QStringLiteral("hist_bars"));
	setAccessibleName(tr("Bars"));
	scene_.figures.data = this;
	scene_.figures.value = [](void *view, uint32_t i) {
		return static_cast<BarsView *>(view)->count(int(i));
	};
	scene_.figures.gap = [](void *view, uint32_t i) {
		return static_cast<BarsView *>(view)->gap(int(i));
	};
	scene_.figures.label = [](void *view, uint32_t i, hist_strbuf *b) {
		static_cast<BarsView *>(view)->putLabel(int(i), b);
	};
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

void BarsView::putLabel(int i, hist_strbuf *b) const
{
	if (gap(i))
		hist_strbuf_str(b, tr("%1 empty").arg(countText(gap(i))).toUtf8().constData());
	else if (upright())
		panel_put_axis_label(b, figures().get(), &figures()->by_axis->rows[i]);
	else
		panel_put_label(b, figures().get(), figures()->rows.entries[i], false);
}

QString BarsView::label(int i) const
{
	TextBuffer b;

	putLabel(i, b);
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
	const PanelData *f = figures().get();
	uint64_t below = 0;

	scene_.figures.n = uint32_t(bars());
	scene_.figures.has_shares = (f->rows.has_shares || upright()) && f->whole_total;
	scene_.figures.whole = f->whole_total;
	scene_.measure(look(), stripHeight(), upright(), isLog());
	below_.resize(upright() ? bars() : 0);
	for (int i = 0; i < below_.size(); i++) {
		below_[i] = below;
		below = saturating_add(below, count(i));
	}
}

void BarsView::dropMade()
{
	scene_.drop();
}

void BarsView::scrollContentsBy(int dx, int dy)
{
	scene_.draw();
	ChartView::scrollContentsBy(dx, dy);
}

int BarsView::heightOf(int bars) const
{
	return scene_.heightOf(look(), stripHeight(), bars);
}

QString BarsView::shareOf(int i) const
{
	return figures()->rows.has_shares || upright() ? shareText(count(i), figures()->whole_total)
						       : QString();
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
	text += tr("\n%1: %2 of %3")
			.arg(valueTitle(), countText(count(i)), countText(figures()->whole_total));
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
	scenePaint(painter, look(), scene_.shapes(), pointed(), hasFocus() ? current() : -1);
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
