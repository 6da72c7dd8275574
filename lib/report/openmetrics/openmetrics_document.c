// SPDX-License-Identifier: LGPL-2.1
/*
 * openmetrics_document.c - write the numbers over time as one document, family by family
 *
 * First come the families that describe the recording (the facts), then those of each histogram.
 * A histogram with an axis becomes a classic histogram: cumulative buckets with their inclusive
 * upper bound as le.  All label sets have the same buckets from the first snapshot on, so a query
 * can add them up.  Each bucket with hits also has its lower bound as a le, so
 * histogram_quantile() never returns a number outside the bucket.
 *
 * Other values become counters, or gauges if they can decrease.
 *
 * Invariant: two families never have names that differ only in a suffix of samples
 * (openmetrics_stem_len()).
 *
 * Source: the OpenMetrics 1.0 specification, and Prometheus for what it leaves open.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/label/label.h"
#include "lib/label/number.h"
#include "lib/label/unit.h"
#include "lib/report/openmetrics/openmetrics.h"

/* --- samples and families --- */

/*
 * A duration keeps the unit of its field, which ends the name of the family: in seconds, the bounds
 * of .log2 would not be powers of two, as native histograms have them.
 */
static const char *openmetrics_unit_name(enum hist_unit unit)
{
	static const char *const names[HIST_UNITS] = {
		[HIST_UNIT_NS] = "nanoseconds",
		[HIST_UNIT_US] = "microseconds",
		[HIST_UNIT_MS] = "milliseconds",
		[HIST_UNIT_S] = "seconds",
	};

	return names[unit];
}

/* @real: the number ends in ".0". */
static void openmetrics_put_number(struct hist_strbuf *b, uint64_t v, bool is_signed, bool real)
{
	hist_strbuf_number(b, v, is_signed);
	if (real)
		hist_strbuf_add(b, ".0", 2);
}

/* Length of @name without a suffix that OpenMetrics adds to the names of samples. */
static size_t openmetrics_stem_len(const char *name)
{
	static const char *const endings[] = { "_bucket", "_sum",  "_count",
					       "_total",  "_info", "_created" };
	size_t len = strlen(name), n;
	unsigned int i;

	for (i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		n = strlen(endings[i]);
		if (len > n && !strcmp(name + len - n, endings[i]))
			return len - n;
	}
	return len;
}

static bool openmetrics_is_taken(const struct openmetrics *o, const char *name)
{
	size_t len = openmetrics_stem_len(name);
	uint32_t i;

	for (i = 0; i < o->nnames; i++)
		if (openmetrics_stem_len(o->names[i]) == len && !memcmp(o->names[i], name, len))
			return true;
	return false;
}

/* The name of the histogram without the label of its file. */
static const char *openmetrics_own_name(const struct om_hist *h)
{
	return h->info->timeline ? h->info->timeline->name : h->name;
}

/* A unique name for the family: "trace_SYSTEM_EVENT_FIELD_microseconds". */
static const char *openmetrics_name_family(struct openmetrics *o, const struct om_hist *h,
					   const char *field, enum hist_unit unit)
{
	const char *name_of_unit = openmetrics_unit_name(unit);
	int len = name_of_unit ? hist_unit_stem_len(field) : strlen(field);
	char *name = o->names[o->nnames], first[561];
	unsigned int n;

	snprintf(first, sizeof(first), "trace_%s%s%.*s%s%s", openmetrics_own_name(h),
		 len ? "_" : "", len < 255 ? len : 255, field, name_of_unit ? "_" : "",
		 name_of_unit ? name_of_unit : "");
	openmetrics_clean_name(first);
	strcpy(name, first);
	/* number the prefix, because the unit must be last */
	for (n = 2; openmetrics_is_taken(o, name); n++)
		snprintf(name, sizeof(*o->names), "trace_%u%s", n, first + strlen("trace"));
	o->nnames++;
	return name;
}

/* HELP of Prometheus has no escape of a quote. */
static void openmetrics_put_help(struct openmetrics *o, const char *s, size_t len)
{
	for (; len; len--, s++) {
		if (*s == '\\' || (*s == '"' && !o->plain))
			hist_strbuf_char(&o->base.out, '\\');
		hist_strbuf_char(&o->base.out, *s);
	}
}

/* The part of the name of samples that OpenMetrics leaves out in the name of the family. */
static const char *openmetrics_family_suffix(const struct openmetrics *o, const char *type)
{
	if (!o->plain)
		return "";
	return !strcmp(type, "counter") ? "_total" : !strcmp(type, "info") ? "_info" : "";
}

/* "HELP: TRIGGER" */
static void openmetrics_put_message_head(struct openmetrics *o, const char *name,
					 const char *suffix, const char *type, const char *help,
					 const struct om_hist *h)
{
	struct hist_strbuf *b = hist_strbuf_clear(&o->base.text);

	hist_strbuf_str(b, help);
	if (h) {
		hist_strbuf_str(b, ": ");
		hist_escape(b, h->info->def.trigger, strlen(h->info->def.trigger), 0);
	}
	o->emitter->begin(o, name, suffix, type, b->data, b->len);
}

