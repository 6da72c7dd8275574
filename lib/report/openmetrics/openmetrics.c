// SPDX-License-Identifier: LGPL-2.1
/*
 * openmetrics.c - convert a report from snapshots to numbers over time
 *
 * The views are those of counters that never fall (lib/hist/counted.h), so each number is taken as
 * it is.  Prometheus treats a counter that decreased as restarted.
 */
#include <errno.h>
#include <inttypes.h>
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
static const char *const reserved[] = { "host", "le", "quantile", "histogram" };

void openmetrics_clean_name(char *s)
{
	for (; *s; s++)
		if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
		      (*s >= '0' && *s <= '9')))
			*s = '_';
}

void openmetrics_put_escaped(struct hist_strbuf *b, const char *s, size_t len)
{
	for (; len; len--, s++) {
		if (*s == '\\' || *s == '"')
			hist_strbuf_char(b, '\\');
		hist_strbuf_char(b, *s);
	}
}

void openmetrics_put_label(struct hist_strbuf *b, const char *name, const char *suffix,
			   const char *s,
			   size_t len)
{
	hist_strbuf_printf(b, "%s%s=\"", name, suffix);
	openmetrics_put_escaped(b, s, len);
	hist_strbuf_char(b, '"');
}

void openmetrics_put_range(struct hist_strbuf *b, const char *name,
			   const struct hist_bounds *bounds)
{
	hist_strbuf_printf(b, "%s_ge=\"", name);
	hist_strbuf_number(b, bounds->ge, bounds->is_signed);
	hist_strbuf_printf(b, "\",%s_le=\"", name);
	hist_strbuf_number(b, bounds->le, bounds->is_signed);
	hist_strbuf_char(b, '"');
}

/* Make a label name for each key: valid, not reserved, different from all earlier names. */
static void make_key_labels(struct om_hist *h)
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
		for (i = 0; i < sizeof(reserved) / sizeof(*reserved); i++)
			taken |= !strcmp(title, reserved[i]);
		for (i = 0; i < k; i++)
			taken |= !strcmp(title, h->key_labels[i]);
		snprintf(h->key_labels[k], sizeof(h->key_labels[k]), "%s%s", taken ? "key_" : "",
			 title);
	}
}

int openmetrics_hist_init(struct om_hist *h, const struct hist_series_info *info, const char *name)
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
	make_key_labels(h);
	return 0;
}

const char *openmetrics_own_name(const struct om_hist *h)
{
	return h->info->timeline ? h->info->timeline->name : h->name;
}

static bool same_values(const struct hist_schema *x, const struct hist_schema *y)
{
	unsigned int v;

	for (v = 0; v < hist_schema_columns(x) && v < hist_schema_columns(y); v++)
		if (x->values[v].kind != y->values[v].kind ||
		    x->values[v].is_signed != y->values[v].is_signed)
			return false;
	return hist_schema_columns(x) == hist_schema_columns(y);
}

bool openmetrics_share_families(const struct om_hist *a, const struct om_hist *b)
{
	const struct hist_definition *x = &a->info->def, *y = &b->info->def;

	return a->info->timeline && b->info->timeline &&
	       !strcmp(openmetrics_own_name(a), openmetrics_own_name(b)) &&
	       !strcmp(x->trigger, y->trigger) && !strcmp(x->clock, y->clock) &&
	       strcmp(x->host ? x->host : "", y->host ? y->host : "") && a->axis == b->axis &&
	       same_values(x->schema, y->schema);
}

void openmetrics_hist_clear(struct om_hist *h)
{
	size_t i, n = (size_t)h->lines_room * (h->info ? h->info->def.schema->nvalues : 0);

	for (i = 0; i < n; i++)
		free(h->lines[i].changes);
	free(h->lines);
	free(h->row_of);
	free(h->moments);
	hist_table_free(h->rows);
	memset(h, 0, sizeof(*h));
}

static void openmetrics_put_key(struct hist_strbuf *b, struct hist_strbuf *word,
				const struct om_hist *h,
				const struct hist_table *table, unsigned int key,
				const struct hist_cell *cell)
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
	return ret ? ret : array_grow_zeroed(&h->lines, &h->lines_room, (size_t)*row + 1,
					     schema->nvalues * sizeof(*h->lines));
}

/* Find the rows of all entries in view->rows.  Keys counted only at set-up do not get a row. */
static int know_entries(struct om_hist *h, const struct hist_view *view)
{
	uint32_t i, entry;
	int ret;

	if (h->generation != hist_table_generation(view->table)) {
		h->generation = hist_table_generation(view->table);
		if (h->row_of)
			memset(h->row_of, 0, h->row_of_room * sizeof(*h->row_of));
	}
	for (i = 0; i < view->rows->n; i++) {
		entry = view->rows->entries[i];
		ret = array_grow_zeroed(&h->row_of, &h->row_of_room, (size_t)entry + 1,
					sizeof(*h->row_of));
		if (!ret && !h->row_of[entry]) {
			ret = openmetrics_find_row(h, view->table, entry, &h->row_of[entry]);
			h->row_of[entry] += !ret;
		}
		if (ret)
			return ret;
	}
	return 0;
}

static int note_changes(struct om_hist *h, uint32_t moment)
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
	return note_changes(h, h->nmoments);
}

int openmetrics_hist_add(struct om_hist *h, const struct hist_view *view)
{
	const struct hist_snapshot *snap = view->snap;
	struct om_moment *m;
	uint64_t lost;
	int ret;

	if (array_grow(&h->moments, &h->moments_room, (size_t)h->nmoments + 1, sizeof(*m)))
		return -ENOMEM;
	ret = know_entries(h, view);
	/* check the limit early, to limit the memory */
	if (!ret && hist_table_entries(h->rows) > h->rows_max)
		ret = -E2BIG;
	if (!ret)
		ret = openmetrics_set_values(h, view);
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

/* Compute missing wall-clock times from the trace clock and the nearest snapshot that has one. */
static void fill_times(struct om_hist *h)
{
	const struct om_moment *known = NULL;
	uint32_t i;

	for (i = 0; i < h->nmoments && !known; i++)
		if (h->moments[i].wall)
			known = &h->moments[i];
	for (i = 0; i < h->nmoments && known; i++) {
		if (h->moments[i].wall)
			known = &h->moments[i];
		else
			h->moments[i].wall = known->wall + (h->moments[i].time - known->time);
	}
}

bool openmetrics_settle_times(struct om_hist *h)
{
	int64_t before = INT64_MIN, ms;
	uint32_t i;

	if (hist_clock_is_ns(h->info->def.clock))
		fill_times(h);
	for (i = 0; i < h->nmoments; i++) {
		if (!h->moments[i].wall && h->nmoments > 1)
			return false;
		ms = h->moments[i].wall / 1000000;
		if (i && ms <= before)
			ms = before + 1;
		h->moments[i].ms = before = ms;
		if (h->moments[i].wall)
			snprintf(h->moments[i].when, sizeof(h->moments[i].when),
				 " %" PRId64 ".%03d", ms / 1000, (int)(ms % 1000));
	}
	return true;
}
