// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_json.c - histograms as JSON, schema "trace-cmd-hist/1"
 *
 * Each part is written when it arrives, so memory does not grow with the number of
 * snapshots.  Facts that are known only at the end (damage) are last.  A row is one line,
 * except rows with stacks. trace-cmd-hist-report(1) lists all members.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "lib/base/text.h"
#include "lib/analysis/loss_notes.h"
#include "lib/analysis/percentiles.h"
#include "lib/label/label.h"
#include "lib/label/unit.h"
#include "lib/report/data/json_episodes.h"
#include "lib/report/data/json_keys.h"
#include "lib/report/data/json_worst.h"
#include "lib/report/data/records.h"

struct json {
	struct hist_writer base;
	struct json_writer *w;
	struct hist_percentiles *percentiles; /* NULL: not requested */
	struct hist_worst_list worst; /* of the snapshot */
	bool axis_is_signed, has_sum;	      /* of the percentiles */
};

static void describe_keys(struct json *j, const struct hist_schema *schema)
{
	struct json_writer *w = j->w;
	unsigned int i;

	json_array_begin(w, "keys");
	for (i = 0; i < schema->nkeys; i++) {
		json_object_line(w, NULL);
		json_string(w, "name", hist_columns_key(&j->base.columns, i));
		json_string(w, "modifier", hist_key_traits(&schema->keys[i])->modifier);
		if (hist_key_is_linear(&schema->keys[i]))
			json_u64(w, "bucket", schema->keys[i].bucket);
		else if (hist_key_is_fine_log2(&schema->keys[i]))
			json_u64(w, "k", schema->keys[i].bucket);
		if (hist_unit_is_time(hist_unit_from_key(&schema->keys[i])))
			json_string(w, "unit",
					   hist_unit_name(hist_unit_from_key(&schema->keys[i])));
		json_object_end(w);
	}
	json_array_end(w);

	json_array_line(w, "values");
	for (i = 0; i < hist_schema_columns(schema); i++)
		json_string(w, NULL, hist_columns_value(&j->base.columns, i));
	json_array_end(w);
}

static int report_json_begin_histogram(struct hist_writer *base)
{
	struct json *j = (struct json *)base;
	const struct hist_series_info *info = base->info;
	const struct hist_definition *def = &info->def;
	struct json_writer *w = j->w;

	json_object_begin(w, NULL);
	json_string(w, "event", def->event);
	json_string(w, "name", base->name);
	json_string(w, "trigger", def->trigger);
	json_put_joined(w, def->joined);
	json_string(w, "engine", def->engine);
	json_string(w, "clock", def->clock);
	json_string(w, "instance", def->instance);
	json_object_line(w, "target");
	json_string(w, "uname", def->uname);
	json_string(w, "host", def->host);
	json_object_end(w);
	describe_keys(j, def->schema);

	json_object_begin(w, "recorded");
	json_u64(w, "snapshots", info->snapshots);
	json_u64(w, "first_seq", info->first_seq);
	json_u64(w, "last_seq", info->last_seq);
	json_member_time(w, "first_time_ns", "first_time_ticks", info->first_time, j->base.ns);
	json_member_time(w, "last_time_ns", "last_time_ticks", info->last_time, j->base.ns);
	json_object_end(w);

	json_array_begin(w, "snapshots");
	return 0;
}

static int report_json_end_histogram(struct hist_writer *base)
{
	struct json *j = (struct json *)base;

	json_array_end(j->w);
	json_object_end(j->w);
	return 0;
}

/* A row with a stack takes several lines. */
static void begin_row(struct json_writer *w, const struct hist_schema *schema)
{
	(hist_schema_stack_key(schema) < 0 ? json_object_line : json_object_begin)(w, NULL);
}

static void report_json_put_row(struct json *j, const struct hist_view *view, uint32_t entry)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const uint64_t *values = view->snap->values + (size_t)entry * schema->nvalues;
	struct json_writer *w = j->w;
	unsigned int i;

	begin_row(w, schema);
	json_put_row_key(w, &j->base.columns, view->table, entry, -1);
	json_object_begin(w, "value");
	for (i = 0; i < hist_schema_columns(schema); i++)
		json_put_row_value(w, hist_columns_value(&j->base.columns, i), view->table,
				   &schema->values[i], values[i]);
	json_object_end(w);
	json_object_end(w);
}