static void openmetrics_put_family(struct openmetrics *o, const char *name, const char *type,
				   enum hist_unit unit, const char *help, const struct om_hist *h)
{
	const char *suffix = openmetrics_family_suffix(o, type);
	struct hist_strbuf *b = &o->base.out;

	if (o->plain && !strcmp(type, "info"))
		type = "gauge";
	if (o->emitter) {
		openmetrics_put_message_head(o, name, suffix, type, help, h);
		return;
	}
	hist_strbuf_printf(b, "# TYPE %s%s %s\n", name, suffix, type);
	if (openmetrics_unit_name(unit) && !o->plain)
		hist_strbuf_printf(b, "# UNIT %s %s\n", name, openmetrics_unit_name(unit));
	hist_strbuf_printf(b, "# HELP %s%s %s", name, suffix, help);
	if (h) {
		hist_escape(hist_strbuf_clear(&o->base.text), h->info->def.trigger,
			    strlen(h->info->def.trigger), 0);
		hist_strbuf_str(b, ": ");
		openmetrics_put_help(o, o->base.text.data, o->base.text.len);
	}
	hist_strbuf_char(b, '\n');
}

/* Set o->labels to "{host=...,LABELS" without the closing brace. */
static void openmetrics_begin_labels(struct openmetrics *o, const struct om_hist *h,
				     const char *labels, size_t len)
{
	const char *host = h ? h->info->def.host : NULL;
	struct hist_strbuf *b = &o->labels;

	b->len = 0;
	hist_strbuf_char(b, '{');
	if (host && *host) {
		hist_escape(hist_strbuf_clear(&o->base.text), host, strlen(host), 0);
		openmetrics_put_label(b, "host", "", o->base.text.data, o->base.text.len);
	}
	if (len && b->len > 1)
		hist_strbuf_char(b, ',');
	hist_strbuf_add(b, labels, len);
}

static void openmetrics_add_label(struct openmetrics *o, const char *name, const char *s)
{
	hist_escape(hist_strbuf_clear(&o->base.text), s ? s : "", s ? strlen(s) : 0, 0);
	if (o->labels.len > 1)
		hist_strbuf_char(&o->labels, ',');
	openmetrics_put_label(&o->labels, name, "", o->base.text.data, o->base.text.len);
}

/* " # {cpu="1"} 4711.0 1700000000.123", which only OpenMetrics has. */
static void openmetrics_put_exemplar(struct openmetrics *o, const struct hist_exemplar *x)
{
	struct hist_strbuf *b = &o->base.out;

	if (!x || o->plain)
		return;
	hist_strbuf_str(b, " # {");
	hist_strbuf_str(b, x->labels);
	hist_strbuf_add(b, "} ", 2);
	openmetrics_put_number(b, x->value, false, true);
	hist_strbuf_char(b, ' ');
	hist_strbuf_fixed(b, x->wall / 1000000, 3);
}

/* @x: of a bucket, or NULL. */
static void openmetrics_end_sample(struct openmetrics *o, uint64_t v, bool is_signed, bool real,
				   const struct om_moment *m, const struct hist_exemplar *x)
{
	struct hist_strbuf *b = &o->base.out;

	hist_strbuf_add(b, "} ", 2);
	openmetrics_put_number(b, v, is_signed, real);
	hist_strbuf_add(b, m->when, m->when_len);
	openmetrics_put_exemplar(o, x);
	hist_strbuf_char(b, '\n');
	hist_strbuf_drain(b, o->base.o.f);
}

static void openmetrics_put_sample(struct openmetrics *o, const char *name, const char *suffix,
				   uint64_t v, bool is_signed, bool real,
				   const struct om_moment *m)
{
	struct hist_strbuf *b = &o->base.out;

	if (o->emitter) {
		o->emitter->add(o, hist_number_real(v, is_signed));
		return;
	}
	hist_strbuf_str(b, name);
	hist_strbuf_str(b, suffix);
	hist_strbuf_append(b, &o->labels);
	openmetrics_end_sample(o, v, is_signed, real, m, NULL);
}

static void openmetrics_put_count(struct openmetrics *o, const char *name, const char *suffix,
				  uint64_t v, const struct om_moment *m)
{
	openmetrics_put_sample(o, name, suffix, v, false, false, m);
}

/* --- facts --- */

