// SPDX-License-Identifier: LGPL-2.1
/*
 * writer_openmetrics.c - a report as OpenMetrics text
 *
 * A histogram with an axis becomes a classic histogram: cumulative buckets, each
 * with its upper end, which is included, as le.  All label sets have the same
 * buckets from the first snapshot on, so that they can be added up, and below each
 * bucket that holds something stands its lower end, so that histogram_quantile()
 * never looks for a number outside of it.  The other values become counters, or
 * gauges where they may fall.  All is kept (openmetrics.h) and written at the
 * end, family by family.
 * Source: the OpenMetrics 1.0 specification; what it leaves open as Prometheus
 * reads it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tracehist/label.h>
#include <tracehist/unit.h>
#include <tracehist/writer.h>

#include "openmetrics.h"

#define FLUSH_AT (64u << 10)

struct om {
	struct hist_writer base;
	FILE *f;
	uint32_t max_series;
	struct om_hist *hists;
	uint32_t nhists, room;
	struct hist_strbuf out;
	struct hist_strbuf word, labels;
	char (*names)[600]; /* of the families, so that none comes twice */
	uint32_t nnames;
};

static void histogram(struct hist_writer *base, const struct hist_series_info *info,
		      const char *name)
{
	struct om *o = (struct om *)base;
	struct om_hist *p = reallocarray(o->hists, o->nhists + 1, sizeof(*p));

	if (!p) {
		hist_writer_result(base, -ENOMEM);
		return;
	}
	o->hists = p;
	hist_writer_result(base, om_hist_init(&p[o->nhists++], info, name));
}

static void refuse(struct om *o, const char *name, uint64_t series)
{
	hist_writer_fail(&o->base, -E2BIG, "%s: more than %" PRIu32 " time series (%" PRIu64 " so far), "
			 "which is more than most engines like: use fewer keys or .log2 when "
			 "recording, choose with -e, or allow more with --max-series", name,
			 o->max_series, series);
}

static void snapshot(struct hist_writer *base, const struct hist_view *view)
{
	struct om *o = (struct om *)base;
	struct om_hist *h = &o->hists[o->nhists - 1];
	int ret;

	if (view->difference && !view->from_nothing && !h->nmoments) {
		hist_writer_fail(base, -EINVAL, "%s: openmetrics counts from the beginning, a part of "
				 "the time is asked of the engine: use --snapshot all, not "
				 "--between", view->name);
		return;
	}
	ret = om_hist_add(h, view);
	hist_writer_result(base, ret);
	/* before memory is full of what will be refused */
	if (!ret && hist_table_entries(h->rows) > o->max_series)
		refuse(o, h->name, hist_table_entries(h->rows));
}

static void histogram_end(struct hist_writer *base)
{
	(void)base;
}

/* --- time --- */

/* What a snapshot lacks is told by the trace clock and the nearest one before, or behind. */
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

/* Rising by a millisecond at least, as all engines keep milliseconds. */
static int settle_times(struct om *o, struct om_hist *h)
{
	int64_t before = INT64_MIN, ms;
	uint32_t i;

	if (hist_clock_is_ns(h->info->def.clock))
		fill_times(h);
	for (i = 0; i < h->nmoments; i++) {
		if (!h->moments[i].wall && h->nmoments > 1) {
			hist_writer_fail(&o->base, -EINVAL, "%s: the time of day was not recorded, "
					 "which several snapshots need in openmetrics: %s", h->name,
					 hist_clock_is_ns(h->info->def.clock) ?
					 "say with --time-offset what to add to the trace clock" :
					 "ask for one snapshot");
			return -EINVAL;
		}
		ms = h->moments[i].wall / 1000000;
		if (i && ms <= before)
			ms = before + 1;
		h->moments[i].ms = before = ms;
	}
	return 0;
}

