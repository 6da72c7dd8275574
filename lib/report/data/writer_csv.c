// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_csv.c - a report as CSV (RFC 4180, except that lines end with a line feed)
 *
 * One table in long form (records.h) holds the whole report.  The header needs the keys of
 * all histograms, so the writer reads their definitions when it is created.  The columns
 * are the union of the keys by name.  A key has one or more columns, depending on its kind.
 * A field that does not apply to a record is empty.
 *
 * The view of percentiles has a record for each group instead of those of its rows, of the kinds
 * "group" and "rest".  Its numbers have columns of their own, and the axis has none.
 *
 * With --worst, the table has the parts of the episodes instead: one line per part, with the
 * columns of episodes.h.
 *
 * Invariant: every line has as many fields as the header.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "lib/analysis/percentiles.h"
#include "lib/base/csv.h"
#include "lib/hist/key_names.h"
#include "lib/label/key_plain.h"
#include "lib/label/label.h"
#include "lib/report/data/records.h"

/* The columns of a key: "key.NAME" and its suffixes. */
enum {
	PART_TEXT,
	PART_GE,
	PART_LE,
	PART_COMM,
	PART_PID,
	PART_ID,
	PART_NAME,
	PARTS,
};

static const char *const part_names[PARTS] = { "", ".ge", ".le", ".comm", ".pid", ".id", "_name" };

struct column {
	char title[HIST_TITLE_MAX];
	unsigned int parts; /* bits */
};

struct csv {
	struct hist_writer base;   /* base.text: one field, before csv_put_word() writes it */
	struct hist_strbuf moment; /* the fields of a snapshot */
	struct hist_strbuf keys;   /* the fields of the keys of @entry; none for HIST_NO_ENTRY */
	uint32_t entry;
	struct column *columns;
	unsigned int ncolumns;
	struct hist_percentiles *percentiles; /* NULL: another view */
	bool has_text; /* there are text values, which have their own column */
	/* of the current histogram: key number to column */
	unsigned int key_of[HIST_KEYS_MAX];
};

static unsigned int csv_count_parts(const struct hist_key_desc *key)
{
	switch (hist_key_form(key->kind)) {
	case HIST_FORM_RANGE:
		return 1u << PART_GE | 1u << PART_LE;
	case HIST_FORM_TASK:
		return 1u << PART_COMM | 1u << PART_PID;
	default:
		return 1u << PART_TEXT | (hist_key_has_id(key->kind) ? 1u << PART_ID : 0) |
		       (hist_key_shows_names(key) ? 1u << PART_NAME : 0);
	}
}

/* Write the field in c->base.text, in quotes if necessary. */
static void csv_put_word(struct csv *c, struct hist_strbuf *b)
{
	hist_strbuf_fail(b, c->base.text.error);
	csv_put_field(b, c->base.text.data, c->base.text.len);
	c->base.text.len = 0;
}

static void csv_put_text(struct csv *c, struct hist_strbuf *b, const char *s, size_t len)
{
	hist_escape(&c->base.text, s, len, 0);
	csv_put_word(c, b);
}

/* The number of column @title, or the number of columns if it does not exist. */
static unsigned int csv_find_column(const struct csv *c, const char *title)
{
	unsigned int i;

	for (i = 0; i < c->ncolumns && strcmp(c->columns[i].title, title); i++)
		;
	return i;
}

static void add_columns(struct csv *c, const struct hist_schema *schema)
{
	unsigned int i, at;

	hist_columns_make(&c->base.columns, schema, HIST_COLUMNS_DATA, NULL);
	for (i = 0; i < schema->nkeys; i++) {
		if (c->percentiles && (int)i == hist_axis_key(schema))
			continue;
		at = csv_find_column(c, hist_columns_key(&c->base.columns, i));
		if (at == c->ncolumns)
			strcpy(c->columns[c->ncolumns++].title,
			       hist_columns_key(&c->base.columns, i));
		c->columns[at].parts |= csv_count_parts(&schema->keys[i]);
	}
	for (i = schema->nkeys; i < c->base.columns.n && !c->percentiles; i++)
		c->has_text |= !c->base.columns.list[i].is_number;
}