static const struct {
	const char *name, *type, *suffix, *help;
} om_facts[OM_FACTS] = {
	[OM_HITS] = { "trace_cmd_hist_hits", "counter", "_total", "Hits of the histogram" },
	[OM_DROPPED] = { "trace_cmd_hist_dropped_hits", "counter", "_total",
			 "Hits that were dropped because the table was full" },
	[OM_MISSED] = { "trace_cmd_hist_missed_snapshots", "counter", "_total",
			"Snapshots that were due but not taken" },
	[OM_EVENTS_LOST] = { "trace_cmd_hist_lost_events", "counter", "_total",
			     "Events that were lost before they were counted" },
	[OM_PROBE_MISSES] = { "trace_cmd_hist_probe_missed_hits", "counter", "_total",
			      "Hits that the probe missed" },
	/* of the files that are given, and record --keep removes files: no counter */
	[OM_LOST] = { "trace_cmd_hist_lost_snapshots", "gauge", "",
		      "Snapshots that are damaged or missing in the file" },
	[OM_RESETS] = { "trace_cmd_hist_resets", "counter", "_total",
			"Number of times that another program cleared the histogram" },
	[OM_ENTRIES] = { "trace_cmd_hist_entries", "gauge", "", "Entries in the kernel's table" },
	[OM_AMBIGUOUS] = { "trace_cmd_hist_ambiguous", "gauge", "",
			   "1 if names are ambiguous, so some rows may be wrong" },
	[OM_LEFT_OUT] = { "trace_cmd_hist_left_out_hits", "gauge", "",
			  "Hits before the first snapshot of the recording (its set-up), which are "
			  "not included" },
	[OM_SET_UP] = { "trace_cmd_hist_set_up", "gauge", "",
			"1 if the counts include the set-up of the recording, because its first "
			"snapshot is missing" },
	[OM_STOPPED] = { "trace_cmd_hist_stopped", "gauge", "",
			 "1 if another program or trigger paused or stopped the counting" },
	[OM_FULL_STACKS] = { "trace_cmd_hist_full_stacks", "gauge", "",
			     "Stacks with the maximum number of frames: outer frames may be "
			     "missing" },
};

static void openmetrics_put_fact(struct openmetrics *o, unsigned int fact)
{
	const struct om_hist *h;
	const struct om_moment *m;
	size_t i, k;

	openmetrics_put_family(o, om_facts[fact].name, om_facts[fact].type, HIST_UNIT_NONE,
			       om_facts[fact].help, NULL);
	for (i = 0; i < o->nhists; i++) {
		h = &o->hists[i];
		openmetrics_begin_labels(o, h, "", 0);
		openmetrics_add_label(o, "histogram", h->name);
		for (k = 0; k < h->nmoments; k++) {
			m = &h->moments[k];
			if (m->facts[fact] != OM_UNKNOWN)
				openmetrics_put_count(o, om_facts[fact].name, om_facts[fact].suffix,
						      m->facts[fact], m);
		}
	}
}

/* @any: the family has begun */
static void openmetrics_put_loss(struct openmetrics *o, const struct om_hist *h, unsigned int kind,
				 bool *any)
{
	bool falls = hist_loss_traits(kind)->falls;
	const char *family = falls ? "trace_cmd_hist_open_losses" : "trace_cmd_hist_losses";
	size_t k;

	if (!h->nmoments || !h->moments[h->nmoments - 1].losses[kind])
		return;
	if (!*any)
		openmetrics_put_family(
			o, family, falls ? "gauge" : "counter", HIST_UNIT_NONE,
			falls ? "What the rows do not count, and may count later, by kind"
			      : "What the rows do not count, or count with a reservation, by "
				"kind",
			NULL);
	*any = true;
	openmetrics_begin_labels(o, h, "", 0);
	openmetrics_add_label(o, "histogram", h->name);
	openmetrics_add_label(o, "kind", hist_loss_traits(kind)->name);
	for (k = 0; k < h->nmoments; k++)
		openmetrics_put_count(o, family, falls ? "" : "_total", h->moments[k].losses[kind],
				      &h->moments[k]);
}

/* The family of the kinds that can become smaller, or of the others. */
static void openmetrics_put_losses(struct openmetrics *o, bool falls)
{
	unsigned int kind;
	bool any = false;
	size_t i;

	for (i = 0; i < o->nhists; i++) {
		for (kind = 0; kind < HIST_LOSS_KINDS; kind++)
			if (hist_loss_traits(kind)->falls == falls)
				openmetrics_put_loss(o, &o->hists[i], kind, &any);
	}
}

static void openmetrics_put_facts(struct openmetrics *o)
{
	unsigned int fact;

	for (fact = 0; fact < OM_FACTS; fact++)
		openmetrics_put_fact(o, fact);
	openmetrics_put_losses(o, false);
	openmetrics_put_losses(o, true);
}

static void openmetrics_put_info(struct openmetrics *o)
{
	const struct om_hist *h;
	size_t i, k;

	openmetrics_put_family(o, "trace_cmd_hist", "info", HIST_UNIT_NONE,
			       "Event, trigger and other properties of the recording", NULL);
	for (i = 0; i < o->nhists; i++) {
		const struct hist_definition *def = &o->hists[i].info->def;

		h = &o->hists[i];
		openmetrics_begin_labels(o, h, "", 0);
		openmetrics_add_label(o, "histogram", h->name);
		openmetrics_add_label(o, "event", def->event);
		openmetrics_add_label(o, "trigger", def->trigger);
		openmetrics_add_label(o, "engine", def->engine);
		openmetrics_add_label(o, "clock", def->clock);
		openmetrics_add_label(o, "uname", def->uname);
		for (k = 0; k < h->nmoments; k++)
			openmetrics_put_count(o, "trace_cmd_hist", "_info", 1, &h->moments[k]);
	}
}

