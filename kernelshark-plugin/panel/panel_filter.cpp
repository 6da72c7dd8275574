// SPDX-License-Identifier: GPL-2.0
/* panel_filter.cpp - from a bar, a cell or a row to its events: filter them, or open a menu */
#include <QMenu>

#include "kernelshark-plugin/panel/panel_filter.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

PanelFilter::PanelFilter(Shark *shark, const PanelFigures *figures, PanelPairs *pairs,
			 PanelMessage *message, QWidget *panel)
	: QObject(panel), shark_(shark), figures_(figures), pairs_(pairs), message_(message),
	  panel_(panel)
{
}

bool PanelFilter::hasEvents()
{
	if (figures_->data() && !figures_->hasEvents())
		message_->say(
			tr("This file has histograms but no events. Record with --events to get "
			   "both."),
			shark_->filtered());
	return figures_->hasEvents();
}

bool PanelFilter::hasEvents(const hist_heat_row &bucket)
{
	if (!hasEvents())
		return false;
	const PanelData &f = *figures_->data();

	if (bucket.empty || !bucket.total) {
		message_->say(tr("There are no hits here, so there are no events to show."),
			      shark_->filtered());
		return false;
	}
	if (!f.query.group && f.query.search && f.query.search[0] && f.ngroups) {
		message_->say(tr("This bucket combines several groups. To show its events, select "
				 "one group, or clear the search."), shark_->filtered());
		return false;
	}
	return true;
}

PanelRow PanelFilter::rowOf(const hist_heat_row &bucket) const
{
	const PanelData &f = *figures_->data();
	PanelRow row = PanelRow::ofBucket(f, bucket);

	if (f.query.group)
		row.label += tr(" of %1").arg(QString::fromUtf8(f.query.group));
	return row;
}

/*
 * A snapshot is not one moment: it is read for a while, and its time is that of the end.  An event
 * of this while can be on either side.
 */
static QString countedText(long n, uint64_t hits)
{
	if (hits == UINT64_MAX || uint64_t(n) == hits)
		return QString();
	return PanelFilter::tr("; %1 were counted: events during the read of a snapshot can be on "
			       "either side, and not every event is recorded")
		.arg(countText(hits));
}

void PanelFilter::apply(const QString &text, const PanelRow &row)
{
	const QString &what = row.label;
	const Recordings::Item *of = figures_->item();
	const PanelData &f = *figures_->data();
	const PanelQuery &shown = figures_->shown();
	const recorded_hist &h = f.query.recording->hists[f.query.hist];
	const QString event = QString::fromUtf8(h.info->def.event);
	qint64 after = INT64_MIN, until = INT64_MAX;
	QString name = event, why;
	long n;

	if (!of)
		return;
	/* filter the same time range, so that the number of events equals the count */
	if (shown.counted) {
		after = shown.after;
		until = shown.until;
	} else if (f.ns) {
		until = qint64(h.snapshots[f.query.to].time) + of->file.offset;
		if (f.query.what == PANEL_DATA_WINDOW)
			after = qint64(h.snapshots[f.query.from].time) + of->file.offset;
	}
	n = shark_->filterEvents(of->file, name.replace(QLatin1Char(':'), QLatin1Char('/')), text,
				 after, until, &why);
	if (n < 0)
		message_->say(tr("Cannot show the events of %1: %2").arg(what, why),
			      shark_->filtered());
	else if (!n)
		message_->say(tr("The file does not contain the events of %1: they were counted, "
				 "but not recorded.")
				      .arg(what),
			      shark_->filtered());
	else
		message_->say(
			(n == 1 ? tr("Shown: 1 %1 event").arg(event)
				: tr("Shown: %1 %2 events").arg(countText(uint64_t(n)), event)) +
				(text.isEmpty() ? QString() : tr(" where %1").arg(text)) +
				countedText(n, row.hits),
			true);
}

void PanelFilter::show(const PanelRow &row)
{
	const PanelData &f = *figures_->data();
	hist_error error = {};
	TextBuffer text;

	int ret;

	if (pairs_->isLatency()) {
		pairs_->find(row, PanelPairs::ListPairs);
		return;
	}
	ret = key_filter_make_axis(text, f.query.recording, f.query.hist, f.view.table,
				   row.whole ? -1 : row.axis, &row.bounds, row.entry, &error);
	if (ret)
		message_->say(
			tr("Cannot select the events of %1: %2")
				.arg(row.label, QString::fromUtf8(hist_error_what(&error, ret))),
			shark_->filtered());
	else
		apply(text.text(), row);
}

void PanelFilter::showBucket(const hist_heat_row &bucket)
{
	if (hasEvents(bucket))
		show(rowOf(bucket));
}

void PanelFilter::showEntry(uint32_t entry)
{
	if (hasEvents())
		show(PanelRow::ofEntry(*figures_->data(), entry));
}

void PanelFilter::showCell(int cell)
{
	const hist_heatmap *map = figures_->data() ? figures_->data()->map : nullptr;
	const hist_heat_row *row;
	uint32_t entry;

	if (!map || cell < 0 || uint32_t(cell) >= map->nrows * map->ncolumns)
		return;
	row = &map->rows[uint32_t(cell) / map->ncolumns];
	if (map->has_axis) {
		showBucket(*row);
		return;
	}
	entry = row->label ? panel_find_entry(figures_->data().get(), row->label) : HIST_NO_ENTRY;
	if (entry == HIST_NO_ENTRY)
		message_->say(
			tr("This row combines several keys. Select a single key in the table."),
			shark_->filtered());
	else
		showEntry(entry);
}

void PanelFilter::openBucketMenu(const hist_heat_row &bucket, const QPoint &at)
{
	if (hasEvents(bucket))
		openMenu(rowOf(bucket), at);
}

void PanelFilter::openEntryMenu(uint32_t entry, const QPoint &at)
{
	if (hasEvents())
		openMenu(PanelRow::ofEntry(*figures_->data(), entry), at);
}

/* The figures may change while the menu is open. */
void PanelFilter::openMenu(const PanelRow &row, const QPoint &at)
{
	const PanelDataPtr of = figures_->data();
	const QString words = pairs_->isLatency() ? tr("&List its START and END events") :
						    tr("Show its &events");
	QMenu *menu = new QMenu(panel_);

	menu->setObjectName(QStringLiteral("hist_row_menu"));
	menu->setAttribute(Qt::WA_DeleteOnClose);
	menu->addAction(words, this, [this, of, row] {
		if (of == figures_->data())
			show(row);
	});
	pairs_->addExtremes(menu, row);
	menu->popup(at);
}
