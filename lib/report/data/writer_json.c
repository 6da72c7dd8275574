// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_json.c - histograms as JSON, schema "trace-cmd-hist/1"
 *
 * Each part is written when it arrives, so memory does not grow with the number of
 * snapshots.  Facts that are known only at the end (damage) are last.  A row is one line,
 * except rows with stacks. trace-cmd-hist-report(1) lists all members.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/loss_notes.h"
#include "lib/label/label.h"
#include "lib/label/unit.h"
#include "lib/report/data/json_percentiles.h"
#include "lib/report/writer.h"

struct json {
	struct hist_writer base;
	struct json_writer *w;
	bool ns;
	struct hist_columns columns;
	struct hist_percentiles *percentiles; /* NULL: not requested */
};

static void string_member(struct json_writer *w, const char *name, const char *s)
{
	json_name(w, name);
	json_string(w, s ? s : "");
}

static void number_member(struct json_writer *w, const char *name, uint64_t v)
{
	json_name(w, name);
	json_u64(w, v);
}

/* Write NAME, the time in ns.  For other clocks NAME is null and NAME_ticks has the number. */
static void time_member(struct json *j, const char *name, const char *ticks, uint64_t time)
{
	json_name(j->w, name);
	if (j->ns) {
		json_u64(j->w, time);
		return;
	}
	json_null(j->w);
	number_member(j->w, ticks, time);
}

static void describe_keys(struct json *j, const struct hist_schema *schema)
{
	struct json_writer *w = j->w;
	unsigned int i;

	json_name(w, "keys");
	json_array_begin(w);
	json_one_line(w, true);
	for (i = 0; i < schema->nkeys; i++) {
		json_object_begin(w);
		string_member(w, "name", hist_columns_key(&j->columns, i));
		string_member(w, "modifier", hist_key_traits(&schema->keys[i])->modifier);
		if (hist_key_is_linear(&schema->keys[i]))
			number_member(w, "bucket", schema->keys[i].bucket);
		if (hist_unit_of_key(&schema->keys[i]) != HIST_UNIT_NONE)
			string_member(w, "unit", hist_unit_name(hist_unit_of_key(&schema->keys[i])));
		json_object_end(w);
	}
	json_one_line(w, false);
	json_array_end(w);

	json_name(w, "values");
	json_one_line(w, true);
	json_array_begin(w);
	for (i = 0; i < schema->nvalues; i++)
		json_string(w, hist_columns_value(&j->columns, i));
	json_array_end(w);
	json_one_line(w, false);
}

static void histogram(struct hist_writer *base, const struct hist_series_info *info,
		      const char *name)
{
	struct json *j = (struct json *)base;
	const struct hist_definition *def = &info->def;
	struct json_writer *w = j->w;

	j->ns = hist_clock_is_ns(def->clock);
	json_object_begin(w);
	string_member(w, "event", def->event);
	string_member(w, "name", name);
	string_member(w, "trigger", def->trigger);
	string_member(w, "engine", def->engine);
	string_member(w, "clock", def->clock);
	string_member(w, "instance", def->instance);
	json_name(w, "target");
	json_one_line(w, true);
	json_object_begin(w);
	string_member(w, "uname", def->uname);
	string_member(w, "host", def->host);
	json_object_end(w);
	json_one_line(w, false);
	hist_columns_make(&j->columns, def->schema, false);
	describe_keys(j, def->schema);

	json_name(w, "recorded");
	json_object_begin(w);
	number_member(w, "snapshots", info->snapshots);
	number_member(w, "first_seq", info->first_seq);
	number_member(w, "last_seq", info->last_seq);
	time_member(j, "first_time_ns", "first_time_ticks", info->first_time);
	time_member(j, "last_time_ns", "last_time_ticks", info->last_time);
	json_object_end(w);

	json_name(w, "snapshots");
	json_array_begin(w);
}

static void histogram_end(struct hist_writer *base)
{
	struct json *j = (struct json *)base;

	json_array_end(j->w);
	json_object_end(j->w);
}

static void row(struct json *j, const struct hist_view *view, uint32_t entry)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const uint64_t *values = view->snap->values + (size_t)entry * schema->nvalues;
	struct json_writer *w = j->w;
	unsigned int i;

	json_object_begin(w);
	json_row_key(w, &j->columns, view->table, entry, -1);
	json_name(w, "value");
	json_object_begin(w);
	for (i = 0; i < schema->nvalues; i++) {
		json_name(w, hist_columns_value(&j->columns, i));
		json_row_value(w, view->table, &schema->values[i], values[i]);
	}
	json_object_end(w);
	json_object_end(w);
}

