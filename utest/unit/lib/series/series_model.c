// SPDX-License-Identifier: GPL-2.0
/*
 * series_model.c - see series_model.h
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "utest/unit/lib/histfile/text_render.h"
#include "utest/unit/lib/series/series_model.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"
#include "utest/unit/test_data.h"

struct model_entry {
	uint64_t num[HIST_KEYS_MAX];
	char text[HIST_KEYS_MAX][40];
	uint64_t values[HIST_VALUES_MAX];
	char saved[24];
};

struct model_hist {
	const struct hist_schema *schema;
	struct hist_table *table;
	struct hist_snapshot snap;
	struct model_entry *entries;
	uint32_t nentries;
	uint64_t hits, dropped;
	uint32_t seq;
	uint64_t time;
	bool reset;	/* since the last snapshot in the file */
	bool say_reset; /* the library is told once, though that snapshot may fail */
	struct truth_hist truth;
};

struct model {
	int fd;
	struct tracedat_writer *dat;
	struct hist_series_writer *writer;
	struct model_hist hists[MODEL_HISTS];
	uint64_t random;
};

#define KEY(n, k) { .name = (char *)n, .kind = k }

static const struct hist_schema shapes[MODEL_HISTS] = {
	{
		.nkeys = 2, .nvalues = 4,
		.keys = { KEY("next_comm", HIST_KEY_STRING), KEY("common_pid", HIST_KEY_EXECNAME) },
		.values = { KEY("hitcount", HIST_VALUE_SUM), KEY("len", HIST_VALUE_HEX),
			    KEY("hitcount", HIST_VALUE_PERCENT), KEY("saved", HIST_VALUE_SAVED) },
	}, {
		.nkeys = 1, .nvalues = 1,
		.keys = { KEY("ptr", HIST_KEY_HEX) },
		.values = { KEY("hitcount", HIST_VALUE_SUM) },
	}, {
		.nkeys = 3, .nvalues = 2,
		.keys = { KEY("common_stacktrace", HIST_KEY_STACK), KEY("id", HIST_KEY_SYSCALL),
			  { .name = (char *)"lat", .kind = HIST_KEY_BUCKETS, .bucket = 50 } },
		.values = { KEY("hitcount", HIST_VALUE_SUM), KEY("lat", HIST_VALUE_GRAPH) },
	},
};

static void model_create_file(struct model *m, const char *path, const struct model_options *options)
{
	struct tracedat_contents contents = fixture_contents(options->compression);

	contents.machine.big_endian = options->big_endian;
	contents.trace_id = options->trace_id;
	m->fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	CU_ASSERT_FATAL(m->fd >= 0);
	CU_ASSERT_EQUAL_FATAL(tracedat_create(&m->dat, m->fd, &contents), 0);
}

struct model *model_new(const char *path, const struct model_options *options)
{
	struct model *m = calloc(1, sizeof(*m));
	struct hist_definition def = {
		.trigger = "hist:keys=x", .engine = "kernel", .clock = "mono", .uname = "Linux",
		.instance = "", .host = "box",
	};
	char event[32];
	unsigned int i;

	m->random = options->seed ? options->seed : 1;
	model_create_file(m, path, options);
	CU_ASSERT_EQUAL_FATAL(hist_series_writer_new(&m->writer, m->dat), 0);
	if (options->trace_id)
		hist_series_prepare(m->writer);
	for (i = 0; i < MODEL_HISTS; i++) {
		struct model_hist *h = &m->hists[i];

		h->schema = &shapes[i];
		h->table = hist_table_new(h->schema);
		h->time = 1000;
		snprintf(event, sizeof(event), "test:event%u", i);
		def.event = event;
		CU_ASSERT_EQUAL_FATAL(hist_series_define(m->writer, &def, h->table), (int)i);
	}
	return m;
}

static uint64_t chance(struct model *m, uint64_t n)
{
	return test_random(&m->random) % n;
}

/* Few values, so that some keys come again, and now and then a large number. */
static void new_key(struct model *m, const struct hist_schema *schema, struct model_entry *e)
{
	unsigned int k;

	memset(e, 0, sizeof(*e));
	for (k = 0; k < schema->nkeys; k++) {
		enum hist_key_kind kind = schema->keys[k].kind;

		if (kind == HIST_KEY_BUCKETS)
			e->num[k] = chance(m, 5) * 50;
		else if (!hist_key_is_text(kind))
			e->num[k] = chance(m, 20) ? chance(m, 3000) : test_random(&m->random);
		if (hist_key_is_text(kind))
			snprintf(e->text[k], sizeof(e->text[k]), "%s%" PRIu64 "+0x1/0x2\nfn\xff\x01",
				 kind == HIST_KEY_STACK ? "f" : "task", chance(m, 60));
		else if (hist_key_has_string(kind))
			snprintf(e->text[k], sizeof(e->text[k]), "n%" PRIu64, e->num[k] % 50);
	}
}

