// SPDX-License-Identifier: GPL-2.0
/* panel_row.cpp - the entries behind a bar, a cell or a row of a view */
#include "kernelshark-plugin/panel/panel_row.hpp"
#include "kernelshark-plugin/work/chart_text.hpp"

PanelRow PanelRow::ofEntry(const PanelData &f, uint32_t entry)
{
	const int hitcount = hist_schema_hitcount(f.schema);
	PanelRow row;
	TextBuffer label;

	if (hitcount >= 0)
		row.hits =
			f.view.snap->values[size_t(entry) * f.schema->nvalues + unsigned(hitcount)];
	panel_put_label(label, &f, entry, false);
	row.whole = true;
	row.entry = entry;
	row.label = label.text();
	row.axis = f.axis;
	if (row.axis >= 0)
		hist_axis_get_bounds(&f.schema->keys[row.axis],
				     hist_table_cells(f.view.table, entry)[row.axis].num,
				     &row.bounds);
	return row;
}

/* An entry of the chosen group; HIST_NO_ENTRY: all groups. */
static uint32_t groupEntry(const PanelData &f)
{
	return f.query.group ? panel_find_group_entry(&f, f.query.group) : HIST_NO_ENTRY;
}

PanelRow PanelRow::ofBucket(const PanelData &f, const hist_heat_row &bucket)
{
	PanelRow row;
	TextBuffer label;

	panel_put_axis_label(label, &f, &bucket);
	if (f.value >= 0 && f.value == hist_schema_hitcount(f.schema))
		row.hits = bucket.total;
	row.axis = f.axis;
	row.bounds = { f.by_axis->is_signed, bucket.ge, bucket.le };
	row.entry = groupEntry(f);
	row.label = label.text();
	return row;
}

PanelRow PanelRow::ofAll(const PanelData &f)
{
	PanelRow row;

	row.axis = f.axis;
	row.entry = groupEntry(f);
	return row;
}
