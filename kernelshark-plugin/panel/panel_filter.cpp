// SPDX-License-Identifier: GPL-2.0
/*
 * panel_filter.cpp - filter the events of a bar, a cell or a row
 *
 * A click creates a filter in libtraceevent syntax (key_filter.h) for the events of the
 * histogram. The host program then shows only these events. If the file does not
 * contain the events, or an exact filter is not possible, a sentence says so and
 * nothing changes.
 */
#include "kernelshark-plugin/panel/hist_panel.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

void HistPanel::sayFilter(const QString &words, bool can_clear)
{
	filter_words->setText(words);
	filter_clear->setText(can_clear ? tr("Show all events") : tr("Close"));
	filter_clear->setToolTip(can_clear ? tr("Remove the filter") : QString());
	filter_episode->hide();
	filter->show();
}

bool HistPanel::hasEvents()
{
	if (!figures)
		return false;
	if (shown.counted || figures->query.recording->has_events)
		return true;
	sayFilter(tr("This file has histograms but no events. Record with --events to get "
		     "both."), shark->filtered());
	return false;
}

void HistPanel::applyFilter(const QString &text, const QString &what)
{
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
		sayFilter(tr("Cannot show the events of %1: %2").arg(what, why), shark->filtered());
	else if (!n)
		sayFilter(tr("The file does not contain the events of %1: they were counted, but "
			     "not recorded.")
				  .arg(what), shark->filtered());
	else
		sayFilter((n == 1 ? tr("Shown: 1 event %1").arg(event) :
				    tr("Shown: %1 events %2").arg(countText(uint64_t(n)), event)) +
			  (text.isEmpty() ? QString() : tr(" where %1").arg(text)), true);
}

void HistPanel::filterKeys(int axis, const hist_bounds *bounds, uint32_t entry, const QString &label,
			   const QString &group)
{
	char why[256] = "";
	TextBuffer text;

	if (isLatency()) {
		findPairs(axis, bounds, entry, label + group, false);
		return;
	}
	if (key_filter_make_axis(text, figures->query.recording, figures->query.hist, figures->view.table, axis,
				 bounds, entry, why, sizeof(why)))
		sayFilter(tr("Cannot select the events of %1: %2").arg(label, QString::fromUtf8(why)),
			  shark->filtered());
	else
		applyFilter(text.text(), label + group);
}

void HistPanel::filterEntry(uint32_t entry)
{
	TextBuffer label;

	if (!hasEvents())
		return;
	panel_put_keys(label, figures->view.table, entry, 0);
	if (isLatency() && figures->axis >= 0) {
		hist_bounds bounds;

		hist_axis_get_bounds(&figures->schema->keys[figures->axis],
				     hist_table_cells(figures->view.table, entry)[figures->axis].num, &bounds);
		findPairs(figures->axis, &bounds, entry, label.text(), false);
		return;
	}
	filterKeys(-1, nullptr, entry, label.text(), QString());
}

void HistPanel::filterAxis(const hist_heat_row *row)
{
	const char *of = figures ? figures->query.group : nullptr;
	TextBuffer label;
	hist_bounds bounds;

	if (!hasEvents())
		return;
	bounds = { figures->by_axis->is_signed, row->ge, row->le };
	if (row->empty || !row->total) {
		sayFilter(tr("Nothing was counted at this position, so there are no events to "
			     "show."), shark->filtered());
		return;
	}
	if (!of && figures->query.search && figures->query.search[0] && figures->ngroups) {
		sayFilter(tr("This position combines several groups. To show its events, select "
			     "one group or clear the search."), shark->filtered());
		return;
	}
	panel_put_axis_label(label, figures.get(), row);
	filterKeys(figures->axis, &bounds, of ? panel_find_group_entry(figures.get(), of) : HIST_NO_ENTRY,
		   label.text(), of ? tr(" of %1").arg(QString::fromUtf8(of)) : QString());
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
		sayFilter(tr("This row combines several keys: select a single key in the table."),
			  shark->filtered());
	else
		filterEntry(entry);
}
