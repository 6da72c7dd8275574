// SPDX-License-Identifier: GPL-2.0
/*
 * panel_compare.cpp - compare the numbers of two times, histograms or files
 *
 * The numbers that are shown when the user presses "Compare" are those before. What the panel
 * shows later are those after, whatever selects them: the graph, the markers, another file.
 */
#include "kernelshark-plugin/panel/hist_panel.hpp"

void HistPanel::connectCompare()
{
	connect(comparing, &QToolButton::toggled, this, &HistPanel::setBefore);
}

void HistPanel::setBefore(bool keep)
{
	const PanelDataPtr now = keep ? figures->data() : PanelDataPtr();
	const Recordings::Item *of = figures->item();
	const bool window = now && of && now->ns && now->query.what == PANEL_DATA_WINDOW;

	before_from = now ? figures->shown().from : QString();
	compare->setBefore(now);
	if (window && !closed)
		shark->setBand(true, qint64(now->view.from_time) + of->file.offset,
			       qint64(now->view.snap->time) + of->file.offset);
	else if (!closed)
		shark->setBand(false, 0, 0);
	if (now)
		tabs->setCurrentIndex(Compare);
	showView(tabs->currentIndex());
}

void HistPanel::showFrom()
{
	const bool both = view() == Compare && !before_from.isEmpty() && !figures->shown().from.isEmpty();

	from->setText(both ? tr("%1 (before: %2)").arg(figures->shown().from, before_from) : figures->shown().from);
}
