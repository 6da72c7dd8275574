// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_ndjson.c - a report as NDJSON: one JSON object per line, in long form
 *
 * records.h defines the records, json_keys.h the keys and values.  One record that
 * describes a histogram precedes its other records.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/label/label.h"
#include "lib/report/data/json_keys.h"
#include "lib/report/data/records.h"

struct ndjson {
	struct hist_writer base;
	struct json_writer *w;
	bool any; /* a line was written */
	/* of the current histogram */
	const struct hist_series_info *info;
	const char *name;
	bool ns;
	struct hist_columns columns;
};

static void string_member(struct ndjson *n, const char *name, const char *s)
{
	json_name(n->w, name);
	json_string(n->w, s ? s : "");
}

static void number_member(struct ndjson *n, const char *name, uint64_t v)
{
	json_name(n->w, name);
	json_u64(n->w, v);
}

static void begin(struct ndjson *n, const char *kind)
{
	if (n->any)
		json_next_line(n->w);
	n->any = true;
	json_object_begin(n->w);
	string_member(n, "kind", kind);
}

static void histogram(struct hist_writer *base, const struct hist_series_info *info,
		      const char *name)
{
	struct ndjson *n = (struct ndjson *)base;
	const struct hist_definition *def = &info->def;

	n->info = info;
	n->name = name;
	n->ns = hist_clock_is_ns(def->clock);
	hist_columns_make(&n->columns, def->schema, false);
	begin(n, "histogram");
	string_member(n, "histogram", name);
	string_member(n, "host", def->host);
	string_member(n, "event", def->event);
	string_member(n, "trigger", def->trigger);
	string_member(n, "engine", def->engine);
	string_member(n, "clock", def->clock);
	string_member(n, "instance", def->instance);
	string_member(n, "uname", def->uname);
	json_object_end(n->w);
}

/* Write a record up to its keys. */
static void begin_at(struct ndjson *n, const char *kind, const struct hist_view *view)
{
	begin(n, kind);
	string_member(n, "histogram", n->name);
	string_member(n, "host", n->info->def.host);
	number_member(n, "seq", view->snap->seq);
	json_name(n->w, "time_ns");
	if (n->ns)
		json_u64(n->w, view->snap->time);
	else
		json_null(n->w);
	if (!n->ns)
		number_member(n, "time_ticks", view->snap->time);
	if (view->wall)
		number_member(n, "wall_ns", view->wall);
	if (view->difference && !view->from_nothing) {
		number_member(n, "from_seq", view->from_seq);
		if (n->ns)
			number_member(n, "from_time_ns", view->from_time);
	} else if (view->difference) {
		json_name(n->w, "from_seq");
		json_null(n->w);
	}
}

static void put_fact(struct ndjson *n, const struct long_fact *fact)
{
	string_member(n, "metric", fact->metric);
	number_member(n, "value", fact->value);
	json_object_end(n->w);
}

static void put_row(struct ndjson *n, const struct hist_view *view, uint32_t entry)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const uint64_t *values = view->snap->values + (size_t)entry * schema->nvalues;
	unsigned int v;

	for (v = 0; v < schema->nvalues; v++) {
		begin_at(n, "row", view);
		json_row_key(n->w, &n->columns, view->table, entry, -1);
		string_member(n, "metric", hist_columns_value(&n->columns, v));
		json_name(n->w, "value");
		json_row_value(n->w, view->table, &schema->values[v], values[v]);
		json_object_end(n->w);
	}
}

static void snapshot(struct hist_writer *base, const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const struct hist_rows *rows = view->rows;
	struct ndjson *n = (struct ndjson *)base;
	struct long_fact facts[LONG_FACTS_MAX];
	unsigned int i, count = long_snapshot_facts(view, facts);
	uint32_t r;

	for (i = 0; i < count; i++) {
		begin_at(n, "snapshot", view);
		put_fact(n, &facts[i]);
	}
	for (r = 0; r < rows->n && !json_writer_error(n->w); r++)
		put_row(n, view, rows->entries[r]);
	for (i = 0; i < schema->nvalues && rows->total > rows->n; i++) {
		if (!hist_value_is_sum(schema->values[i].kind))
			continue;
		begin_at(n, "rest", view);
		string_member(n, "metric", hist_columns_value(&n->columns, i));
		json_name(n->w, "value");
		json_number(n->w, rows->rest[i], schema->values[i].is_signed);
		json_object_end(n->w);
	}
	hist_writer_result(base, json_writer_error(n->w));
}

static void histogram_end(struct hist_writer *base)
{
	(void)base;
}

static void end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct ndjson *n = (struct ndjson *)base;
	struct long_fact facts[LONG_FACTS_MAX];
	unsigned int i, count = long_file_facts(damage, facts);

	for (i = 0; i < count; i++) {
		begin(n, "file");
		put_fact(n, &facts[i]);
	}
	hist_writer_result(base, json_writer_free(n->w));
	n->w = NULL;
}

static void free_ndjson(struct hist_writer *base)
{
	struct ndjson *n = (struct ndjson *)base;

	json_writer_free(n->w);
	free(n);
}

static const struct hist_writer_ops ops = {
	.histogram = histogram,
	.snapshot = snapshot,
	.histogram_end = histogram_end,
	.end = end,
	.free = free_ndjson,
};

struct hist_writer *hist_writer_ndjson(const struct hist_writer_options *options)
{
	struct ndjson *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->base.ops = &ops;
	n->w = json_writer_new(options->f, false);
	if (n->w)
		return &n->base;
	free(n);
	return NULL;
}
