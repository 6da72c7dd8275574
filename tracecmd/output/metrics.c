// SPDX-License-Identifier: GPL-2.0
/*
 * metrics.c - what a running recording has counted, as metrics of Prometheus
 *
 * Each histogram has its sums (lib/series/counted.h), and a page is a report of one snapshot of
 * them.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "lib/analysis/axis.h"
#include "lib/base/array.h"
#include "lib/hist/regroup.h"
#include "lib/report/writer.h"
#include "lib/series/counted.h"
#include "tracecmd/output/metrics.h"

struct metrics_hist {
	struct hist_series_info info; /* the strings of its definition are owned */
	char *name;		      /* "kmem:kmalloc#1", made by the first page */
	struct hist_table *table;     /* of the snapshots */
	struct hist_regroup *regroup; /* or NULL */
	struct hist_counted *counted; /* NULL before the first snapshot */
	uint64_t first_time, left_out;
	uint32_t flags; /* of the last snapshot */
};

struct metrics {
	struct metrics_hist *hists;
	uint32_t nhists;
	uint64_t started; /* wall-clock time of the first snapshot */
	bool fine;	  /* .log2=K keeps its buckets */
};

static const struct {
	const char *type; /* in Accept, without parameters */
	const char *content_type;
	const struct hist_writer_ops *ops;
} metrics_forms[METRICS_FORMS] = {
	[METRICS_PROTOBUF] = { "application/vnd.google.protobuf",
			       "application/vnd.google.protobuf; "
			       "proto=io.prometheus.client.MetricFamily; encoding=delimited",
			       &hist_writer_protobuf },
	[METRICS_OPENMETRICS] = { "application/openmetrics-text",
				  "application/openmetrics-text; version=1.0.0; charset=utf-8",
				  &hist_writer_openmetrics },
	[METRICS_TEXT] = { "text/plain", "text/plain; version=0.0.4; charset=utf-8",
			   &hist_writer_prometheus },
};

const char *metrics_content_type(enum metrics_form form)
{
	return metrics_forms[form].content_type;
}

/* --- Accept --- */

/* The parameter @name of one part of Accept, "" if it has none; @len: its length. */
static const char *metrics_find_parameter(const char *part, size_t part_len, const char *name,
					  size_t *len)
{
	const char *end = part + part_len, *at = part, *next;
	size_t n = strlen(name);

	for (; at && at < end; at = next) {
		next = memchr(at, ';', end - at);
		next = next ? next + 1 : end;
		while (at < next && isspace((unsigned char)*at))
			at++;
		if (at + n < next && !strncasecmp(at, name, n) && at[n] == '=') {
			at += n + 1;
			*len = strcspn(at, ";, \t");
			return at;
		}
	}
	*len = 0;
	return "";
}

/* How much a client wants this part: q in thousandths, 0 if it is not @form. */
static unsigned int metrics_weigh(enum metrics_form form, const char *part, size_t len)
{
	const char *type = metrics_forms[form].type, *text;
	size_t n = strlen(type), text_len;
	unsigned int weight = 0;

	if (len < n || strncasecmp(part, type, n) || (len > n && !strchr("; \t", part[n])))
		return 0;
	text = metrics_find_parameter(part, len, "encoding", &text_len);
	if (form == METRICS_PROTOBUF && (text_len != 9 || strncasecmp(text, "delimited", 9)))
		return 0;
	text = metrics_find_parameter(part, len, "version", &text_len);
	if (form == METRICS_OPENMETRICS && text_len && strncmp(text, "1.0.0", text_len))
		return 0;
	text = metrics_find_parameter(part, len, "q", &text_len);
	if (!text_len || text[0] != '0')
		return 1000;
	/* "0.75", in any locale */
	for (n = 2; n < 5; n++)
		weight = weight * 10 + (n < text_len && isdigit((unsigned char)text[n]) ?
					(unsigned int)(text[n] - '0') : 0);
	return weight;
}

