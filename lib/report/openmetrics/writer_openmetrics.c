// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_openmetrics.c - a report as OpenMetrics text, or as the text format 0.0.4 of Prometheus
 *
 * The writer converts a report from snapshots to numbers over time, and keeps all numbers.  At the
 * end, openmetrics_document.c writes them.
 *
 * The views are those of counters that never fall (lib/series/counted.h), so each number is taken
 * as it is.  Prometheus treats a counter that decreased as restarted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/loss_notes.h"
#include "lib/analysis/rows.h"
#include "lib/base/array.h"
#include "lib/hist/key_names.h"
#include "lib/label/key_plain.h"
#include "lib/label/label.h"
#include "lib/report/openmetrics/openmetrics.h"

/* Label names that already have another meaning. */
static const char *const om_reserved[] = { "host", "le", "quantile", "histogram" };

/* Make a label name for each key: valid, not om_reserved, different from all earlier names. */
static void openmetrics_make_labels(struct om_hist *h)
{
	const struct hist_schema *schema = h->info->def.schema;
	unsigned int k, i;
	char title[256];
	bool taken;

	for (k = 0; k < schema->nkeys; k++) {
		hist_column_format_key(schema, k, title, sizeof(title));
		openmetrics_clean_name(title);
		taken = (title[0] >= '0' && title[0] <= '9') || !strncmp(title, "__", 2) ||
			!title[0];
		for (i = 0; i < sizeof(om_reserved) / sizeof(*om_reserved); i++)
			taken |= !strcmp(title, om_reserved[i]);
		for (i = 0; i < k; i++)
			taken |= !strcmp(title, h->key_labels[i]);
		snprintf(h->key_labels[k], sizeof(h->key_labels[k]), "%s%s", taken ? "key_" : "",
			 title);
	}
}

/* openmetrics_hist_clear() also accepts zeroed memory. */
static int openmetrics_hist_init(struct om_hist *h, const struct hist_series_info *info,
				 const char *name)
{
	const struct hist_schema rows = {
		.nkeys = 2,
		.keys = {
			{ .name = (char *)"labels", .kind = HIST_KEY_STRING },
			{ .name = (char *)"bucket", .kind = HIST_KEY_NUM },
		},
	};

	memset(h, 0, sizeof(*h));
	h->info = info;
	h->name = name;
	h->rows = hist_table_new(&rows);
	if (!h->rows)
		return -ENOMEM;
	h->hits = hist_schema_hitcount(info->def.schema);
	h->axis = h->hits < 0 ? -1 : hist_axis_key(info->def.schema);
	h->has_sum = h->axis >= 0 && hist_axis_find_sum(info->def.schema, &h->sum);
	openmetrics_make_labels(h);
	return 0;
}

static void openmetrics_hist_clear(struct om_hist *h)
{
	size_t i, n = (size_t)h->lines_room * (h->info ? h->info->def.schema->nvalues : 0);

	for (i = 0; i < n; i++)
		free(h->lines[i].changes);
	free(h->lines);
	free(h->row_of);
	free(h->moments);
	free(h->exemplars);
	hist_table_free(h->rows);
	memset(h, 0, sizeof(*h));
}

static void openmetrics_put_key(struct hist_strbuf *b, struct hist_strbuf *word,
				const struct om_hist *h, const struct hist_table *table,
				unsigned int key, const struct hist_cell *cell)
{
	const struct hist_key_desc *desc = &hist_table_schema(table)->keys[key];
	const char *label = h->key_labels[key];
	struct hist_bounds bounds;
	const char *name;
	size_t len;

	word->len = 0;
	switch (hist_key_form(desc->kind)) {
	case HIST_FORM_RANGE: /* one of several range keys; the first one is the axis */
		hist_key_bounds(desc, cell->num, &bounds);
		openmetrics_put_range(b, label, &bounds);
		return;
	case HIST_FORM_TASK:
		key_plain_put(word, table, key, cell);
		openmetrics_put_label(b, label, "_comm", word->data, word->len);
		hist_strbuf_char(b, ',');
		word->len = 0;
		hist_strbuf_number(word, cell->num, desc->is_signed);
		break;
	case HIST_FORM_HEX:
		hist_strbuf_add(word, "0x", 2);
		hist_strbuf_hex(word, cell->num);
		break;
	case HIST_FORM_NUMBER:
		name = hist_key_find_name(desc, cell->num, &len);
		if (name) {
			hist_escape(word, name, len, 0);
			openmetrics_put_label(b, label, "_name", word->data, word->len);
			hist_strbuf_char(b, ',');
			word->len = 0;
		}
		key_plain_put(word, table, key, cell);
		break;
	default:
		key_plain_put(word, table, key, cell);
	}
	openmetrics_put_label(b, label, "", word->data, word->len);
}

