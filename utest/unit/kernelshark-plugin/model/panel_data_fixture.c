// SPDX-License-Identifier: GPL-2.0
/*
 * panel_data_fixture.c - what the tests of the panel's figures share; see panel_data_fixture.h
 */
#include <stdio.h>

#include <CUnit/Basic.h>

#include "utest/unit/kernelshark-plugin/model/panel_data_fixture.h"

struct recording *figures_opened(const char *path)
{
	struct recording *r = NULL;
	struct hist_error error = { 0 };

	CU_ASSERT_EQUAL_FATAL(recording_open(&r, path, &error), 0);
	return r;
}

struct panel_data *figures_made(const struct panel_data_query *query)
{
	struct panel_data *f = NULL;

	CU_ASSERT_EQUAL_FATAL(panel_data_make(&f, query, NULL, NULL), 0);
	return f;
}

const char *figures_label_of(const struct panel_data *f, uint32_t entry)
{
	static char label[256];
	struct hist_strbuf b = { 0 };

	panel_put_keys(&b, f->view.table, entry, 0);
	snprintf(label, sizeof(label), "%.*s", (int)b.len, b.data);
	hist_strbuf_free(&b);
	return label;
}

uint64_t figures_value_of(const struct panel_data *f, uint32_t entry, unsigned int value)
{
	return f->view.snap->values[(size_t)entry * f->schema->nvalues + value];
}

uint64_t figures_map_sum(const struct hist_heatmap *map)
{
	uint64_t sum = 0;
	unsigned int c;
	uint32_t i;

	for (i = 0; i < map->nrows; i++)
		for (c = 0; c < map->ncolumns && map->rows[i].cells; c++)
			sum += map->rows[i].cells[c];
	return sum;
}