static void put_time(struct hist_strbuf *b, const struct om_moment *m)
{
	if (m->wall)
		hist_strbuf_printf(b, " %" PRId64 ".%03d", m->ms / 1000, (int)(m->ms % 1000));
	hist_strbuf_char(b, '\n');
}

/* --- numbers --- */

static unsigned int decimals_of(enum hist_unit unit)
{
	static const unsigned int decimals[] = {
		[HIST_UNIT_NONE] = 0, [HIST_UNIT_NS] = 9, [HIST_UNIT_US] = 6,
		[HIST_UNIT_MS] = 3, [HIST_UNIT_S] = 0,
	};

	return decimals[unit];
}

/* @v / 10^decimals, exactly; with ".0" behind a whole number where a real one is wanted. */
static void put_number(struct hist_strbuf *b, uint64_t v, bool is_signed, unsigned int decimals,
		       bool real)
{
	uint64_t unit = 1, part;
	unsigned int i;

	if (is_signed && v >> 63) {
		hist_strbuf_char(b, '-');
		v = -v;
	}
	for (i = 0; i < decimals; i++)
		unit *= 10;
	hist_strbuf_u64(b, v / unit);
	part = v % unit;
	if (part) {
		hist_strbuf_char(b, '.');
		while (part) {
			unit /= 10;
			hist_strbuf_char(b, '0' + part / unit);
			part %= unit;
		}
	} else if (real) {
		hist_strbuf_add(b, ".0", 2);
	}
}

/* What @line was at @moment; *@at goes along with it, from 0 on. */
static uint64_t value_at(const struct om_line *line, uint32_t moment, uint32_t *at)
{
	while (*at < line->n && line->changes[*at].moment <= moment)
		++*at;
	return *at ? line->changes[*at - 1].value : 0;
}

/* --- names --- */

/* Two families whose samples could have one name are too near. */
static size_t stem(const char *name)
{
	static const char *const endings[] = { "_bucket", "_sum", "_count", "_total", "_info",
					       "_created" };
	size_t len = strlen(name), n;
	unsigned int i;

	for (i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		n = strlen(endings[i]);
		if (len > n && !strcmp(name + len - n, endings[i]))
			return len - n;
	}
	return len;
}

static bool is_taken(const struct om *o, const char *name)
{
	size_t len = stem(name);
	uint32_t i;

	for (i = 0; i < o->nnames; i++)
		if (stem(o->names[i]) == len && !memcmp(o->names[i], name, len))
			return true;
	return false;
}

static const char *const unit_words[] = { "ns", "us", "ms", "nsec", "nsecs", "usec", "usecs",
					  "msec", "msecs", "sec", "secs" };

/* Without the unit in its name, which becomes another. */
static size_t without_unit(const char *field)
{
	const char *last = strrchr(field, '_');
	unsigned int i;

	last = last ? last + 1 : field;
	for (i = 0; i < sizeof(unit_words) / sizeof(*unit_words); i++)
		if (!strcmp(last, unit_words[i]))
			return last > field ? last - field - 1 : 0;
	return strlen(field);
}

/* A name of its own for the family: "trace_SYSTEM_EVENT_FIELD_seconds" */
static const char *name_family(struct om *o, const struct om_hist *h, const char *field,
			       enum hist_unit unit)
{
	char *name, part[256] = "", first[600];
	struct hist_strbuf *b = &o->word;
	unsigned int n;

	b->len = 0;
	hist_strbuf_str(b, "trace_");
	om_put_name(b, h->name);
	snprintf(part, sizeof(part), "%.*s",
		 (int)(unit == HIST_UNIT_NONE ? strlen(field) : without_unit(field)), field);
	if (part[0])
		hist_strbuf_char(b, '_');
	om_put_name(b, part);
	if (unit != HIST_UNIT_NONE)
		hist_strbuf_str(b, "_seconds");
	hist_strbuf_char(b, '\0');
	if (b->error)
		return "";
	name = o->names[o->nnames];
	snprintf(first, sizeof(first), "%.560s", b->data);
	strcpy(name, first);
	/* the unit must stay at the end */
	for (n = 2; is_taken(o, name); n++)
		snprintf(name, sizeof(*o->names), "trace_%u%.560s", n, first + strlen("trace"));
	o->nnames++;
	return name;
}

