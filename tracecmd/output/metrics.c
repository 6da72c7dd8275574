// SPDX-License-Identifier: GPL-2.0
/*
 * metrics.c - sink that counts what a running recording has counted, for Prometheus
 *
 * Each histogram has its sums (lib/series/counted.h), and a page is a report of one snapshot of
 * them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/analysis/axis.h"
#include "lib/base/array.h"
#include "lib/hist/regroup.h"
#include "lib/series/counted.h"
#include "tracecmd/base/message.h"
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

/* --- counting --- */

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

static int metrics_begin(struct sink *s, const struct tracedat_contents *contents)
{
	(void)s;
	(void)contents;
	return 0;
}

static void metrics_clear(struct sink *s)
{
	struct metrics *m = (struct metrics *)s;
	uint32_t i;

	for (i = 0; i < m->nhists; i++) {
		metrics_free_definition(&m->hists[i].info.def);
		free(m->hists[i].name);
		hist_regroup_free(m->hists[i].regroup);
		hist_counted_free(m->hists[i].counted);
	}
	free(m->hists);
	m->hists = NULL;
	m->nhists = 0;
}

static int metrics_define(struct sink *s, const struct hist_definition *def,
			  struct hist_table *table)
{
	struct metrics *m = (struct metrics *)s;
	struct hist_definition *own;
	struct metrics_hist *h;

	if (array_add(&m->hists, m->nhists, sizeof(*h)))
		return message_error_memory();
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
		return message_error_memory();
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
		if (schema->keys[k].kind == HIST_KEY_FINE_LOG2
			    ? m->fine
			    : schema->keys[k].kind != HIST_KEY_NUM ||
				      (int)k != hist_axis_key(schema))
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
static int metrics_subtract_setup(struct metrics *m, struct metrics_hist *h,
				  const struct hist_table *table, const struct hist_snapshot *snap)
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

static int metrics_add(struct sink *s, int hist, const struct hist_snapshot *snap)
{
	struct metrics *m = (struct metrics *)s;
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
		ret = metrics_subtract_setup(m, h, table, snap);
	if (!ret)
		ret = hist_counted_update(h->counted, table, snap, snap->flags & HIST_SNAP_RESET);
	h->flags = snap->flags;
	return ret ? message_error_errno(s->name, ret) : 0;
}

static int metrics_end(struct sink *s)
{
	(void)s;
	return 0;
}

const struct sink_ops metrics_ops = {
	.begin = metrics_begin,
	.define = metrics_define,
	.add = metrics_add,
	.end = metrics_end,
	.clear = metrics_clear,
};

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
		.info = &h->info,
		.name = h->name,
		.table = h->counted->table,
		.snap = &sums,
		.whole = &sums,
		.rows = &rows,
		.from_hits = h->left_out,
		.resets = h->counted->resets,
		.extent = HIST_EXTENT_RECORDED,
		.stopped = h->flags & HIST_SNAP_STOPPED,
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

int metrics_write(struct metrics *m, const struct hist_writer_ops *format, struct hist_strbuf *b,
		  struct hist_error *error)
{
	struct hist_recorder_facts facts = { .started = m->started, .version = VERSION };
	struct hist_writer_options options = {
		.max_series = METRICS_SERIES_MAX,
		.recorder = &facts,
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
		w = hist_writer_new(format, &options);
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
