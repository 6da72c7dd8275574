// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_openmetrics.c - a report as OpenMetrics text, or as the text format 0.0.4 of Prometheus
 *
 * A histogram with an axis becomes a classic histogram: cumulative buckets with their
 * inclusive upper bound as le.  All label sets have the same buckets from the first
 * snapshot on, so a query can add them up.  Each bucket with hits also has its lower bound
 * as a le, so histogram_quantile() never returns a number outside the bucket.
 *
 * Other values become counters, or gauges if they can decrease.  All numbers are kept
 * (openmetrics.h) and written at the end, family by family.
 *
 * Source: the OpenMetrics 1.0 specification, and Prometheus for what it leaves open.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/label/label.h"
#include "lib/label/unit.h"
#include "lib/report/openmetrics/openmetrics.h"

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
	return ret;
}

static int openmetrics_refuse_series(struct openmetrics *o, const char *name, uint64_t series)
{
	return hist_error_set(
		&o->base.failure, -EINVAL,
		"%s: more than %" PRIu32 " time series (%" PRIu64 " so far)\nselect one event with "
		"-e, raise --max-series, or record fewer distinct keys, for example with .log2",
		name, o->base.o.max_series, series);
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

/* --- histograms --- */

/* The value of @line at @moment.  *@at is the next change: 0 at first; moments must ascend. */
static uint64_t value_at(const struct om_line *line, uint32_t moment, uint32_t *at)
{
	while (*at < line->n && line->changes[*at].moment <= moment)
		++*at;
	return *at ? line->changes[*at - 1].value : 0;
}

static const struct om_line *openmetrics_get_line(const struct om_hist *h, uint32_t row,
						  unsigned int value)
{
	return &h->lines[(size_t)row * h->info->def.schema->nvalues + value];
}

/* What all moments of a group share. */
struct om_group {
	struct hist_strbuf heads; /* the samples of all buckets, up to the end of their labels */
	size_t *ends;		  /* of each head */
	uint32_t *buckets;	  /* the bucket of each row */
	uint32_t *at;		  /* for value_at(): of the hits of each row, and of its sum */
};

static void openmetrics_make_heads(struct openmetrics *o, const struct om_buckets *k,
				   const char *name, unsigned int decimals, struct om_group *g)
{
	struct hist_strbuf *b = hist_strbuf_clear(&g->heads);
	size_t le;

	for (le = 0; le <= k->n; le++) {
		hist_strbuf_str(b, name);
		hist_strbuf_str(b, "_bucket");
		hist_strbuf_append(b, &o->labels);
		hist_strbuf_str(b, o->labels.len > 1 ? ",le=\"" : "le=\"");
		if (le < k->n)
			openmetrics_put_number(b, k->les[le] ^ k->flip, k->is_signed, decimals,
					       true);
		else
			hist_strbuf_str(b, "+Inf");
		hist_strbuf_char(b, '"');
		g->ends[le] = b->len;
	}
	hist_strbuf_fail(&o->base.out, b->error);
}

/* Find the bucket of each row in @rows, which ascend. */
static void openmetrics_find_buckets(const struct om_buckets *k, const uint32_t *rows, uint32_t n,
				     uint32_t *buckets)
{
	struct hist_bounds bounds;
	uint32_t i, le = 0;

	for (i = 0; i < n; i++) {
		openmetrics_get_row_bounds(k->h, rows[i], &bounds);
		while (le < k->n && (bounds.le ^ k->flip) > k->les[le])
			le++;
		buckets[i] = le;
	}
}

/*
 * Programs that read the format of Prometheus take a missing number of samples and a missing sum as
 * 0.  The number is known, and what is computed of a sum that is no number is no number.
 */
static void openmetrics_put_no_sum(struct openmetrics *o, const char *name, uint64_t count,
				   const struct om_moment *m)
{
	struct hist_strbuf *b = &o->base.out;

	openmetrics_put_count(o, name, "_count", count, m);
	hist_strbuf_printf(b, "%s_sum", name);
	hist_strbuf_append(b, &o->labels);
	hist_strbuf_str(b, "} NaN\n");
}

/* Write one label set, which is @n rows. */
static void openmetrics_put_group(struct openmetrics *o, const struct om_buckets *k,
				  const char *name, const uint32_t *rows, uint32_t n,
				  struct om_group *g)
{
	const struct om_hist *h = k->h;
	const struct hist_schema *schema = h->info->def.schema;
	unsigned int decimals =
		openmetrics_unit_decimals(hist_unit_from_key(&schema->keys[h->axis]));
	bool sum = h->has_sum && !k->negative;
	uint64_t count, total;
	size_t le, head;
	uint32_t m, i;

	openmetrics_make_heads(o, k, name, decimals, g);
	openmetrics_find_buckets(k, rows, n, g->buckets);
	memset(g->at, 0, 2 * (size_t)n * sizeof(*g->at));
	for (m = 0; m < h->nmoments && !o->base.out.error; m++) {
		count = 0;
		for (le = 0, i = 0, head = 0; le <= k->n; head = g->ends[le++]) {
			for (; i < n && g->buckets[i] == le; i++)
				count += value_at(openmetrics_get_line(h, rows[i], h->hits), m,
						  &g->at[i]);
			hist_strbuf_add(&o->base.out, g->heads.data + head, g->ends[le] - head);
			openmetrics_end_sample(o, count, false, 0, false, &h->moments[m]);
		}
		if (!sum && o->plain)
			openmetrics_put_no_sum(o, name, count, &h->moments[m]);
		if (!sum)
			continue;
		for (total = 0, i = 0; i < n; i++)
			total += value_at(openmetrics_get_line(h, rows[i], h->sum), m,
					  &g->at[n + i]);
		openmetrics_put_count(o, name, "_count", count, &h->moments[m]);
		openmetrics_put_sample(o, name, "_sum", total, false, decimals, true,
				       &h->moments[m]);
	}
}

static int put_groups(struct openmetrics *o, const struct om_hist *h, const char *name)
{
	uint32_t n = hist_table_entries(h->rows), first, end, group;
	struct om_group g = { 0 };
	struct om_buckets k;
	const char *s;
	size_t len;
	int ret;

	ret = openmetrics_buckets_make(&k, h);
	g.ends = reallocarray(NULL, k.n + 1, sizeof(*g.ends));
	g.buckets = reallocarray(NULL, (size_t)n + 1, sizeof(*g.buckets));
	g.at = reallocarray(NULL, 2 * (size_t)n + 1, sizeof(*g.at));
	if (!ret && (!g.ends || !g.buckets || !g.at))
		ret = -ENOMEM;
	for (first = 0; first < n && !ret; first = end) {
		group = hist_table_cells(h->rows, k.rows[first])->str;
		for (end = first; end < n && hist_table_cells(h->rows, k.rows[end])->str == group;
		     end++)
			;
		s = hist_table_string(h->rows, group, &len);
		openmetrics_begin_labels(o, h, s, len);
		openmetrics_put_group(o, &k, name, k.rows + first, end - first, &g);
	}
	hist_strbuf_free(&g.heads);
	free(g.ends);
	free(g.buckets);
	free(g.at);
	openmetrics_buckets_free(&k);
	return ret;
}

/* The next histogram after @h that shares the families of @first, or NULL. */
static const struct om_hist *next_member(const struct openmetrics *o, const struct om_hist *first,
					 const struct om_hist *h)
{
	for (h++; h < o->hists + o->nhists; h++)
		if (h->member_of == (size_t)(first - o->hists) + 1)
			return h;
	return NULL;
}

static int openmetrics_put_histogram(struct openmetrics *o, const struct om_hist *first)
{
	const struct hist_key_desc *axis = &first->info->def.schema->keys[first->axis];
	enum hist_unit unit = hist_unit_from_key(axis);
	const char *name = openmetrics_name_family(o, first, axis->name, unit);
	const struct om_hist *h;
	int ret = 0;

	openmetrics_put_family(o, name, "histogram", unit, "Hits of a hist trigger by key",
			       first);
	for (h = first; h && !ret; h = next_member(o, first, h))
		ret = put_groups(o, h, name);
	return ret;
}

/* --- counters --- */

static void openmetrics_put_rows(struct openmetrics *o, const struct om_hist *h, unsigned int value,
				 const char *name)
{
	const struct hist_value_desc *desc = &h->info->def.schema->values[value];
	const char *suffix = desc->is_signed ? "" : "_total", *s;
	enum hist_unit unit = hist_unit_from_value(desc);
	struct hist_bounds bounds;
	uint32_t row, m, at;
	uint64_t v;
	size_t len;

	for (row = 0; row < hist_table_entries(h->rows); row++) {
		s = hist_table_string(h->rows, hist_table_cells(h->rows, row)->str, &len);
		openmetrics_begin_labels(o, h, s, len);
		if (h->axis >= 0) {
			openmetrics_get_row_bounds(h, row, &bounds);
			if (o->labels.len > 1)
				hist_strbuf_char(&o->labels, ',');
			openmetrics_put_range(&o->labels, h->key_labels[h->axis], &bounds);
		}
		for (m = 0, at = 0; m < h->nmoments && !o->base.out.error; m++) {
			v = value_at(openmetrics_get_line(h, row, value), m, &at);
			openmetrics_put_sample(o, name, suffix, v, desc->is_signed,
					       openmetrics_unit_decimals(unit), false,
					       &h->moments[m]);
		}
	}
}

static void openmetrics_put_values(struct openmetrics *o, const struct om_hist *first,
				   unsigned int value)
{
	const struct hist_value_desc *desc = &first->info->def.schema->values[value];
	enum hist_unit unit = hist_unit_from_value(desc);
	const struct om_hist *h;
	const char *name;
	char title[256];

	hist_column_format_value(first->info->def.schema, value, title, sizeof(title));
	name = openmetrics_name_family(o, first, title, unit);
	openmetrics_put_family(o, name, desc->is_signed ? "gauge" : "counter", unit,
		   "Sum of a value of a hist trigger", first);
	for (h = first; h; h = next_member(o, first, h))
		openmetrics_put_rows(o, h, value, name);
}

/* True for values that the classic histogram does not already contain. */
static bool is_counter(const struct om_hist *h, unsigned int value)
{
	if (h->axis >= 0 && ((int)value == h->hits || (h->has_sum && value == h->sum)))
		return false;
	return hist_value_is_sum(h->info->def.schema->values[value].kind);
}

static int put_data(struct openmetrics *o, const struct om_hist *h)
{
	unsigned int v;
	int ret = 0;

	if (!h->nmoments || h->member_of)
		return 0;
	if (h->axis >= 0)
		ret = openmetrics_put_histogram(o, h);
	for (v = 0; v < h->info->def.schema->nvalues && !ret; v++)
		if (is_counter(h, v))
			openmetrics_put_values(o, h, v);
	return ret;
}

/* A family must not have two histograms of one machine: @h must fit all members. */
static bool has_place(const struct openmetrics *o, const struct om_hist *first,
		      const struct om_hist *h)
{
	const struct om_hist *member;

	for (member = first; member; member = next_member(o, first, member))
		if (!openmetrics_share_families(member, h))
			return false;
	return true;
}

/* Make each histogram share the families of the first earlier one that it fits. */
static void find_members(struct openmetrics *o)
{
	uint32_t i, j;

	for (i = 0; i < o->nhists; i++)
		for (j = 0; j < i && o->hists[i].nmoments && !o->hists[i].member_of; j++)
			if (o->hists[j].nmoments && !o->hists[j].member_of &&
			    has_place(o, &o->hists[j], &o->hists[i]))
				o->hists[i].member_of = j + 1;
}

/* --- how many --- */

static int count_series(struct openmetrics *o, const struct om_hist *h, uint64_t *series)
{
	uint64_t rows = hist_table_entries(h->rows);
	struct om_buckets k;
	unsigned int v;
	int ret = 0;

	for (v = 0; v < h->info->def.schema->nvalues; v++)
		*series += is_counter(h, v) ? rows : 0;
	if (h->axis >= 0) {
		ret = openmetrics_buckets_make(&k, h);
		*series += (uint64_t)hist_table_strings(h->rows) *
			   (k.n + 1 + (h->has_sum && !k.negative ? 2 : 0));
		openmetrics_buckets_free(&k);
	}
	*series += OM_FACTS + 1;
	return !ret && *series > h->rows_max ? openmetrics_refuse_series(o, h->name, *series) : ret;
}

static int settle_times(struct openmetrics *o, struct om_hist *h)
{
	if (o->plain && h->nmoments > 1)
		return hist_error_set(&o->base.failure, -EINVAL,
				      "%s: prometheus has one snapshot, because its "
				      "samples have no time\nuse --format openmetrics",
				      h->name);
	if (o->plain || openmetrics_settle_times(h))
		return 0;
	return hist_error_set(&o->base.failure, -EINVAL,
			      "%s: several snapshots in openmetrics need the wall-clock time, "
			      "which was not recorded\n%s",
			      h->name,
			      hist_clock_is_ns(h->info->def.clock) ? "use --time-offset"
								   : "select one snapshot");
}

static int openmetrics_write_document(struct hist_writer *base,
				      const struct hist_series_damage *damage)
{
	struct openmetrics *o = (struct openmetrics *)base;
	uint64_t series = 4;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < o->nhists && !ret; i++) {
		ret = settle_times(o, &o->hists[i]);
		if (!ret)
			ret = count_series(o, &o->hists[i], &series);
	}
	if (ret)
		return ret;
	o->names = calloc((size_t)o->nhists * (HIST_VALUES_MAX + 1) + 1, sizeof(*o->names));
	if (!o->names)
		return -ENOMEM;
	find_members(o);
	openmetrics_put_info(o);
	openmetrics_put_facts(o);
	openmetrics_put_damage(o, damage);
	for (i = 0; i < o->nhists && !ret; i++)
		ret = put_data(o, &o->hists[i]) ?: hist_strbuf_flush(&base->out, base->o.f);
	if (!ret)
		ret = base->text.error ? base->text.error : o->labels.error;
	if (ret)
		return ret;
	/* without the last line "# EOF" a reader knows that the text is truncated */
	if (!o->plain)
		hist_strbuf_str(&base->out, "# EOF\n");
	return hist_strbuf_flush(&base->out, base->o.f);
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
}

static int openmetrics_begin_plain(struct hist_writer *base)
{
	((struct openmetrics *)base)->plain = true;
	return 0;
}

const struct hist_writer_ops hist_writer_prometheus = {
	.size = sizeof(struct openmetrics),
	.begin = openmetrics_begin_plain,
	.histogram = openmetrics_begin_histogram,
	.snapshot = openmetrics_add_snapshot,
	.histogram_end = openmetrics_end_histogram,
	.end = openmetrics_write_document,
	.clear = openmetrics_clear,
};

const struct hist_writer_ops hist_writer_openmetrics = {
	.size = sizeof(struct openmetrics),
	.histogram = openmetrics_begin_histogram,
	.snapshot = openmetrics_add_snapshot,
	.histogram_end = openmetrics_end_histogram,
	.end = openmetrics_write_document,
	.clear = openmetrics_clear,
};
