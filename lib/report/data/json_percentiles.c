// SPDX-License-Identifier: LGPL-2.1
/*
 * json_percentiles.c - percentiles of groups as members of a snapshot in JSON
 *
 * All bounds are exact numbers of the axis, never rounded, and inclusive.
 */
#include <errno.h>

#include "lib/report/data/json_percentiles.h"

struct shown {
	struct json_writer *w;
	const struct hist_percentiles *percentiles;
	bool is_signed, has_sum;
};

static void interval(const struct shown *s, const char *name, const struct hist_quantile *q)
{
	json_name(s->w, name);
	json_range(s->w, &(struct hist_bounds){ s->is_signed, q->low, q->high });
}

/* All members except the key. */
static void members(const struct shown *s, const struct hist_percentiles_row *row)
{
	char name[HIST_QUANTILE_NAME];
	const uint32_t *p;
	unsigned int i, n = hist_percentiles_quantiles(s->percentiles, &p);

	json_member_u64(s->w, "count", row->count);
	interval(s, "min", &row->least);
	interval(s, "max", &row->most);
	if (s->has_sum) {
		json_name(s->w, "mean");
		if (row->has_mean)
			json_double(s->w, row->mean);
		else
			json_null(s->w);
	}
	for (i = 0; i < n; i++) {
		hist_quantile_name(name, p[i]);
		interval(s, name, &row->q[i]);
	}
}

static void groups(const struct shown *s, const struct hist_columns *columns,
		   const struct hist_table *table)
{
	const struct hist_grouping *grouping = hist_percentiles_grouping(s->percentiles);
	const struct hist_schema *schema = hist_table_schema(table);
	const struct hist_percentiles_row *row;
	struct json_writer *w = s->w;
	uint32_t i, n;

	json_array_begin(w);
	json_one_line(w, hist_schema_stack_key(schema) < 0);
	for (i = 0; i < hist_percentiles_count(s->percentiles) && !json_writer_error(w); i++) {
		row = hist_percentiles_row(s->percentiles, i);
		json_object_begin(w);
		json_row_key(w, columns, table, hist_grouping_entries(grouping, row->group, &n)[0],
			     hist_grouping_axis(grouping));
		members(s, row);
		json_object_end(w);
	}
	json_one_line(w, false);
	json_array_end(w);
}

int json_percentiles(struct json_writer *w, const struct hist_columns *columns,
		     struct hist_percentiles *percentiles, const struct hist_table *table,
		     const struct hist_snapshot *snap)
{
	const struct hist_schema *schema = hist_table_schema(table);
	struct shown s = { .w = w, .percentiles = percentiles };
	const struct hist_percentiles_row *rest;
	unsigned int value;
	uint32_t cut;
	int ret;

	json_name(w, "percentiles");
	ret = hist_percentiles_select(percentiles, table, snap);
	if (ret) {
		json_null(w);
		return ret == -EINVAL ? 0 : ret;
	}
	s.is_signed = schema->keys[hist_axis_key(schema)].is_signed;
	s.has_sum = hist_axis_sum(schema, &value) && hist_schema_hitcount(schema) >= 0;
	groups(&s, columns, table);
	rest = hist_percentiles_rest(percentiles, &cut);
	if (!rest)
		return 0;
	json_line_begin(w, "percentiles_rest");
	json_member_u64(w, "groups", cut);
	members(&s, rest);
	json_line_end(w);
	return 0;
}