static void report_json_put_rows(struct json *j, const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const struct hist_rows *chosen = view->rows;
	struct json_writer *w = j->w;
	unsigned int i;
	uint32_t n;

	json_u64(w, "total_rows", chosen->total);
	if (chosen->total > chosen->n) {
		json_object_line(w, "rest");
		json_u64(w, "rows", chosen->total - chosen->n);
		json_object_begin(w, "value");
		for (i = 0; i < schema->nvalues; i++) {
			if (!hist_value_is_sum(schema->values[i].kind))
				continue;
			json_number(w, hist_columns_value(&j->base.columns, i), chosen->rest[i],
				    schema->values[i].is_signed);
		}
		json_object_end(w);
		json_object_end(w);
	}
	json_array_begin(w, "rows");
	for (n = 0; n < chosen->n && !json_writer_error(w); n++)
		report_json_put_row(j, view, chosen->entries[n]);
	json_array_end(w);
}

static void report_json_put_flags(struct json_writer *w, const struct hist_view *view)
{
	struct records_fact flags[LONG_FLAGS];
	unsigned int i;

	records_long_snapshot_flags(view, flags);
	json_array_line(w, "flags");
	for (i = 0; i < LONG_FLAGS; i++)
		if (flags[i].value)
			json_string(w, NULL, flags[i].metric);
	json_array_end(w);
}

/* All bounds are exact numbers of the axis, inclusive, never rounded. */
static void json_put_interval(const struct json *j, const char *name, const struct hist_quantile *q)
{
	json_range(j->w, name, &(struct hist_bounds){ j->axis_is_signed, q->low, q->high });
}

/* All members except the key. */
static void json_put_members(const struct json *j, const struct hist_percentiles_row *row)
{
	char name[HIST_QUANTILE_NAME];
	unsigned int i;

	json_u64(j->w, "count", row->count);
	json_put_interval(j, "min", &row->least);
	json_put_interval(j, "max", &row->most);
	if (j->has_sum) /* json_double() writes NAN as null */
		json_double(j->w, "mean", row->has_mean ? row->mean : NAN);
	for (i = 0; i < j->percentiles->np; i++) {
		hist_quantile_name(name, j->percentiles->p[i]);
		json_put_interval(j, name, &row->q[i]);
	}
}

static void json_put_groups(const struct json *j, const struct hist_table *table)
{
	const struct hist_grouping *grouping = j->percentiles->grouping;
	const struct hist_schema *schema = hist_table_schema(table);
	const struct hist_percentiles_row *row;
	struct json_writer *w = j->w;
	uint32_t i, n;

	json_array_begin(w, "percentiles");
	for (i = 0; i < j->percentiles->nrows && !json_writer_error(w); i++) {
		row = &j->percentiles->rows[i];
		begin_row(w, schema);
		json_put_row_key(w, &j->base.columns, table,
				 hist_grouping_entries(grouping, row->group, &n)[0],
				 hist_grouping_axis(grouping));
		json_put_members(j, row);
		json_object_end(w);
	}
	json_array_end(w);
}

/*
 * Write "percentiles", and "percentiles_rest" if --top removed groups.  The member is null if the
 * histogram does not have percentiles.  Returns 0 or -ENOMEM.
 */
static int put_percentiles(struct json *j, const struct hist_table *table,
			   const struct hist_snapshot *snap)
{
	const struct hist_schema *schema = hist_table_schema(table);
	struct json_writer *w = j->w;
	unsigned int value;
	int ret;

	ret = hist_percentiles_select(j->percentiles, table, snap, &j->worst);
	if (ret) {
		json_null(w, "percentiles");
		return ret == -EINVAL ? 0 : ret;
	}
	j->axis_is_signed = schema->keys[hist_axis_key(schema)].is_signed;
	j->has_sum = hist_axis_find_sum(schema, &value) && hist_schema_hitcount(schema) >= 0;
	json_put_groups(j, table);
	if (!j->percentiles->ncut)
		return 0;
	json_object_line(w, "percentiles_rest");
	json_u64(w, "groups", j->percentiles->ncut);
	json_put_members(j, &j->percentiles->rest);
	json_object_end(w);
	return 0;
}

static void put_worst_row(struct json *j, const struct hist_view *view,
			  const struct hist_worst *worst)
{
	begin_row(j->w, hist_table_schema(view->table));
	json_put_worst(j->w, &j->base.columns, view, &j->worst, worst, j->base.ns);
	json_object_end(j->w);
}

/* Write "worst" if the histogram keeps it. */
static void put_worst(struct json *j, const struct hist_view *view)
{
	struct json_writer *w = j->w;
	uint32_t i;

	if (hist_schema_worst(hist_table_schema(view->table)) < 0)
		return;
	json_array_begin(w, "worst");
	for (i = 0; i < j->worst.n && !json_writer_error(w); i++)
		put_worst_row(j, view, &j->worst.list[i]);
	json_array_end(w);
}