static void openmetrics_put_damage(struct openmetrics *o, const struct hist_series_damage *damage)
{
	const struct {
		const char *kind;
		uint64_t value;
	} damages[] = {
		{ "unfinished", damage->unfinished },
		{ "truncated", damage->truncated },
		{ "bad_sections", damage->bad_sections },
		{ "lost_snapshots", damage->lost_snapshots },
	};
	struct om_moment last = { 0 };
	const struct om_hist *h;
	unsigned int i;

	for (i = 0; i < o->nhists; i++) {
		h = &o->hists[i];
		if (h->nmoments && h->moments[h->nmoments - 1].ms >= last.ms)
			last = h->moments[h->nmoments - 1];
	}
	openmetrics_put_family(o, "trace_cmd_hist_file_damage", "gauge", HIST_UNIT_NONE,
			       "Damage found in the file, by kind", NULL);
	for (i = 0; i < 4; i++) {
		openmetrics_begin_labels(o, o->nhists ? o->hists : NULL, "", 0);
		openmetrics_add_label(o, "kind", damages[i].kind);
		openmetrics_put_count(o, "trace_cmd_hist_file_damage", "", damages[i].value, &last);
	}
}

/* A family of one number without labels, in thousandths. */
static void openmetrics_put_thousandths(struct openmetrics *o, const char *name, const char *type,
					const char *suffix, const char *help, uint64_t v)
{
	struct hist_strbuf *b = &o->base.out;

	openmetrics_put_family(o, name, type, HIST_UNIT_NONE, help, NULL);
	if (o->emitter) {
		openmetrics_begin_labels(o, NULL, "", 0);
		o->emitter->add(o, v / 1000.0);
		return;
	}
	hist_strbuf_printf(b, "%s%s ", name, suffix);
	hist_strbuf_fixed(b, v, 3);
	hist_strbuf_char(b, '\n');
}

/* The names of these families are those of all programs that Prometheus scrapes. */
static void openmetrics_put_recorder(struct openmetrics *o, const struct hist_recorder_facts *r)
{
	const struct om_moment now = { 0 };

	openmetrics_put_thousandths(o, "process_cpu_seconds", "counter", "_total",
				    "CPU time of the recorder", r->cpu_ns / 1000000);
	openmetrics_put_thousandths(o, "process_resident_memory_bytes", "gauge", "",
				    "Resident memory of the recorder", r->memory * 1000);
	openmetrics_put_thousandths(o, "trace_cmd_hist_start_time_seconds", "gauge", "",
				    "When the counting began, since 1970", r->started / 1000000);
	openmetrics_put_family(o, "trace_cmd_hist_build", "info", HIST_UNIT_NONE,
			       "Version of the recorder", NULL);
	openmetrics_begin_labels(o, NULL, "", 0);
	openmetrics_add_label(o, "version", r->version);
	openmetrics_put_count(o, "trace_cmd_hist_build", "_info", 1, &now);
}

/*
 * --- buckets, common to all label sets of a histogram ---
 *
 * The bounds are the upper bounds of all rows, and the number below each row.  Prometheus
 * interpolates between two bounds, so the number below a row keeps its estimates within the row.
 */

/*
 * The buckets of one histogram.  Numbers are stored as places: unsigned, in the order of the axis.
 * place = number ^ flip.
 */
struct om_buckets {
	uint64_t *les; /* upper bounds, ascending */
	size_t n;
	uint32_t *rows; /* sorted by group, then ascending on the axis */
	bool is_signed;
	bool negative; /* a bucket has negative numbers: a sum must not be written */
	uint64_t flip; /* 2^63 if the axis is signed, otherwise 0 */
	const struct om_hist *h;
};

/* Least number of buckets: histograms of several machines are added up bucket by bucket. */
#define OM_LADDER 33

/* The bounds of row @row of @h on the axis. */
static void openmetrics_get_row_bounds(const struct om_hist *h, uint32_t row,
				       struct hist_bounds *bounds)
{
	hist_axis_get_bounds(&h->info->def.schema->keys[h->axis],
			     hist_table_cells(h->rows, row)[1].num, bounds);
}

static int openmetrics_compare_rows(const void *a, const void *b, void *arg)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct om_buckets *buckets = arg;
	const struct om_hist *h = buckets->h;
	uint32_t gx = hist_table_cells(h->rows, x)->str, gy = hist_table_cells(h->rows, y)->str;
	struct hist_bounds bx, by;

	if (gx != gy)
		return gx < gy ? -1 : 1;
	openmetrics_get_row_bounds(h, x, &bx);
	openmetrics_get_row_bounds(h, y, &by);
	bx.ge ^= buckets->flip;
	by.ge ^= buckets->flip;
	return bx.ge < by.ge ? -1 : bx.ge > by.ge;
}

static int openmetrics_add_bound(struct om_buckets *k, uint64_t place)
{
	if (array_add(&k->les, k->n, sizeof(*k->les)))
		return -ENOMEM;
	k->les[k->n++] = place;
	return 0;
}

