// SPDX-License-Identifier: GPL-2.0
/*
 * top_model.c - the last snapshot of each histogram, and a ring of differences
 *
 * The ring has differences, so that each is computed once and old ones can be dropped.  Entry
 * numbers are those of the table, which only grows.  A reset clears the table and the ring.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/text.h"
#include "lib/base/wide.h"
#include "tracecmd/base/timer.h"
#include "tracecmd/top/top_model.h"

int top_model_add_hist(struct top_model *m, const char *name, const char *trigger,
		       struct hist_table *table)
{
	struct top_hist *h;

	if (array_add(&m->hists, m->nhists, sizeof(*h)))
		return -ENOMEM;
	h = memset(&m->hists[m->nhists], 0, sizeof(*h));
	h->column = -1;
	h->rose = HIST_NO_ENTRY;
	h->group_column = TOP_GROUP_RATE;
	h->has_axis = hist_axis_comes_first(hist_table_schema(table)) &&
		      !hist_percentiles_explain_none(hist_table_schema(table), NULL);
	h->table = table;
	hist_columns_make(&h->columns, hist_table_schema(table), HIST_COLUMNS_OVER_TIME, NULL);
	h->name = strdup(name);
	h->trigger = strdup(trigger);
	if (!h->name || !h->trigger) {
		free(h->name);
		free(h->trigger);
		return -ENOMEM;
	}
	m->nhists++;
	return 0;
}

struct hist_series_info top_describe(const struct top_model *m, const struct top_hist *h)
{
	return (struct hist_series_info){
		.def = { .trigger = h->trigger, .schema = hist_table_schema(h->table),
			 .clock = m->clock },
	};
}

static size_t top_model_snapshot_bytes(const struct top_hist *h, const struct hist_snapshot *snap)
{
	return (size_t)snap->room * hist_table_schema(h->table)->nvalues * sizeof(*snap->values);
}

static void drop_interval(struct top_model *m, struct top_hist *h, struct top_interval *interval)
{
	m->history_bytes -= top_model_snapshot_bytes(h, &interval->diff);
	hist_snapshot_clear(&interval->diff);
}

static void drop_history(struct top_model *m, struct top_hist *h)
{
	unsigned int i;

	for (i = 0; i < TOP_INTERVALS; i++)
		drop_interval(m, h, &h->ring[i]);
	h->n = 0;
}

void top_model_clear(struct top_model *m)
{
	unsigned int i;

	for (i = 0; i < m->nhists; i++) {
		struct top_hist *h = &m->hists[i];

		drop_history(m, h);
		hist_snapshot_clear(&h->base);
		hist_snapshot_clear(&h->last);
		hist_snapshot_clear(&h->total);
		hist_worst_free(&h->worst);
		percentiles_table_free(&h->groups);
		hist_percentiles_free(h->percentiles);
		hist_rows_free(&h->rows);
		free(h->lines);
		free(h->name);
		free(h->trigger);
	}
	free(m->hists);
	memset(m, 0, sizeof(*m));
}

static struct top_interval *top_model_interval_slot(struct top_hist *h, unsigned int back)
{
	return &h->ring[(h->newest + TOP_INTERVALS - back) % TOP_INTERVALS];
}

const struct top_interval *top_interval(const struct top_hist *h, unsigned int back)
{
	return back < h->n ? top_model_interval_slot((struct top_hist *)h, back) : NULL;
}

/* Put the difference between @snap and @from into the slot after the newest one. */
static int top_model_push_interval(struct top_model *m, struct top_hist *h,
				   const struct hist_snapshot *snap,
				   const struct hist_snapshot *from, uint64_t now_ns)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	struct top_interval *next = &h->ring[(h->newest + 1) % TOP_INTERVALS];
	size_t before = top_model_snapshot_bytes(h, &next->diff);
	int ret;

	if (h->n == TOP_INTERVALS)
		h->n--; /* the oldest is overwritten */
	ret = hist_snapshot_copy(&next->diff, snap, schema);
	m->history_bytes += top_model_snapshot_bytes(h, &next->diff) - before;
	if (ret)
		return ret;
	hist_snapshot_subtract(&next->diff, from, schema);
	next->length_ns = now_ns > h->total_ns ? now_ns - h->total_ns : 1;
	next->end_ns = now_ns;
	h->newest = (h->newest + 1) % TOP_INTERVALS;
	h->n++;
	while (m->history_bytes > TOP_HISTORY_BYTES && h->n > 1) {
		drop_interval(m, h, top_model_interval_slot(h, h->n - 1));
		h->n--;
	}
	return 0;
}

