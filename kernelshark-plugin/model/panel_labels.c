// SPDX-License-Identifier: GPL-2.0
/* panel_labels.c - labels of figures, and the entries of labels */
#include <stdlib.h>
#include <string.h>

#include "kernelshark-plugin/model/panel_data.h"
#include "lib/label/label.h"
#include "lib/label/unit.h"
#include "lib/table/disambiguate.h"

void panel_put_keys(struct hist_strbuf *b, const struct hist_table *table, uint32_t entry,
		    unsigned int flags)
{
	const struct hist_schema *schema = hist_table_schema(table);
	const struct hist_cell *cells = hist_table_cells(table, entry);
	unsigned int k;

	for (k = 0; k < schema->nkeys; k++) {
		if (k)
			hist_strbuf_str(b, " / ");
		disambiguate_label(b, table, k, &cells[k], flags & HIST_LABEL_ADDRESS, flags);
	}
}

void panel_put_key(struct hist_strbuf *b, const struct panel_data *f, uint32_t entry,
		   unsigned int key, bool exact)
{
	const struct hist_cell *cell = &hist_table_cells(f->view.table, entry)[key];

	label_details_put(&f->details, b, f->view.table, key, cell, exact, 0);
}

void panel_put_label(struct hist_strbuf *b, const struct panel_data *f, uint32_t entry, bool exact)
{
	unsigned int k;

	for (k = 0; k < f->schema->nkeys; k++) {
		if (k)
			hist_strbuf_str(b, " / ");
		panel_put_key(b, f, entry, k, exact);
	}
}

void panel_put_value_title(struct hist_strbuf *b, const struct hist_schema *schema,
			   unsigned int value)
{
	const struct hist_value_desc *desc = &schema->values[value];
	const enum hist_unit unit = hist_unit_from_value(desc);
	char title[HIST_TITLE_MAX];

	hist_column_format_value(schema, value, title, sizeof(title));
	if (hist_value_is_sum(desc->kind) && (int)value != hist_schema_hitcount(schema))
		hist_strbuf_str(b, "sum of ");
	hist_strbuf_str(b, title);
	if (unit != HIST_UNIT_NONE)
		hist_strbuf_printf(b, " (%s)", hist_unit_name(unit));
}

/* Number of rows with this label; *@entry is the last of them. */
static uint32_t count_labels(const struct panel_data *f, const char *label, unsigned int flags,
			     uint32_t *entry)
{
	uint32_t entries = hist_table_entries(f->view.table), i, n = 0;
	struct hist_strbuf text = { 0 };

	for (i = 0; i < entries; i++) {
		panel_put_keys(hist_strbuf_clear(&text), f->view.table, i, flags);
		hist_strbuf_char(&text, '\0');
		if (!text.error && !strcmp(text.data, label)) {
			*entry = i;
			n++;
		}
	}
	hist_strbuf_free(&text);
	return n;
}

uint32_t panel_find_entry(const struct panel_data *f, const char *label)
{
	uint32_t entry;

	if (count_labels(f, label, HIST_LABEL_ADDRESS, &entry) == 1 ||
	    count_labels(f, label, 0, &entry) == 1)
		return entry;
	return HIST_NO_ENTRY;
}

/* The map whose rows are ranges of the axis; NULL: there is none. */
static const struct hist_heatmap *panel_labels_find_axis(const struct panel_data *f)
{
	if (f->axis < 0)
		return NULL;
	return f->by_axis ? f->by_axis : f->map;
}

void panel_put_axis_label(struct hist_strbuf *b, const struct panel_data *f,
			  const struct hist_heat_row *row)
{
	const struct hist_heatmap *map = panel_labels_find_axis(f);
	struct hist_bounds bounds = { .ge = row->ge, .le = row->le };

	if (!map)
		return;
	bounds.is_signed = map->is_signed;
	hist_label_put_bucket(b, &f->schema->keys[f->axis], &bounds, f->details.exact[f->axis]);
}

void panel_put_axis_start(struct hist_strbuf *b, const struct panel_data *f,
			  const struct hist_heat_row *row)
{
	const struct hist_heatmap *map = panel_labels_find_axis(f);

	bool open = map && row->le == (map->is_signed ? INT64_MAX : UINT64_MAX);

	if (!map)
		return;
	if (open)
		hist_strbuf_str(b, ">= ");
	hist_unit_put(b, row->ge, map->is_signed, hist_unit_from_key(&f->schema->keys[f->axis]));
	if (!open)
		hist_strbuf_str(b, "..");
}

uint32_t panel_find_group_entry(const struct panel_data *f, const char *label)
{
	uint32_t i;

	for (i = 0; i < f->ngroups; i++)
		if (!strcmp(f->groups[i].label, label))
			return f->groups[i].entry;
	return HIST_NO_ENTRY;
}
