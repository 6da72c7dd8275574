// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_openmetrics.c - a report as OpenMetrics text
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
	return hist_writer_fail(
		&o->base,
		"%s: more than %" PRIu32 " time series (%" PRIu64 " so far): use -e or "
		"--max-series, or record with fewer keys or .log2",
		name, o->base.o.max_series, series);
}

static int openmetrics_add_snapshot(struct hist_writer *base, const struct hist_view *view)
{
	struct openmetrics *o = (struct openmetrics *)base;
	struct om_hist *h = &o->hists[o->nhists - 1];
	int ret;

	if (view->difference && view->extent == HIST_EXTENT_CHOSEN)
		return hist_writer_fail(
			base,
			"%s: openmetrics shows only totals since the start: use --snapshot all "
			"instead of --between",
			view->name);
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
		return hist_writer_fail(base, "%s: the keys need more than 128 MB", base->name);
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

static void put_bucket(struct openmetrics *o, const struct om_buckets *k, const char *name,
		       size_t le,
		       unsigned int decimals, uint64_t count, const struct om_moment *m)
{
	size_t len = o->labels.len;

	if (len > 1)
		hist_strbuf_char(&o->labels, ',');
	hist_strbuf_str(&o->labels, "le=\"");
	if (le < k->n)
		openmetrics_put_number(&o->labels, k->les[le] ^ k->flip, k->is_signed, decimals,
				       true);
	else
		hist_strbuf_str(&o->labels, "+Inf");
	hist_strbuf_char(&o->labels, '"');
	openmetrics_put_count(o, name, "_bucket", count, m);
	o->labels.len = len;
}

/* Write one label set, which is the rows [first, end). */
static void openmetrics_put_group(struct openmetrics *o, const struct om_buckets *k,
				  const char *name, uint32_t first,
				  uint32_t end, uint32_t *at)
{
	const struct om_hist *h = k->h;
	const struct hist_schema *schema = h->info->def.schema;
	unsigned int decimals = openmetrics_unit_decimals(hist_unit_from_key(&schema->keys[h->axis]));
	bool sum = h->has_sum && !k->negative;
	struct hist_bounds bounds;
	uint64_t count, total;
	uint32_t m, i;
	size_t le;

	memset(at, 0, 2 * (size_t)(end - first) * sizeof(*at));
	for (m = 0; m < h->nmoments && !o->base.out.error; m++) {
		count = 0;
		for (le = 0, i = first; le <= k->n; le++) {
			for (; i < end; i++) {
				openmetrics_get_row_bounds(h, k->rows[i], &bounds);
				if (le < k->n && (bounds.le ^ k->flip) > k->les[le])
					break;
				count += value_at(openmetrics_get_line(h, k->rows[i], h->hits), m,
						  &at[i - first]);
			}
			put_bucket(o, k, name, le, decimals, count, &h->moments[m]);
		}
		if (!sum)
			continue;
		for (total = 0, i = first; i < end; i++)
			total += value_at(openmetrics_get_line(h, k->rows[i], h->sum), m,
					  &at[end - first + i - first]);
		openmetrics_put_count(o, name, "_count", count, &h->moments[m]);
		openmetrics_put_sample(o, name, "_sum", total, false, decimals, true, &h->moments[m]);
	}
}

static int put_groups(struct openmetrics *o, const struct om_hist *h, const char *name)
{
	uint32_t n = hist_table_entries(h->rows), first, end, group, *at;
	struct om_buckets k;
	const char *s;
	size_t len;
	int ret;

	ret = openmetrics_buckets_make(&k, h);
	at = reallocarray(NULL, 2 * (size_t)n + 1, sizeof(*at));
	if (!ret && at) {
		for (first = 0; first < n; first = end) {
			group = hist_table_cells(h->rows, k.rows[first])->str;
			for (end = first; end < n &&
			     hist_table_cells(h->rows, k.rows[end])->str == group; end++)
				;
			s = hist_table_string(h->rows, group, &len);
			openmetrics_begin_labels(o, h, s, len);
			openmetrics_put_group(o, &k, name, first, end, at);
		}
	}
	free(at);
	openmetrics_buckets_free(&k);
	return ret ? ret : at ? 0 : -ENOMEM;
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

	openmetrics_put_family(o, name, "histogram", unit, "Hits of a hist trigger by its key",
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
	if (openmetrics_settle_times(h))
		return 0;
	return hist_writer_fail(&o->base,
				"%s: several snapshots in openmetrics need the wall-clock time, "
				"which was not recorded: %s",
				h->name,
				hist_clock_is_ns(h->info->def.clock)
					? "use --time-offset"
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

const struct hist_writer_ops hist_writer_openmetrics = {
	.size = sizeof(struct openmetrics),
	.histogram = openmetrics_begin_histogram,
	.snapshot = openmetrics_add_snapshot,
	.histogram_end = openmetrics_end_histogram,
	.end = openmetrics_write_document,
	.clear = openmetrics_clear,
};