/* Find the row of an entry; add it if it is new. */
static int openmetrics_find_row(struct om_hist *h, const struct hist_table *table, uint32_t entry,
				uint32_t *row)
{
	const struct hist_cell *cells = hist_table_cells(table, entry);
	struct hist_cell key[2] = { { 0, 0 }, { 0, HIST_NO_STRING } };
	const struct hist_schema *schema = hist_table_schema(table);
	struct hist_strbuf b = { 0 }, word = { 0 };
	int k, ret;

	for (k = 0; k < (int)schema->nkeys; k++) {
		if (k == h->axis)
			continue;
		if (b.len)
			hist_strbuf_char(&b, ',');
		openmetrics_put_key(&b, &word, h, table, k, &cells[k]);
	}
	ret = b.error ? b.error : word.error;
	if (!ret)
		ret = hist_table_intern(h->rows, b.len ? b.data : "", b.len, &key[0].str);
	hist_strbuf_free(&b);
	hist_strbuf_free(&word);
	if (ret)
		return ret;
	key[1].num = h->axis >= 0 ? cells[h->axis].num : 0;
	ret = hist_table_add(h->rows, key, row);
	return ret ? ret
		   : array_grow_zeroed(&h->lines, &h->lines_room, (size_t)*row + 1,
				       schema->nvalues * sizeof(*h->lines));
}

/* Find the rows of all entries in view->rows.  Keys counted only at set-up do not get a row. */
static int openmetrics_know_entries(struct om_hist *h, const struct hist_view *view)
{
	int ret = array_grow_zeroed(&h->row_of, &h->row_of_room,
				    hist_table_entries(view->table), sizeof(*h->row_of));
	uint32_t i, entry;

	if (ret)
		return ret;
	if (h->generation != hist_table_generation(view->table)) {
		h->generation = hist_table_generation(view->table);
		if (h->row_of)
			memset(h->row_of, 0, h->row_of_room * sizeof(*h->row_of));
	}
	for (i = 0; i < view->rows->n; i++) {
		entry = view->rows->entries[i];
		if (h->row_of[entry])
			continue;
		ret = openmetrics_find_row(h, view->table, entry, &h->row_of[entry]);
		if (ret)
			return ret;
		h->row_of[entry]++;
	}
	return 0;
}

static int openmetrics_note_changes(struct om_hist *h, uint32_t moment)
{
	size_t i, n = (size_t)hist_table_entries(h->rows) * h->info->def.schema->nvalues;
	struct om_line *line;

	for (i = 0; i < n; i++) {
		line = &h->lines[i];
		if (line->now == (line->n ? line->changes[line->n - 1].value : 0))
			continue;
		if (array_grow(&line->changes, &line->room, (size_t)line->n + 1,
			       sizeof(*line->changes)))
			return -ENOMEM;
		line->changes[line->n++] = (struct om_change){ moment, line->now };
	}
	return 0;
}

static int openmetrics_set_values(struct om_hist *h, const struct hist_view *view)
{
	unsigned int nvalues = h->info->def.schema->nvalues, v;
	size_t i, n = (size_t)hist_table_entries(h->rows) * nvalues;
	uint32_t r, entry;

	for (i = 0; i < n; i++)
		h->lines[i].now = 0;
	for (r = 0; r < view->rows->n; r++) {
		entry = view->rows->entries[r];
		for (v = 0; v < nvalues; v++)
			h->lines[(size_t)(h->row_of[entry] - 1) * nvalues + v].now +=
				view->snap->values[(size_t)entry * nvalues + v];
	}
	return openmetrics_note_changes(h, h->nmoments);
}

static int openmetrics_note_exemplars(struct om_hist *h, const struct hist_view *view)
{
	const struct hist_exemplar *x, **known;
	uint32_t r, entry;

	if (!view->exemplars || h->axis < 0)
		return 0;
	if (array_grow_zeroed(&h->exemplars, &h->exemplars_room, hist_table_entries(h->rows),
			      sizeof(*h->exemplars)))
		return -ENOMEM;
	for (r = 0; r < view->rows->n; r++) {
		entry = view->rows->entries[r];
		x = entry < view->nexemplars ? &view->exemplars[entry] : NULL;
		known = &h->exemplars[h->row_of[entry] - 1];
		if (x && x->value && (!*known || (*known)->value < x->value))
			*known = x;
	}
	return 0;
}

