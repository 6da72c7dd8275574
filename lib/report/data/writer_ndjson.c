// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_ndjson.c - a report as NDJSON: one JSON object per line, in long form
 *
 * records.h defines the records, json_keys.h the keys and values.  One record that
 * describes a histogram precedes its other records.
 */
#include <errno.h>

#include "lib/report/data/json_keys.h"
#include "lib/report/data/records.h"

struct ndjson {
	struct hist_writer base;
	struct json_writer *w;
	bool any; /* a line was written */
};

static void begin_line(struct ndjson *n, const char *kind)
{
	if (n->any)
		json_next_line(n->w);
	n->any = true;
	json_object_begin(n->w, NULL);
	json_string(n->w, "kind", kind);
}

static int ndjson_begin_histogram(struct hist_writer *base)
{
	struct ndjson *n = (struct ndjson *)base;
	const struct hist_definition *def = &base->info->def;

	begin_line(n, "histogram");
	json_string(n->w, "histogram", base->name);
	json_string(n->w, "host", def->host);
	json_string(n->w, "event", def->event);
	json_string(n->w, "trigger", def->trigger);
	json_string(n->w, "engine", def->engine);
	json_string(n->w, "clock", def->clock);
	json_string(n->w, "instance", def->instance);
	json_string(n->w, "uname", def->uname);
	json_object_end(n->w);
	return 0;
}

/* Write a record up to its keys. */
static void begin_at(struct ndjson *n, const char *kind, const struct hist_view *view)
{
	begin_line(n, kind);
	json_string(n->w, "histogram", n->base.name);
	json_string(n->w, "host", n->base.info->def.host);
	json_u64(n->w, "seq", view->snap->seq);
	json_member_time(n->w, "time_ns", "time_ticks", view->snap->time, n->base.ns);
	if (view->wall)
		json_u64(n->w, "wall_ns", view->wall);
	if (view->difference && !view->from_nothing) {
		json_u64(n->w, "from_seq", view->from_seq);
		if (n->base.ns)
			json_u64(n->w, "from_time_ns", view->from_time);
	} else if (view->difference) {
		json_null(n->w, "from_seq");
	}
}

static void ndjson_put_fact(struct ndjson *n, const struct records_fact *fact)
{
	json_string(n->w, "metric", fact->metric);
	json_u64(n->w, "value", fact->value);
	json_object_end(n->w);
}

static void ndjson_put_row(struct ndjson *n, const struct hist_view *view, uint32_t entry)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const uint64_t *values = view->snap->values + (size_t)entry * schema->nvalues;
	unsigned int v;

	for (v = 0; v < schema->nvalues; v++) {
		begin_at(n, "row", view);
		json_put_row_key(n->w, &n->base.columns, view->table, entry, -1);
		json_string(n->w, "metric", hist_columns_value(&n->base.columns, v));
		json_put_row_value(n->w, "value", view->table, &schema->values[v], values[v]);
		json_object_end(n->w);
	}
}

static int ndjson_put_snapshot(struct hist_writer *base, const struct hist_view *view)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	const struct hist_rows *rows = view->rows;
	struct ndjson *n = (struct ndjson *)base;
	struct records_fact facts[RECORDS_FACTS_MAX];
	unsigned int i, count = records_get_snapshot_facts(view, facts);
	uint32_t r;

	for (i = 0; i < count; i++) {
		begin_at(n, "snapshot", view);
		ndjson_put_fact(n, &facts[i]);
	}
	for (r = 0; r < rows->n && !json_writer_error(n->w); r++)
		ndjson_put_row(n, view, rows->entries[r]);
	for (i = 0; i < schema->nvalues && rows->total > rows->n; i++) {
		if (!hist_value_is_sum(schema->values[i].kind))
			continue;
		begin_at(n, "rest", view);
		json_string(n->w, "metric", hist_columns_value(&n->base.columns, i));
		json_number(n->w, "value", rows->rest[i], schema->values[i].is_signed);
		json_object_end(n->w);
	}
	return json_writer_error(n->w);
}

static int ndjson_put_end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct ndjson *n = (struct ndjson *)base;
	struct records_fact facts[RECORDS_FACTS_MAX];
	unsigned int i, count = records_get_file_facts(damage, facts);
	int ret;

	for (i = 0; i < count; i++) {
		begin_line(n, "file");
		ndjson_put_fact(n, &facts[i]);
	}
	ret = json_writer_free(n->w);
	n->w = NULL;
	return ret;
}

static void ndjson_clear(struct hist_writer *base)
{
	json_writer_free(((struct ndjson *)base)->w);
}

static int ndjson_begin(struct hist_writer *base)
{
	struct ndjson *n = (struct ndjson *)base;

	n->w = json_writer_new(base->o.f, false);
	return n->w ? 0 : -ENOMEM;
}

const struct hist_writer_ops hist_writer_ndjson = {
	.size = sizeof(struct ndjson),
	.begin = ndjson_begin,
	.histogram = ndjson_begin_histogram,
	.snapshot = ndjson_put_snapshot,
	.end = ndjson_put_end,
	.clear = ndjson_clear,
};
