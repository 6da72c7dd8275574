// SPDX-License-Identifier: GPL-2.0
/*
 * run_fixture.c - recordings as files, made from counts instead of a kernel's text
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/expr/expr.h"
#include "lib/series/series.h"
#include "utest/unit/lib/series/renumber_fixture.h"
#include "utest/unit/lib/series/run_fixture.h"
#include "utest/unit/lib/tracedat/tracedat_fixture.h"

#define HISTS_MAX 8

struct run_hist {
	struct hist_table *table;
	struct hist_snapshot snap;
	bool cleared, stopped;
};

struct run_fixture {
	int fd;
	char *uname, *host;
	struct tracedat_writer *dat;
	struct hist_series_writer *series;
	struct run_hist hists[HISTS_MAX];
	int n;
};

static void must(int ret, const char *what)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "run_fixture: %s: %s\n", what, strerror(-ret));
	exit(2);
}

static struct run_fixture *begin(const char *path, int flags, const char *uname, const char *host)
{
	struct run_fixture *f = calloc(1, sizeof(*f));

	must(f ? 0 : -ENOMEM, path);
	f->uname = strdup(uname);
	f->host = strdup(host);
	f->fd = open(path, O_RDWR | flags, 0666);
	must(f->fd < 0 ? -errno : 0, path);
	return f;
}

struct run_fixture *run_fixture_new(const char *path, const char *uname, const char *host)
{
	struct tracedat_contents contents = fixture_contents(HIST_COMPRESS_ZSTD);
	struct run_fixture *f = begin(path, O_CREAT | O_TRUNC, uname, host);

	must(tracedat_create(&f->dat, f->fd, &contents), path);
	must(hist_series_writer_new(&f->series, f->dat), path);
	return f;
}

struct run_fixture *run_fixture_attach(const char *path, const char *uname, const char *host)
{
	struct run_fixture *f = begin(path, 0, uname, host);

	must(tracedat_attach(&f->dat, f->fd), path);
	must(tracedat_link(f->dat), path);
	must(hist_series_writer_new(&f->series, f->dat), path);
	return f;
}

static void settle(struct hist_key_desc *key)
{
	size_t len = strlen(key->name);

	if (key->kind == HIST_KEY_UNKNOWN)
		key->kind = len >= 4 && !strcmp(key->name + len - 4, "comm") ? HIST_KEY_STRING :
									       HIST_KEY_NUM;
}

int run_fixture_define(struct run_fixture *f, const char *event, const char *trigger,
		       const char *clock)
{
	struct hist_definition def = {
		.event = event, .trigger = trigger, .engine = "kernel", .clock = clock,
		.instance = "hist.1", .uname = f->uname, .host = f->host,
	};
	struct run_hist *h = &f->hists[f->n];
	struct hist_schema *schema;
	struct hist_expr *expr;
	unsigned int i;

	must(hist_expr_parse(&expr, trigger, NULL), trigger);
	must(hist_schema_make(&schema, expr, NULL), trigger);
	for (i = 0; i < schema->nkeys; i++)
		settle(&schema->keys[i]);
	h->table = hist_table_new(schema);
	must(h->table ? 0 : -ENOMEM, trigger);
	must(hist_series_define(f->series, &def, h->table), trigger);
	hist_schema_free(schema);
	hist_expr_free(expr);
	return f->n++;
}

static uint64_t *entry_values(struct run_hist *h, const struct run_key *keys)
{
	const struct hist_schema *schema = hist_table_schema(h->table);
	struct hist_cell cells[HIST_KEYS_MAX];
	unsigned int i;
	uint32_t entry;

	for (i = 0; i < schema->nkeys; i++) {
		cells[i] = (struct hist_cell){ keys[i].num, HIST_NO_STRING };
		if (keys[i].str)
			must(hist_table_intern(h->table, keys[i].str, strlen(keys[i].str),
					       &cells[i].str), "intern");
	}
	must(hist_table_add(h->table, cells, &entry), "entry");
	must(hist_snapshot_grow(&h->snap, schema, entry + 1), "entry");
	return h->snap.values + (size_t)entry * schema->nvalues;
}

void run_fixture_count(struct run_fixture *f, int hist, const struct run_key *keys,
		       const uint64_t *values)
{
	struct run_hist *h = &f->hists[hist];
	const struct hist_schema *schema = hist_table_schema(h->table);
	uint64_t *counts = entry_values(h, keys);
	int hitcount = hist_schema_hitcount(schema);
	unsigned int i;

	for (i = 0; i < schema->nvalues; i++)
		counts[i] += values[i];
	h->snap.hits += hitcount >= 0 ? values[hitcount] : 1;
	h->snap.entries = h->snap.nentries;
}

void run_fixture_worst(struct run_fixture *f, int hist, const struct run_key *keys, uint64_t max)
{
	struct run_hist *h = &f->hists[hist];
	int worst = hist_schema_worst(hist_table_schema(h->table));
	uint64_t *values = entry_values(h, keys);
	char text[64];
	uint32_t id;

	must(worst < 0 ? -EINVAL : 0, "no worst");
	snprintf(text, sizeof(text), "max: %10llu  common_pid: %10u", (unsigned long long)max, 7);
	must(hist_table_intern(h->table, text, strlen(text), &id), "intern");
	values[worst] = id;
}

void run_fixture_drop(struct run_fixture *f, int hist, uint64_t hits)
{
	f->hists[hist].snap.dropped += hits;
}

void run_fixture_clear(struct run_fixture *f, int hist)
{
	struct run_hist *h = &f->hists[hist];
	uint32_t seq = h->snap.seq;

	hist_table_clear(h->table);
	hist_snapshot_clear(&h->snap);
	h->snap.seq = seq;
	h->cleared = true;
}

void run_fixture_stop(struct run_fixture *f, int hist)
{
	f->hists[hist].stopped = true;
}

void run_fixture_renumber(struct run_fixture *f, int hist)
{
	struct run_hist *h = &f->hists[hist];

	must(fixture_renumber(f->series, hist, h->table, &h->snap), "renumber");
}

void run_fixture_lose(struct run_fixture *f, int hist)
{
	f->hists[hist].snap.seq++;
}

void run_fixture_number(struct run_fixture *f, int hist, uint32_t seq)
{
	f->hists[hist].snap.seq = seq;
}

void run_fixture_snapshot(struct run_fixture *f, int hist, uint64_t ns)
{
	struct run_hist *h = &f->hists[hist];

	h->snap.time = ns;
	h->snap.flags = (h->cleared ? HIST_SNAP_RESET : 0) | (h->stopped ? HIST_SNAP_STOPPED : 0);
	must(hist_series_add(f->series, hist, &h->snap), "snapshot");
	h->cleared = h->stopped = false;
	h->snap.seq++;
}

void run_fixture_close(struct run_fixture *f, bool end)
{
	int i;

	if (end)
		must(hist_series_finish(f->series), "end");
	hist_series_writer_free(f->series);
	tracedat_writer_free(f->dat);
	must(close(f->fd) ? -errno : 0, "close");
	for (i = 0; i < f->n; i++) {
		hist_table_free(f->hists[i].table);
		hist_snapshot_clear(&f->hists[i].snap);
	}
	free(f->uname);
	free(f->host);
	free(f);
}