enum metrics_form metrics_choose_form(const char *accept)
{
	enum metrics_form form, best = METRICS_TEXT;
	unsigned int weight, most = 0;
	size_t len;

	while (accept && *accept) {
		accept += strspn(accept, ", \t");
		len = strcspn(accept, ",");
		for (form = 0; form < METRICS_FORMS; form++) {
			weight = metrics_weigh(form, accept, len);
			if (weight > most) {
				most = weight;
				best = form;
			}
		}
		accept += len;
	}
	return best;
}

/* --- counting --- */

struct metrics *metrics_new(bool fine)
{
	struct metrics *m = calloc(1, sizeof(*m));

	if (m)
		m->fine = fine;
	return m;
}

static void metrics_free_definition(struct hist_definition *def)
{
	free((char *)def->event);
	free((char *)def->trigger);
	free((char *)def->engine);
	free((char *)def->clock);
	free((char *)def->instance);
	free((char *)def->uname);
	free((char *)def->host);
}

void metrics_free(struct metrics *m)
{
	uint32_t i;

	for (i = 0; m && i < m->nhists; i++) {
		metrics_free_definition(&m->hists[i].info.def);
		free(m->hists[i].name);
		hist_regroup_free(m->hists[i].regroup);
		hist_counted_free(m->hists[i].counted);
	}
	free(m ? m->hists : NULL);
	free(m);
}

int metrics_define(struct metrics *m, const struct hist_definition *def, struct hist_table *table)
{
	struct hist_definition *own;
	struct metrics_hist *h;

	if (array_add(&m->hists, m->nhists, sizeof(*h)))
		return -ENOMEM;
	h = &m->hists[m->nhists++];
	*h = (struct metrics_hist){ .table = table };
	own = &h->info.def;
	own->event = strdup(def->event);
	own->trigger = strdup(def->trigger);
	own->engine = strdup(def->engine);
	own->clock = strdup(def->clock);
	own->instance = strdup(def->instance);
	own->uname = strdup(def->uname ? def->uname : "");
	own->host = strdup(def->host ? def->host : "");
	if (!own->event || !own->trigger || !own->engine || !own->clock || !own->instance ||
	    !own->uname || !own->host)
		return -ENOMEM;
	return (int)m->nhists - 1;
}

/* Merge to the buckets of .log2, unless the histogram has values that cannot be merged. */
static int metrics_regroup(const struct metrics *m, struct metrics_hist *h)
{
	struct hist_schema *schema = hist_schema_copy(hist_table_schema(h->table));
	struct hist_buckets buckets = { 0 };
	struct hist_error error = { 0 };
	char text[300];
	unsigned int k;
	int ret = schema ? 0 : -ENOMEM;

	for (k = 0; !ret && k < schema->nkeys; k++) {
		if (schema->keys[k].kind == HIST_KEY_FINE_LOG2 ? m->fine :
		    schema->keys[k].kind != HIST_KEY_NUM || (int)k != hist_axis_key(schema))
			continue;
		snprintf(text, sizeof(text), "%s.log2", schema->keys[k].name);
		ret = hist_buckets_add(&buckets, text, &error);
	}
	if (!ret && buckets.n)
		ret = hist_buckets_set(&buckets, schema, &error);
	if (ret == 1) {
		h->regroup = hist_regroup_new(schema);
		ret = h->regroup ? 0 : -ENOMEM;
	}
	hist_buckets_clear(&buckets);
	hist_schema_free(schema);
	return ret == -EINVAL ? 0 : ret;
}

/* Begin with the set-up. */
static int metrics_begin(struct metrics *m, struct metrics_hist *h, const struct hist_table *table,
			 const struct hist_snapshot *snap)
{
	h->counted = hist_counted_new(hist_table_schema(table));
	if (!h->counted)
		return -ENOMEM;
	h->info.def.schema = hist_table_schema(h->counted->table);
	h->left_out = snap->hits;
	h->first_time = snap->time;
	if (!m->started)
		m->started = snap->wall;
	return hist_counted_subtract(h->counted, table, snap);
}