static void put_family(struct om *o, const char *name, const char *type, enum hist_unit unit,
		       const char *help, const struct om_hist *h)
{
	struct hist_strbuf *b = &o->out;
	const char *s;

	hist_strbuf_printf(b, "# TYPE %s %s\n", name, type);
	if (unit != HIST_UNIT_NONE)
		hist_strbuf_printf(b, "# UNIT %s seconds\n", name);
	hist_strbuf_printf(b, "# HELP %s %s", name, help);
	if (h) {
		o->word.len = 0;
		hist_escape(&o->word, h->info->def.trigger, strlen(h->info->def.trigger), 0);
		hist_strbuf_char(&o->word, '\0');
		hist_strbuf_str(b, ": ");
		for (s = o->word.error ? "" : o->word.data; *s; s++) {
			if (*s == '\\' || *s == '"')
				hist_strbuf_char(b, '\\');
			hist_strbuf_char(b, *s);
		}
	}
	hist_strbuf_char(b, '\n');
}

/* o->labels: "{host=...,LABELS" without the end. */
static void begin_labels(struct om *o, const struct om_hist *h, const char *labels, size_t len)
{
	const char *host = h ? h->info->def.host : NULL;
	struct hist_strbuf *b = &o->labels;

	b->len = 0;
	hist_strbuf_char(b, '{');
	if (host && *host) {
		o->word.len = 0;
		hist_escape(&o->word, host, strlen(host), 0);
		om_put_label(b, "host", o->word.data, o->word.len);
	}
	if (len && b->len > 1)
		hist_strbuf_char(b, ',');
	hist_strbuf_add(b, labels, len);
}

static void add_label(struct om *o, const char *name, const char *s)
{
	o->word.len = 0;
	hist_escape(&o->word, s ? s : "", s ? strlen(s) : 0, 0);
	if (o->labels.len > 1)
		hist_strbuf_char(&o->labels, ',');
	om_put_label(&o->labels, name, o->word.data, o->word.len);
}

static void put_sample(struct om *o, const char *name, const char *suffix)
{
	hist_strbuf_str(&o->out, name);
	hist_strbuf_str(&o->out, suffix);
	hist_strbuf_add(&o->out, o->labels.data, o->labels.len);
	hist_strbuf_add(&o->out, "} ", 2);
	if (o->out.len >= FLUSH_AT)
		hist_strbuf_flush(&o->out, o->f);
}

/* --- histograms --- */

static const struct om_line *line_of(const struct om_hist *h, uint32_t row, unsigned int value)
{
	return &h->lines[(size_t)row * h->info->def.schema->nvalues + value];
}

static void put_bucket(struct om *o, const struct om_buckets *k, const char *name, size_t le,
		       unsigned int decimals, uint64_t count, const struct om_moment *m)
{
	size_t len = o->labels.len;

	if (len > 1)
		hist_strbuf_char(&o->labels, ',');
	hist_strbuf_str(&o->labels, "le=\"");
	if (le < k->n)
		put_number(&o->labels, k->les[le] ^ k->flip, k->is_signed, decimals, true);
	else
		hist_strbuf_str(&o->labels, "+Inf");
	hist_strbuf_char(&o->labels, '"');
	put_sample(o, name, "_bucket");
	o->labels.len = len;
	hist_strbuf_u64(&o->out, count);
	put_time(&o->out, m);
}

