// SPDX-License-Identifier: GPL-2.0
/* panel_labels.c - labels of figures, and the entries of labels */
#include "kernelshark-plugin/model/panel_data_private.h"
#include "lib/label/label.h"

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

void panel_put_value(struct hist_strbuf *b, const struct panel_data *f, uint32_t entry,
		     unsigned int value)
{
	hist_label_put_value(b, f->view.table, &f->schema->values[value],
			     f->view.snap->values[(size_t)entry * f->schema->nvalues + value]);
}

void panel_put_axis_label(struct hist_strbuf *b, const struct panel_data *f,
			  const struct hist_heat_row *row)
{
	const struct hist_heatmap *map = f->by_axis ? f->by_axis : f->map;
	struct hist_bounds bounds = { .ge = row->ge, .le = row->le };

	if (f->axis < 0 || !map)
		return;
	bounds.is_signed = map->is_signed;
	hist_label_put_bucket(b, &f->schema->keys[f->axis], &bounds, false);
}

uint32_t panel_find_group_entry(const struct panel_data *f, const char *label)
{
	uint32_t i;

	for (i = 0; i < f->ngroups; i++)
		if (!strcmp(f->groups[i].label, label))
			return f->groups[i].entry;
	return HIST_NO_ENTRY;
}