static int report_json_put_snapshot(struct hist_writer *base, const struct hist_view *view)
{
	struct json *j = (struct json *)base;
	const struct hist_snapshot *snap = view->snap;
	struct json_writer *w = j->w;
	uint64_t full_stacks;
	const char *taken;
	int ret = 0;
	size_t len;

	json_object_begin(w, NULL);
	json_u64(w, "seq", snap->seq);
	json_member_time(w, "time_ns", "time_ticks", snap->time, j->base.ns);
	if (view->wall)
		json_u64(w, "wall_ns", view->wall);
	json_u64(w, "read_ns", snap->read_ns);
	if (view->difference && !view->from_nothing) {
		json_object_line(w, "from");
		json_u64(w, "seq", view->from_seq);
		json_member_time(w, "time_ns", "time_ticks", view->from_time, j->base.ns);
		json_u64(w, "hits", view->from_hits);
		json_object_end(w);
	} else if (view->difference) {
		json_null(w, "from");
	}
	json_u64(w, "hits", snap->hits);
	json_u64(w, "entries", snap->entries);
	json_u64(w, "dropped", snap->dropped);
	json_u64(w, "missed", snap->missed);
	if (snap->events_lost)
		json_u64(w, "events_lost", snap->events_lost);
	if (snap->flags & HIST_SNAP_MISSES) {
		json_u64(w, "probe_misses", snap->probe_misses);
	} else if (snap->flags & HIST_SNAP_MISSES_UNKNOWN) {
		json_null(w, "probe_misses");
	}
	/* views of a list do not have tables */
	if (snap->flags & HIST_SNAP_TAKEN && view->table) {
		taken = hist_table_string(view->table, snap->taken, &len);
		json_string_len(w, "snapshot_taken", taken, len);
	}
	json_u64(w, "lost", view->lost);
	full_stacks = hist_loss_count_full_stacks(&view->info->def, view->table, view->rows);
	if (full_stacks)
		json_u64(w, "full_stacks", full_stacks);
	json_put_losses(w, snap->losses);
	report_json_put_flags(w, view);
	if (view->rows)
		report_json_put_rows(j, view);
	if (view->rows)
		ret = hist_worst_select(&j->worst, view);
	if (!ret && view->rows && j->percentiles)
		ret = put_percentiles(j, view->table, snap);
	if (!ret && view->rows)
		put_worst(j, view);
	json_object_end(w);
	return ret ? ret : json_writer_error(w);
}

static int report_json_put_episodes(struct json_writer *w,
				    const struct hist_report_episodes *episodes)
{
	uint32_t i;
	int ret = 0;

	json_array_begin(w, "episodes");
	for (i = 0; !ret && i < episodes->n && !json_writer_error(w); i++) {
		json_object_begin(w, NULL);
		ret = json_put_episode(w, &episodes->list[i]);
		json_object_end(w);
	}
	json_array_end(w);
	json_object_begin(w, "episodes_total");
	json_put_episodes_total(w, episodes);
	json_object_end(w);
	return ret;
}

static int report_json_put_end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct json *j = (struct json *)base;
	struct json_writer *w = j->w;
	int ret = 0;

	json_array_end(w);
	if (base->o.episodes)
		ret = report_json_put_episodes(w, base->o.episodes);
	if (ret)
		return ret;
	json_object_begin(w, "damage");
	json_bool(w, "unfinished", damage->unfinished);
	json_bool(w, "truncated", damage->truncated);
	json_u64(w, "bad_sections", damage->bad_sections);
	json_u64(w, "lost_snapshots", damage->lost_snapshots);
	json_object_end(w);
	json_object_end(w);
	j->w = NULL;
	return json_writer_free(w);
}

static void json_clear(struct hist_writer *base)
{
	struct json *j = (struct json *)base;

	json_writer_free(j->w);
	hist_percentiles_free(j->percentiles);
	hist_worst_free(&j->worst);
}

static int json_begin(struct hist_writer *base)
{
	const struct hist_writer_options *o = &base->o;
	bool asked = o->nquantiles || o->view == HIST_VIEW_PERCENTILES;
	struct json *j = (struct json *)base;

	j->w = json_writer_new(o->f, true);
	if (asked)
		j->percentiles = hist_percentiles_new(o->quantiles, o->nquantiles, o->top);
	if (!j->w || (asked && !j->percentiles))
		return -ENOMEM;
	json_object_begin(j->w, NULL);
	json_string(j->w, "schema", "trace-cmd-hist/1");
	json_array_begin(j->w, "histograms");
	return 0;
}

const struct hist_writer_ops hist_writer_json = {
	.size = sizeof(struct json),
	.begin = json_begin,
	.histogram = report_json_begin_histogram,
	.snapshot = report_json_put_snapshot,
	.histogram_end = report_json_end_histogram,
	.end = report_json_put_end,
	.clear = json_clear,
};
