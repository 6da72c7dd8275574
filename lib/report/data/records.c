// SPDX-License-Identifier: LGPL-2.1
/*
 * records.c - list the records of a snapshot and of a file, for csv and ndjson
 */
#include <string.h>

#include "lib/analysis/loss_notes.h"
#include "lib/report/data/records.h"

unsigned int records_long_snapshot_flags(const struct hist_view *view,
					 struct records_fact flags[LONG_FLAGS])
{
	const struct hist_snapshot *snap = view->snap;

	flags[0] = (struct records_fact){ "reset", view->reset || snap->flags & HIST_SNAP_RESET };
	flags[1] = (struct records_fact){ "paused", (snap->flags & HIST_SNAP_PAUSED) != 0 };
	flags[2] = (struct records_fact){ "stopped", view->stopped };
	flags[3] = (struct records_fact){ "ambiguous", (snap->flags & HIST_SNAP_AMBIGUOUS) != 0 };
	flags[4] = (struct records_fact){ "set-up", view->extent == HIST_EXTENT_SINGLE };
	return LONG_FLAGS;
}

static unsigned int records_get_facts(const struct hist_view *view,
				      struct records_fact facts[RECORDS_FACTS_MAX])
{
	const struct hist_snapshot *snap = view->snap;
	uint64_t full_stacks =
		hist_loss_count_full_stacks(&view->info->def, view->table, view->rows);
	const struct records_fact all[] = {
		{ "hits", snap->hits },
		{ "entries", snap->entries },
		{ "total_rows", view->rows->total },
		{ "dropped", snap->dropped },
		{ "missed", snap->missed },
		{ "lost", view->lost },
	};
	unsigned int n = sizeof(all) / sizeof(*all), k;

	memcpy(facts, all, sizeof(all));
	n += records_long_snapshot_flags(view, facts + n);
	if (view->difference && !view->from_nothing)
		facts[n++] = (struct records_fact){ "from_hits", view->from_hits };
	/* only recordings that the kernel did not count can lose events */
	if (snap->events_lost)
		facts[n++] = (struct records_fact){ "events_lost", snap->events_lost };
	if (snap->flags & HIST_SNAP_MISSES)
		facts[n++] = (struct records_fact){ "probe_misses", snap->probe_misses };
	if (full_stacks)
		facts[n++] = (struct records_fact){ "full_stacks", full_stacks };
	for (k = 0; k < HIST_LOSS_KINDS; k++) {
		if (snap->losses[k])
			facts[n++] =
				(struct records_fact){ hist_loss_traits(k)->name, snap->losses[k] };
	}
	return n;
}

static int records_put_facts(struct hist_writer *w, const struct hist_view *view,
			     struct record *r, const struct records_fact *facts, unsigned int n,
			     records_put *put)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		r->metric = facts[i].metric;
		r->value = facts[i].value;
		ret = put(w, view, r);
	}
	return ret;
}

/* Put the sums of the rows (@sums) or all values of one row. */
static int records_put_values(struct hist_writer *w, const struct hist_view *view,
			      struct record *r, const uint64_t *values, bool sums, records_put *put)
{
	const struct hist_schema *schema = hist_table_schema(view->table);
	unsigned int v;
	int ret = 0;

	for (v = 0; v < hist_schema_columns(schema) && !ret; v++) {
		if (sums && !hist_value_is_sum(schema->values[v].kind))
			continue;
		r->metric = hist_columns_value(&w->columns, v);
		r->value = values[v];
		r->desc = &schema->values[v];
		ret = put(w, view, r);
	}
	return ret;
}

int records_put_snapshot_facts(struct hist_writer *w, const struct hist_view *view,
			       records_put *put)
{
	struct record fact = { .kind = "snapshot", .entry = HIST_NO_ENTRY };
	struct records_fact facts[RECORDS_FACTS_MAX];

	return records_put_facts(w, view, &fact, facts, records_get_facts(view, facts), put);
}

int records_put_snapshot(struct hist_writer *w, const struct hist_view *view, records_put *put)
{
	size_t nvalues = hist_table_schema(view->table)->nvalues;
	struct record rest = { .kind = "rest", .entry = HIST_NO_ENTRY };
	struct record row = { .kind = "row" };
	uint32_t i;
	int ret;

	ret = records_put_snapshot_facts(w, view, put);
	for (i = 0; i < view->rows->n && !ret; i++) {
		row.entry = view->rows->entries[i];
		ret = records_put_values(w, view, &row, view->snap->values + row.entry * nvalues,
					 false, put);
	}
	if (!ret && view->rows->total > view->rows->n)
		ret = records_put_values(w, view, &rest, view->rows->rest, true, put);
	return ret;
}

int records_put_damage(struct hist_writer *w, const struct hist_series_damage *damage,
		       records_put *put)
{
	struct record r = { .kind = "file", .entry = HIST_NO_ENTRY };
	const struct records_fact facts[] = {
		{ "unfinished", damage->unfinished },
		{ "truncated", damage->truncated },
		{ "bad_sections", damage->bad_sections },
		{ "lost_snapshots", damage->lost_snapshots },
	};

	return records_put_facts(w, NULL, &r, facts, sizeof(facts) / sizeof(*facts), put);
}