static void csv_put_percentile_titles(struct csv *c)
{
	char name[HIST_QUANTILE_NAME];
	unsigned int i;

	hist_strbuf_str(&c->base.out, ",count,mean");
	for (i = 0; i < c->percentiles->np; i++) {
		hist_quantile_name(name, c->percentiles->p[i]);
		hist_strbuf_printf(&c->base.out, ",%s.ge,%s.le", name, name);
	}
	hist_strbuf_str(&c->base.out, ",max.ge,max.le");
}

static void csv_put_header(struct csv *c)
{
	unsigned int i, part;

	hist_strbuf_str(&c->base.out, "kind,histogram,host,seq,time_ns,time_ticks,wall_ns,from_seq,"
				 "from_time_ns");
	for (i = 0; i < c->ncolumns; i++) {
		for (part = 0; part < PARTS; part++) {
			if (!(c->columns[i].parts & 1u << part))
				continue;
			hist_strbuf_str(&c->base.out, ",");
			hist_strbuf_str(&c->base.text, "key.");
			hist_escape(&c->base.text, c->columns[i].title, strlen(c->columns[i].title),
				    0);
			hist_strbuf_str(&c->base.text, part_names[part]);
			csv_put_word(c, &c->base.out);
		}
	}
	if (c->percentiles)
		csv_put_percentile_titles(c);
	hist_strbuf_str(&c->base.out, c->has_text ? ",metric,value,text\n" : ",metric,value\n");
}

static int csv_put_histogram(struct hist_writer *base)
{
	struct csv *c = (struct csv *)base;
	unsigned int k;

	for (k = 0; k < base->columns.nkeys; k++)
		c->key_of[k] = csv_find_column(c, hist_columns_key(&base->columns, k));
	if (c->percentiles)
		c->key_of[hist_axis_key(base->info->def.schema)] = UINT_MAX;
	return 0;
}

static void put_moment(struct csv *c, const struct hist_view *view)
{
	const struct hist_definition *def = &c->base.info->def;
	const struct hist_snapshot *snap = view->snap;
	struct hist_strbuf *b = &c->moment;
	bool ns = c->base.ns;

	b->len = 0;
	csv_put_text(c, b, c->base.name, strlen(c->base.name));
	hist_strbuf_char(b, ',');
	if (def->host)
		csv_put_text(c, b, def->host, strlen(def->host));
	hist_strbuf_char(b, ',');
	hist_strbuf_u64(b, snap->seq);
	hist_strbuf_str(b, ns ? "," : ",,");
	hist_strbuf_u64(b, snap->time);
	hist_strbuf_str(b, ns ? ",," : ",");
	if (view->wall)
		hist_strbuf_u64(b, view->wall);
	hist_strbuf_char(b, ',');
	if (view->difference && !view->from_nothing)
		hist_strbuf_u64(b, view->from_seq);
	hist_strbuf_char(b, ',');
	if (view->difference && !view->from_nothing && ns)
		hist_strbuf_u64(b, view->from_time);
}

static void put_part(struct csv *c, const struct hist_table *table, unsigned int key,
		     const struct hist_cell *cell, unsigned int part)
{
	const struct hist_key_desc *desc = &hist_table_schema(table)->keys[key];
	struct hist_strbuf *b = &c->keys;
	struct hist_bounds bounds;
	const char *name;
	size_t len;

	if (!(csv_count_parts(desc) & 1u << part))
		return;
	switch (part) {
	case PART_TEXT:
	case PART_COMM:
		if (part == PART_TEXT || cell->str != HIST_NO_STRING)
			key_plain_put(&c->base.text, table, key, cell);
		csv_put_word(c, b);
		return;
	case PART_GE:
	case PART_LE:
		hist_key_bounds(desc, cell->num, &bounds);
		hist_strbuf_number(b, part == PART_GE ? bounds.ge : bounds.le, bounds.is_signed);
		return;
	case PART_NAME:
		name = hist_key_find_name(desc, cell->num, &len);
		if (name)
			csv_put_text(c, b, name, len);
		return;
	}
	if (part == PART_PID || hist_key_form(desc->kind) == HIST_FORM_SYSCALL) {
		hist_strbuf_number(b, cell->num, desc->is_signed);
	} else {
		hist_strbuf_add(b, "0x", 2);
		hist_strbuf_hex(b, cell->num);
	}
}