/* Add the counters at one moment.  -E2BIG: too many rows. */
static int openmetrics_hist_add(struct om_hist *h, const struct hist_view *view)
{
	const struct hist_snapshot *snap = view->snap;
	struct om_moment *m;
	uint64_t lost;
	int ret;

	if (array_grow(&h->moments, &h->moments_room, (size_t)h->nmoments + 1, sizeof(*m)))
		return -ENOMEM;
	ret = openmetrics_know_entries(h, view);
	/* check the limit early, to limit the memory */
	if (!ret && hist_table_entries(h->rows) > h->rows_max)
		ret = -E2BIG;
	if (!ret)
		ret = openmetrics_set_values(h, view);
	if (!ret)
		ret = openmetrics_note_exemplars(h, view);
	if (ret)
		return ret;
	m = h->moments + h->nmoments;
	lost = h->nmoments ? m[-1].facts[OM_LOST] : 0;
	*m = (struct om_moment){
		.time = snap->time,
		.wall = view->wall,
		.facts = {
			[OM_HITS] = snap->hits,
			[OM_DROPPED] = snap->dropped,
			[OM_MISSED] = snap->missed,
			[OM_EVENTS_LOST] = snap->events_lost,
			[OM_PROBE_MISSES] = snap->flags & HIST_SNAP_MISSES_UNKNOWN ?
				OM_UNKNOWN : snap->probe_misses,
			[OM_RESETS] = view->resets,
			[OM_LOST] = lost + view->lost,
			[OM_ENTRIES] = snap->entries,
			[OM_AMBIGUOUS] = (snap->flags & HIST_SNAP_AMBIGUOUS) != 0,
			[OM_LEFT_OUT] = view->from_hits,
			[OM_SET_UP] = view->extent == HIST_EXTENT_SINGLE,
			[OM_STOPPED] = view->stopped,
			[OM_FULL_STACKS] = hist_loss_count_full_stacks(&view->info->def,
								       view->table, view->rows),
		},
	};
	memcpy(m->losses, snap->losses, sizeof(m->losses));
	h->nmoments++;
	return 0;
}

/* --- the writer --- */

static int openmetrics_begin_histogram(struct hist_writer *base)
{
	struct openmetrics *o = (struct openmetrics *)base;
	struct om_hist *h;
	int ret;

	if (array_add(&o->hists, o->nhists, sizeof(*h)))
		return -ENOMEM;
	h = &o->hists[o->nhists++];
	ret = openmetrics_hist_init(h, base->info, base->name);
	h->rows_max = base->o.max_series;
	h->fixed = base->o.recorder != NULL;
	return ret;
}

static int openmetrics_add_snapshot(struct hist_writer *base, const struct hist_view *view)
{
	struct openmetrics *o = (struct openmetrics *)base;
	struct om_hist *h = &o->hists[o->nhists - 1];
	int ret;

	ret = openmetrics_hist_add(h, view);
	if (ret == -E2BIG && hist_table_entries(h->rows) > h->rows_max)
		return openmetrics_refuse_series(o, h->name, hist_table_entries(h->rows));
	return ret;
}

/* The rows of all histograms are kept, because the samples of a metric are written together. */
static int openmetrics_end_histogram(struct hist_writer *base)
{
	struct openmetrics *o = (struct openmetrics *)base;

	o->kept += hist_table_memory(o->hists[o->nhists - 1].rows);
	if (o->kept > HIST_KEPT_MAX)
		return hist_error_set(&base->failure, -EINVAL, "%s: the keys need more than 128 MB",
				      base->name);
	return 0;
}

static int openmetrics_write(struct hist_writer *base, const struct hist_series_damage *damage)
{
	return openmetrics_put_document((struct openmetrics *)base, damage);
}

static void openmetrics_clear(struct hist_writer *base)
{
	struct openmetrics *o = (struct openmetrics *)base;
	uint32_t i;

	for (i = 0; i < o->nhists; i++)
		openmetrics_hist_clear(&o->hists[i]);
	free(o->hists);
	free(o->names);
	hist_strbuf_free(&o->labels);
	for (i = 0; i < OM_BUFFERS; i++)
		hist_strbuf_free(&o->messages.buffers[i]);
}

static int openmetrics_begin_plain(struct hist_writer *base)
{
	((struct openmetrics *)base)->plain = true;
	return 0;
}

static int openmetrics_begin_protobuf(struct hist_writer *base)
{
	struct openmetrics *o = (struct openmetrics *)base;

	o->plain = true;
	o->emitter = &openmetrics_protobuf;
	return 0;
}

const struct hist_writer_ops hist_writer_protobuf = {
	.size = sizeof(struct openmetrics),
	.begin = openmetrics_begin_protobuf,
	.histogram = openmetrics_begin_histogram,
	.snapshot = openmetrics_add_snapshot,
	.histogram_end = openmetrics_end_histogram,
	.end = openmetrics_write,
	.clear = openmetrics_clear,
};

const struct hist_writer_ops hist_writer_prometheus = {
	.size = sizeof(struct openmetrics),
	.begin = openmetrics_begin_plain,
	.histogram = openmetrics_begin_histogram,
	.snapshot = openmetrics_add_snapshot,
	.histogram_end = openmetrics_end_histogram,
	.end = openmetrics_write,
	.clear = openmetrics_clear,
};

const struct hist_writer_ops hist_writer_openmetrics = {
	.size = sizeof(struct openmetrics),
	.histogram = openmetrics_begin_histogram,
	.snapshot = openmetrics_add_snapshot,
	.histogram_end = openmetrics_end_histogram,
	.end = openmetrics_write,
	.clear = openmetrics_clear,
};
