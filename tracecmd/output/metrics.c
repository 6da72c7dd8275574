// SPDX-License-Identifier: GPL-2.0
/*
 * metrics.c - sink that counts what a running recording has counted, for Prometheus
 *
 * Each histogram has its sums (lib/series/counted.h), and a page is a report of one snapshot of
 * them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/analysis/axis.h"
#include "lib/analysis/worst.h"
#include "lib/base/array.h"
#include "lib/base/escape.h"
#include "lib/base/text_file.h"
#include "lib/hist/regroup.h"
#include "lib/label/label.h"
#include "lib/report/openmetrics/openmetrics.h"
#include "lib/series/counted.h"
#include "lib/series/record.h"
#include "tracecmd/base/message.h"
#include "tracecmd/output/metrics.h"

struct metrics_hist {
	struct hist_series_info info; /* the strings of its definition are owned */
	char *name;		      /* "kmem:kmalloc#1", made by the first page */
	struct hist_table *table;     /* of the snapshots */
	struct hist_regroup *regroup; /* or NULL */
	struct hist_counted *counted; /* NULL before the first snapshot */
	/* of the rows of @counted; and the strings of HIST_VALUE_WORST that are known, by entry */
	struct hist_exemplar *exemplars;
	uint32_t exemplars_room, known_room;
	uint64_t *known;
	uint64_t generation; /* of the table that @known belongs to */
	uint64_t wall;	     /* of the last snapshot */
	uint64_t left_out;
	uint32_t flags; /* of the last snapshot */
};

/* --- counting --- */

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
		/* the schema is that of @counted */
		m->hists[i].info.def.schema = NULL;
		definition_free(&m->hists[i].info.def);
		free(m->hists[i].name);
		hist_regroup_free(m->hists[i].regroup);
		hist_counted_free(m->hists[i].counted);
		free(m->hists[i].exemplars);
		free(m->hists[i].known);
	}
	free(m->hists);
	m->hists = NULL;
	m->nhists = 0;
}

static int metrics_define(struct sink *s, const struct hist_definition *def,
			  struct hist_table *table)
{
	struct metrics *m = (struct metrics *)s;
	struct metrics_hist *h;

	if (array_add(&m->hists, m->nhists, sizeof(*h)))
		return message_error_memory();
	h = &m->hists[m->nhists++];
	*h = (struct metrics_hist){ .table = table };
	if (definition_copy_names(&h->info.def, def))
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
	if (!m->started)
		m->started = snap->wall;
	return hist_counted_subtract(h->counted, table, snap);
}

/* --- exemplars --- */

/* Add a label if it fits: @left is how many characters names and values may still have. */
static void metrics_add_label(struct hist_strbuf *b, size_t *left, const char *name,
			      size_t name_len, const char *value, size_t len)
{
	char clean[HIST_EXEMPLAR_MAX + 1];

	if (!name_len || !len || name_len + len > *left)
		return;
	*left -= name_len + len;
	if (b->len)
		hist_strbuf_char(b, ',');
	snprintf(clean, sizeof(clean), "%.*s", (int)name_len, name);
	openmetrics_clean_name(clean);
	openmetrics_put_label(b, clean, "", value, len);
}

static void metrics_add_number(struct hist_strbuf *b, size_t *left, const char *name, uint64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	metrics_add_label(b, left, name, strlen(name), text, strlen(text));
}

/* The text of a saved field, without what a label must not have. */
static void metrics_add_field(struct hist_strbuf *b, size_t *left, struct hist_strbuf *text,
			      const char *name, size_t name_len, const char *s, size_t len)
{
	hist_escape(hist_strbuf_clear(text), s, len, 0);
	metrics_add_label(b, left, name, name_len, text->data, text->len);
}

/* The most important labels first: those that do not fit are left out. */
static void metrics_put_labels(struct hist_strbuf *b, const struct hist_worst *worst,
			       const char *file)
{
	struct hist_strbuf text = { 0 };
	const char *at = worst->saved;
	size_t left = HIST_EXEMPLAR_MAX, saved = worst->saved_len;
	struct hist_worst_place place;
	struct hist_worst_field field;

	hist_worst_get_place(worst, &place);
	if (place.has_previous)
		metrics_add_field(b, &left, &text, "after", 5, place.comm, place.comm_len);
	if (place.has_pid)
		metrics_add_number(b, &left, place.has_previous ? "after_pid" : "pid", place.pid);
	if (place.has_previous) {
		hist_label_put_priority(hist_strbuf_clear(&text), (int64_t)place.prio, false);
		metrics_add_label(b, &left, "after_prio", 10, text.data, text.len);
	}
	if (place.has_cpu)
		metrics_add_number(b, &left, "cpu", place.cpu);
	if (file)
		metrics_add_field(b, &left, &text, "file", 4, basename(file),
				  strlen(basename(file)));
	while (hist_worst_next_field(&at, &saved, &field)) {
		if (hist_worst_is_place(&field))
			continue;
		hist_strbuf_clear(&text);
		if (field.is_number)
			hist_strbuf_number(&text, field.number, field.is_signed);
		else
			hist_escape(&text, field.text, field.text_len, 0);
		metrics_add_label(b, &left, field.name, field.name_len, text.data, text.len);
	}
	hist_strbuf_fail(b, text.error);
	hist_strbuf_free(&text);
}