/* One label set: the rows [first, end). */
static void put_group(struct om *o, const struct om_buckets *k, const char *name, uint32_t first,
		      uint32_t end, uint32_t *at)
{
	const struct om_hist *h = k->h;
	const struct hist_schema *schema = h->info->def.schema;
	unsigned int decimals = decimals_of(hist_unit_of_key(&schema->keys[h->axis]));
	bool sum = h->has_sum && !k->negative;
	struct hist_bounds bounds;
	uint64_t count, total;
	uint32_t m, i;
	size_t le;

	memset(at, 0, 2 * (size_t)(end - first) * sizeof(*at));
	for (m = 0; m < h->nmoments && !o->out.error; m++) {
		count = 0;
		for (le = 0, i = first; le <= k->n; le++) {
			for (; i < end; i++) {
				om_row_bounds(h, k->rows[i], &bounds);
				if (le < k->n && (bounds.le ^ k->flip) > k->les[le])
					break;
				count += value_at(line_of(h, k->rows[i], h->hits), m, &at[i - first]);
			}
			put_bucket(o, k, name, le, decimals, count, &h->moments[m]);
		}
		if (!sum)
			continue;
		for (total = 0, i = first; i < end; i++)
			total += value_at(line_of(h, k->rows[i], h->sum), m,
					  &at[end - first + i - first]);
		put_sample(o, name, "_count");
		hist_strbuf_u64(&o->out, count);
		put_time(&o->out, &h->moments[m]);
		put_sample(o, name, "_sum");
		put_number(&o->out, total, false, decimals, true);
		put_time(&o->out, &h->moments[m]);
	}
}

static int put_histogram(struct om *o, const struct om_hist *h)
{
	const struct hist_key_desc *axis = &h->info->def.schema->keys[h->axis];
	uint32_t n = hist_table_entries(h->rows), first, end, group, *at;
	enum hist_unit unit = hist_unit_of_key(axis);
	struct om_buckets k;
	const char *name, *s;
	size_t len;
	int ret;

	ret = om_buckets_make(&k, h);
	at = reallocarray(NULL, 2 * (size_t)n + 1, sizeof(*at));
	if (!ret && at) {
		name = name_family(o, h, axis->name, unit);
		put_family(o, name, "histogram", unit, "Hits by what a hist trigger measured", h);
		for (first = 0; first < n; first = end) {
			group = hist_table_cells(h->rows, k.rows[first])->str;
			for (end = first; end < n &&
			     hist_table_cells(h->rows, k.rows[end])->str == group; end++)
				;
			s = hist_table_string(h->rows, group, &len);
			begin_labels(o, h, s, len);
			put_group(o, &k, name, first, end, at);
		}
	}
	free(at);
	om_buckets_free(&k);
	return ret ? ret : at ? 0 : -ENOMEM;
}

/* --- counters --- */

static void put_values(struct om *o, const struct om_hist *h, unsigned int value)
{
	const struct hist_value_desc *desc = &h->info->def.schema->values[value];
	const char *suffix = desc->is_signed ? "" : "_total", *name, *s;
	enum hist_unit unit = hist_unit_of_value(desc);
	struct hist_bounds bounds;
	char title[256], number[32];
	uint32_t row, m, at;
	uint64_t v;
	size_t len;

	hist_value_title(h->info->def.schema, value, title, sizeof(title));
	name = name_family(o, h, title, unit);
	put_family(o, name, desc->is_signed ? "gauge" : "counter", unit,
		   "Sum that a hist trigger made", h);
	for (row = 0; row < hist_table_entries(h->rows); row++) {
		s = hist_table_string(h->rows, hist_table_cells(h->rows, row)->str, &len);
		begin_labels(o, h, s, len);
		if (h->axis >= 0) {
			om_row_bounds(h, row, &bounds);
			snprintf(title, sizeof(title), "%.200s_ge", h->key_labels[h->axis]);
			snprintf(number, sizeof(number), bounds.is_signed ? "%" PRId64 : "%" PRIu64,
				 bounds.ge);
			add_label(o, title, number);
			snprintf(title, sizeof(title), "%.200s_le", h->key_labels[h->axis]);
			snprintf(number, sizeof(number), bounds.is_signed ? "%" PRId64 : "%" PRIu64,
				 bounds.le);
			add_label(o, title, number);
		}
		for (m = 0, at = 0; m < h->nmoments && !o->out.error; m++) {
			v = value_at(line_of(h, row, value), m, &at);
			put_sample(o, name, suffix);
			put_number(&o->out, v, desc->is_signed, decimals_of(unit), false);
			put_time(&o->out, &h->moments[m]);
		}
	}
}

