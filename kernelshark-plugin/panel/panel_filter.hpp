/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_filter.hpp - from a bar, a cell or a row to its events: filter them, or open a menu
 *
 * A click creates a filter in libtraceevent syntax (key_filter.h) for the events of the
 * histogram. The host program then shows only these events. If the file does not
 * contain the events, or an exact filter is not possible, a sentence says so and
 * nothing changes. A click on a latency lists its pairs instead (panel_pairs.hpp).
 *
 * The filter itself is the host's; this object has no state.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_FILTER_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_FILTER_HPP

#include "kernelshark-plugin/panel/panel_figures.hpp"
#include "kernelshark-plugin/panel/panel_message.hpp"
#include "kernelshark-plugin/panel/panel_pairs.hpp"

class PanelFilter : public QObject {
	Q_OBJECT
public:
	/* All must outlive this object; @panel is the parent of menus. */
	PanelFilter(Shark *shark, const PanelFigures *figures, PanelPairs *pairs,
		    PanelMessage *message, QWidget *panel);

	/* Show the events of a bucket, of an entry, or of the row of a cell of the heat map. */
	void showBucket(const hist_heat_row &bucket);
	void showEntry(uint32_t entry);
	void showCell(int cell);
	/* Open the context menu of a bucket or an entry, with what can be done. */
	void openBucketMenu(const hist_heat_row &bucket, const QPoint &at);
	void openEntryMenu(uint32_t entry, const QPoint &at);

private:
	/* False, with a message, if the file does not contain events. */
	bool hasEvents();
	/* False, with a message, also if nothing was counted or no group is chosen. */
	bool hasEvents(const hist_heat_row &bucket);
	PanelRow rowOf(const hist_heat_row &bucket) const;
	void show(const PanelRow &row);
	void apply(const QString &text, const PanelRow &row);
	void openMenu(const PanelRow &row, const QPoint &at);

	Shark *shark_;
	const PanelFigures *figures_;
	PanelPairs *pairs_;
	PanelMessage *message_;
	QWidget *panel_;
};

#endif