static int openmetrics_add_row_bounds(struct om_buckets *k, const struct hist_key_desc *axis)
{
	/* Prometheus starts the first bucket at 0 if all bounds are positive */
	uint64_t least = k->negative ? 0 : k->flip, most = 0;
	uint32_t i;
	struct hist_bounds bounds;
	int ret = 0;

	for (i = 0; i < hist_table_entries(k->h->rows) && !ret; i++) {
		openmetrics_get_row_bounds(k->h, i, &bounds);
		if ((bounds.ge ^ k->flip) > least)
			ret = openmetrics_add_bound(k, (bounds.ge ^ k->flip) - 1);
		if (!ret)
			ret = openmetrics_add_bound(k, bounds.le ^ k->flip);
		if (!k->is_signed || bounds.le <= INT64_MAX)
			most = bounds.le > most ? bounds.le : most;
	}
	for (i = 0; hist_key_is_log2(axis) && !ret &&
		    i < (most >> (OM_LADDER - 1) > 1 ? 63 : OM_LADDER);
	     i++)
		ret = openmetrics_add_bound(k, (UINT64_C(1) << i) ^ k->flip);
	return ret;
}

/*
 * What all machines have, whatever they counted: the ends of all buckets of the key.  After the
 * first OM_LADDER of .buckets, each has twice the width of the one before.  All negative numbers
 * are one bucket.
 */
static int openmetrics_add_fixed_bounds(struct om_buckets *k, const struct hist_key_desc *axis)
{
	const struct hist_range_ops *range = hist_key_traits(axis)->range;
	struct hist_bounds bounds = { .le = 0 };
	uint64_t step = 1, i;
	int ret = k->is_signed ? openmetrics_add_bound(k, UINT64_MAX ^ k->flip) : 0;

	for (i = 0; !ret && bounds.le < UINT64_C(1) << (OM_LADDER - 1); i++) {
		/* the step doubles with each octave of buckets */
		if (axis->kind == HIST_KEY_BUCKETS && i >= OM_LADDER)
			step *= 2;
		hist_key_bounds(axis, range->find(axis, i ? bounds.le + 1 : 0), &bounds);
		if (step > 1)
			bounds.le += (step - 1) * axis->bucket;
		ret = openmetrics_add_bound(k, bounds.le ^ k->flip);
	}
	return ret;
}

/* The caller calls openmetrics_buckets_free() also after an error. */
static int openmetrics_buckets_make(struct om_buckets *k, const struct om_hist *h)
{
	const struct hist_key_desc *axis = &h->info->def.schema->keys[h->axis];
	uint32_t n = hist_table_entries(h->rows), i;
	struct hist_bounds bounds;
	size_t to, from;
	int ret;

	memset(k, 0, sizeof(*k));
	k->h = h;
	k->is_signed = axis->is_signed;
	k->flip = axis->is_signed ? UINT64_C(1) << 63 : 0;
	k->rows = reallocarray(NULL, (size_t)n + 1, sizeof(*k->rows));
	if (!k->rows)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		k->rows[i] = i;
		openmetrics_get_row_bounds(h, i, &bounds);
		k->negative |= k->is_signed && bounds.ge > INT64_MAX;
	}
	ret = h->fixed && hist_key_traits(axis)->range ? openmetrics_add_fixed_bounds(k, axis) :
							 openmetrics_add_row_bounds(k, axis);
	if (ret)
		return ret;
	if (k->n)
		qsort(k->les, k->n, sizeof(*k->les), array_compare_u64);
	qsort_r(k->rows, n, sizeof(*k->rows), openmetrics_compare_rows, k);
	for (from = 0, to = 0; from < k->n; from++)
		/* the bound UINT64_MAX is the bucket +Inf */
		if (k->les[from] != UINT64_MAX && (!to || k->les[to - 1] != k->les[from]))
			k->les[to++] = k->les[from];
	k->n = to;
	return 0;
}

static void openmetrics_buckets_free(struct om_buckets *k)
{
	free(k->les);
	free(k->rows);
}

/* --- histograms --- */

/* The value of @line at @moment.  *@at is the next change: 0 at first; moments must ascend. */
static uint64_t openmetrics_value_at(const struct om_line *line, uint32_t moment, uint32_t *at)
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

/* The larger of @x and that of a row; of a row only if it is in its bucket. */
static const struct hist_exemplar *
openmetrics_get_exemplar(const struct om_buckets *k, uint32_t row, const struct hist_exemplar *x)
{
	const struct hist_exemplar *of_row = k->h->exemplars ? k->h->exemplars[row] : NULL;
	struct hist_bounds bounds;

	if (!of_row || (x && x->value >= of_row->value))
		return x;
	openmetrics_get_row_bounds(k->h, row, &bounds);
	return of_row->value >= bounds.ge && of_row->value <= bounds.le ? of_row : x;
}

/* What all moments of a group share. */
struct om_group {
	struct hist_strbuf heads; /* the samples of all buckets, up to the end of their labels */
	size_t *ends;		  /* of each head */
	uint32_t *buckets;	  /* the bucket of each row */
	uint32_t *at; /* for openmetrics_value_at(): of the hits of each row, and of its sum */
	struct om_bin *bins; /* for protobuf: of each row, or of each bucket */
};