/* Values that are not in the histogram already. */
static bool is_counter(const struct om_hist *h, unsigned int value)
{
	if (h->axis >= 0 && ((int)value == h->hits || (h->has_sum && value == h->sum)))
		return false;
	return om_value_is_written(h, value);
}

static int put_data(struct om *o, const struct om_hist *h)
{
	unsigned int v;
	int ret = 0;

	if (!h->nmoments)
		return 0;
	if (h->axis >= 0)
		ret = put_histogram(o, h);
	for (v = 0; v < h->info->def.schema->nvalues && !ret; v++)
		if (is_counter(h, v))
			put_values(o, h, v);
	return ret;
}

/* --- what there is beside the data --- */

static const struct {
	const char *name, *type, *suffix, *help;
} facts[OM_FACTS] = {
	[OM_HITS] = { "trace_cmd_hist_hits", "counter", "_total", "Hits of the histogram" },
	[OM_DROPPED] = { "trace_cmd_hist_dropped_hits", "counter", "_total",
			 "Hits that are in no row as the table was full" },
	[OM_MISSED] = { "trace_cmd_hist_missed_snapshots", "counter", "_total",
			"Snapshots that were due and not taken" },
	[OM_LOST] = { "trace_cmd_hist_lost_snapshots", "counter", "_total",
		      "Snapshots that are damaged or not in the file" },
	[OM_RESETS] = { "trace_cmd_hist_resets", "counter", "_total",
			"Times that somebody cleared the histogram" },
	[OM_ENTRIES] = { "trace_cmd_hist_entries", "gauge", "", "Entries of the kernel's table" },
	[OM_AMBIGUOUS] = { "trace_cmd_hist_ambiguous", "gauge", "",
			   "1 where names could be read in more than one way" },
};

static void put_fact(struct om *o, unsigned int fact)
{
	uint32_t i, m;

	put_family(o, facts[fact].name, facts[fact].type, HIST_UNIT_NONE, facts[fact].help, NULL);
	for (i = 0; i < o->nhists; i++) {
		begin_labels(o, &o->hists[i], "", 0);
		add_label(o, "histogram", o->hists[i].name);
		for (m = 0; m < o->hists[i].nmoments; m++) {
			put_sample(o, facts[fact].name, facts[fact].suffix);
			hist_strbuf_u64(&o->out, o->hists[i].moments[m].facts[fact]);
			put_time(&o->out, &o->hists[i].moments[m]);
		}
	}
}

static void put_info(struct om *o)
{
	uint32_t i, m;

	put_family(o, "trace_cmd_hist", "info", HIST_UNIT_NONE, "What was recorded, and how", NULL);
	for (i = 0; i < o->nhists; i++) {
		const struct hist_definition *def = &o->hists[i].info->def;

		begin_labels(o, &o->hists[i], "", 0);
		add_label(o, "histogram", o->hists[i].name);
		add_label(o, "event", def->event);
		add_label(o, "trigger", def->trigger);
		add_label(o, "engine", def->engine);
		add_label(o, "clock", def->clock);
		add_label(o, "uname", def->uname);
		for (m = 0; m < o->hists[i].nmoments; m++) {
			put_sample(o, "trace_cmd_hist", "_info");
			hist_strbuf_char(&o->out, '1');
			put_time(&o->out, &o->hists[i].moments[m]);
		}
	}
}