/* Set the row that rose last by the difference of @snap to @from. */
static void top_model_find_rise(struct top_hist *h, const struct hist_snapshot *snap,
				const struct hist_snapshot *from)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	const struct hist_snapshot *diff = &top_interval(h, 0)->diff;
	int value = hist_schema_worst(schema);
	uint32_t i, known = from ? from->nentries : 0;
	struct hist_worst worst;
	uint64_t most = 0;

	for (i = 0; value >= 0 && i < snap->nentries; i++) {
		size_t at = (size_t)i * schema->nvalues + (unsigned int)value;

		if ((i >= known || diff->values[at]) &&
		    hist_worst_read(&worst, h->table, snap->values[at]) && worst.value > most) {
			most = worst.value;
			h->rose = i;
		}
	}
}

int top_model_feed(struct top_model *m, unsigned int hist, const struct hist_snapshot *snap,
		   uint64_t now_ns)
{
	struct top_hist *h = &m->hists[hist];
	const struct hist_schema *schema = hist_table_schema(h->table);
	const struct hist_snapshot *from = &h->last;
	int ret = 0;

	if (h->begun && (snap->flags & HIST_SNAP_RESET)) {
		drop_history(m, h);
		h->resets++;
		h->scroll = 0;
		from = NULL;
		hist_snapshot_clear(&h->base);
		h->rose = HIST_NO_ENTRY;
	}
	if (h->begun)
		ret = top_model_push_interval(m, h, snap, from, now_ns);
	else
		ret = hist_snapshot_copy(&h->base, snap, schema);
	if (!ret && h->begun)
		top_model_find_rise(h, snap, from);
	if (!ret)
		ret = hist_snapshot_copy(&h->last, snap, schema);
	if (!ret)
		ret = hist_snapshot_copy(&h->total, snap, schema);
	if (ret)
		return ret;
	hist_snapshot_subtract(&h->total, &h->base, schema);
	h->begun = true;
	h->total_ns = now_ns;
	return 0;
}

int64_t top_hits_rate(const struct top_interval *interval)
{
	return interval ? hist_columns_per_second(interval->diff.hits, false, interval->length_ns)
			: 0;
}

void top_format_notes(const struct top_model *m, const struct top_hist *h, struct hist_strbuf *b)
{
	const struct hist_snapshot *snap = &h->total;
	size_t before = b->len;
	unsigned int k;

	if (snap->dropped)
		hist_strbuf_printf(b, "%" PRIu64 " hit%s dropped: the table is full; ",
				   snap->dropped, text_plural(snap->dropped));
	if (h->resets)
		hist_strbuf_printf(b, "cleared by another program%s: hits before that are not "
				   "shown; ",
				   h->resets > 1 ? " again" : "");
	if (snap->flags & HIST_SNAP_AMBIGUOUS)
		hist_strbuf_str(b, "ambiguous names: some rows may be wrong; ");
	if (snap->probe_misses)
		hist_strbuf_printf(b, "%" PRIu64 " hit%s missed by the probe; ",
				   snap->probe_misses, text_plural(snap->probe_misses));
	if (snap->flags & HIST_SNAP_MISSES_UNKNOWN)
		hist_strbuf_str(b, "probe misses unknown; ");
	for (k = 0; k < HIST_LOSS_KINDS; k++) {
		if (snap->losses[k] && hist_loss_traits(k)->one)
			hist_strbuf_printf(b, "%" PRIu64 " %s; ", snap->losses[k],
					   hist_loss_traits(k)->words);
	}
	if (snap->flags & HIST_SNAP_PAUSED)
		hist_strbuf_str(b, "the trigger is paused; ");
	else if (snap->flags & HIST_SNAP_STOPPED)
		hist_strbuf_str(b, "another program stopped the counting; ");
	if (m->missed)
		hist_strbuf_printf(b, "%" PRIu64 " refresh%s missed; ", m->missed,
				   m->missed == 1 ? "" : "es");
	if (b->len > before)
		b->len -= strlen("; ");
}