int metrics_add(struct metrics *m, int hist, const struct hist_snapshot *snap)
{
	struct metrics_hist *h = &m->hists[hist];
	const struct hist_table *table = h->table;
	int ret = 0;

	/* the first rows may still have changed the schema */
	if (!h->counted)
		ret = metrics_regroup(m, h);
	if (!ret && h->regroup) {
		ret = hist_regroup_update(h->regroup, table, snap);
		table = h->regroup->table;
		snap = &h->regroup->snap;
	}
	if (!ret && !h->counted)
		ret = metrics_begin(m, h, table, snap);
	if (!ret)
		ret = hist_counted_update(h->counted, table, snap, snap->flags & HIST_SNAP_RESET);
	h->flags = snap->flags;
	return ret;
}

/* --- pages --- */

/* The names that a report of the file would have. */
static int metrics_make_names(struct metrics *m)
{
	uint32_t i, j, same, before;
	const char *event;

	for (i = 0; i < m->nhists; i++) {
		if (m->hists[i].name)
			continue;
		event = m->hists[i].info.def.event;
		for (j = 0, same = 0, before = 0; j < m->nhists; j++) {
			if (strcmp(m->hists[j].info.def.event, event))
				continue;
			same++;
			before += j < i;
		}
		if (same == 1)
			m->hists[i].name = strdup(event);
		else if (asprintf(&m->hists[i].name, "%s#%u", event, before) < 0)
			m->hists[i].name = NULL;
		if (!m->hists[i].name)
			return -ENOMEM;
	}
	return 0;
}

static void metrics_write_hist(struct hist_writer *w, struct metrics_hist *h, int *ret)
{
	/* rows that are 0 were only counted in the set-up */
	const struct hist_selection selection = { .difference = true, .first_new = UINT32_MAX };
	struct hist_rows rows = { 0 };
	struct hist_snapshot sums = h->counted->sums;
	const struct hist_view view = {
		.info = &h->info, .name = h->name, .table = h->counted->table,
		.snap = &sums, .whole = &sums, .rows = &rows,
		.from_hits = h->left_out, .resets = h->counted->resets,
		.extent = HIST_EXTENT_RECORDED, .stopped = h->flags & HIST_SNAP_STOPPED,
	};

	*ret = hist_rows_select(&rows, h->counted->table, &sums, &selection);
	if (!*ret) {
		hist_writer_histogram(w, &h->info, h->name);
		hist_writer_snapshot(w, &view);
		hist_writer_histogram_end(w);
	}
	hist_rows_free(&rows);
}

/* Resident memory of this process, in bytes; 0: unknown. */
static uint64_t metrics_measure_memory(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (f && fscanf(f, "%*u %lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

int metrics_write(struct metrics *m, enum metrics_form form, struct hist_strbuf *b,
		  struct hist_error *error)
{
	struct hist_recorder_facts facts = { .started = m->started, .version = VERSION };
	struct hist_writer_options options = {
		.max_series = METRICS_SERIES_MAX, .recorder = &facts,
	};
	const struct hist_series_damage none = { 0 };
	struct hist_writer *w = NULL;
	struct timespec cpu = { 0 };
	char *text = NULL;
	size_t len = 0;
	uint32_t i;
	int ret, ended;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	facts.cpu_ns = (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec;
	facts.memory = metrics_measure_memory();
	ret = metrics_make_names(m);
	if (ret)
		return ret;
	options.f = open_memstream(&text, &len);
	if (options.f)
		w = hist_writer_new(metrics_forms[form].ops, &options);
	for (i = 0; !ret && w && i < m->nhists; i++)
		if (m->hists[i].counted)
			metrics_write_hist(w, &m->hists[i], &ret);
	ended = hist_writer_free(w, ret ? NULL : &none, error);
	ret = ret ? ret : ended;
	if (options.f && fclose(options.f) && !ret)
		ret = -ENOMEM;
	if (!ret)
		hist_strbuf_add(b, text, len);
	free(text);
	return ret ? ret : b->error;
}
