// SPDX-License-Identifier: LGPL-2.1
/*
 * openmetrics_text.c - names, labels and numbers in the text format of OpenMetrics
 *
 * Invariant: two families never have names that differ only in a suffix of samples
 * (openmetrics_stem_len()).
 */
#include <string.h>

#include "lib/label/label.h"
#include "lib/report/openmetrics/openmetrics.h"

unsigned int openmetrics_unit_decimals(enum hist_unit unit)
{
	return unit == HIST_UNIT_NONE ? 0 : 3 * (HIST_UNIT_S - unit);
}

/* Write @v / 10^decimals exactly; @real: an integer ends in ".0". */
void openmetrics_put_number(struct hist_strbuf *b, uint64_t v, bool is_signed,
			    unsigned int decimals,
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
	hist_strbuf_u64(b, decimals ? v / unit : v);
	part = decimals ? v % unit : 0;
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

/* Length of @name without a suffix that OpenMetrics adds to the names of samples. */
static size_t openmetrics_stem_len(const char *name)
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

static bool is_taken(const struct openmetrics *o, const char *name)
{
	size_t len = openmetrics_stem_len(name);
	uint32_t i;

	for (i = 0; i < o->nnames; i++)
		if (openmetrics_stem_len(o->names[i]) == len && !memcmp(o->names[i], name, len))
			return true;
	return false;
}

/* A unique name for the family: "trace_SYSTEM_EVENT_FIELD_seconds". */
const char *openmetrics_name_family(struct openmetrics *o, const struct om_hist *h,
				    const char *field,
			       enum hist_unit unit)
{
	int len = unit == HIST_UNIT_NONE ? strlen(field) : hist_unit_stem_len(field);
	char *name = o->names[o->nnames], first[561];
	unsigned int n;

	snprintf(first, sizeof(first), "trace_%s%s%.*s%s", openmetrics_own_name(h), len ? "_" : "",
		 len < 255 ? len : 255, field, unit == HIST_UNIT_NONE ? "" : "_seconds");
	openmetrics_clean_name(first);
	strcpy(name, first);
	/* number the prefix, because the unit must be last */
	for (n = 2; is_taken(o, name); n++)
		snprintf(name, sizeof(*o->names), "trace_%u%s", n, first + strlen("trace"));
	o->nnames++;
	return name;
}

/* HELP of Prometheus has no escape of a quote. */
static void openmetrics_put_help(struct openmetrics *o, const char *s, size_t len)
{
	if (!o->plain)
		openmetrics_put_escaped(&o->base.out, s, len);
	for (; o->plain && len; len--, s++) {
		if (*s == '\\')
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

void openmetrics_put_family(struct openmetrics *o, const char *name, const char *type,
			    enum hist_unit unit, const char *help, const struct om_hist *h)
{
	const char *suffix = openmetrics_family_suffix(o, type);
	struct hist_strbuf *b = &o->base.out;

	if (o->plain && !strcmp(type, "info"))
		type = "gauge";
	hist_strbuf_printf(b, "# TYPE %s%s %s\n", name, suffix, type);
	if (unit != HIST_UNIT_NONE && !o->plain)
		hist_strbuf_printf(b, "# UNIT %s seconds\n", name);
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
void openmetrics_begin_labels(struct openmetrics *o, const struct om_hist *h, const char *labels,
			      size_t len)
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

void openmetrics_add_label(struct openmetrics *o, const char *name, const char *s)
{
	hist_escape(hist_strbuf_clear(&o->base.text), s ? s : "", s ? strlen(s) : 0, 0);
	if (o->labels.len > 1)
		hist_strbuf_char(&o->labels, ',');
	openmetrics_put_label(&o->labels, name, "", o->base.text.data, o->base.text.len);
}

void openmetrics_end_sample(struct openmetrics *o, uint64_t v, bool is_signed,
			    unsigned int decimals, bool real, const struct om_moment *m)
{
	struct hist_strbuf *b = &o->base.out;

	hist_strbuf_add(b, "} ", 2);
	openmetrics_put_number(b, v, is_signed, decimals, real);
	hist_strbuf_str(b, m->when);
	hist_strbuf_char(b, '\n');
	hist_strbuf_drain(b, o->base.o.f);
}

void openmetrics_put_sample(struct openmetrics *o, const char *name, const char *suffix, uint64_t v,
			    bool is_signed, unsigned int decimals, bool real,
			    const struct om_moment *m)
{
	struct hist_strbuf *b = &o->base.out;

	hist_strbuf_str(b, name);
	hist_strbuf_str(b, suffix);
	hist_strbuf_append(b, &o->labels);
	openmetrics_end_sample(o, v, is_signed, decimals, real, m);
}

void openmetrics_put_count(struct openmetrics *o, const char *name, const char *suffix, uint64_t v,
			   const struct om_moment *m)
{
	openmetrics_put_sample(o, name, suffix, v, false, 0, false, m);
}
