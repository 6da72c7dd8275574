/* SPDX-License-Identifier: GPL-2.0 */
/*
 * panel_row.hpp - the entries behind a bar, a cell or a row of a view
 *
 * The user asks for the events of these entries (panel_filter.hpp, panel_pairs.hpp). A row is
 * valid only for the figures that it was made from.
 */
#ifndef KERNELSHARK_PLUGIN_PANEL_PANEL_ROW_HPP
#define KERNELSHARK_PLUGIN_PANEL_PANEL_ROW_HPP

#include "kernelshark-plugin/work/data_worker.hpp"

struct PanelRow {
	bool whole = false; /* one entry, with all its keys */
	int axis = -1;
	hist_bounds bounds = { false, 0, UINT64_MAX }; /* of the axis, inclusive */
	uint32_t entry = HIST_NO_ENTRY; /* has the other keys; HIST_NO_ENTRY: any */
	uint64_t hits = UINT64_MAX; /* that were counted; UINT64_MAX: not known */
	QString label;

	/* One entry. */
	static PanelRow ofEntry(const PanelData &f, uint32_t entry);
	/* A row of by_axis or of a map with an axis, in the chosen group. */
	static PanelRow ofBucket(const PanelData &f, const hist_heat_row &bucket);
	/* All entries of the chosen group. */
	static PanelRow ofAll(const PanelData &f);
};

#endif