static bool same_key(const struct hist_schema *schema, const struct model_entry *a,
		     const struct model_entry *b)
{
	unsigned int k;

	for (k = 0; k < schema->nkeys; k++) {
		if (a->num[k] != b->num[k] || strcmp(a->text[k], b->text[k]))
			return false;
	}
	return true;
}

static struct model_entry *find_or_add(struct model_hist *h, const struct model_entry *key)
{
	uint32_t i;

	for (i = 0; i < h->nentries; i++) {
		if (same_key(h->schema, &h->entries[i], key))
			return &h->entries[i];
	}
	h->entries = realloc(h->entries, (h->nentries + 1) * sizeof(*h->entries));
	h->entries[h->nentries] = *key;
	return &h->entries[h->nentries++];
}

void model_count(struct model *m, int hist, unsigned int changes)
{
	struct model_hist *h = &m->hists[hist];
	struct model_entry key, *e;
	unsigned int v;

	while (changes--) {
		if (h->nentries && chance(m, 4)) {
			e = &h->entries[chance(m, h->nentries)];
		} else {
			new_key(m, h->schema, &key);
			e = find_or_add(h, &key);
		}
		for (v = 0; v < h->schema->nvalues; v++) {
			uint64_t by = chance(m, 30) ? 1 + chance(m, 200) : test_random(&m->random);

			if (h->schema->values[v].kind == HIST_VALUE_SAVED)
				snprintf(e->saved, sizeof(e->saved), "max: %" PRIu64, chance(m, 40));
			else if (hist_value_is_sum(h->schema->values[v].kind))
				e->values[v] += by;
			else
				e->values[v] = by % 10001;
		}
		h->hits++;
		h->dropped += !chance(m, 50);
	}
}

void model_reset(struct model *m, int hist)
{
	struct model_hist *h = &m->hists[hist];

	h->nentries = 0;
	h->hits = h->dropped = 0;
	hist_table_clear(h->table);
	hist_snapshot_clear(&h->snap);
	h->reset = h->say_reset = true;
}

void model_skip(struct model *m, int hist)
{
	m->hists[hist].seq++;
	m->hists[hist].time += 1000;
}

/* Some have none, and it is set back at times. */
static uint64_t wall_of(uint32_t seq)
{
	return seq % 4 == 1 ? 0 : UINT64_C(1700000000123456789) + seq % 7 * UINT64_C(1000000007);
}

static void head_line(FILE *f, uint32_t seq, uint64_t time, uint64_t wall, bool reset,
		      uint64_t hits, uint64_t entries, uint64_t dropped, uint64_t missed,
		      uint64_t read_ns)
{
	fprintf(f, "%" PRIu32 " %" PRIu64 " %" PRIu64 " %d %" PRIu64 " %" PRIu64 " %" PRIu64
		" %" PRIu64 " %" PRIu64 "\n", seq, time, wall, reset, hits, entries, dropped,
		missed, read_ns);
}

/* What render_rows() must print, from the plain arrays. */
static char *expected(const struct model_hist *h)
{
	const struct hist_schema *schema = h->schema;
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	uint32_t e;
	unsigned int i;

	head_line(f, h->seq, h->time, wall_of(h->seq), h->reset, h->hits, h->nentries, h->dropped,
		  h->seq % 3, h->seq * 7u);
	for (e = 0; e < h->nentries; e++) {
		const struct model_entry *entry = &h->entries[e];

		for (i = 0; i < schema->nkeys; i++) {
			enum hist_key_kind kind = schema->keys[i].kind;

			if (hist_key_is_text(kind))
				fputs("- ", f);
			else
				fprintf(f, "%" PRIu64 " ", entry->num[i]);
			if (hist_key_has_string(kind))
				render_string(f, entry->text[i], strlen(entry->text[i]));
			else
				fputc('-', f);
			fputc(' ', f);
		}
		fputc('|', f);
		for (i = 0; i < schema->nvalues; i++) {
			fputc(' ', f);
			if (schema->values[i].kind == HIST_VALUE_SAVED)
				render_string(f, entry->saved, strlen(entry->saved));
			else
				fprintf(f, "%" PRIu64, entry->values[i]);
		}
		fputc('\n', f);
	}
	fclose(f);
	return text;
}

