// SPDX-License-Identifier: GPL-2.0
/*
 * panel_filter.cpp - filter the events of a bar, a cell or a row
 *
 * A click creates a filter in libtraceevent syntax (key_filter.h) for the events of the
 * histogram. The host program then shows only these events. If the file does not
 * contain the events, or an exact filter is not possible, a sentence says so and
 * nothing changes.
 */
#include <QMenu>

#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

/* Remove the message about a row, and list the latencies of all rows again. */
void HistPanel::forgetRow()
{
	message->setShown(false);
	if (!listed.all)
		listed = Listed();
}

bool HistPanel::hasEvents()
{
	if (!figures)
		return false;
	if (shown.counted || figures->query.recording->has_events)
		return true;
	message->say(tr("This file has histograms but no events. Record with --events to get "
		     "both."), shark->filtered());
	return false;
}

/*
 * A snapshot is not one moment: it is read for a while, and its time is that of the end.  An event
 * of this while can be on either side.
 */
static QString countedText(long n, uint64_t hits)
{
	if (hits == UINT64_MAX || uint64_t(n) == hits)
		return QString();
	return HistPanel::tr("; %1 were counted: events during the read of a snapshot can be on either "
			     "side, and not every event is recorded")
		.arg(countText(hits));
}

void HistPanel::applyFilter(const QString &text, const PanelRow &row)
{
	const QString &what = row.label;
	const Recordings::Item *of = shownItem();
	const recorded_hist &h = figures->query.recording->hists[figures->query.hist];
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
	} else if (figures->ns) {
		until = qint64(h.snapshots[figures->query.to].time) + of->file.offset;
		if (figures->query.what == PANEL_DATA_WINDOW)
			after = qint64(h.snapshots[figures->query.from].time) + of->file.offset;
	}
	n = shark->filterEvents(of->file, name.replace(QLatin1Char(':'), QLatin1Char('/')), text, after,
				until, &why);
	if (n < 0)
		message->say(tr("Cannot show the events of %1: %2").arg(what, why), shark->filtered());
	else if (!n)
		message->say(tr("The file does not contain the events of %1: they were counted, but "
			     "not recorded.")
				  .arg(what), shark->filtered());
	else
		message->say((n == 1 ? tr("Shown: 1 %1 event").arg(event) :
				    tr("Shown: %1 %2 events").arg(countText(uint64_t(n)), event)) +
			  (text.isEmpty() ? QString() : tr(" where %1").arg(text)) +
			  countedText(n, row.hits), true);
}

void HistPanel::filterRow(const PanelRow &row)
{
	char why[256] = "";
	TextBuffer text;

	if (isLatency())
		findPairs(row, ListPairs);
	else if (key_filter_make_axis(text, figures->query.recording, figures->query.hist,
				      figures->view.table, row.whole ? -1 : row.axis, &row.bounds, row.entry,
				      why, sizeof(why)))
		message->say(tr("Cannot select the events of %1: %2").arg(row.label, QString::fromUtf8(why)),
			  shark->filtered());
	else
		applyFilter(text.text(), row);
}

void HistPanel::filterEntry(uint32_t entry)
{
	if (hasEvents())
		filterRow(PanelRow::ofEntry(*figures, entry));
}

bool HistPanel::axisRow(const hist_heat_row *row, PanelRow *to)
{
	if (row->empty || !row->total) {
		message->say(tr("There are no hits here, so there are no events to show."), shark->filtered());
		return false;
	}
	if (!figures->query.group && figures->query.search && figures->query.search[0] && figures->ngroups) {
		message->say(tr("This bucket combines several groups. To show its events, select "
			     "one group, or clear the search."), shark->filtered());
		return false;
	}
	*to = PanelRow::ofBucket(*figures, *row);
	if (figures->query.group)
		to->label += tr(" of %1").arg(QString::fromUtf8(figures->query.group));
	return true;
}

void HistPanel::filterAxis(const hist_heat_row *row)
{
	PanelRow of;

	if (hasEvents() && axisRow(row, &of))
		filterRow(of);
}

/* The figures may change while the menu is open. */
void HistPanel::showRowMenu(const PanelRow &row, const QPoint &at)
{
	const PanelDataPtr of = figures;
	QMenu *menu = new QMenu(this);

	menu->setObjectName(QStringLiteral("hist_row_menu"));
	menu->setAttribute(Qt::WA_DeleteOnClose);
	menu->addAction(isLatency() ? tr("&List its START and END events") : tr("Show its &events"), this,
			[this, of, row] {
		if (of == figures)
			filterRow(row);
	});
	addExtremes(menu, row);
	menu->popup(at);
}

void HistPanel::filterCell(int cell)
{
	const hist_heatmap *map = figures ? figures->map : nullptr;
	const hist_heat_row *row;
	uint32_t entry;

	if (!map || cell < 0 || uint32_t(cell) >= map->nrows * map->ncolumns)
		return;
	row = &map->rows[uint32_t(cell) / map->ncolumns];
	if (map->has_axis) {
		filterAxis(row);
		return;
	}
	entry = row->label ? panel_find_entry(figures.get(), row->label) : HIST_NO_ENTRY;
	if (entry == HIST_NO_ENTRY)
		message->say(tr("This row combines several keys. Select a single key in the table."),
			  shark->filtered());
	else
		filterEntry(entry);
}