/* Make the exemplar of an entry of @table, whose largest value is the string @id. */
static int metrics_make_exemplar(struct metrics_hist *h, const struct hist_table *table,
				 uint32_t entry, uint64_t id, const struct hist_snapshot *snap,
				 const char *file)
{
	struct hist_worst worst;
	struct hist_worst_place place;
	struct hist_strbuf b = { 0 };
	struct hist_exemplar *x;
	uint32_t own;
	int ret;

	if (!hist_worst_read(&worst, table, id) || !worst.value || !snap->wall)
		return 0;
	ret = hist_table_add_from(h->counted->table, table, entry, &own);
	if (!ret)
		ret = array_grow_zeroed(&h->exemplars, &h->exemplars_room, (size_t)own + 1,
					sizeof(*h->exemplars));
	if (ret)
		return ret;
	x = &h->exemplars[own];
	hist_worst_get_place(&worst, &place);
	x->value = worst.value;
	x->wall = snap->wall;
	if (place.has_time && place.time <= snap->time && hist_clock_is_ns(h->info.def.clock))
		x->wall -= snap->time - place.time;
	metrics_put_labels(&b, &worst, file);
	hist_strbuf_char(&b, '\0');
	if (!b.error && b.len <= sizeof(x->labels))
		memcpy(x->labels, b.data, b.len);
	else
		x->labels[0] = '\0';
	ret = b.error;
	hist_strbuf_free(&b);
	return ret;
}

/* Rows whose largest value is new in @snap.  @begun: false: it is the set-up. */
static int metrics_note_exemplars(struct metrics_hist *h, const struct hist_table *table,
				  const struct hist_snapshot *snap, bool begun, const char *file)
{
	const struct hist_schema *schema = hist_table_schema(table);
	int value = hist_schema_worst(schema), ret = 0;
	uint64_t id;
	uint32_t i;

	if (value < 0)
		return 0;
	if (array_grow_zeroed(&h->known, &h->known_room, snap->nentries, sizeof(*h->known)))
		return -ENOMEM;
	if (h->generation != hist_table_generation(table) && h->known_room)
		memset(h->known, 0, h->known_room * sizeof(*h->known));
	h->generation = hist_table_generation(table);
	for (i = 0; i < snap->nentries && !ret; i++) {
		id = snap->values[(size_t)i * schema->nvalues + (unsigned int)value];
		if (h->known[i] == id + 1)
			continue;
		h->known[i] = id + 1;
		if (begun)
			ret = metrics_make_exemplar(h, table, i, id, snap, file);
	}
	return ret;
}

/* Those that Prometheus has had time to take are dropped: it keeps them, and pages stay small. */
static void metrics_drop_exemplars(struct metrics_hist *h)
{
	uint64_t age = METRICS_EXEMPLAR_S * UINT64_C(1000000000);
	uint32_t i;

	for (i = 0; i < h->exemplars_room; i++)
		if (h->exemplars[i].wall + age < h->wall)
			h->exemplars[i].value = 0;
}

static int metrics_add(struct sink *s, int hist, const struct hist_snapshot *snap)
{
	struct metrics *m = (struct metrics *)s;
	struct metrics_hist *h = &m->hists[hist];
	const struct hist_table *table = h->table;
	bool begun = h->counted;
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
	if (!ret)
		ret = metrics_note_exemplars(h, table, snap, begun, m->file);
	h->flags = snap->flags;
	h->wall = snap->wall;
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
		m->hists[i].name = hist_series_make_name(event, before, same);
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
		.exemplars = h->exemplars,
		.nexemplars = h->exemplars_room,
		.from_hits = h->left_out,
		.resets = h->counted->resets,
		.extent = HIST_EXTENT_RECORDED,
		.stopped = h->flags & HIST_SNAP_STOPPED,
	};

	metrics_drop_exemplars(h);
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
	struct hist_error error = { 0 };
	unsigned long pages = 0;
	char *text = NULL;
	size_t len;

	if (text_file_read(&text, &len, "/proc/self/statm", &error) ||
	    sscanf(text, "%*u %lu", &pages) != 1)
		pages = 0;
	free(text);
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