char *model_render(const struct hist_table *table, const struct hist_snapshot *snap)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	head_line(f, snap->seq, snap->time, snap->wall, snap->flags & HIST_SNAP_RESET, snap->hits,
		  snap->entries, snap->dropped, snap->missed, snap->read_ns);
	render_rows(f, table, snap);
	fclose(f);
	return text;
}

/* Brings the library's table and snapshot up to the arrays. */
static void fill_snapshot(struct model_hist *h)
{
	const struct hist_schema *schema = h->schema;
	struct hist_cell cells[HIST_KEYS_MAX];
	uint32_t e, number, id;
	unsigned int i;

	for (e = 0; e < h->nentries; e++) {
		const struct model_entry *entry = &h->entries[e];

		for (i = 0; i < schema->nkeys; i++) {
			cells[i] = (struct hist_cell){ entry->num[i], HIST_NO_STRING };
			if (hist_key_has_string(schema->keys[i].kind))
				hist_table_intern(h->table, entry->text[i], strlen(entry->text[i]),
						  &cells[i].str);
		}
		CU_ASSERT_EQUAL_FATAL(hist_table_add(h->table, cells, &number), 0);
		CU_ASSERT_EQUAL_FATAL(number, e);
		CU_ASSERT_EQUAL_FATAL(hist_snapshot_grow(&h->snap, schema, e + 1), 0);
		for (i = 0; i < schema->nvalues; i++) {
			id = 0;
			if (schema->values[i].kind == HIST_VALUE_SAVED)
				hist_table_intern(h->table, entry->saved, strlen(entry->saved), &id);
			h->snap.values[(size_t)e * schema->nvalues + i] =
				schema->values[i].kind == HIST_VALUE_SAVED ? id : entry->values[i];
		}
	}
	h->snap.seq = h->seq;
	h->snap.time = h->time;
	h->snap.wall = wall_of(h->seq);
	h->snap.flags = h->say_reset ? HIST_SNAP_RESET : 0;
	h->snap.hits = h->hits;
	h->snap.dropped = h->dropped;
	h->snap.entries = h->nentries;
	h->snap.missed = h->seq % 3;
	h->snap.read_ns = h->seq * 7u;
}

int model_snapshot(struct model *m, int hist)
{
	struct model_hist *h = &m->hists[hist];
	struct truth_hist *t = &h->truth;
	int ret;

	fill_snapshot(h);
	ret = hist_series_add(m->writer, hist, &h->snap);
	h->say_reset = false;
	if (!ret) {
		t->snaps = realloc(t->snaps, (t->n + 1) * sizeof(*t->snaps));
		t->snaps[t->n++] = (struct truth_snapshot){ h->seq, h->time, expected(h) };
		h->reset = false;
	}
	h->seq++;
	h->time += 1000;
	return ret;
}

void model_continue(struct model *m, const char *path, const struct model_options *options)
{
	struct tracedat_writer *before = m->dat;

	CU_ASSERT_EQUAL(hist_series_finish(m->writer), 0);
	close(m->fd);
	model_create_file(m, path, options);
	CU_ASSERT_EQUAL_FATAL(hist_series_continue(m->writer, m->dat), 0);
	tracedat_writer_free(before);
}

void model_close(struct model *m, bool end)
{
	if (end)
		CU_ASSERT_EQUAL(hist_series_finish(m->writer), 0);
	hist_series_writer_free(m->writer);
	tracedat_writer_free(m->dat);
	close(m->fd);
	m->writer = NULL;
	m->dat = NULL;
	m->fd = -1;
}

const struct truth_hist *model_truth(const struct model *m, int hist)
{
	return &m->hists[hist].truth;
}

void model_free(struct model *m)
{
	unsigned int i, n;

	if (m->writer)
		model_close(m, false);
	for (i = 0; i < MODEL_HISTS; i++) {
		for (n = 0; n < m->hists[i].truth.n; n++)
			free(m->hists[i].truth.snaps[n].text);
		free(m->hists[i].truth.snaps);
		free(m->hists[i].entries);
		hist_table_free(m->hists[i].table);
		hist_snapshot_clear(&m->hists[i].snap);
	}
	free(m);
}