static void rows(struct json *j, const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const struct hist_rows *chosen = view->rows;
	struct json_writer *w = j->w;
	unsigned int i;
	uint32_t n;

	number_member(w, "total_rows", chosen->total);
	if (chosen->total > chosen->n) {
		json_name(w, "rest");
		json_one_line(w, true);
		json_object_begin(w);
		number_member(w, "rows", chosen->total - chosen->n);
		json_name(w, "value");
		json_object_begin(w);
		for (i = 0; i < schema->nvalues; i++) {
			if (!hist_value_is_sum(schema->values[i].kind))
				continue;
			json_name(w, hist_columns_value(&j->columns, i));
			json_number(w, chosen->rest[i], schema->values[i].is_signed);
		}
		json_object_end(w);
		json_object_end(w);
		json_one_line(w, false);
	}
	json_name(w, "rows");
	json_array_begin(w);
	json_one_line(w, hist_schema_stack_key(schema) < 0);
	for (n = 0; n < chosen->n && !json_writer_error(w); n++)
		row(j, view, chosen->entries[n]);
	json_one_line(w, false);
	json_array_end(w);
}

static void flags(struct json_writer *w, const struct hist_view *view)
{
	json_name(w, "flags");
	json_one_line(w, true);
	json_array_begin(w);
	if (view->reset || (view->snap->flags & HIST_SNAP_RESET))
		json_string(w, "reset");
	if (view->snap->flags & HIST_SNAP_PAUSED)
		json_string(w, "paused");
	if (view->stopped)
		json_string(w, "stopped");
	if (view->snap->flags & HIST_SNAP_AMBIGUOUS)
		json_string(w, "ambiguous");
	if (view->extent == HIST_EXTENT_SINGLE)
		json_string(w, "set-up");
	json_array_end(w);
	json_one_line(w, false);
}

static void snapshot(struct hist_writer *base, const struct hist_view *view)
{
	struct json *j = (struct json *)base;
	const struct hist_snapshot *snap = view->snap;
	struct json_writer *w = j->w;
	uint64_t full_stacks;
	const char *taken;
	size_t len;

	json_object_begin(w);
	number_member(w, "seq", snap->seq);
	time_member(j, "time_ns", "time_ticks", snap->time);
	if (view->wall)
		number_member(w, "wall_ns", view->wall);
	number_member(w, "read_ns", snap->read_ns);
	if (view->difference) {
		json_name(w, "from");
		if (view->from_nothing) {
			json_null(w);
		} else {
			json_one_line(w, true);
			json_object_begin(w);
			number_member(w, "seq", view->from_seq);
			time_member(j, "time_ns", "time_ticks", view->from_time);
			number_member(w, "hits", view->from_hits);
			json_object_end(w);
			json_one_line(w, false);
		}
	}
	number_member(w, "hits", snap->hits);
	number_member(w, "entries", snap->entries);
	number_member(w, "dropped", snap->dropped);
	number_member(w, "missed", snap->missed);
	if (snap->events_lost)
		number_member(w, "events_lost", snap->events_lost);
	if (snap->flags & HIST_SNAP_MISSES) {
		number_member(w, "probe_misses", snap->probe_misses);
	} else if (snap->flags & HIST_SNAP_MISSES_UNKNOWN) {
		json_name(w, "probe_misses");
		json_null(w);
	}
	/* views of a list do not have tables */
	if (snap->flags & HIST_SNAP_TAKEN && view->table) {
		taken = hist_table_string(view->table, snap->taken, &len);
		json_name(w, "snapshot_taken");
		json_string_len(w, taken, len);
	}
	number_member(w, "lost", view->lost);
	full_stacks = hist_full_stacks(view->table, view->rows);
	if (full_stacks)
		number_member(w, "full_stacks", full_stacks);
	flags(w, view);
	if (view->rows)
		rows(j, view);
	if (view->rows && j->percentiles)
		hist_writer_result(base, json_percentiles(w, &j->columns, j->percentiles,
							  view->table, snap));
	json_object_end(w);
	hist_writer_result(base, json_writer_error(w));
}

static void end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct json *j = (struct json *)base;
	struct json_writer *w = j->w;

	json_array_end(w);
	json_name(w, "damage");
	json_object_begin(w);
	json_name(w, "unfinished");
	json_bool(w, damage->unfinished);
	json_name(w, "truncated");
	json_bool(w, damage->truncated);
	number_member(w, "bad_sections", damage->bad_sections);
	number_member(w, "lost_snapshots", damage->lost_snapshots);
	json_object_end(w);
	json_object_end(w);
	hist_writer_result(base, json_writer_free(w));
	j->w = NULL;
}

static void free_json(struct hist_writer *base)
{
	struct json *j = (struct json *)base;

	if (j->w)
		json_writer_free(j->w);
	hist_percentiles_free(j->percentiles);
	free(j);
}

static const struct hist_writer_ops ops = {
	.histogram = histogram,
	.snapshot = snapshot,
	.histogram_end = histogram_end,
	.end = end,
	.free = free_json,
};

struct hist_writer *hist_writer_json(const struct hist_writer_options *options)
{
	bool asked = options->nquantiles || options->view == HIST_VIEW_PERCENTILES;
	struct json *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->base.ops = &ops;
	j->w = json_writer_new(options->f, true);
	if (asked)
		j->percentiles = hist_percentiles_new(options->quantiles, options->nquantiles,
						      options->top);
	if (!j->w || (asked && !j->percentiles)) {
		free_json(&j->base);
		return NULL;
	}
	json_object_begin(j->w);
	string_member(j->w, "schema", "trace-cmd-hist/1");
	json_name(j->w, "histograms");
	json_array_begin(j->w);
	return &j->base;
}
