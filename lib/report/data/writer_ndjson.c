// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_ndjson.c - a report as NDJSON: one JSON object per line, in long form
 *
 * records.h defines the records, json_keys.h the keys and values.  One record that
 * describes a histogram precedes its other records.  Records "worst" (json_worst.h) follow those of
 * the rows of their snapshot.  With --worst, the records are those of the episodes instead.
 */
#include <errno.h>

#include "lib/report/data/json_episodes.h"
#include "lib/report/data/json_keys.h"
#include "lib/report/data/json_worst.h"
#include "lib/report/data/records.h"

struct ndjson {
	struct hist_writer base;
	struct json_writer *w;
	struct hist_worst_list worst; /* of the snapshot */
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
	json_put_joined(n->w, def->joined);
	json_string(n->w, "engine", def->engine);
	json_string(n->w, "clock", def->clock);
	json_string(n->w, "instance", def->instance);
	json_string(n->w, "uname", def->uname);
	json_object_end(n->w);
	return 0;
}

/* Begin a record of a snapshot. */
static void begin_record(struct ndjson *n, const struct hist_view *view, const char *kind)
{
	struct hist_writer *base = &n->base;
	struct json_writer *w = n->w;

	begin_line(n, kind);
	json_string(w, "histogram", base->name);
	json_string(w, "host", base->info->def.host);
	json_u64(w, "seq", view->snap->seq);
	json_member_time(w, "time_ns", "time_ticks", view->snap->time, base->ns);
	if (view->wall)
		json_u64(w, "wall_ns", view->wall);
	if (view->difference && !view->from_nothing) {
		json_u64(w, "from_seq", view->from_seq);
		if (base->ns)
			json_u64(w, "from_time_ns", view->from_time);
	} else if (view->difference) {
		json_null(w, "from_seq");
	}
}

static int ndjson_put_record(struct hist_writer *base, const struct hist_view *view,
			     const struct record *r)
{
	struct ndjson *n = (struct ndjson *)base;
	struct json_writer *w = n->w;

	if (view)
		begin_record(n, view, r->kind);
	else
		begin_line(n, r->kind);
	if (r->entry != HIST_NO_ENTRY)
		json_put_row_key(w, &base->columns, view->table, r->entry, -1);
	json_string(w, "metric", r->metric);
	if (r->desc)
		json_put_row_value(w, "value", view->table, r->desc, r->value);
	else
		json_u64(w, "value", r->value);
	json_object_end(w);
	return json_writer_error(w);
}

static int ndjson_put_snapshot(struct hist_writer *base, const struct hist_view *view)
{
	struct ndjson *n = (struct ndjson *)base;
	int ret = records_put_snapshot(base, view, ndjson_put_record);
	const char *taken;
	uint32_t i;
	size_t len;

	if (!ret && view->snap->flags & HIST_SNAP_TAKEN && view->table) {
		begin_record(n, view, "snapshot_taken");
		taken = hist_table_string(view->table, view->snap->taken, &len);
		json_string_len(n->w, "text", taken, len);
		json_object_end(n->w);
		ret = json_writer_error(n->w);
	}
	if (!ret)
		ret = hist_worst_select(&n->worst, view);
	for (i = 0; i < n->worst.n && !ret; i++) {
		begin_record(n, view, "worst");
		json_object_begin(n->w, "worst");
		json_put_worst(n->w, &base->columns, view, &n->worst, &n->worst.list[i], base->ns);
		json_object_end(n->w);
		json_object_end(n->w);
		ret = json_writer_error(n->w);
	}
	return ret;
}

static int ndjson_put_end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	const struct hist_report_episodes *episodes = base->o.episodes;
	struct ndjson *n = (struct ndjson *)base;
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && episodes && i < episodes->n; i++) {
		begin_line(n, "episode");
		ret = json_put_episode(n->w, &episodes->list[i]);
		json_object_end(n->w);
	}
	if (ret)
		return ret;
	if (episodes) {
		begin_line(n, "total");
		json_put_episodes_total(n->w, episodes);
		json_object_end(n->w);
	}
	records_put_damage(base, damage, ndjson_put_record);
	ret = json_writer_free(n->w);
	n->w = NULL;
	return ret;
}

static void ndjson_clear(struct hist_writer *base)
{
	struct ndjson *n = (struct ndjson *)base;

	hist_worst_free(&n->worst);
	json_writer_free(n->w);
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