/* Write the columns of all keys, a comma before each.  Without an entry they are empty. */
static void csv_put_keys(struct csv *c, const struct hist_table *table, uint32_t entry)
{
	bool any = entry != HIST_NO_ENTRY;
	const struct hist_cell *cells = any ? hist_table_cells(table, entry) : NULL;
	unsigned int nkeys = any ? hist_table_schema(table)->nkeys : 0, i, k, part;

	c->entry = entry;
	c->keys.len = 0;
	for (i = 0; i < c->ncolumns; i++) {
		for (k = 0; k < nkeys && c->key_of[k] != i; k++)
			;
		for (part = 0; part < PARTS; part++) {
			if (!(c->columns[i].parts & 1u << part))
				continue;
			hist_strbuf_char(&c->keys, ',');
			if (k < nkeys)
				put_part(c, table, k, &cells[k], part);
		}
	}
}

static int csv_put_record(struct hist_writer *base, const struct hist_view *view,
			  const struct record *r)
{
	const struct hist_value_desc *desc = r->desc;
	struct csv *c = (struct csv *)base;
	struct hist_strbuf *b = &base->out;

	if (r->entry != c->entry)
		csv_put_keys(c, view ? view->table : NULL, r->entry);
	hist_strbuf_str(b, r->kind);
	hist_strbuf_char(b, ',');
	hist_strbuf_append(b, &c->moment);
	hist_strbuf_append(b, &c->keys);
	if (c->percentiles)
		hist_strbuf_fill(b, ',', 4 + 2 * c->percentiles->np);
	hist_strbuf_char(b, ',');
	csv_put_text(c, b, r->metric, strlen(r->metric));
	hist_strbuf_char(b, ',');
	if (desc && desc->kind == HIST_VALUE_SAVED) {
		hist_strbuf_char(b, ',');
		hist_label_put_value(&base->text, view->table, desc, r->value);
		csv_put_word(c, b);
	} else {
		if (desc && desc->kind == HIST_VALUE_PERCENT)
			hist_label_put_value(b, view->table, desc, r->value);
		else
			hist_strbuf_number(b, r->value, desc && desc->is_signed);
		hist_strbuf_str(b, c->has_text ? "," : "");
	}
	hist_strbuf_char(b, '\n');
	hist_strbuf_drain(b, base->o.f);
	return b->error;
}

/* Write what is in the buffer, unless memory was exhausted. */
static int csv_flush(struct csv *c)
{
	hist_strbuf_fail(&c->base.out, c->moment.error);
	hist_strbuf_fail(&c->base.out, c->keys.error);
	return hist_strbuf_flush(&c->base.out, c->base.o.f);
}

static void csv_put_quantile(struct hist_strbuf *b, const struct hist_quantile *q, bool is_signed)
{
	hist_strbuf_char(b, ',');
	hist_strbuf_number(b, q->low, is_signed);
	hist_strbuf_char(b, ',');
	hist_strbuf_number(b, q->high, is_signed);
}

/* @entry: of the group, or HIST_NO_ENTRY for the rest. */
static void csv_put_percentiles(struct csv *c, const struct hist_view *view,
				const struct hist_percentiles_row *row, uint32_t entry)
{
	const struct hist_percentiles *s = c->percentiles;
	struct hist_strbuf *b = &c->base.out;
	bool is_signed = s->range.is_signed;
	unsigned int i;

	csv_put_keys(c, view->table, entry);
	hist_strbuf_str(b, entry == HIST_NO_ENTRY ? "rest," : "group,");
	hist_strbuf_append(b, &c->moment);
	hist_strbuf_append(b, &c->keys);
	hist_strbuf_char(b, ',');
	hist_strbuf_u64(b, row->count);
	hist_strbuf_char(b, ',');
	if (row->has_mean)
		hist_strbuf_printf(b, "%.15g", row->mean);
	for (i = 0; i < s->np; i++)
		csv_put_quantile(b, &row->q[i], is_signed);
	csv_put_quantile(b, &row->most, is_signed);
	hist_strbuf_str(b, ",,\n");
	hist_strbuf_drain(b, c->base.o.f);
}

static int csv_put_groups(struct csv *c, const struct hist_view *view)
{
	struct hist_percentiles *s = c->percentiles;
	int ret = hist_percentiles_select_view(s, view);
	uint32_t i, n;

	if (ret)
		return ret;
	records_put_snapshot_facts(&c->base, view, csv_put_record);
	for (i = 0; i < s->nrows; i++)
		csv_put_percentiles(c, view, &s->rows[i],
				    hist_grouping_entries(s->grouping, s->rows[i].group, &n)[0]);
	if (s->ncut)
		csv_put_percentiles(c, view, &s->rest, HIST_NO_ENTRY);
	return 0;
}