static void openmetrics_make_heads(struct openmetrics *o, const struct om_buckets *k,
				   const char *name, struct om_group *g)
{
	struct hist_strbuf *b = hist_strbuf_clear(&g->heads);
	size_t le;

	for (le = 0; le <= k->n; le++) {
		hist_strbuf_str(b, name);
		hist_strbuf_str(b, "_bucket");
		hist_strbuf_append(b, &o->labels);
		hist_strbuf_str(b, o->labels.len > 1 ? ",le=\"" : "le=\"");
		if (le < k->n)
			openmetrics_put_number(b, k->les[le] ^ k->flip, k->is_signed, true);
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

/* The octave of a row of .log2; false: it is no such row. */
static bool openmetrics_find_octave(const struct om_buckets *k, uint32_t row, int *octave)
{
	struct hist_bounds bounds;
	int n = 0;

	openmetrics_get_row_bounds(k->h, row, &bounds);
	*octave = OM_ZERO_BUCKET;
	if (bounds.le <= 1)
		return bounds.ge <= bounds.le;
	for (; n < 64 && UINT64_C(1) << n < bounds.le; n++)
		;
	*octave = n;
	return bounds.ge == (UINT64_C(1) << (n - 1)) + 1 &&
	       (n == 64 ? bounds.le == UINT64_MAX : bounds.le == UINT64_C(1) << n);
}

static uint64_t openmetrics_count_last(const struct om_hist *h, uint32_t row, unsigned int value)
{
	uint32_t at = 0;

	return openmetrics_value_at(openmetrics_get_line(h, row, value), h->nmoments - 1, &at);
}

/*
 * Write one label set as protobuf: a native histogram if its rows are octaves of numbers without a
 * sign, because a native one has no bucket for all negative numbers.
 */
static void openmetrics_put_message(struct openmetrics *o, const struct om_buckets *k,
				    const uint32_t *rows, uint32_t n, struct om_group *g)
{
	const struct om_hist *h = k->h;
	bool native = !k->is_signed;
	double sum = h->has_sum && !k->negative ? 0 : NAN;
	uint32_t i, nbins = n;
	uint64_t total = 0;
	struct om_bin *bin;

	for (i = 0; i < n; i++) {
		native = native && openmetrics_find_octave(k, rows[i], &g->bins[i].octave);
		g->bins[i].count = openmetrics_count_last(h, rows[i], h->hits);
		g->bins[i].exemplar = openmetrics_get_exemplar(k, rows[i], NULL);
		if (h->has_sum)
			total += openmetrics_count_last(h, rows[i], h->sum);
	}
	if (!native) {
		nbins = k->n + 1;
		for (i = 0; i < nbins; i++)
			g->bins[i] = (struct om_bin){
				.le = i < k->n ? hist_number_real(k->les[i] ^ k->flip,
								  k->is_signed) : INFINITY,
			};
		openmetrics_find_buckets(k, rows, n, g->buckets);
		for (i = 0; i < n; i++) {
			bin = &g->bins[g->buckets[i]];
			bin->count += openmetrics_count_last(h, rows[i], h->hits);
			bin->exemplar = openmetrics_get_exemplar(k, rows[i], bin->exemplar);
		}
	}
	o->emitter->add_histogram(o, g->bins, nbins, native, isnan(sum) ? sum : total);
}

/* Write one label set, which is @n rows. */
static void openmetrics_put_group(struct openmetrics *o, const struct om_buckets *k,
				  const char *name, const uint32_t *rows, uint32_t n,
				  struct om_group *g)
{
	const struct om_hist *h = k->h;
	bool sum = h->has_sum && !k->negative;
	const struct hist_exemplar *x;
	uint64_t count, total;
	size_t le, head;
	uint32_t m, i;

	openmetrics_make_heads(o, k, name, g);
	openmetrics_find_buckets(k, rows, n, g->buckets);
	memset(g->at, 0, 2 * (size_t)n * sizeof(*g->at));
	for (m = 0; m < h->nmoments && !o->base.out.error; m++) {
		count = 0;
		for (le = 0, i = 0, head = 0; le <= k->n; head = g->ends[le++]) {
			for (x = NULL; i < n && g->buckets[i] == le; i++) {
				count += openmetrics_value_at(
					openmetrics_get_line(h, rows[i], h->hits), m, &g->at[i]);
				x = openmetrics_get_exemplar(k, rows[i], x);
			}
			hist_strbuf_add(&o->base.out, g->heads.data + head, g->ends[le] - head);
			openmetrics_end_sample(o, count, false, false, &h->moments[m], x);
		}
		if (!sum && o->plain)
			openmetrics_put_no_sum(o, name, count, &h->moments[m]);
		if (!sum)
			continue;
		for (total = 0, i = 0; i < n; i++)
			total += openmetrics_value_at(openmetrics_get_line(h, rows[i], h->sum), m,
						      &g->at[n + i]);
		openmetrics_put_count(o, name, "_count", count, &h->moments[m]);
		openmetrics_put_sample(o, name, "_sum", total, false, true, &h->moments[m]);
	}
}

static int openmetrics_put_groups(struct openmetrics *o, const struct om_hist *h, const char *name)
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
	g.bins = calloc((size_t)n + k.n + 1, sizeof(*g.bins));
	if (!ret && (!g.ends || !g.buckets || !g.at || !g.bins))
		ret = -ENOMEM;
	for (first = 0; first < n && !ret; first = end) {
		group = hist_table_cells(h->rows, k.rows[first])->str;
		for (end = first; end < n && hist_table_cells(h->rows, k.rows[end])->str == group;
		     end++)
			;
		s = hist_table_string(h->rows, group, &len);
		openmetrics_begin_labels(o, h, s, len);
		if (o->emitter)
			openmetrics_put_message(o, &k, k.rows + first, end - first, &g);
		else
			openmetrics_put_group(o, &k, name, k.rows + first, end - first, &g);
	}
	hist_strbuf_free(&g.heads);
	free(g.ends);
	free(g.buckets);
	free(g.at);
	free(g.bins);
	openmetrics_buckets_free(&k);
	return ret;
}

/* The next histogram after @h that shares the families of @first, or NULL. */
static const struct om_hist *openmetrics_next_member(const struct openmetrics *o,
						     const struct om_hist *first,
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

	openmetrics_put_family(o, name, "histogram", unit, "Hits of a hist trigger by key", first);
	for (h = first; h && !ret; h = openmetrics_next_member(o, first, h))
		ret = openmetrics_put_groups(o, h, name);
	return ret;
}

/* --- counters --- */

static void openmetrics_put_rows(struct openmetrics *o, const struct om_hist *h, unsigned int value,
				 const char *name)
{
	const struct hist_value_desc *desc = &h->info->def.schema->values[value];
	const char *suffix = desc->is_signed ? "" : "_total", *s;
	struct hist_bounds bounds;
	struct hist_strbuf *head = &o->base.text;
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
		hist_strbuf_str(hist_strbuf_clear(head), name);
		hist_strbuf_str(head, suffix);
		hist_strbuf_append(head, &o->labels);
		for (m = 0, at = 0; m < h->nmoments && !o->base.out.error; m++) {
			v = openmetrics_value_at(openmetrics_get_line(h, row, value), m, &at);
			if (o->emitter) {
				o->emitter->add(o, hist_number_real(v, desc->is_signed));
				continue;
			}
			hist_strbuf_append(&o->base.out, head);
			openmetrics_end_sample(o, v, desc->is_signed, false, &h->moments[m], NULL);
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
	for (h = first; h; h = openmetrics_next_member(o, first, h))
		openmetrics_put_rows(o, h, value, name);
}

/* True for values that the classic histogram does not already contain. */
static bool openmetrics_is_counter(const struct om_hist *h, unsigned int value)
{
	if (h->axis >= 0 && ((int)value == h->hits || (h->has_sum && value == h->sum)))
		return false;
	return hist_value_is_sum(h->info->def.schema->values[value].kind);
}

static int openmetrics_put_data(struct openmetrics *o, const struct om_hist *h)
{
	unsigned int v;
	int ret = 0;

	if (!h->nmoments || h->member_of)
		return 0;
	if (h->axis >= 0)
		ret = openmetrics_put_histogram(o, h);
	for (v = 0; v < h->info->def.schema->nvalues && !ret; v++)
		if (openmetrics_is_counter(h, v))
			openmetrics_put_values(o, h, v);
	return ret;
}

/* --- which histograms share families --- */

static bool openmetrics_has_same_values(const struct hist_schema *x, const struct hist_schema *y)
{
	unsigned int v;

	for (v = 0; v < hist_schema_columns(x) && v < hist_schema_columns(y); v++)
		if (x->values[v].kind != y->values[v].kind ||
		    x->values[v].is_signed != y->values[v].is_signed)
			return false;
	return hist_schema_columns(x) == hist_schema_columns(y);
}

/*
 * True if @a and @b are one histogram of two machines.  The numbers of @b then go into the families
 * of @a.  A query can add them up over machines; the label host distinguishes them.
 */
static bool openmetrics_share_families(const struct om_hist *a, const struct om_hist *b)
{
	const struct hist_definition *x = &a->info->def, *y = &b->info->def;

	return a->info->timeline && b->info->timeline &&
	       !strcmp(openmetrics_own_name(a), openmetrics_own_name(b)) &&
	       !strcmp(x->trigger, y->trigger) && !strcmp(x->clock, y->clock) &&
	       strcmp(x->host ? x->host : "", y->host ? y->host : "") && a->axis == b->axis &&
	       openmetrics_has_same_values(x->schema, y->schema);
}

/* A family must not have two histograms of one machine: @h must fit all members. */
static bool openmetrics_has_place(const struct openmetrics *o, const struct om_hist *first,
				  const struct om_hist *h)
{
	const struct om_hist *member;

	for (member = first; member; member = openmetrics_next_member(o, first, member))
		if (!openmetrics_share_families(member, h))
			return false;
	return true;
}

/* Make each histogram share the families of the first earlier one that it fits. */
static void openmetrics_find_members(struct openmetrics *o)
{
	uint32_t i, j;

	for (i = 0; i < o->nhists; i++)
		for (j = 0; j < i && o->hists[i].nmoments && !o->hists[i].member_of; j++)
			if (o->hists[j].nmoments && !o->hists[j].member_of &&
			    openmetrics_has_place(o, &o->hists[j], &o->hists[i]))
				o->hists[i].member_of = j + 1;
}

/* --- how many --- */

/* True for a histogram whose rows are native ones: one series for each label set. */
static bool openmetrics_is_octaves(const struct om_hist *h)
{
	const struct hist_key_desc *axis = &h->info->def.schema->keys[h->axis];

	return axis->kind == HIST_KEY_LOG2 && !axis->is_signed;
}

static int openmetrics_count_series(struct openmetrics *o, const struct om_hist *h,
				    uint64_t *series)
{
	uint64_t rows = hist_table_entries(h->rows), groups = hist_table_strings(h->rows);
	struct om_buckets k;
	unsigned int v;
	int ret = 0;

	for (v = 0; v < h->info->def.schema->nvalues; v++)
		*series += openmetrics_is_counter(h, v) ? rows : 0;
	if (h->axis >= 0 && o->emitter && openmetrics_is_octaves(h)) {
		*series += groups;
	} else if (h->axis >= 0) {
		ret = openmetrics_buckets_make(&k, h);
		*series += groups * (k.n + 1 + (h->has_sum && !k.negative ? 2 : 0));
		openmetrics_buckets_free(&k);
	}
	*series += OM_FACTS + 1;
	return !ret && *series > h->rows_max ? openmetrics_refuse_series(o, h->name, *series) : ret;
}

/* --- times --- */

/* Compute missing wall-clock times from the trace clock and the nearest snapshot that has one. */
static void openmetrics_fill_times(struct om_hist *h)
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

/*
 * Set moments[].ms and .when.  The times of a histogram increase by at least one millisecond,
 * because Prometheus stores milliseconds.  Returns false if the wall-clock time of several
 * snapshots is unknown.
 */
static bool openmetrics_settle_moments(struct om_hist *h)
{
	int64_t before = INT64_MIN, ms;
	uint32_t i;

	if (hist_clock_is_ns(h->info->def.clock))
		openmetrics_fill_times(h);
	for (i = 0; i < h->nmoments; i++) {
		if (!h->moments[i].wall && h->nmoments > 1)
			return false;
		ms = h->moments[i].wall / 1000000;
		if (i && ms <= before)
			ms = before + 1;
		h->moments[i].ms = before = ms;
		if (h->moments[i].wall)
			h->moments[i].when_len =
				snprintf(h->moments[i].when, sizeof(h->moments[i].when),
					 " %" PRId64 ".%03d", ms / 1000, (int)(ms % 1000));
	}
	return true;
}

static int openmetrics_settle_times(struct openmetrics *o, struct om_hist *h)
{
	if (o->plain && h->nmoments > 1)
		return hist_error_set(&o->base.failure, -EINVAL,
				      "%s: prometheus has one snapshot, because its "
				      "samples have no time\nuse --format openmetrics",
				      h->name);
	if (o->plain || openmetrics_settle_moments(h))
		return 0;
	return hist_error_set(&o->base.failure, -EINVAL,
			      "%s: several snapshots in openmetrics need the wall-clock time, "
			      "which was not recorded\n%s",
			      h->name,
			      hist_clock_is_ns(h->info->def.clock) ? "use --time-offset"
								   : "select one snapshot");
}

/* --- the document --- */

int openmetrics_put_document(struct openmetrics *o, const struct hist_series_damage *damage)
{
	struct hist_writer *base = &o->base;
	uint64_t series = 4;
	uint32_t i;
	int ret;

	for (i = 0; i < o->nhists; i++) {
		ret = openmetrics_settle_times(o, &o->hists[i]);
		if (ret)
			return ret;
		ret = openmetrics_count_series(o, &o->hists[i], &series);
		if (ret)
			return ret;
	}
	o->names = calloc((size_t)o->nhists * (HIST_VALUES_MAX + 1) + 1, sizeof(*o->names));
	if (!o->names)
		return -ENOMEM;
	openmetrics_find_members(o);
	openmetrics_put_info(o);
	openmetrics_put_facts(o);
	if (base->o.recorder)
		openmetrics_put_recorder(o, base->o.recorder);
	else
		openmetrics_put_damage(o, damage);
	for (i = 0; i < o->nhists; i++) {
		ret = openmetrics_put_data(o, &o->hists[i]);
		if (!ret)
			ret = hist_strbuf_flush(&base->out, base->o.f);
		if (ret)
			return ret;
	}
	ret = base->text.error ? base->text.error : o->labels.error;
	if (ret)
		return ret;
	if (o->emitter)
		o->emitter->end(o);
	/* without the last line "# EOF" a reader knows that the text is truncated */
	if (!o->plain)
		hist_strbuf_str(&base->out, "# EOF\n");
	return hist_strbuf_flush(&base->out, base->o.f);
}