static void put_damage(struct om *o, const struct hist_series_damage *damage)
{
	static const char *const kinds[] = { "unfinished", "truncated", "bad_sections",
					     "lost_snapshots" };
	const uint64_t values[] = { damage->unfinished, damage->truncated, damage->bad_sections,
				    damage->lost_snapshots };
	const struct om_hist *h = o->nhists ? &o->hists[0] : NULL;
	struct om_moment last = { 0 };
	unsigned int i;

	for (i = 0; i < o->nhists; i++) {
		uint32_t n = o->hists[i].nmoments;

		if (n && o->hists[i].moments[n - 1].ms >= last.ms)
			last = o->hists[i].moments[n - 1];
	}
	put_family(o, "trace_cmd_hist_file_damage", "gauge", HIST_UNIT_NONE,
		   "What is not in order with the file", NULL);
	for (i = 0; i < 4; i++) {
		begin_labels(o, h, "", 0);
		add_label(o, "kind", kinds[i]);
		put_sample(o, "trace_cmd_hist_file_damage", "");
		hist_strbuf_u64(&o->out, values[i]);
		put_time(&o->out, &last);
	}
}

/* --- how many --- */

static uint64_t count_groups(const struct om_hist *h)
{
	return hist_table_strings(h->rows);
}

static int count_series(struct om *o, const struct om_hist *h, uint64_t *series)
{
	uint64_t rows = hist_table_entries(h->rows);
	struct om_buckets k;
	unsigned int v;
	int ret = 0;

	for (v = 0; v < h->info->def.schema->nvalues; v++)
		*series += is_counter(h, v) ? rows : 0;
	if (h->axis >= 0) {
		ret = om_buckets_make(&k, h);
		*series += count_groups(h) * (k.n + 1 + (h->has_sum && !k.negative ? 2 : 0));
		om_buckets_free(&k);
	}
	*series += OM_FACTS + 1;
	if (!ret && *series > o->max_series)
		refuse(o, h->name, *series);
	return ret;
}

static void end(struct hist_writer *base, const struct hist_series_damage *damage)
{
	struct om *o = (struct om *)base;
	uint64_t series = 4;
	unsigned int fact;
	uint32_t i;

	for (i = 0; i < o->nhists && !base->error; i++) {
		hist_writer_result(base, settle_times(o, &o->hists[i]));
		if (!base->error)
			hist_writer_result(base, count_series(o, &o->hists[i], &series));
	}
	if (base->error)
		return;
	o->names = calloc((size_t)o->nhists * (HIST_VALUES_MAX + 1) + 1, sizeof(*o->names));
	if (!o->names) {
		hist_writer_result(base, -ENOMEM);
		return;
	}
	put_info(o);
	for (fact = 0; fact < OM_FACTS; fact++)
		put_fact(o, fact);
	put_damage(o, damage);
	for (i = 0; i < o->nhists && !base->error; i++)
		hist_writer_result(base, put_data(o, &o->hists[i]));
	hist_writer_result(base, o->word.error ? o->word.error : o->labels.error);
	/* without it a reader knows that something is missing */
	if (!base->error)
		hist_strbuf_str(&o->out, "# EOF\n");
	hist_writer_result(base, hist_strbuf_flush(&o->out, o->f));
}

static void free_om(struct hist_writer *base)
{
	struct om *o = (struct om *)base;
	uint32_t i;

	for (i = 0; i < o->nhists; i++)
		om_hist_clear(&o->hists[i]);
	free(o->hists);
	free(o->names);
	hist_strbuf_free(&o->out);
	hist_strbuf_free(&o->word);
	hist_strbuf_free(&o->labels);
	free(o);
}

static const struct hist_writer_ops ops = {
	.histogram = histogram,
	.snapshot = snapshot,
	.histogram_end = histogram_end,
	.end = end,
	.free = free_om,
};

struct hist_writer *hist_writer_openmetrics(const struct hist_writer_options *options)
{
	struct om *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->base.ops = &ops;
	o->f = options->f;
	o->max_series = options->max_series;
	return &o->base;
}