static int csv_put_snapshot(struct hist_writer *base, const struct hist_view *view)
{
	struct csv *c = (struct csv *)base;
	int ret = 0;

	put_moment(c, view);
	if (c->percentiles)
		ret = csv_put_groups(c, view);
	else
		records_put_snapshot(base, view, csv_put_record);
	return ret ? ret : csv_flush(c);
}

static void csv_put_episodes_header(struct csv *c)
{
	const struct episode_part_column *p;
	const struct episode_column *e;

	for (e = episode_columns; e->name; e++)
		hist_strbuf_printf(&c->base.out, "%s%s", e == episode_columns ? "" : ",", e->name);
	for (p = episode_part_columns; p->name; p++)
		hist_strbuf_printf(&c->base.out, ",%s", p->name);
	hist_strbuf_char(&c->base.out, '\n');
}

static void csv_put_episode_cell(struct csv *c, struct hist_strbuf *b,
				 const struct episode_cell *cell)
{
	if (cell->type == EPISODE_TEXT)
		csv_put_text(c, b, cell->text, strlen(cell->text));
	else if (cell->type == EPISODE_PERCENT)
		hist_strbuf_fixed(b, cell->number, 2);
	else
		hist_strbuf_number(b, cell->number, cell->type == EPISODE_SIGNED);
}

/* One line per part; an episode without parts has one line, too. */
static void csv_put_episode(struct csv *c, const struct hist_report_episode *episode)
{
	uint32_t n = episode->story ? episode->story->nparts : 0, i = 0;
	const struct episode_part_column *p;
	const struct episode_column *e;
	struct episode_cell cell;

	c->moment.len = 0;
	for (e = episode_columns; e->name; e++) {
		if (e != episode_columns)
			hist_strbuf_char(&c->moment, ',');
		if (e->get(&cell, episode))
			csv_put_episode_cell(c, &c->moment, &cell);
	}
	do {
		hist_strbuf_append(&c->base.out, &c->moment);
		for (p = episode_part_columns; p->name; p++) {
			hist_strbuf_char(&c->base.out, ',');
			if (i < n && p->get(&cell, &episode->story->parts[i],
					    hist_report_episode_ns(episode)))
				csv_put_episode_cell(c, &c->base.out, &cell);
		}
		hist_strbuf_char(&c->base.out, '\n');
	} while (++i < n);
}

static int csv_put_end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct csv *c = (struct csv *)base;
	uint32_t i;

	if (base->o.episodes) {
		for (i = 0; i < base->o.episodes->n; i++)
			csv_put_episode(c, &base->o.episodes->list[i]);
		return csv_flush(c);
	}
	/* a record of the file does not have a histogram or a snapshot */
	c->moment.len = 0;
	hist_strbuf_str(&c->moment, ",,,,,,,");
	records_put_damage(base, damage, csv_put_record);
	return csv_flush(c);
}

static void csv_clear(struct hist_writer *base)
{
	struct csv *c = (struct csv *)base;

	hist_strbuf_free(&c->moment);
	hist_strbuf_free(&c->keys);
	hist_percentiles_free(c->percentiles);
	free(c->columns);
}

static int csv_begin(struct hist_writer *base)
{
	struct csv *c = (struct csv *)base;
	unsigned int h;

	if (base->o.episodes) {
		csv_put_episodes_header(c);
		return 0;
	}
	if (base->o.view == HIST_VIEW_PERCENTILES) {
		c->percentiles = hist_percentiles_new(base->o.quantiles, base->o.nquantiles,
						      base->o.top);
		if (!c->percentiles)
			return -ENOMEM;
	}
	c->columns = calloc((size_t)base->o.nhists * HIST_KEYS_MAX + 1, sizeof(*c->columns));
	if (!c->columns)
		return -ENOMEM;
	for (h = 0; h < base->o.nhists; h++)
		add_columns(c, base->o.hists[h]->def.schema);
	csv_put_header(c);
	return 0;
}

const struct hist_writer_ops hist_writer_csv = {
	.size = sizeof(struct csv),
	.begin = csv_begin,
	.histogram = csv_put_histogram,
	.snapshot = csv_put_snapshot,
	.end = csv_put_end,
	.clear = csv_clear,
};
