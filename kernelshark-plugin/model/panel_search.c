// SPDX-License-Identifier: GPL-2.0
/* panel_search.c - apply the search and the chosen group */
#include <errno.h>
#include <stdlib.h>

#include "kernelshark-plugin/model/panel_data_private.h"
#include "lib/base/array.h"
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

/*
 * Append a NUL to @text, then search: 1 if @text contains @search (NULL: ""), otherwise 0. -ENOMEM.
 */
static int panel_search_contains(struct hist_strbuf *text, const char *search)
{
	hist_strbuf_char(text, '\0');
	return text->error ? text->error : !search || strcasestr(text->data, search);
}

/* True if the text of row @entry, with or without addresses, contains @search. -ENOMEM. */
static int row_has(struct hist_strbuf *text, const struct hist_table *table, uint32_t entry,
		   const char *search)
{
	int ret;

	panel_put_keys(hist_strbuf_clear(text), table, entry, 0);
	ret = panel_search_contains(text, search);
	if (ret)
		return ret;
	panel_put_keys(hist_strbuf_clear(text), table, entry, HIST_LABEL_ADDRESS);
	return panel_search_contains(text, search);
}

/* 1 if the group counts, otherwise 0. */
static int panel_search_match_group(struct panel_selection *m, uint32_t group)
{
	int ret;

	hist_grouping_label(hist_strbuf_clear(&m->text), m->grouping, group, HIST_LABEL_ADDRESS);
	ret = panel_search_contains(&m->text, m->search);
	if (ret >= 0 && m->group && strcmp(m->text.data, m->group))
		return 0;
	if (ret)
		return ret;
	hist_grouping_label(hist_strbuf_clear(&m->text), m->grouping, group, 0);
	return panel_search_contains(&m->text, m->search);
}

static int panel_search_update_groups(struct panel_selection *m, const struct hist_table *table)
{
	uint32_t count;
	int ret;

	ret = hist_grouping_follow(&m->grouping, table, &m->n);
	if (ret)
		return ret;
	count = hist_grouping_count(m->grouping);
	ret = array_grow(&m->yes, &m->room, count, sizeof(*m->yes));
	while (!ret && m->n < count) {
		ret = panel_search_match_group(m, m->n);
		if (ret < 0)
			break;
		m->yes[m->n++] = ret;
		ret = 0;
	}
	return ret;
}

int panel_selection_update(struct panel_selection *m, const struct hist_view *view,
			   const uint32_t **entries, uint32_t *n)
{
	uint32_t candidates = view->changed ? view->nchanged : view->snap->nentries, i, entry;
	const struct hist_schema *schema = hist_table_schema(view->table);
	int ret;

	*entries = NULL;
	*n = 0;
	/* if the axis is the only key, all entries are one group */
	if ((!m->search && !m->group) || (schema->nkeys == 1 && hist_axis_key(schema) >= 0))
		return 0;
	ret = panel_search_update_groups(m, view->table);
	if (!ret)
		ret = array_grow(&m->entries, &m->entries_room, candidates + !candidates,
			   sizeof(*m->entries));
	if (ret)
		return ret;
	for (i = 0; i < candidates; i++) {
		entry = view->changed ? view->changed[i] : i;
		if (m->yes[hist_grouping_find(m->grouping, entry)])
			m->entries[(*n)++] = entry;
	}
	*entries = m->entries;
	return 0;
}

void panel_selection_clear(struct panel_selection *m)
{
	hist_grouping_free(m->grouping);
	free(m->yes);
	free(m->entries);
	hist_strbuf_free(&m->text);
	memset(m, 0, sizeof(*m));
}

int panel_blank_entries(struct hist_snapshot *to, const struct hist_snapshot **snap,
			const struct hist_schema *schema, const uint32_t *entries, uint32_t n)
{
	size_t width = schema->nvalues;
	uint32_t i;
	int ret = hist_snapshot_copy(to, *snap, schema);

	if (ret)
		return ret;
	if (to->nentries)
		memset(to->values, 0, to->nentries * width * sizeof(*to->values));
	for (i = 0; i < n; i++)
		memcpy(to->values + entries[i] * width, (*snap)->values + entries[i] * width,
		       width * sizeof(*to->values));
	*snap = to;
	return 0;
}

int panel_search_rows(struct hist_rows *rows, const struct hist_table *table,
		      const struct hist_snapshot *snap, const char *search)
{
	const struct hist_schema *schema = hist_table_schema(table);
	struct hist_strbuf text = { 0 };
	uint32_t i, n = 0;
	unsigned int v;
	int ret = 0;

	for (i = 0; i < rows->n && search && ret >= 0; i++) {
		ret = row_has(&text, table, rows->entries[i], search);
		if (ret > 0)
			rows->entries[n++] = rows->entries[i];
	}
	hist_strbuf_free(&text);
	if (ret < 0 || !search || n == rows->n)
		return ret < 0 ? ret : 0;
	rows->n = rows->total = n;
	memset(rows->totals, 0, sizeof(rows->totals));
	for (i = 0; i < n; i++)
		for (v = 0; v < schema->nvalues; v++)
			if (hist_value_is_sum(schema->values[v].kind))
				rows->totals[v] += snap->values[(size_t)rows->entries[i] *
								schema->nvalues + v];
	/* a sum of fewer rows does not overflow if the total did not */
	if (rows->main_value >= 0 && rows->has_shares)
		rows->has_shares = rows->totals[rows->main_value] != 0;
	return 0;
}
